// SPDX-License-Identifier: GPL-2.0-only
/*
 * Macroblocks of raw pictures: compared, copied and brought to 4:2:0.
 *
 * The formulas, on which tests rely (see README.md):
 *
 * 4:2:2 to 4:2:0, the line y of chroma from the lines 2y and 2y + 1:
 *	C = (C0 + C1 + 1) >> 1
 *
 * RGB to 4:2:0 (BT.709, limited range). Luma of each pixel, chroma of the sums
 * of two by two pixels:
 *	Y  = (( 47 R + 157 G +  16 B + 128) >> 8) + 16
 *	Cb = ((-26 R4 -  86 G4 + 112 B4 + 512) >> 10) + 128
 *	Cr = ((112 R4 - 102 G4 -  10 B4 + 512) >> 10) + 128
 * where >> rounds towards minus infinity.
 */
#include "picture.h"

const struct vh264_layout vh264_layout_nv12 = {
	.kind = VH264_SEMIPLANAR,
	.planes = 2,
	.plane = { { 16, 16, 1 }, { 16, 8, 2 } },
};

const struct vh264_layout vh264_layout_yuv420 = {
	.kind = VH264_PLANAR,
	.planes = 3,
	.plane = { { 16, 16, 1 }, { 8, 8, 1 }, { 8, 8, 1 } },
};

const struct vh264_layout vh264_layout_yuyv = {
	.kind = VH264_PACKED_422,
	.planes = 1,
	.plane = { { 32, 16, 4 } },
	.offset = { 0, 1, 3 },
};

const struct vh264_layout vh264_layout_uyvy = {
	.kind = VH264_PACKED_422,
	.planes = 1,
	.plane = { { 32, 16, 4 } },
	.offset = { 1, 0, 2 },
};

const struct vh264_layout vh264_layout_bgrx = {
	.kind = VH264_PACKED_RGB,
	.planes = 1,
	.plane = { { 64, 16, 4 } },
	.offset = { 2, 1, 0 },
};

const struct vh264_layout vh264_layout_xrgb = {
	.kind = VH264_PACKED_RGB,
	.planes = 1,
	.plane = { { 64, 16, 4 } },
	.offset = { 1, 2, 3 },
};

const struct vh264_layout vh264_layout_rgbx = {
	.kind = VH264_PACKED_RGB,
	.planes = 1,
	.plane = { { 64, 16, 4 } },
	.offset = { 0, 1, 2 },
};

const struct vh264_layout vh264_layout_xbgr = {
	.kind = VH264_PACKED_RGB,
	.planes = 1,
	.plane = { { 64, 16, 4 } },
	.offset = { 3, 2, 1 },
};

static u8 *block_start(const struct vh264_layout *layout,
		       const struct vh264_planes *planes, unsigned int plane,
		       const struct vh264_block *block)
{
	const struct vh264_plane_layout *shape = &layout->plane[plane];

	return planes->data[plane] +
	       (size_t)block->row * shape->lines * planes->stride[plane] +
	       (size_t)block->column * shape->line;
}

static bool lines_equal(const u8 *a, u32 a_stride, const u8 *b, u32 b_stride,
			unsigned int length, unsigned int lines)
{
	unsigned int i;

	while (lines--) {
		u64 difference = 0;

		for (i = 0; i + 8 <= length; i += 8) {
			u64 left, right;

			memcpy(&left, a + i, 8);
			memcpy(&right, b + i, 8);
			difference |= left ^ right;
		}
		for (; i < length; i++)
			difference |= a[i] ^ b[i];
		if (difference)
			return false;
		a += a_stride;
		b += b_stride;
	}
	return true;
}

/**
 * vh264_block_equal - does a macroblock look the same in two pictures?
 * @layout: of both pictures
 * @a: the one
 * @b: the other
 * @block: where; only what is inside the picture is looked at
 *
 * Return: true when every byte is the same.
 */
bool vh264_block_equal(const struct vh264_layout *layout,
		       const struct vh264_planes *a,
		       const struct vh264_planes *b,
		       const struct vh264_block *block)
{
	unsigned int i;

	for (i = 0; i < layout->planes; i++) {
		const struct vh264_plane_layout *shape = &layout->plane[i];

		if (!lines_equal(block_start(layout, a, i, block), a->stride[i],
				 block_start(layout, b, i, block), b->stride[i],
				 shape->line * block->width / 16,
				 shape->lines * block->height / 16))
			return false;
	}
	return true;
}

static void repeat_last_column(u8 *line, unsigned int length, unsigned int unit,
			       unsigned int full)
{
	for (; length < full; length++)
		line[length] = line[length - unit];
}

/**
 * vh264_block_copy - copies a macroblock into a picture of whole macroblocks
 * @layout: of both pictures
 * @to: the picture that has room for whole macroblocks
 * @from: the picture that may end within the macroblock
 * @block: where; beyond the picture the last column and line are repeated
 */
void vh264_block_copy(const struct vh264_layout *layout,
		      const struct vh264_planes *to,
		      const struct vh264_planes *from,
		      const struct vh264_block *block)
{
	unsigned int i, y;

	for (i = 0; i < layout->planes; i++) {
		const struct vh264_plane_layout *shape = &layout->plane[i];
		unsigned int length = shape->line * block->width / 16;
		unsigned int lines = shape->lines * block->height / 16;
		const u8 *source = block_start(layout, from, i, block);
		u8 *target = block_start(layout, to, i, block);

		for (y = 0; y < lines; y++) {
			memcpy(target, source, length);
			repeat_last_column(target, length, shape->unit,
					   shape->line);
			source += from->stride[i];
			target += to->stride[i];
		}
		for (; y < shape->lines; y++) {
			memcpy(target, target - to->stride[i], shape->line);
			target += to->stride[i];
		}
	}
}

static void copy_lines(u8 *to, const u8 *from, u32 stride, unsigned int length,
		       unsigned int lines)
{
	while (lines--) {
		memcpy(to, from, length);
		to += length;
		from += stride;
	}
}

static void split_chroma(u8 *cb, u8 *cr, const u8 *from, u32 stride)
{
	unsigned int x, y;

	for (y = 0; y < 8; y++) {
		for (x = 0; x < 8; x++) {
			*cb++ = from[2 * x];
			*cr++ = from[2 * x + 1];
		}
		from += stride;
	}
}

static void samples_from_422(u8 *samples, const u8 *from, u32 stride,
			     const u8 *offset)
{
	u8 *luma = samples, *cb = samples + 256, *cr = samples + 320;
	unsigned int x, y;

	for (y = 0; y < 16; y++) {
		const u8 *line = from + y * stride + offset[0];

		for (x = 0; x < 16; x++)
			*luma++ = line[2 * x];
	}
	for (y = 0; y < 8; y++) {
		const u8 *upper = from + 2 * y * stride;
		const u8 *lower = upper + stride;

		for (x = 0; x < 32; x += 4) {
			*cb++ = (upper[x + offset[1]] +
				 lower[x + offset[1]] + 1) >> 1;
			*cr++ = (upper[x + offset[2]] +
				 lower[x + offset[2]] + 1) >> 1;
		}
	}
}

static u8 luma_of_rgb(s32 red, s32 green, s32 blue)
{
	return ((47 * red + 157 * green + 16 * blue + 128) >> 8) + 16;
}

/* 128 << 10 keeps the sum positive, so that the shift rounds downwards. */
static u8 chroma_of_sum(s32 sum)
{
	return (sum + 512 + (128 << 10)) >> 10;
}

static void samples_from_rgb(u8 *samples, const u8 *from, u32 stride,
			     const u8 *offset)
{
	u8 *luma = samples, *cb = samples + 256, *cr = samples + 320;
	unsigned int x, y, i;

	for (y = 0; y < 16; y += 2) {
		const u8 *upper = from + y * stride;
		const u8 *lower = upper + stride;

		for (x = 0; x < 16; x += 2) {
			const u8 *pixel[4] = {
				upper + 4 * x, upper + 4 * x + 4,
				lower + 4 * x, lower + 4 * x + 4,
			};
			s32 red = 0, green = 0, blue = 0;

			for (i = 0; i < 4; i++) {
				s32 r = pixel[i][offset[0]];
				s32 g = pixel[i][offset[1]];
				s32 b = pixel[i][offset[2]];

				luma[16 * (i / 2) + x + i % 2] =
					luma_of_rgb(r, g, b);
				red += r;
				green += g;
				blue += b;
			}
			*cb++ = chroma_of_sum(-26 * red - 86 * green + 112 * blue);
			*cr++ = chroma_of_sum(112 * red - 102 * green - 10 * blue);
		}
		luma += 32;
	}
}

/**
 * vh264_block_samples - the 4:2:0 samples of a macroblock
 * @layout: of the picture
 * @from: a picture of whole macroblocks
 * @block: where
 * @samples: VH264_MACROBLOCK_SAMPLES bytes, in the order of an I_PCM macroblock
 */
void vh264_block_samples(const struct vh264_layout *layout,
			 const struct vh264_planes *from,
			 const struct vh264_block *block, u8 *samples)
{
	const u8 *first = block_start(layout, from, 0, block);

	switch (layout->kind) {
	case VH264_SEMIPLANAR:
		copy_lines(samples, first, from->stride[0], 16, 16);
		split_chroma(samples + 256, samples + 320,
			     block_start(layout, from, 1, block),
			     from->stride[1]);
		break;
	case VH264_PLANAR:
		copy_lines(samples, first, from->stride[0], 16, 16);
		copy_lines(samples + 256, block_start(layout, from, 1, block),
			   from->stride[1], 8, 8);
		copy_lines(samples + 320, block_start(layout, from, 2, block),
			   from->stride[2], 8, 8);
		break;
	case VH264_PACKED_422:
		samples_from_422(samples, first, from->stride[0],
				 layout->offset);
		break;
	case VH264_PACKED_RGB:
		samples_from_rgb(samples, first, from->stride[0],
				 layout->offset);
		break;
	}
}
