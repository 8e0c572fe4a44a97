#define _GNU_SOURCE
#include "CKernel.h"

int ckernel_synchronise_volume(int descriptor) { return syncfs(descriptor); }
