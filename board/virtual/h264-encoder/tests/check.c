// SPDX-License-Identifier: GPL-2.0-only
/*
 * Codes a made-up film and writes beside it what a decoder must give back:
 *
 *	check FORMAT WIDTHxHEIGHT PICTURES GOP PROFILE PICTURE-KIND OUT
 *
 * OUT.h264 is the stream, OUT.yuv the expected pictures (planar 4:2:0), both
 * for `make check` to compare. The expected pictures are computed here by a
 * second, plain implementation of the formulas in README.md.
 */
#include <stdio.h>
#include <stdlib.h>

#include "../coder.h"

struct format {
	const char *name;
	const struct vh264_layout *layout;
};

static const struct format formats[] = {
	{ "nv12", &vh264_layout_nv12 },	  { "yuv420", &vh264_layout_yuv420 },
	{ "yuyv", &vh264_layout_yuyv },	  { "uyvy", &vh264_layout_uyvy },
	{ "bgrx", &vh264_layout_bgrx },	  { "xrgb", &vh264_layout_xrgb },
	{ "rgbx", &vh264_layout_rgbx },	  { "xbgr", &vh264_layout_xbgr },
};

static _Noreturn void fail(const char *what)
{
	fprintf(stderr, "check: %s\n", what);
	exit(2);
}

static void *claim(size_t size)
{
	void *memory = calloc(1, size);

	if (!memory)
		fail("out of memory");
	return memory;
}

static u32 random_state = 1;

static u32 draw(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 17;
	random_state ^= random_state << 5;
	return random_state;
}

/* The strides are larger than need be, so that a mix-up is found. */
static size_t lay_out(struct vh264_planes *planes,
		      const struct vh264_layout *layout, u32 width, u32 height)
{
	size_t size = 0;
	unsigned int i;

	for (i = 0; i < layout->planes; i++) {
		planes->stride[i] = width * layout->plane[i].line / 16 + 24;
		size += (size_t)planes->stride[i] * height *
			layout->plane[i].lines / 16;
	}
	planes->data[0] = claim(size);
	for (i = 1; i < layout->planes; i++)
		planes->data[i] = planes->data[i - 1] +
				  (size_t)planes->stride[i - 1] * height *
				  layout->plane[i - 1].lines / 16;
	return size;
}

/* noise: any byte; zeros: bytes that need emulation prevention; still: a few
 * changed bytes.
 */
static void paint(u8 *data, size_t size, const char *kind, int number)
{
	size_t i;

	if (!strcmp(kind, "noise")) {
		for (i = 0; i < size; i++)
			data[i] = draw() >> 24;
	} else if (!strcmp(kind, "zeros")) {
		for (i = 0; i < size; i++)
			data[i] = (draw() >> 24) % 5 ? 0 : (draw() >> 24) % 5;
	} else if (!strcmp(kind, "still")) {
		if (!number)
			for (i = 0; i < size; i++)
				data[i] = draw() >> 24;
		else if (number % 3)
			for (i = 0; i < 5; i++)
				data[draw() % size] ^= 1 << draw() % 8;
	} else {
		fail("no such kind of picture");
	}
}

static const u8 *at(const struct vh264_planes *planes, unsigned int plane,
		    u32 x, u32 y)
{
	return planes->data[plane] + (size_t)y * planes->stride[plane] + x;
}

static int floor_shift(int value, int shift)
{
	int divisor = 1 << shift;

	return value >= 0 ? value / divisor : -((-value + divisor - 1) / divisor);
}

static int luma(const struct vh264_layout *layout,
		const struct vh264_planes *p, u32 x, u32 y)
{
	const u8 *pixel;

	switch (layout->kind) {
	case VH264_PACKED_422:
		return *at(p, 0, 2 * x + layout->offset[0], y);
	case VH264_PACKED_RGB:
		pixel = at(p, 0, 4 * x, y);
		return (47 * pixel[layout->offset[0]] +
			157 * pixel[layout->offset[1]] +
			16 * pixel[layout->offset[2]] + 128) / 256 + 16;
	default:
		return *at(p, 0, x, y);
	}
}

static int chroma(const struct vh264_layout *layout,
		  const struct vh264_planes *p, int which, u32 x, u32 y)
{
	static const int weights[2][3] = { { -26, -86, 112 },
					   { 112, -102, -10 } };
	int sum = 0;
	u32 i, component;

	switch (layout->kind) {
	case VH264_SEMIPLANAR:
		return *at(p, 1, 2 * x + which, y);
	case VH264_PLANAR:
		return *at(p, 1 + which, x, y);
	case VH264_PACKED_422:
		return (*at(p, 0, 4 * x + layout->offset[1 + which], 2 * y) +
			*at(p, 0, 4 * x + layout->offset[1 + which],
			    2 * y + 1) + 1) / 2;
	default:
		for (i = 0; i < 4; i++)
			for (component = 0; component < 3; component++)
				sum += weights[which][component] *
				       at(p, 0, 4 * (2 * x + i % 2),
					  2 * y + i / 2)[layout->offset[component]];
		return floor_shift(sum + 512, 10) + 128;
	}
}

static void write_expected(FILE *file, const struct vh264_layout *layout,
			   const struct vh264_planes *planes, u32 width,
			   u32 height)
{
	u32 x, y;
	int which;

	for (y = 0; y < height; y++)
		for (x = 0; x < width; x++)
			putc(luma(layout, planes, x, y), file);
	for (which = 0; which < 2; which++)
		for (y = 0; y < height / 2; y++)
			for (x = 0; x < width / 2; x++)
				putc(chroma(layout, planes, which, x, y), file);
}

static FILE *create(const char *base, const char *extension)
{
	char path[4096];
	FILE *file;

	snprintf(path, sizeof(path), "%s.%s", base, extension);
	file = fopen(path, "wb");
	if (!file)
		fail(path);
	return file;
}

static const struct vh264_layout *find_layout(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(formats); i++)
		if (!strcmp(name, formats[i].name))
			return formats[i].layout;
	fail("no such format");
}

int main(int argc, char **argv)
{
	struct vh264_stream stream = {
		.level_idc = 40, .primaries = 1, .transfer = 1, .matrix = 1,
		.rate_numerator = 30, .rate_denominator = 1,
	};
	const struct vh264_layout *layout;
	struct vh264_planes planes = { 0 };
	struct vh264_coder coder;
	struct vh264_bits bits;
	FILE *coded, *expected;
	size_t raw_size, size;
	int pictures, gop, i;
	u8 *buffer, *memory;

	if (argc != 8 ||
	    sscanf(argv[2], "%ux%u", &stream.width, &stream.height) != 2)
		fail("usage: FORMAT WIDTHxHEIGHT PICTURES GOP PROFILE KIND OUT");
	layout = find_layout(argv[1]);
	pictures = atoi(argv[3]);
	gop = atoi(argv[4]);
	stream.profile = atoi(argv[5]);
	stream.vui = stream.profile != VH264_PROFILE_MAIN;

	raw_size = lay_out(&planes, layout, stream.width, stream.height);
	size = vh264_coded_size_max(stream.width, stream.height);
	buffer = claim(size);
	memory = claim(vh264_coder_memory(layout, stream.width, stream.height));
	vh264_coder_init(&coder, layout, stream.width, stream.height, memory);
	coded = create(argv[7], "h264");
	expected = create(argv[7], "yuv");

	for (i = 0; i < pictures; i++) {
		paint(planes.data[0], raw_size, argv[6], i);
		vh264_bits_init(&bits, buffer, size);
		if (i % gop == 0)
			vh264_write_headers(&bits, &stream);
		if (vh264_bits_written(&bits) > VH264_HEADERS_SIZE_MAX)
			fail("the headers are larger than their bound");
		if (vh264_code_picture(&coder, &bits, &planes, i % gop == 0))
			fail("a picture is larger than its bound");
		fwrite(buffer, 1, vh264_bits_written(&bits), coded);
		write_expected(expected, layout, &planes, stream.width,
			       stream.height);
	}

	/* A buffer that is too small is an error, not an overrun. */
	vh264_bits_init(&bits, buffer, 300);
	buffer[300] = 0xa5;
	if (vh264_code_picture(&coder, &bits, &planes, true) != -ENOSPC ||
	    buffer[300] != 0xa5)
		fail("a buffer that is too small was not noticed");

	free(memory);
	free(buffer);
	free(planes.data[0]);
	return fclose(coded) || fclose(expected);
}
