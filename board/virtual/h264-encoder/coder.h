/* SPDX-License-Identifier: GPL-2.0-only */
/* A lossless H.264 coder: raw pictures in, access units out. */
#ifndef VH264_CODER_H
#define VH264_CODER_H

#include "picture.h"
#include "syntax.h"

/*
 * A macroblock at its largest: 384 samples with a byte of emulation prevention
 * after each two, and the run, the type and the alignment before them.
 */
#define VH264_MACROBLOCK_SIZE_MAX (VH264_MACROBLOCK_SAMPLES * 3 / 2 + 16)

/**
 * struct vh264_coder - what is known between two pictures
 * @layout: of the pictures
 * @width: luma samples in a line, even
 * @height: lines, even
 * @last: the picture that was coded last, in whole macroblocks
 * @has_last: @last holds a picture, so that a P picture may follow
 * @slice: the last picture's
 */
struct vh264_coder {
	const struct vh264_layout *layout;
	u32 width;
	u32 height;
	struct vh264_planes last;
	bool has_last;
	struct vh264_slice slice;
};

size_t vh264_coder_memory(const struct vh264_layout *layout, u32 width,
			  u32 height);
void vh264_coder_init(struct vh264_coder *coder,
		      const struct vh264_layout *layout, u32 width, u32 height,
		      u8 *memory);
size_t vh264_coded_size_max(u32 width, u32 height);
int vh264_code_picture(struct vh264_coder *coder, struct vh264_bits *bits,
		       const struct vh264_planes *picture, bool idr);

#endif
