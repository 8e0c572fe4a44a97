#define _GNU_SOURCE
#include "CKernel.h"
#include <sys/syscall.h>

int ckernel_open_process(int process) { return (int)syscall(SYS_pidfd_open, process, 0); }
