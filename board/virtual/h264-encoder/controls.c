// SPDX-License-Identifier: GPL-2.0-only
/*
 * Controls, those that real encoders have. Bit rate and quantiser have no
 * effect, since the streams are lossless; they are there to be set.
 */
#include "driver.h"

#define BITRATE_MAX 1000000000
#define BITRATE_DEFAULT 10000000
#define PERIOD_MAX 65535
#define GOP_DEFAULT 60
#define QP_MAX 51

/**
 * struct control - a control and its range
 * @name: what the fault absent_controls calls it
 * @id: V4L2_CID_*
 * @min: the least value
 * @max: the highest value
 * @initial: the value on opening
 * @menu: a menu; then @min is not looked at
 * @skip: items that the menu does not have, a bit each
 */
struct control {
	const char *name;
	u32 id;
	s32 min;
	s32 max;
	s32 initial;
	bool menu;
	u64 skip;
};

static const struct control controls[] = {
	{ "bitrate", V4L2_CID_MPEG_VIDEO_BITRATE, 1000, BITRATE_MAX,
	  BITRATE_DEFAULT },
	{ "bitrate_mode", V4L2_CID_MPEG_VIDEO_BITRATE_MODE, 0,
	  V4L2_MPEG_VIDEO_BITRATE_MODE_CBR, V4L2_MPEG_VIDEO_BITRATE_MODE_VBR,
	  true },
	{ "rate_control", V4L2_CID_MPEG_VIDEO_FRAME_RC_ENABLE, 0, 1, 1 },
	{ "b_frames", V4L2_CID_MPEG_VIDEO_B_FRAMES, 0, 0, 0 },
	{ "gop_size", V4L2_CID_MPEG_VIDEO_GOP_SIZE, 0, PERIOD_MAX,
	  GOP_DEFAULT },
	{ "i_period", V4L2_CID_MPEG_VIDEO_H264_I_PERIOD, 0, PERIOD_MAX, 0 },
	{ "min_qp", V4L2_CID_MPEG_VIDEO_H264_MIN_QP, 0, QP_MAX, 0 },
	{ "max_qp", V4L2_CID_MPEG_VIDEO_H264_MAX_QP, 0, QP_MAX, QP_MAX },
	{ "profile", V4L2_CID_MPEG_VIDEO_H264_PROFILE, 0,
	  V4L2_MPEG_VIDEO_H264_PROFILE_HIGH, V4L2_MPEG_VIDEO_H264_PROFILE_HIGH,
	  true, BIT(V4L2_MPEG_VIDEO_H264_PROFILE_EXTENDED) },
	{ "level", V4L2_CID_MPEG_VIDEO_H264_LEVEL, 0,
	  V4L2_MPEG_VIDEO_H264_LEVEL_6_2, V4L2_MPEG_VIDEO_H264_LEVEL_4_0,
	  true },
	{ "header_mode", V4L2_CID_MPEG_VIDEO_HEADER_MODE, 0,
	  V4L2_MPEG_VIDEO_HEADER_MODE_JOINED_WITH_1ST_FRAME,
	  V4L2_MPEG_VIDEO_HEADER_MODE_JOINED_WITH_1ST_FRAME, true },
	{ "repeat_headers", V4L2_CID_MPEG_VIDEO_REPEAT_SEQ_HEADER, 0, 1, 0 },
	{ "force_key_frame", V4L2_CID_MPEG_VIDEO_FORCE_KEY_FRAME, 0, 0, 0 },
	{ "min_buffers", V4L2_CID_MIN_BUFFERS_FOR_OUTPUT, 1, 1, 1 },
};

static int vh264_set_control(struct v4l2_ctrl *control)
{
	struct vh264_context *context = container_of(control->handler,
						     struct vh264_context,
						     controls);
	struct vh264_settings *settings = &context->settings;

	switch (control->id) {
	case V4L2_CID_MPEG_VIDEO_GOP_SIZE:
		WRITE_ONCE(settings->gop_size, control->val);
		break;
	case V4L2_CID_MPEG_VIDEO_H264_I_PERIOD:
		WRITE_ONCE(settings->i_period, control->val);
		break;
	case V4L2_CID_MPEG_VIDEO_H264_PROFILE:
		WRITE_ONCE(settings->profile, control->val);
		break;
	case V4L2_CID_MPEG_VIDEO_H264_LEVEL:
		WRITE_ONCE(settings->level, control->val);
		break;
	case V4L2_CID_MPEG_VIDEO_HEADER_MODE:
		WRITE_ONCE(settings->header_mode, control->val);
		break;
	case V4L2_CID_MPEG_VIDEO_REPEAT_SEQ_HEADER:
		WRITE_ONCE(settings->repeat_headers, control->val);
		break;
	case V4L2_CID_MPEG_VIDEO_FORCE_KEY_FRAME:
		WRITE_ONCE(settings->force_key_frame, true);
		break;
	}
	return 0;
}

static const struct v4l2_ctrl_ops control_operations = {
	.s_ctrl = vh264_set_control,
};

static struct v4l2_ctrl *add_control(struct vh264_context *context,
				     const struct control *control)
{
	if (vh264_is_absent(control->name))
		return NULL;
	if (control->menu)
		return v4l2_ctrl_new_std_menu(&context->controls,
					      &control_operations, control->id,
					      control->max, control->skip,
					      control->initial);
	return v4l2_ctrl_new_std(&context->controls, &control_operations,
				 control->id, control->min, control->max,
				 1, control->initial);
}

/**
 * vh264_controls_init - gives an open file its controls
 * @context: the open file
 *
 * Return: 0 or a negative error code.
 */
int vh264_controls_init(struct vh264_context *context)
{
	struct v4l2_ctrl_handler *handler = &context->controls;
	unsigned int i;
	int ret;

	/* What a control that is absent would say */
	context->settings = (struct vh264_settings) {
		.gop_size = GOP_DEFAULT,
		.profile = V4L2_MPEG_VIDEO_H264_PROFILE_HIGH,
		.level = V4L2_MPEG_VIDEO_H264_LEVEL_4_0,
		.header_mode =
			V4L2_MPEG_VIDEO_HEADER_MODE_JOINED_WITH_1ST_FRAME,
	};

	v4l2_ctrl_handler_init(handler, ARRAY_SIZE(controls));
	for (i = 0; i < ARRAY_SIZE(controls); i++) {
		struct v4l2_ctrl *added = add_control(context, &controls[i]);

		if (controls[i].id == V4L2_CID_MPEG_VIDEO_H264_PROFILE)
			context->profile = added;
		else if (controls[i].id == V4L2_CID_MPEG_VIDEO_H264_LEVEL)
			context->level = added;
	}
	ret = handler->error ?: v4l2_ctrl_handler_setup(handler);
	if (ret) {
		v4l2_ctrl_handler_free(handler);
		return ret;
	}
	context->fh.ctrl_handler = handler;
	return 0;
}

/**
 * vh264_controls_hold - holds what must not change within a stream
 * @context: the open file
 * @held: hold it, or let it go
 */
void vh264_controls_hold(struct vh264_context *context, bool held)
{
	v4l2_ctrl_grab(context->profile, held);
	v4l2_ctrl_grab(context->level, held);
}

static enum vh264_profile profile_of(u32 profile)
{
	switch (profile) {
	case V4L2_MPEG_VIDEO_H264_PROFILE_BASELINE:
		return VH264_PROFILE_BASELINE;
	case V4L2_MPEG_VIDEO_H264_PROFILE_CONSTRAINED_BASELINE:
		return VH264_PROFILE_CONSTRAINED_BASELINE;
	case V4L2_MPEG_VIDEO_H264_PROFILE_MAIN:
		return VH264_PROFILE_MAIN;
	default:
		return VH264_PROFILE_HIGH;
	}
}

/* In the order of enum v4l2_mpeg_video_h264_level. */
static const u8 level_idcs[] = {
	10, 9, 11, 12, 13, 20, 21, 22, 30, 31, 32, 40, 41, 42, 50, 51, 52, 60,
	61, 62,
};

/* Code points of ITU-T H.264, tables E-3 to E-5; 2 is unspecified. */
static u8 primaries_of(u32 colorspace)
{
	switch (colorspace) {
	case V4L2_COLORSPACE_SMPTE170M:
		return 6;
	case V4L2_COLORSPACE_SMPTE240M:
		return 7;
	case V4L2_COLORSPACE_REC709:
	case V4L2_COLORSPACE_SRGB:
	case V4L2_COLORSPACE_JPEG:
		return 1;
	case V4L2_COLORSPACE_470_SYSTEM_M:
		return 4;
	case V4L2_COLORSPACE_470_SYSTEM_BG:
		return 5;
	case V4L2_COLORSPACE_BT2020:
		return 9;
	case V4L2_COLORSPACE_DCI_P3:
		return 11;
	default:
		return 2;
	}
}

static u8 transfer_of(u32 colorspace, u32 xfer_func)
{
	if (xfer_func == V4L2_XFER_FUNC_DEFAULT)
		xfer_func = V4L2_MAP_XFER_FUNC_DEFAULT(colorspace);
	switch (xfer_func) {
	case V4L2_XFER_FUNC_709:
		if (colorspace == V4L2_COLORSPACE_SMPTE170M)
			return 6;
		return colorspace == V4L2_COLORSPACE_BT2020 ? 14 : 1;
	case V4L2_XFER_FUNC_SRGB:
		return 13;
	case V4L2_XFER_FUNC_SMPTE240M:
		return 7;
	case V4L2_XFER_FUNC_NONE:
		return 8;
	case V4L2_XFER_FUNC_DCI_P3:
		return 17;
	case V4L2_XFER_FUNC_SMPTE2084:
		return 16;
	default:
		return 2;
	}
}

static u8 matrix_of(u32 colorspace, u32 ycbcr_enc)
{
	if (ycbcr_enc == V4L2_YCBCR_ENC_DEFAULT)
		ycbcr_enc = V4L2_MAP_YCBCR_ENC_DEFAULT(colorspace);
	switch (ycbcr_enc) {
	case V4L2_YCBCR_ENC_601:
	case V4L2_YCBCR_ENC_XV601:
		return 6;
	case V4L2_YCBCR_ENC_709:
	case V4L2_YCBCR_ENC_XV709:
		return 1;
	case V4L2_YCBCR_ENC_BT2020:
		return 9;
	case V4L2_YCBCR_ENC_BT2020_CONST_LUM:
		return 10;
	case V4L2_YCBCR_ENC_SMPTE240M:
		return 7;
	default:
		return 2;
	}
}

static bool is_full_range(const struct vh264_raw *raw)
{
	if (vh264_is_rgb(raw))
		return false;
	if (raw->quantization == V4L2_QUANTIZATION_DEFAULT)
		return V4L2_MAP_QUANTIZATION_DEFAULT(false, raw->colorspace,
						     raw->ycbcr_enc) ==
		       V4L2_QUANTIZATION_FULL_RANGE;
	return raw->quantization == V4L2_QUANTIZATION_FULL_RANGE;
}

/**
 * vh264_describe_stream - what the stream's parameter sets shall say
 * @context: the open file
 * @stream: to be filled in
 */
void vh264_describe_stream(struct vh264_context *context,
			   struct vh264_stream *stream)
{
	const struct vh264_raw *raw = &context->raw;
	u8 matrix = matrix_of(raw->colorspace, raw->ycbcr_enc);

	*stream = (struct vh264_stream) {
		.width = context->crop.width,
		.height = context->crop.height,
		.profile = profile_of(READ_ONCE(context->settings.profile)),
		.level_idc = level_idcs[READ_ONCE(context->settings.level)],
		.vui = READ_ONCE(vh264_vui),
		.full_range = is_full_range(raw),
		.primaries = primaries_of(raw->colorspace),
		.transfer = transfer_of(raw->colorspace, raw->xfer_func),
		.matrix = vh264_is_rgb(raw) ? 1 : matrix,
		.rate_numerator = context->coded_interval.denominator,
		.rate_denominator = context->coded_interval.numerator,
	};
}
