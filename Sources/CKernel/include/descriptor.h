/* Variadic calls of the C library with the one argument that is used here. */
#ifndef CKERNEL_DESCRIPTOR_H
#define CKERNEL_DESCRIPTOR_H

static inline int ckernel_open(const char *path, int flags, mode_t mode) { return open(path, flags, mode); }

static inline int ckernel_ioctl(int descriptor, unsigned long request, void *argument)
{
	int result;

	do
		result = ioctl(descriptor, request, argument);
	while (result < 0 && errno == EINTR);
	return result;
}

/* Open file description lock over the whole file, exclusive: 0, or -1 with errno EAGAIN when another holds it. */
static inline int ckernel_lock_exclusive(int descriptor)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

	return fcntl(descriptor, F_OFD_SETLK, &lock);
}

/* 1 when another open file description holds an exclusive lock on any of the file, 0 when not, -1 with errno. */
static inline int ckernel_is_locked(int descriptor)
{
	struct flock lock = { .l_type = F_RDLCK, .l_whence = SEEK_SET };

	return fcntl(descriptor, F_OFD_GETLK, &lock) < 0 ? -1 : lock.l_type == F_WRLCK;
}

static inline int ckernel_duplicate(int descriptor) { return fcntl(descriptor, F_DUPFD_CLOEXEC, 3); }

static inline int ckernel_set_pipe_size(int descriptor, int bytes) { return fcntl(descriptor, F_SETPIPE_SZ, bytes); }

static inline int ckernel_set_nonblocking(int descriptor)
{
	int flags = fcntl(descriptor, F_GETFL);

	return flags < 0 ? flags : fcntl(descriptor, F_SETFL, flags | O_NONBLOCK);
}

#endif
