// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Feeds numbered pictures to an HDMI output of the board, which is joined to an HDMI input.
 *
 *     board-feed HDMI-OUTPUT FORMAT WIDTHxHEIGHT@RATE
 *
 * FORMAT is NV12, YU12, YUYV or UYVY. Picture n: the top 32 rows are 32 blocks, WIDTH / 32 wide each, of which block
 * i is white (luma 235) where bit i of n is set and black (16) where it is not. Below, luma at (x, y) is
 * 16 + (x + y) modulo 220. All chroma is 128. Prints "feeding", and then runs until it is ended.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/videodev2.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

enum { BUFFERS = 4, ROWS = 32, BITS = 32, WHITE = 235, BLACK = 16 };

static int output;
static uint32_t width, height, stride, fourcc;

static void fail(const char *what)
{
	fprintf(stderr, "board-feed: %s: %s\n", what, strerror(errno));
	exit(1);
}

static void call(unsigned long request, void *argument, const char *what)
{
	while (ioctl(output, request, argument))
		if (errno != EINTR)
			fail(what);
}

static void set_timings(uint32_t rate)
{
	struct v4l2_enum_dv_timings timings = { .index = 0 };

	for (; !ioctl(output, VIDIOC_ENUM_DV_TIMINGS, &timings); timings.index++) {
		struct v4l2_bt_timings *bt = &timings.timings.bt;
		uint64_t total = V4L2_DV_BT_FRAME_WIDTH(bt) * (uint64_t)V4L2_DV_BT_FRAME_HEIGHT(bt);

		if (bt->width != width || bt->height != height || bt->interlaced || bt->pixelclock / total != rate)
			continue;
		call(VIDIOC_S_DV_TIMINGS, &timings.timings, "the timings");
		return;
	}
	fprintf(stderr, "board-feed: the output has no mode of %ux%u@%u\n", width, height, rate);
	exit(1);
}

static void set_format(void)
{
	struct v4l2_format format = { .type = V4L2_BUF_TYPE_VIDEO_OUTPUT };

	format.fmt.pix.width = width;
	format.fmt.pix.height = height;
	format.fmt.pix.pixelformat = fourcc;
	format.fmt.pix.field = V4L2_FIELD_NONE;
	format.fmt.pix.colorspace = V4L2_COLORSPACE_REC709;
	call(VIDIOC_S_FMT, &format, "the format");
	stride = format.fmt.pix.bytesperline;
	if (format.fmt.pix.pixelformat != fourcc || format.fmt.pix.width != width || format.fmt.pix.height != height) {
		fprintf(stderr, "board-feed: the output does not take this format\n");
		exit(1);
	}
}

/* Where luma begins in a row, and how far the next one is. */
static uint32_t first(void) { return fourcc == V4L2_PIX_FMT_UYVY; }
static uint32_t step(void) { return fourcc == V4L2_PIX_FMT_YUYV || fourcc == V4L2_PIX_FMT_UYVY ? 2 : 1; }

static void draw(uint8_t *pixels, size_t size)
{
	memset(pixels, 128, size);
	for (uint32_t y = 0; y < height; y++)
		for (uint32_t x = 0; x < width; x++)
			pixels[y * stride + first() + x * step()] = BLACK + (x + y) % 220;
}

static void number(uint8_t *pixels, uint32_t number)
{
	uint32_t block = width / BITS;

	for (uint32_t x = 0; x < BITS * block; x++)
		pixels[first() + x * step()] = number >> (x / block) & 1 ? WHITE : BLACK;
	for (uint32_t x = BITS * block; x < width; x++)
		pixels[first() + x * step()] = BLACK;
	for (uint32_t y = 1; y < ROWS; y++)
		memcpy(pixels + y * stride, pixels, width * step());
}

int main(int count, char **words)
{
	struct v4l2_requestbuffers request = {
		.count = BUFFERS, .type = V4L2_BUF_TYPE_VIDEO_OUTPUT, .memory = V4L2_MEMORY_MMAP,
	};
	uint8_t *pixels[BUFFERS];
	uint32_t rate, next = 0;

	if (count != 4 || strlen(words[2]) != 4 || sscanf(words[3], "%ux%u@%u", &width, &height, &rate) != 3) {
		fprintf(stderr, "usage: board-feed HDMI-OUTPUT NV12|YU12|YUYV|UYVY WIDTHxHEIGHT@RATE\n");
		return 2;
	}
	fourcc = v4l2_fourcc(words[2][0], words[2][1], words[2][2], words[2][3]);
	output = open(words[1], O_RDWR | O_CLOEXEC);
	if (output < 0)
		fail(words[1]);
	set_timings(rate);
	set_format();
	call(VIDIOC_REQBUFS, &request, "buffers");
	if (request.count != BUFFERS)
		fail("fewer buffers than were asked for");
	for (uint32_t i = 0; i < BUFFERS; i++) {
		struct v4l2_buffer buffer = { .index = i, .type = request.type, .memory = request.memory };

		call(VIDIOC_QUERYBUF, &buffer, "a buffer");
		pixels[i] = mmap(NULL, buffer.length, PROT_READ | PROT_WRITE, MAP_SHARED, output, buffer.m.offset);
		if (pixels[i] == MAP_FAILED)
			fail("a buffer cannot be mapped");
		draw(pixels[i], buffer.length);
		number(pixels[i], next++);
		buffer.bytesused = buffer.length;
		call(VIDIOC_QBUF, &buffer, "a buffer cannot be queued");
	}
	call(VIDIOC_STREAMON, &request.type, "streaming");
	printf("feeding\n");
	fflush(stdout);
	for (;;) {
		struct v4l2_buffer buffer = { .type = request.type, .memory = request.memory };

		call(VIDIOC_DQBUF, &buffer, "a buffer does not come back");
		number(pixels[buffer.index], next++);
		buffer.bytesused = buffer.length;
		call(VIDIOC_QBUF, &buffer, "a buffer cannot be queued");
	}
}
