/* libv4l2: variadic calls with the one argument that is used here. */
#ifndef KINEBOX_CV4L_H
#define KINEBOX_CV4L_H

#include <errno.h>
#include <libv4l2.h>

static inline int kinebox_v4l_ioctl(int descriptor, unsigned long request, void *argument)
{
	int result;

	do
		result = v4l2_ioctl(descriptor, request, argument);
	while (result < 0 && errno == EINTR);
	return result;
}

/* The library's descriptor for one that is open, without conversions: the pictures are wanted as they are. */
static inline int kinebox_v4l_take(int descriptor) { return v4l2_fd_open(descriptor, V4L2_DISABLE_CONVERSION); }

#endif
