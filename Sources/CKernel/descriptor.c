#define _GNU_SOURCE
#include "CKernel.h"

int ckernel_lock_exclusive(int descriptor)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

	return fcntl(descriptor, F_OFD_SETLK, &lock);
}

int ckernel_unlock(int descriptor)
{
	struct flock lock = { .l_type = F_UNLCK, .l_whence = SEEK_SET };

	return fcntl(descriptor, F_OFD_SETLK, &lock);
}

int ckernel_is_locked(int descriptor)
{
	struct flock lock = { .l_type = F_RDLCK, .l_whence = SEEK_SET };

	return fcntl(descriptor, F_OFD_GETLK, &lock) < 0 ? -1 : lock.l_type == F_WRLCK;
}

int ckernel_set_pipe_size(int descriptor, int bytes) { return fcntl(descriptor, F_SETPIPE_SZ, bytes); }
