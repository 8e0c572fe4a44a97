#define _GNU_SOURCE
#include "CKernel.h"

int ckernel_sealed_memory(long bytes)
{
	int descriptor = memfd_create("kinebox", MFD_CLOEXEC | MFD_ALLOW_SEALING);

	if (descriptor < 0)
		return descriptor;
	if (ftruncate(descriptor, bytes) < 0 || fcntl(descriptor, F_ADD_SEALS, F_SEAL_SHRINK) < 0) {
		int reason = errno;

		close(descriptor);
		errno = reason;
		return -1;
	}
	return descriptor;
}
