// SPDX-License-Identifier: GPL-2.0-only
/*
 * The coder: ITU-T H.264, 7.3.4 and 7.3.5.
 *
 * A macroblock that differs from the last picture is written as I_PCM (its raw
 * samples), one that does not as P_Skip. P_Skip copies the macroblock at the
 * very same place, since its motion vector is always zero here: 8.4.1.1 makes
 * it zero at the left and upper edge, and elsewhere it is the median of the
 * neighbours' vectors (8.4.1.3), which are zero if they are P_Skip themselves
 * and count as zero if they are I_PCM. The only reference picture is the last
 * one, and nothing filters what was copied.
 */
#include "coder.h"

#define MB_TYPE_I_PCM 25
#define MB_TYPES_OF_P 5

static u32 last_stride(const struct vh264_layout *layout, unsigned int plane,
		       u32 width)
{
	return vh264_macroblocks(width) * layout->plane[plane].line;
}

static size_t last_plane_size(const struct vh264_layout *layout,
			      unsigned int plane, u32 width, u32 height)
{
	return (size_t)last_stride(layout, plane, width) *
	       vh264_macroblocks(height) * layout->plane[plane].lines;
}

/**
 * vh264_coder_memory - bytes that a coder needs to remember a picture
 * @layout: of the pictures
 * @width: luma samples in a line
 * @height: lines
 *
 * Return: a number of bytes.
 */
size_t vh264_coder_memory(const struct vh264_layout *layout, u32 width,
			  u32 height)
{
	size_t size = 0;
	unsigned int i;

	for (i = 0; i < layout->planes; i++)
		size += last_plane_size(layout, i, width, height);
	return size;
}

/**
 * vh264_coder_init - begins a stream
 * @coder: to be filled in
 * @layout: of the pictures
 * @width: luma samples in a line, even
 * @height: lines, even
 * @memory: vh264_coder_memory() bytes, which must outlive the coder
 */
void vh264_coder_init(struct vh264_coder *coder,
		      const struct vh264_layout *layout, u32 width, u32 height,
		      u8 *memory)
{
	unsigned int i;

	memset(coder, 0, sizeof(*coder));
	coder->layout = layout;
	coder->width = width;
	coder->height = height;
	for (i = 0; i < layout->planes; i++) {
		coder->last.data[i] = memory;
		coder->last.stride[i] = last_stride(layout, i, width);
		memory += last_plane_size(layout, i, width, height);
	}
}

/**
 * vh264_coded_size_max - a size that no coded picture exceeds
 * @width: luma samples in a line
 * @height: lines
 *
 * Return: bytes, parameter sets included.
 */
size_t vh264_coded_size_max(u32 width, u32 height)
{
	return (size_t)vh264_macroblocks(width) * vh264_macroblocks(height) *
	       VH264_MACROBLOCK_SIZE_MAX + VH264_HEADERS_SIZE_MAX;
}

static void next_slice(struct vh264_slice *slice, bool idr)
{
	if (idr) {
		slice->frame_num = 0;
		slice->idr_pic_id ^= 1;
	} else {
		slice->frame_num++;
	}
	slice->idr = idr;
}

static void put_pcm(struct vh264_bits *bits, bool idr, u32 skipped,
		    const u8 *samples)
{
	if (!idr)
		vh264_put_ue(bits, skipped);
	vh264_put_ue(bits, MB_TYPE_I_PCM + (idr ? 0 : MB_TYPES_OF_P));
	vh264_put_alignment(bits);
	vh264_put_bytes(bits, samples, VH264_MACROBLOCK_SAMPLES);
}

static u32 put_row(struct vh264_coder *coder, struct vh264_bits *bits,
		   const struct vh264_planes *picture, u32 row, u32 skipped)
{
	const struct vh264_layout *layout = coder->layout;
	u32 columns = vh264_macroblocks(coder->width);
	struct vh264_block block = {
		.row = row,
		.height = min(16u, coder->height - 16 * row),
	};
	u8 samples[VH264_MACROBLOCK_SAMPLES];

	for (block.column = 0; block.column < columns; block.column++) {
		block.width = min(16u, coder->width - 16 * block.column);
		if (!coder->slice.idr &&
		    vh264_block_equal(layout, picture, &coder->last, &block)) {
			skipped++;
			continue;
		}
		vh264_block_copy(layout, &coder->last, picture, &block);
		vh264_block_samples(layout, &coder->last, &block, samples);
		put_pcm(bits, coder->slice.idr, skipped, samples);
		skipped = 0;
	}
	return skipped;
}

/**
 * vh264_code_picture - codes a picture
 * @coder: the stream that it belongs to
 * @bits: where the slice is written
 * @picture: in the coder's layout and size
 * @idr: make it an IDR picture; the first picture is one in any case
 *
 * Return: 0, or -ENOSPC when the buffer is too small, upon which the next
 * picture is an IDR picture.
 */
int vh264_code_picture(struct vh264_coder *coder, struct vh264_bits *bits,
		       const struct vh264_planes *picture, bool idr)
{
	u32 rows = vh264_macroblocks(coder->height);
	u32 skipped = 0;
	u32 row;

	next_slice(&coder->slice, idr || !coder->has_last);
	vh264_begin_slice(bits, &coder->slice);
	for (row = 0; row < rows && !bits->overflow; row++) {
		skipped = put_row(coder, bits, picture, row, skipped);
		cond_resched();
	}
	if (skipped)
		vh264_put_ue(bits, skipped);
	vh264_nal_end(bits);

	coder->has_last = !bits->overflow;
	return bits->overflow ? -ENOSPC : 0;
}
