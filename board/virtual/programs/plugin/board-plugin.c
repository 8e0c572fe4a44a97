// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * A plugin of libv4l2, as the makers of some boards have them: it makes an encoder of a file.
 *
 * The file's first line is "board-plugin NODE". The kernel knows nothing of it: only who opens it through libv4l2 meets an
 * encoder, the one at NODE. Its coded buffers have other numbers here than there (one more, around in a circle), and its
 * card another name, so a request that goes past the library meets another buffer. How often each request was made is
 * counted in the file /run/board/plugin-calls, if that is there: 128 numbers of 8 bytes, by the request's own number.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <libv4l-plugin.h>
#include <linux/videodev2.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { REQUESTS = 128 };

struct encoder {
	/* Buffers of the coded side. */
	uint32_t coded;
	/* Nil without the file. */
	_Atomic uint64_t *calls;
};

static bool is_coded(uint32_t type)
{
	return type == V4L2_BUF_TYPE_VIDEO_CAPTURE || type == V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE;
}

static uint32_t there(const struct encoder *encoder, uint32_t type, uint32_t here)
{
	return is_coded(type) && here < encoder->coded ? (here + 1) % encoder->coded : here;
}

static uint32_t here(const struct encoder *encoder, uint32_t type, uint32_t there)
{
	return is_coded(type) && there < encoder->coded ? (there + encoder->coded - 1) % encoder->coded : there;
}

/* Puts the device in the file's place: the descriptor keeps its number, so that it can be waited for and mapped. */
static bool become(int file, const char *node)
{
	int device = open(node, O_RDWR | O_NONBLOCK | O_CLOEXEC);
	bool is_done = device >= 0 && dup3(device, file, O_CLOEXEC) >= 0;

	if (device >= 0)
		close(device);
	return is_done;
}

static void *begin(int file)
{
	static const char head[] = "board-plugin ";
	char line[256] = "", *end;
	struct encoder *encoder;
	struct stat status;
	int calls;

	if (fstat(file, &status) || !S_ISREG(status.st_mode) || pread(file, line, sizeof(line) - 1, 0) < 0)
		return NULL;
	end = strchr(line, '\n');
	if (!end || strncmp(line, head, strlen(head)))
		return NULL;
	*end = 0;
	if (!become(file, line + strlen(head)))
		return NULL;
	encoder = calloc(1, sizeof(*encoder));
	calls = encoder ? open("/run/board/plugin-calls", O_RDWR | O_CLOEXEC) : -1;
	if (calls >= 0) {
		void *page = mmap(NULL, REQUESTS * sizeof(*encoder->calls), PROT_READ | PROT_WRITE, MAP_SHARED, calls, 0);

		encoder->calls = page == MAP_FAILED ? NULL : page;
		close(calls);
	}
	return encoder;
}

static void end(void *private)
{
	struct encoder *encoder = private;

	if (encoder->calls)
		munmap(encoder->calls, REQUESTS * sizeof(*encoder->calls));
	free(encoder);
}

static int buffer_request(struct encoder *encoder, int device, unsigned long request, struct v4l2_buffer *buffer)
{
	uint32_t asked = buffer->index;
	int result;

	if (request != VIDIOC_DQBUF)
		buffer->index = there(encoder, buffer->type, asked);
	result = ioctl(device, request, buffer);
	buffer->index = request == VIDIOC_DQBUF && !result ? here(encoder, buffer->type, buffer->index) : asked;
	return result;
}

static int request(void *private, int device, unsigned long request, void *argument)
{
	struct encoder *encoder = private;
	struct v4l2_requestbuffers *buffers = argument;
	struct v4l2_exportbuffer *export = argument;
	struct v4l2_capability *capability = argument;
	uint32_t asked;
	int result;

	if (encoder->calls && _IOC_NR(request) < REQUESTS)
		atomic_fetch_add(&encoder->calls[_IOC_NR(request)], 1);
	switch (request) {
	case VIDIOC_QUERYBUF:
	case VIDIOC_QBUF:
	case VIDIOC_DQBUF:
		return buffer_request(encoder, device, request, argument);
	case VIDIOC_EXPBUF:
		asked = export->index;
		export->index = there(encoder, export->type, asked);
		result = ioctl(device, request, export);
		export->index = asked;
		return result;
	case VIDIOC_REQBUFS:
		result = ioctl(device, request, buffers);
		if (!result && is_coded(buffers->type))
			encoder->coded = buffers->count;
		return result;
	case VIDIOC_QUERYCAP:
		result = ioctl(device, request, capability);
		snprintf((char *)capability->card, sizeof(capability->card), "encoder of a plugin");
		return result;
	default:
		return ioctl(device, request, argument);
	}
}

static ssize_t take(void *private, int device, void *bytes, size_t count)
{
	(void)private;
	return read(device, bytes, count);
}

static ssize_t give(void *private, int device, const void *bytes, size_t count)
{
	(void)private;
	return write(device, bytes, count);
}

/* The library looks for this name. */
const struct libv4l_dev_ops libv4l2_plugin = {
	.init = begin,
	.close = end,
	.ioctl = request,
	.read = take,
	.write = give,
};
