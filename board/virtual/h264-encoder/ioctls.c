// SPDX-License-Identifier: GPL-2.0-only
/* What users ask of the device besides formats: sizes, rates, crop, stop. */
#include <linux/math.h>
#include <media/v4l2-event.h>
#include <media/v4l2-ioctl.h>

#include "driver.h"

#define INTERVAL_PART_MAX 0xffffff

static int vh264_enum_sizes(struct file *file, void *fh,
			    struct v4l2_frmsizeenum *sizes)
{
	struct vh264_context *context = vh264_of_file(file);

	if (sizes->index)
		return -EINVAL;
	if (sizes->pixel_format != V4L2_PIX_FMT_H264 &&
	    !vh264_find_format(context, sizes->pixel_format))
		return -EINVAL;
	sizes->type = V4L2_FRMSIZE_TYPE_STEPWISE;
	sizes->stepwise = (struct v4l2_frmsize_stepwise) {
		.min_width = VH264_SIDE_MIN,
		.max_width = VH264_SIDE_MAX,
		.step_width = 2,
		.min_height = VH264_SIDE_MIN,
		.max_height = VH264_SIDE_MAX,
		.step_height = 2,
	};
	return 0;
}

static void say_interval(struct vh264_context *context,
			 struct v4l2_streamparm *parm)
{
	u32 type = parm->type;

	memset(parm, 0, sizeof(*parm));
	parm->type = type;
	if (V4L2_TYPE_IS_OUTPUT(type)) {
		parm->parm.output.capability = V4L2_CAP_TIMEPERFRAME;
		parm->parm.output.timeperframe = context->raw_interval;
	} else {
		parm->parm.capture.capability = V4L2_CAP_TIMEPERFRAME;
		parm->parm.capture.timeperframe = context->coded_interval;
	}
}

static int vh264_get_parm(struct file *file, void *fh,
			  struct v4l2_streamparm *parm)
{
	struct vh264_context *context = vh264_of_file(file);

	if (!vh264_right_type(context, parm->type))
		return -EINVAL;
	mutex_lock(&context->lock);
	say_interval(context, parm);
	mutex_unlock(&context->lock);
	return 0;
}

/* Twice the rate must go into 32 bits of the stream. */
static struct v4l2_fract choose_interval(struct v4l2_fract interval)
{
	if (!interval.numerator || !interval.denominator)
		return (struct v4l2_fract) { 1, 30 };
	while (interval.numerator > INTERVAL_PART_MAX ||
	       interval.denominator > INTERVAL_PART_MAX) {
		interval.numerator = max(interval.numerator / 2, 1U);
		interval.denominator = max(interval.denominator / 2, 1U);
	}
	return interval;
}

/* The raw side's rate becomes the coded side's as well, but not the other way
 * round.
 */
static int vh264_set_parm(struct file *file, void *fh,
			  struct v4l2_streamparm *parm)
{
	struct vh264_context *context = vh264_of_file(file);
	struct v4l2_fract *coded = &context->coded_interval;

	if (!vh264_right_type(context, parm->type))
		return -EINVAL;
	mutex_lock(&context->lock);
	if (V4L2_TYPE_IS_OUTPUT(parm->type)) {
		*coded = choose_interval(parm->parm.output.timeperframe);
		context->raw_interval = *coded;
	} else {
		*coded = choose_interval(parm->parm.capture.timeperframe);
	}
	say_interval(context, parm);
	mutex_unlock(&context->lock);
	return 0;
}

static int vh264_get_selection(struct file *file, void *fh,
			       struct v4l2_selection *selection)
{
	struct vh264_context *context = vh264_of_file(file);
	int ret = 0;

	if (selection->type != V4L2_BUF_TYPE_VIDEO_OUTPUT)
		return -EINVAL;

	mutex_lock(&context->lock);
	switch (selection->target) {
	case V4L2_SEL_TGT_CROP:
		selection->r = context->crop;
		break;
	case V4L2_SEL_TGT_CROP_DEFAULT:
	case V4L2_SEL_TGT_CROP_BOUNDS:
		selection->r = (struct v4l2_rect) {
			.width = context->raw.width,
			.height = context->raw.height,
		};
		break;
	default:
		ret = -EINVAL;
		break;
	}
	mutex_unlock(&context->lock);
	return ret;
}

static void choose_span(s32 *start, u32 *length, u32 available)
{
	*length = min(vh264_even_side(*length), available);
	*start = round_down(clamp_t(s32, *start, 0, available - *length), 2);
}

static int vh264_set_selection(struct file *file, void *fh,
			       struct v4l2_selection *selection)
{
	struct vh264_context *context = vh264_of_file(file);
	struct v4l2_m2m_ctx *m2m = context->fh.m2m_ctx;
	struct v4l2_rect *r = &selection->r;
	int ret = 0;

	if (selection->type != V4L2_BUF_TYPE_VIDEO_OUTPUT ||
	    selection->target != V4L2_SEL_TGT_CROP)
		return -EINVAL;

	mutex_lock(&context->lock);
	if (vb2_is_streaming(v4l2_m2m_get_src_vq(m2m)) ||
	    vb2_is_busy(v4l2_m2m_get_dst_vq(m2m))) {
		ret = -EBUSY;
		goto unlock;
	}
	choose_span(&r->left, &r->width, context->raw.width);
	choose_span(&r->top, &r->height, context->raw.height);
	vh264_set_crop(context, r);
unlock:
	mutex_unlock(&context->lock);
	return ret;
}

/* --- commands and events --- */

static int vh264_try_command(struct file *file, void *fh,
			     struct v4l2_encoder_cmd *command)
{
	if (READ_ONCE(vh264_faults.no_encoder_cmd))
		return -ENOTTY;
	return v4l2_m2m_ioctl_try_encoder_cmd(file, fh, command);
}

static int do_command(struct vh264_context *context, struct file *file,
		      struct v4l2_encoder_cmd *command)
{
	struct v4l2_m2m_ctx *m2m = context->fh.m2m_ctx;
	bool stopped;
	int ret;

	if (!vb2_is_streaming(v4l2_m2m_get_src_vq(m2m)) ||
	    !vb2_is_streaming(v4l2_m2m_get_dst_vq(m2m)))
		return 0;

	spin_lock(&context->drain_lock);
	stopped = v4l2_m2m_has_stopped(m2m);
	if (command->cmd == V4L2_ENC_CMD_STOP && !v4l2_m2m_next_src_buf(m2m))
		vh264_prepare_last(context);
	ret = v4l2_m2m_encoder_cmd(file, m2m, command);
	if (!ret && !stopped && v4l2_m2m_has_stopped(m2m))
		vh264_queue_eos(context);
	spin_unlock(&context->drain_lock);
	if (ret || command->cmd != V4L2_ENC_CMD_START)
		return ret;

	if (stopped)
		vb2_clear_last_buffer_dequeued(v4l2_m2m_get_dst_vq(m2m));
	/* Pictures that came after the stop have waited */
	v4l2_m2m_try_schedule(m2m);
	return 0;
}

static int vh264_command(struct file *file, void *fh,
			 struct v4l2_encoder_cmd *command)
{
	struct vh264_context *context = vh264_of_file(file);
	int ret = vh264_try_command(file, fh, command);

	if (ret)
		return ret;
	mutex_lock(&context->lock);
	ret = do_command(context, file, command);
	mutex_unlock(&context->lock);
	return ret;
}

static int vh264_subscribe(struct v4l2_fh *fh,
			   const struct v4l2_event_subscription *subscription)
{
	if (subscription->type == V4L2_EVENT_EOS)
		return v4l2_event_subscribe(fh, subscription, 0, NULL);
	return v4l2_ctrl_subscribe_event(fh, subscription);
}

static int vh264_query(struct file *file, void *fh,
		       struct v4l2_capability *capability)
{
	strscpy(capability->driver, VH264_NAME, sizeof(capability->driver));
	strscpy(capability->card, "Virtual H.264 encoder",
		sizeof(capability->card));
	strscpy(capability->bus_info, "platform:" VH264_NAME,
		sizeof(capability->bus_info));
	return 0;
}

const struct v4l2_ioctl_ops vh264_ioctl_ops = {
	.vidioc_querycap = vh264_query,

	.vidioc_enum_fmt_vid_out = vh264_enum_raw,
	.vidioc_g_fmt_vid_out = vh264_get_raw,
	.vidioc_g_fmt_vid_out_mplane = vh264_get_raw,
	.vidioc_try_fmt_vid_out = vh264_try_raw,
	.vidioc_try_fmt_vid_out_mplane = vh264_try_raw,
	.vidioc_s_fmt_vid_out = vh264_set_raw,
	.vidioc_s_fmt_vid_out_mplane = vh264_set_raw,

	.vidioc_enum_fmt_vid_cap = vh264_enum_coded,
	.vidioc_g_fmt_vid_cap = vh264_get_coded,
	.vidioc_g_fmt_vid_cap_mplane = vh264_get_coded,
	.vidioc_try_fmt_vid_cap = vh264_try_coded,
	.vidioc_try_fmt_vid_cap_mplane = vh264_try_coded,
	.vidioc_s_fmt_vid_cap = vh264_set_coded,
	.vidioc_s_fmt_vid_cap_mplane = vh264_set_coded,

	.vidioc_enum_framesizes = vh264_enum_sizes,
	.vidioc_g_parm = vh264_get_parm,
	.vidioc_s_parm = vh264_set_parm,
	.vidioc_g_selection = vh264_get_selection,
	.vidioc_s_selection = vh264_set_selection,

	.vidioc_reqbufs = v4l2_m2m_ioctl_reqbufs,
	.vidioc_querybuf = v4l2_m2m_ioctl_querybuf,
	.vidioc_qbuf = v4l2_m2m_ioctl_qbuf,
	.vidioc_dqbuf = v4l2_m2m_ioctl_dqbuf,
	.vidioc_prepare_buf = v4l2_m2m_ioctl_prepare_buf,
	.vidioc_create_bufs = v4l2_m2m_ioctl_create_bufs,
	.vidioc_remove_bufs = v4l2_m2m_ioctl_remove_bufs,
	.vidioc_expbuf = v4l2_m2m_ioctl_expbuf,
	.vidioc_streamon = v4l2_m2m_ioctl_streamon,
	.vidioc_streamoff = v4l2_m2m_ioctl_streamoff,

	.vidioc_try_encoder_cmd = vh264_try_command,
	.vidioc_encoder_cmd = vh264_command,
	.vidioc_subscribe_event = vh264_subscribe,
	.vidioc_unsubscribe_event = v4l2_event_unsubscribe,
};
