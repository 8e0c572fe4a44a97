/* SPDX-License-Identifier: GPL-2.0-only */
/* What a stream says of itself: parameter sets and slice headers. */
#ifndef VH264_SYNTAX_H
#define VH264_SYNTAX_H

#include "bits.h"

/* More than the longest pair of parameter sets that is ever written. */
#define VH264_HEADERS_SIZE_MAX 256

enum vh264_profile {
	VH264_PROFILE_CONSTRAINED_BASELINE,
	VH264_PROFILE_BASELINE,
	VH264_PROFILE_MAIN,
	VH264_PROFILE_HIGH,
};

/**
 * struct vh264_stream - what the parameter sets say
 * @width: luma samples that are shown in a line; even
 * @height: lines that are shown; even
 * @profile: one of enum vh264_profile
 * @level_idc: ten times the level; 9 stands for level 1b
 * @vui: write colour, frame rate and reordering
 * @full_range: luma goes from 0 to 255 instead of from 16 to 235
 * @primaries: code points of ITU-T H.264, Annex E
 * @transfer: the same
 * @matrix: the same
 * @rate_numerator: pictures a second, as a fraction
 * @rate_denominator: the same
 */
struct vh264_stream {
	u32 width;
	u32 height;
	enum vh264_profile profile;
	u8 level_idc;
	bool vui;
	bool full_range;
	u8 primaries;
	u8 transfer;
	u8 matrix;
	u32 rate_numerator;
	u32 rate_denominator;
};

/**
 * struct vh264_slice - one picture's one slice
 * @idr: an IDR picture, all of it intra coded; a P picture otherwise
 * @frame_num: pictures since the last IDR picture, modulo 2^16
 * @idr_pic_id: differs between IDR pictures that follow one another
 */
struct vh264_slice {
	bool idr;
	u16 frame_num;
	u16 idr_pic_id;
};

static inline u32 vh264_macroblocks(u32 samples)
{
	return DIV_ROUND_UP(samples, 16);
}

void vh264_write_headers(struct vh264_bits *bits,
			 const struct vh264_stream *stream);
void vh264_begin_slice(struct vh264_bits *bits,
		       const struct vh264_slice *slice);

u8 vh264_level_needed(u32 width, u32 height, u32 rate_numerator,
		      u32 rate_denominator);

#endif
