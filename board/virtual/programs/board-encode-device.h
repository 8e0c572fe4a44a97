/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The device that board-encode uses, single-planar or multi-planar, and its buffers. */
#ifndef BOARD_ENCODE_DEVICE_H
#define BOARD_ENCODE_DEVICE_H

#include <errno.h>
#include <fcntl.h>
#include <linux/videodev2.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define BUFFERS_MAX 8
#define PLANES_MAX 3

enum { FAILED = 1, WRONG_USAGE = 2, TIMED_OUT = 3 };

/* One of the two sides: raw pictures go in, the coded stream comes out. */
struct side {
	enum v4l2_buf_type type;
	unsigned int planes;
	unsigned int count;
	void *memory[BUFFERS_MAX][PLANES_MAX];
	size_t size[BUFFERS_MAX][PLANES_MAX];
	unsigned int busy;
};

static int device;
static bool mplane;
static struct side raw, coded;
static struct v4l2_format raw_format;

static void fail(const char *what)
{
	printf("%s: %s\n", what, strerror(errno));
	exit(FAILED);
}

static void control(unsigned long request, void *argument, const char *what)
{
	if (ioctl(device, request, argument))
		fail(what);
}

static void open_device(const char *path)
{
	struct v4l2_capability capability;

	device = open(path, O_RDWR | O_NONBLOCK);
	if (device < 0)
		fail(path);
	control(VIDIOC_QUERYCAP, &capability, "VIDIOC_QUERYCAP");
	mplane = capability.device_caps & V4L2_CAP_VIDEO_M2M_MPLANE;
	raw.type = mplane ? V4L2_BUF_TYPE_VIDEO_OUTPUT_MPLANE :
			    V4L2_BUF_TYPE_VIDEO_OUTPUT;
	coded.type = mplane ? V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE :
			      V4L2_BUF_TYPE_VIDEO_CAPTURE;
}

static void begin_buffer(struct side *side, struct v4l2_buffer *buffer,
			 struct v4l2_plane *planes, unsigned int index)
{
	memset(buffer, 0, sizeof(*buffer));
	memset(planes, 0, sizeof(*planes) * PLANES_MAX);
	buffer->type = side->type;
	buffer->memory = V4L2_MEMORY_MMAP;
	buffer->index = index;
	if (mplane) {
		buffer->m.planes = planes;
		buffer->length = side->planes;
	}
}

static void map_buffer(struct side *side, unsigned int index)
{
	struct v4l2_plane planes[PLANES_MAX];
	struct v4l2_buffer buffer;
	unsigned int i;

	begin_buffer(side, &buffer, planes, index);
	control(VIDIOC_QUERYBUF, &buffer, "VIDIOC_QUERYBUF");
	for (i = 0; i < side->planes; i++) {
		size_t size = mplane ? planes[i].length : buffer.length;
		off_t offset = mplane ? planes[i].m.mem_offset :
					buffer.m.offset;
		void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
				    MAP_SHARED, device, offset);

		if (memory == MAP_FAILED)
			fail("mmap");
		side->memory[index][i] = memory;
		side->size[index][i] = size;
	}
}

static void get_buffers(struct side *side)
{
	struct v4l2_requestbuffers request = {
		.count = 4,
		.type = side->type,
		.memory = V4L2_MEMORY_MMAP,
	};
	unsigned int i;

	control(VIDIOC_REQBUFS, &request, "VIDIOC_REQBUFS");
	side->count = request.count < BUFFERS_MAX ? request.count : BUFFERS_MAX;
	for (i = 0; i < side->count; i++)
		map_buffer(side, i);
}

/* Returns false when there is nothing to be had now. */
static bool dequeue(struct side *side, struct v4l2_buffer *buffer,
		    struct v4l2_plane *planes)
{
	begin_buffer(side, buffer, planes, 0);
	if (ioctl(device, VIDIOC_DQBUF, buffer)) {
		if (errno == EAGAIN || errno == EPIPE)
			return false;
		fail("VIDIOC_DQBUF");
	}
	side->busy--;
	return true;
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec + time.tv_nsec / 1e9;
}

static void stream(bool on)
{
	unsigned long request = on ? VIDIOC_STREAMON : VIDIOC_STREAMOFF;
	const char *name = on ? "VIDIOC_STREAMON" : "VIDIOC_STREAMOFF";
	double begin = now();

	control(request, &raw.type, name);
	control(request, &coded.type, name);
	if (!on)
		printf("streamoff took %.0f ms\n", 1000 * (now() - begin));
}

#endif
