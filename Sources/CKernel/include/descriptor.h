/* Variadic calls of the C library with the one argument that is used here; those in descriptor.c need GNU's constants. */
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
int ckernel_lock_exclusive(int descriptor);

/* Gives that lock back: 0, or -1 with errno. */
int ckernel_unlock(int descriptor);

/* 1 when another open file description holds an exclusive lock on any of the file, 0 when not, -1 with errno. */
int ckernel_is_locked(int descriptor);

/* The size that a pipe got (fcntl F_SETPIPE_SZ), or -1 with errno. */
int ckernel_set_pipe_size(int descriptor, int bytes);

static inline int ckernel_duplicate(int descriptor) { return fcntl(descriptor, F_DUPFD_CLOEXEC, 3); }

static inline int ckernel_set_nonblocking(int descriptor)
{
	int flags = fcntl(descriptor, F_GETFL);

	return flags < 0 ? flags : fcntl(descriptor, F_SETFL, flags | O_NONBLOCK);
}

static inline int ckernel_set_blocking(int descriptor)
{
	int flags = fcntl(descriptor, F_GETFL);

	return flags < 0 ? flags : fcntl(descriptor, F_SETFL, flags & ~O_NONBLOCK);
}

#endif
