// SPDX-License-Identifier: GPL-2.0-only
/*
 * Parameter sets and slice headers: ITU-T H.264, 7.3.2.1, 7.3.2.2, 7.3.3,
 * Annex A (levels) and Annex E (VUI).
 *
 * The streams are as plain as can be: one slice a picture, CAVLC, one
 * reference picture (the last one), output order equal to decoding order, and
 * no deblocking, since the filter would change samples that are exact.
 */
#include "syntax.h"

#define LOG2_MAX_FRAME_NUM 16

enum nal_type {
	NAL_SLICE = 1,
	NAL_IDR_SLICE = 5,
	NAL_SPS = 7,
	NAL_PPS = 8,
};

enum slice_type {
	SLICE_ALL_P = 5,
	SLICE_ALL_I = 7,
};

static u8 profile_idc(enum vh264_profile profile)
{
	switch (profile) {
	case VH264_PROFILE_HIGH:
		return 100;
	case VH264_PROFILE_MAIN:
		return 77;
	default:
		return 66;
	}
}

/* constraint_set0_flag is the highest bit. */
static u8 constraint_flags(enum vh264_profile profile, u8 level_idc)
{
	bool level_1b = level_idc == 9;

	switch (profile) {
	case VH264_PROFILE_HIGH:
		return 0;
	case VH264_PROFILE_MAIN:
		return 0x40 | (level_1b ? 0x10 : 0);
	case VH264_PROFILE_BASELINE:
		return 0x80 | (level_1b ? 0x10 : 0);
	default:
		return 0xc0 | (level_1b ? 0x10 : 0);
	}
}

static void write_vui(struct vh264_bits *bits,
		      const struct vh264_stream *stream)
{
	vh264_put(bits, 0, 1);			/* aspect_ratio_info_present_flag */
	vh264_put(bits, 0, 1);			/* overscan_info_present_flag */

	vh264_put(bits, 1, 1);			/* video_signal_type_present_flag */
	vh264_put(bits, 5, 3);			/* video_format: unspecified */
	vh264_put(bits, stream->full_range, 1);
	vh264_put(bits, 1, 1);			/* colour_description_present_flag */
	vh264_put(bits, stream->primaries, 8);
	vh264_put(bits, stream->transfer, 8);
	vh264_put(bits, stream->matrix, 8);

	vh264_put(bits, 0, 1);			/* chroma_loc_info_present_flag */

	vh264_put(bits, 1, 1);			/* timing_info_present_flag */
	vh264_put(bits, stream->rate_denominator, 32);
	vh264_put(bits, 2 * stream->rate_numerator, 32);
	vh264_put(bits, 0, 1);			/* fixed_frame_rate_flag */

	vh264_put(bits, 0, 1);			/* nal_hrd_parameters_present_flag */
	vh264_put(bits, 0, 1);			/* vcl_hrd_parameters_present_flag */
	vh264_put(bits, 0, 1);			/* pic_struct_present_flag */

	vh264_put(bits, 1, 1);			/* bitstream_restriction_flag */
	vh264_put(bits, 1, 1);			/* motion_vectors_over_pic_boundaries */
	vh264_put_ue(bits, 0);			/* max_bytes_per_pic_denom: no limit */
	vh264_put_ue(bits, 0);			/* max_bits_per_mb_denom: no limit */
	vh264_put_ue(bits, 0);			/* log2_max_mv_length_horizontal */
	vh264_put_ue(bits, 0);			/* log2_max_mv_length_vertical */
	vh264_put_ue(bits, 0);			/* max_num_reorder_frames */
	vh264_put_ue(bits, 1);			/* max_dec_frame_buffering */
}

static void write_cropping(struct vh264_bits *bits,
			   const struct vh264_stream *stream)
{
	u32 right = vh264_macroblocks(stream->width) * 16 - stream->width;
	u32 bottom = vh264_macroblocks(stream->height) * 16 - stream->height;

	vh264_put(bits, right || bottom, 1);	/* frame_cropping_flag */
	if (!right && !bottom)
		return;
	vh264_put_ue(bits, 0);
	vh264_put_ue(bits, right / 2);
	vh264_put_ue(bits, 0);
	vh264_put_ue(bits, bottom / 2);
}

static void write_sps(struct vh264_bits *bits,
		      const struct vh264_stream *stream)
{
	bool high = stream->profile == VH264_PROFILE_HIGH;
	u8 level_idc = stream->level_idc;

	/* Level 1b has a number of its own in the High profile only (A.3.4.2) */
	if (level_idc == 9 && !high)
		level_idc = 11;

	vh264_nal_begin(bits, 3, NAL_SPS);
	vh264_put(bits, profile_idc(stream->profile), 8);
	vh264_put(bits, constraint_flags(stream->profile, stream->level_idc), 8);
	vh264_put(bits, level_idc, 8);
	vh264_put_ue(bits, 0);			/* seq_parameter_set_id */
	if (high) {
		vh264_put_ue(bits, 1);		/* chroma_format_idc: 4:2:0 */
		vh264_put_ue(bits, 0);		/* bit_depth_luma_minus8 */
		vh264_put_ue(bits, 0);		/* bit_depth_chroma_minus8 */
		vh264_put(bits, 0, 1);		/* qpprime_y_zero_transform_bypass */
		vh264_put(bits, 0, 1);		/* seq_scaling_matrix_present_flag */
	}
	vh264_put_ue(bits, LOG2_MAX_FRAME_NUM - 4);
	vh264_put_ue(bits, 2);			/* pic_order_cnt_type: as decoded */
	vh264_put_ue(bits, 1);			/* max_num_ref_frames */
	vh264_put(bits, 0, 1);			/* gaps_in_frame_num_allowed */
	vh264_put_ue(bits, vh264_macroblocks(stream->width) - 1);
	vh264_put_ue(bits, vh264_macroblocks(stream->height) - 1);
	vh264_put(bits, 1, 1);			/* frame_mbs_only_flag */
	vh264_put(bits, 1, 1);			/* direct_8x8_inference_flag */
	write_cropping(bits, stream);
	vh264_put(bits, stream->vui, 1);	/* vui_parameters_present_flag */
	if (stream->vui)
		write_vui(bits, stream);
	vh264_nal_end(bits);
}

static void write_pps(struct vh264_bits *bits)
{
	vh264_nal_begin(bits, 3, NAL_PPS);
	vh264_put_ue(bits, 0);			/* pic_parameter_set_id */
	vh264_put_ue(bits, 0);			/* seq_parameter_set_id */
	vh264_put(bits, 0, 1);			/* entropy_coding_mode: CAVLC */
	vh264_put(bits, 0, 1);			/* bottom_field_pic_order_present */
	vh264_put_ue(bits, 0);			/* num_slice_groups_minus1 */
	vh264_put_ue(bits, 0);			/* num_ref_idx_l0_default_minus1 */
	vh264_put_ue(bits, 0);			/* num_ref_idx_l1_default_minus1 */
	vh264_put(bits, 0, 1);			/* weighted_pred_flag */
	vh264_put(bits, 0, 2);			/* weighted_bipred_idc */
	vh264_put_se(bits, 0);			/* pic_init_qp_minus26 */
	vh264_put_se(bits, 0);			/* pic_init_qs_minus26 */
	vh264_put_se(bits, 0);			/* chroma_qp_index_offset */
	vh264_put(bits, 1, 1);			/* deblocking_filter_control_present */
	vh264_put(bits, 0, 1);			/* constrained_intra_pred_flag */
	vh264_put(bits, 0, 1);			/* redundant_pic_cnt_present_flag */
	vh264_nal_end(bits);
}

void vh264_write_headers(struct vh264_bits *bits,
			 const struct vh264_stream *stream)
{
	write_sps(bits, stream);
	write_pps(bits);
}

void vh264_begin_slice(struct vh264_bits *bits,
		       const struct vh264_slice *slice)
{
	vh264_nal_begin(bits, 3, slice->idr ? NAL_IDR_SLICE : NAL_SLICE);
	vh264_put_ue(bits, 0);			/* first_mb_in_slice */
	vh264_put_ue(bits, slice->idr ? SLICE_ALL_I : SLICE_ALL_P);
	vh264_put_ue(bits, 0);			/* pic_parameter_set_id */
	vh264_put(bits, slice->frame_num, LOG2_MAX_FRAME_NUM);
	if (slice->idr) {
		vh264_put_ue(bits, slice->idr_pic_id);
		vh264_put(bits, 0, 1);		/* no_output_of_prior_pics_flag */
		vh264_put(bits, 0, 1);		/* long_term_reference_flag */
	} else {
		vh264_put(bits, 0, 1);		/* num_ref_idx_active_override */
		vh264_put(bits, 0, 1);		/* ref_pic_list_modification_l0 */
		vh264_put(bits, 0, 1);		/* adaptive_ref_pic_marking_mode */
	}
	vh264_put_se(bits, 0);			/* slice_qp_delta */
	vh264_put_ue(bits, 1);			/* disable_deblocking_filter_idc */
}

/* ITU-T H.264, table A-1: macroblocks a second and in a picture. */
static const struct {
	u8 level_idc;
	u32 rate_max;
	u32 picture_max;
} levels[] = {
	{ 10, 1485, 99 },	 { 9, 1485, 99 },	 { 11, 3000, 396 },
	{ 12, 6000, 396 },	 { 13, 11880, 396 },	 { 20, 11880, 396 },
	{ 21, 19800, 792 },	 { 22, 20250, 1620 },	 { 30, 40500, 1620 },
	{ 31, 108000, 3600 },	 { 32, 216000, 5120 },	 { 40, 245760, 8192 },
	{ 41, 245760, 8192 },	 { 42, 522240, 8704 },	 { 50, 589824, 22080 },
	{ 51, 983040, 36864 },	 { 52, 2073600, 36864 }, { 60, 4177920, 139264 },
	{ 61, 8355840, 139264 }, { 62, 16711680, 139264 },
};

/**
 * vh264_level_needed - the lowest level that allows a size and a rate
 * @width: samples in a line
 * @height: lines
 * @rate_numerator: pictures a second, as a fraction
 * @rate_denominator: the same, not zero
 *
 * Bit rates are left aside: raw samples keep to no level's bit rate.
 *
 * Return: level_idc, the highest one when none suffices.
 */
u8 vh264_level_needed(u32 width, u32 height, u32 rate_numerator,
		      u32 rate_denominator)
{
	u32 columns = vh264_macroblocks(width);
	u32 rows = vh264_macroblocks(height);
	u32 longer = columns > rows ? columns : rows;
	u64 rate = (u64)columns * rows * rate_numerator;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(levels) - 1; i++) {
		if (columns * rows > levels[i].picture_max)
			continue;
		/* A.3.1: neither side is longer than sqrt(8 * MaxFS) */
		if (longer * longer > 8 * levels[i].picture_max)
			continue;
		if (rate > (u64)levels[i].rate_max * rate_denominator)
			continue;
		return levels[i].level_idc;
	}
	return levels[i].level_idc;
}
