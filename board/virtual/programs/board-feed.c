// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Feeds numbered pictures to an HDMI output of the board, which is joined to an HDMI input.
 *
 *     board-feed HDMI-OUTPUT FORMAT WIDTHxHEIGHT@RATE
 *
 * FORMAT is a four-character code of those below. In picture n the top 32 rows are 32 blocks, WIDTH / 32 wide each, of
 * which block i is white (235) where bit i of n is set and black (16) where it is not; what is right of them is black.
 * In R'G'B' these are grey. Below, where m is n in the rows 32 to 95 and 0 beneath them, and all are whole numbers:
 *     luma at (x, y)                       16 + (x + y + m) modulo 220
 *     red, green, blue at (x, y)           (x + y + m) modulo 256, (2 x + y) modulo 256, (x + 2 y) modulo 256
 * and in all rows, of the chroma samples at (x, y) of their own planes:
 *     Cb, Cr                               16 + (x + 2 y) modulo 224, 240 - (2 x + y) modulo 224
 * Prints "feeding", and then runs until it is ended.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/videodev2.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

enum { BUFFERS = 4, ROWS = 32, CHANGING_ROWS = 96, BITS = 32, WHITE = 235, BLACK = 16, PLANES = 3 };

/* Where a colour's samples are: its plane, and in a row the first one and the way to the next, in bytes. */
struct component {
	uint8_t plane, first, step;
};

static const struct layout {
	const char *code;
	bool is_rgb, is_separate;
	/* Of chroma against luma. */
	uint8_t across, down;
	/* Luma or red, Cb or green, Cr or blue. */
	struct component components[3];
} layouts[] = {
	{ "NV12", false, false, 2, 2, { { 0, 0, 1 }, { 1, 0, 2 }, { 1, 1, 2 } } },
	{ "NM12", false, true, 2, 2, { { 0, 0, 1 }, { 1, 0, 2 }, { 1, 1, 2 } } },
	{ "YU12", false, false, 2, 2, { { 0, 0, 1 }, { 1, 0, 1 }, { 2, 0, 1 } } },
	{ "YM12", false, true, 2, 2, { { 0, 0, 1 }, { 1, 0, 1 }, { 2, 0, 1 } } },
	{ "YV12", false, false, 2, 2, { { 0, 0, 1 }, { 2, 0, 1 }, { 1, 0, 1 } } },
	{ "YM21", false, true, 2, 2, { { 0, 0, 1 }, { 2, 0, 1 }, { 1, 0, 1 } } },
	{ "NV16", false, false, 2, 1, { { 0, 0, 1 }, { 1, 0, 2 }, { 1, 1, 2 } } },
	{ "NM16", false, true, 2, 1, { { 0, 0, 1 }, { 1, 0, 2 }, { 1, 1, 2 } } },
	{ "YUYV", false, false, 2, 1, { { 0, 0, 2 }, { 0, 1, 4 }, { 0, 3, 4 } } },
	{ "UYVY", false, false, 2, 1, { { 0, 1, 2 }, { 0, 0, 4 }, { 0, 2, 4 } } },
	{ "RGB3", true, false, 1, 1, { { 0, 0, 3 }, { 0, 1, 3 }, { 0, 2, 3 } } },
	{ "BGR3", true, false, 1, 1, { { 0, 2, 3 }, { 0, 1, 3 }, { 0, 0, 3 } } },
	{ "RGB4", true, false, 1, 1, { { 0, 1, 4 }, { 0, 2, 4 }, { 0, 3, 4 } } },
	{ "BX24", true, false, 1, 1, { { 0, 1, 4 }, { 0, 2, 4 }, { 0, 3, 4 } } },
	{ "BGR4", true, false, 1, 1, { { 0, 2, 4 }, { 0, 1, 4 }, { 0, 0, 4 } } },
	{ "XR24", true, false, 1, 1, { { 0, 2, 4 }, { 0, 1, 4 }, { 0, 0, 4 } } },
	{ "XB24", true, false, 1, 1, { { 0, 0, 4 }, { 0, 1, 4 }, { 0, 2, 4 } } },
};

static int output;
static bool is_multiplanar;
static uint32_t width, height, type;
static const struct layout *layout;
static struct plane {
	uint32_t piece, offset, stride;
} planes[PLANES];

static void fail(const char *what)
{
	fprintf(stderr, "board-feed: %s: %s\n", what, strerror(errno));
	exit(1);
}

static void refuse(const char *what)
{
	fprintf(stderr, "board-feed: the output %s\n", what);
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
	refuse("has no such mode");
}

static uint32_t plane_count(void)
{
	uint32_t last = 0;

	for (int i = 0; i < 3; i++)
		if (layout->components[i].plane > last)
			last = layout->components[i].plane;
	return last + 1;
}

/* Places the planes of a picture whose luma rows are so many bytes apart; in a piece of its own each, or in one. */
static void place(const uint32_t *strides, uint32_t count)
{
	uint32_t chroma = plane_count() == 3 ? strides[0] / layout->across : strides[0] * 2 / layout->across;

	for (uint32_t i = 0; i < plane_count(); i++) {
		if (layout->is_separate && i >= count)
			refuse("has too few pieces for this format");
		planes[i].piece = layout->is_separate ? i : 0;
		planes[i].stride = layout->is_separate ? strides[i] : i ? chroma : strides[0];
		planes[i].offset = 0;
		if (i && !layout->is_separate)
			planes[i].offset = planes[i - 1].offset + planes[i - 1].stride * (i == 1 ? height : height / layout->down);
	}
}

static void set_format(uint32_t fourcc)
{
	struct v4l2_format format = { .type = type };
	struct v4l2_pix_format_mplane *mp = &format.fmt.pix_mp;
	struct v4l2_pix_format *pix = &format.fmt.pix;
	uint32_t strides[VIDEO_MAX_PLANES] = { 0 };
	bool is_taken;

	if (is_multiplanar) {
		*mp = (struct v4l2_pix_format_mplane){ .width = width, .height = height, .pixelformat = fourcc,
			.field = V4L2_FIELD_NONE, .colorspace = V4L2_COLORSPACE_REC709,
			.num_planes = layout->is_separate ? plane_count() : 1 };
		call(VIDIOC_S_FMT, &format, "the format");
		is_taken = mp->pixelformat == fourcc && mp->width == width && mp->height == height;
		for (uint32_t i = 0; i < mp->num_planes; i++)
			strides[i] = mp->plane_fmt[i].bytesperline;
		place(strides, mp->num_planes);
	} else {
		*pix = (struct v4l2_pix_format){ .width = width, .height = height, .pixelformat = fourcc,
			.field = V4L2_FIELD_NONE, .colorspace = V4L2_COLORSPACE_REC709 };
		call(VIDIOC_S_FMT, &format, "the format");
		is_taken = pix->pixelformat == fourcc && pix->width == width && pix->height == height;
		strides[0] = pix->bytesperline;
		place(strides, 1);
	}
	if (!is_taken)
		refuse("does not take this format");
}

static uint8_t *row(uint8_t **pieces, int component, uint32_t y)
{
	const struct plane *plane = &planes[layout->components[component].plane];

	return pieces[plane->piece] + plane->offset + y * plane->stride + layout->components[component].first;
}

static void draw_rows(uint8_t **pieces, uint32_t first, uint32_t last, uint32_t move)
{
	static const uint8_t across[] = { 1, 2, 1 }, down[] = { 1, 1, 2 };

	for (int i = 0; i < (layout->is_rgb ? 3 : 1); i++)
		for (uint32_t y = first; y < last; y++) {
			uint8_t *pixels = row(pieces, i, y);

			for (uint32_t x = 0; x < width; x++, pixels += layout->components[i].step)
				*pixels = layout->is_rgb ? across[i] * x + down[i] * y + (i ? 0 : move)
							 : BLACK + (x + y + move) % 220;
		}
}

static void draw(uint8_t **pieces)
{
	draw_rows(pieces, ROWS, height, 0);
	for (uint32_t y = 0; !layout->is_rgb && y < height / layout->down; y++) {
		uint8_t *cb = row(pieces, 1, y), *cr = row(pieces, 2, y);

		for (uint32_t x = 0; x < width / layout->across; x++) {
			cb[x * layout->components[1].step] = 16 + (x + 2 * y) % 224;
			cr[x * layout->components[2].step] = 240 - (2 * x + y) % 224;
		}
	}
}

static void number(uint8_t **pieces, uint32_t number)
{
	uint32_t block = width / BITS;

	for (int i = 0; i < (layout->is_rgb ? 3 : 1); i++)
		for (uint32_t y = 0; y < ROWS; y++) {
			uint8_t *pixels = row(pieces, i, y);

			for (uint32_t x = 0; x < width; x++, pixels += layout->components[i].step)
				*pixels = x < BITS * block && number >> (x / block) & 1 ? WHITE : BLACK;
		}
	draw_rows(pieces, ROWS, CHANGING_ROWS < height ? CHANGING_ROWS : height, number);
}

/* Asks about or hands over a buffer, whichever interface the output has. */
static void exchange(unsigned long request, struct v4l2_buffer *buffer, struct v4l2_plane *pieces, const char *what)
{
	buffer->type = type;
	buffer->memory = V4L2_MEMORY_MMAP;
	if (is_multiplanar) {
		buffer->m.planes = pieces;
		buffer->length = layout->is_separate ? plane_count() : 1;
		for (uint32_t i = 0; i < buffer->length; i++)
			pieces[i].bytesused = pieces[i].length;
	} else {
		buffer->bytesused = buffer->length;
	}
	call(request, buffer, what);
}

static void map(uint32_t index, uint8_t **pieces, struct v4l2_buffer *buffer, struct v4l2_plane *list)
{
	buffer->index = index;
	exchange(VIDIOC_QUERYBUF, buffer, list, "a buffer");
	for (uint32_t i = 0; i < (is_multiplanar ? buffer->length : 1); i++) {
		uint32_t length = is_multiplanar ? list[i].length : buffer->length;
		uint32_t offset = is_multiplanar ? list[i].m.mem_offset : buffer->m.offset;

		pieces[i] = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_SHARED, output, offset);
		if (pieces[i] == MAP_FAILED)
			fail("a buffer cannot be mapped");
		memset(pieces[i], 128, length);
	}
}

int main(int count, char **words)
{
	static uint8_t *pieces[BUFFERS][PLANES];
	static struct v4l2_buffer buffers[BUFFERS];
	static struct v4l2_plane lists[BUFFERS][VIDEO_MAX_PLANES];
	struct v4l2_capability capability;
	struct v4l2_requestbuffers request = { .count = BUFFERS, .memory = V4L2_MEMORY_MMAP };
	uint32_t rate, next = 0;

	for (size_t i = 0; count == 4 && i < sizeof(layouts) / sizeof(layouts[0]); i++)
		if (!strcmp(layouts[i].code, words[2]))
			layout = &layouts[i];
	if (!layout || sscanf(words[3], "%ux%u@%u", &width, &height, &rate) != 3) {
		fprintf(stderr, "usage: board-feed HDMI-OUTPUT FORMAT WIDTHxHEIGHT@RATE\nformats:");
		for (size_t i = 0; i < sizeof(layouts) / sizeof(layouts[0]); i++)
			fprintf(stderr, " %s", layouts[i].code);
		fprintf(stderr, "\n");
		return 2;
	}
	output = open(words[1], O_RDWR | O_CLOEXEC);
	if (output < 0)
		fail(words[1]);
	call(VIDIOC_QUERYCAP, &capability, "the output");
	is_multiplanar = capability.device_caps & V4L2_CAP_VIDEO_OUTPUT_MPLANE;
	type = is_multiplanar ? V4L2_BUF_TYPE_VIDEO_OUTPUT_MPLANE : V4L2_BUF_TYPE_VIDEO_OUTPUT;
	request.type = type;
	set_timings(rate);
	set_format(v4l2_fourcc(words[2][0], words[2][1], words[2][2], words[2][3]));
	call(VIDIOC_REQBUFS, &request, "buffers");
	if (request.count != BUFFERS)
		fail("fewer buffers than were asked for");
	for (uint32_t i = 0; i < BUFFERS; i++) {
		map(i, pieces[i], &buffers[i], lists[i]);
		draw(pieces[i]);
		number(pieces[i], next++);
		exchange(VIDIOC_QBUF, &buffers[i], lists[i], "a buffer cannot be queued");
	}
	call(VIDIOC_STREAMON, &request.type, "streaming");
	printf("feeding\n");
	fflush(stdout);
	for (;;) {
		struct v4l2_buffer done = { .index = 0 };
		struct v4l2_plane list[VIDEO_MAX_PLANES] = { 0 };

		exchange(VIDIOC_DQBUF, &done, list, "a buffer does not come back");
		number(pieces[done.index], next++);
		exchange(VIDIOC_QBUF, &buffers[done.index], lists[done.index], "a buffer cannot be queued");
	}
}
