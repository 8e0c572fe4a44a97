// SPDX-License-Identifier: GPL-2.0-only
/* What users ask of the device: formats, sizes, rates, crop, commands. */
#include <linux/log2.h>
#include <linux/math.h>
#include <media/v4l2-common.h>
#include <media/v4l2-event.h>
#include <media/v4l2-ioctl.h>

#include "driver.h"

#define WIDTH_DEFAULT 1280
#define HEIGHT_DEFAULT 720
#define LINE_MAX (8 * VH264_SIDE_MAX)
#define STRIDE_ALIGN_MAX 4096
#define CODED_SIZE_MAX (256 << 20)
#define INTERVAL_PART_MAX 0xffffff

/* Those with several buffer planes come last: the single-planar node ends its
 * list before them.
 */
static const struct vh264_format formats[] = {
	{ V4L2_PIX_FMT_YUV420, &vh264_layout_yuv420, 1 },
	{ V4L2_PIX_FMT_NV12, &vh264_layout_nv12, 1 },
	{ V4L2_PIX_FMT_YUYV, &vh264_layout_yuyv, 1 },
	{ V4L2_PIX_FMT_UYVY, &vh264_layout_uyvy, 1 },
	{ V4L2_PIX_FMT_XBGR32, &vh264_layout_bgrx, 1 },
	{ V4L2_PIX_FMT_XRGB32, &vh264_layout_xrgb, 1 },
	{ V4L2_PIX_FMT_RGBX32, &vh264_layout_rgbx, 1 },
	{ V4L2_PIX_FMT_BGRX32, &vh264_layout_xbgr, 1 },
	{ V4L2_PIX_FMT_BGR32, &vh264_layout_bgrx, 1 },
	{ V4L2_PIX_FMT_RGB32, &vh264_layout_xrgb, 1 },
	{ V4L2_PIX_FMT_NV12M, &vh264_layout_nv12, 2 },
	{ V4L2_PIX_FMT_YUV420M, &vh264_layout_yuv420, 3 },
};

static unsigned int format_count(const struct vh264_context *context)
{
	unsigned int count = ARRAY_SIZE(formats);

	while (!context->node->multiplanar && formats[count - 1].buffers > 1)
		count--;
	return count;
}

static const struct vh264_format *find_format(struct vh264_context *context,
					      u32 fourcc)
{
	unsigned int i;

	for (i = 0; i < format_count(context); i++)
		if (formats[i].fourcc == fourcc)
			return &formats[i];
	return NULL;
}

static bool is_rgb(const struct vh264_raw *raw)
{
	return raw->format->layout->kind == VH264_PACKED_RGB;
}

static bool right_type(struct vh264_context *context, u32 type)
{
	return V4L2_TYPE_IS_MULTIPLANAR(type) == context->node->multiplanar;
}

/* --- geometry --- */

static u32 plane_lines(const struct vh264_raw *raw, unsigned int plane)
{
	return raw->height * raw->format->layout->plane[plane].lines / 16;
}

static u32 choose_line(const struct vh264_raw *raw, unsigned int plane,
		       u32 asked, u32 align)
{
	u32 needed = raw->width * raw->format->layout->plane[plane].line / 16;

	return round_up(clamp_t(u32, asked, needed, LINE_MAX), align);
}

static void lay_out(struct vh264_raw *raw, const u32 *asked, u32 align)
{
	const struct vh264_layout *layout = raw->format->layout;
	bool one_buffer = raw->format->buffers == 1;
	unsigned int i, buffer;

	memset(raw->size, 0, sizeof(raw->size));
	for (i = 0; i < layout->planes; i++) {
		if (one_buffer && i)
			raw->stride[i] = raw->stride[0] *
					 layout->plane[i].line /
					 layout->plane[0].line;
		else
			raw->stride[i] = choose_line(raw, i, asked[i], align);
		buffer = one_buffer ? 0 : i;
		raw->line[buffer] = raw->stride[buffer];
		raw->size[buffer] += raw->stride[i] * plane_lines(raw, i);
	}
}

static u32 even_side(u32 side)
{
	return round_down(clamp_t(u32, side + side % 2, VH264_SIDE_MIN,
				  VH264_SIDE_MAX), 2);
}

static void choose_colour(struct vh264_raw *raw)
{
	if (raw->colorspace == V4L2_COLORSPACE_DEFAULT ||
	    !v4l2_is_colorspace_valid(raw->colorspace))
		raw->colorspace = is_rgb(raw) ? V4L2_COLORSPACE_SRGB :
						V4L2_COLORSPACE_REC709;
	if (!v4l2_is_xfer_func_valid(raw->xfer_func))
		raw->xfer_func = V4L2_XFER_FUNC_DEFAULT;
	if (!v4l2_is_ycbcr_enc_valid(raw->ycbcr_enc))
		raw->ycbcr_enc = V4L2_YCBCR_ENC_DEFAULT;
	if (!v4l2_is_quant_valid(raw->quantization))
		raw->quantization = V4L2_QUANTIZATION_DEFAULT;
}

/* A smaller buffer would not hold a picture of noise. */
static u32 choose_coded_size(const struct vh264_context *context, u32 asked)
{
	u32 needed = vh264_coded_size_max(context->crop.width,
					  context->crop.height);

	return clamp_t(u32, asked, needed, max_t(u32, needed, CODED_SIZE_MAX));
}

static void set_crop(struct vh264_context *context,
		     const struct v4l2_rect *crop)
{
	context->crop = *crop;
	context->coded_size = choose_coded_size(context,
						context->coded_size_asked);
}

static void set_raw(struct vh264_context *context, const struct vh264_raw *raw)
{
	struct v4l2_rect whole = { .width = raw->width, .height = raw->height };

	context->raw = *raw;
	set_crop(context, &whole);
}

static u32 stride_alignment(void)
{
	u32 asked = clamp_t(u32, READ_ONCE(vh264_faults.stride_align), 2,
			    STRIDE_ALIGN_MAX);

	return roundup_pow_of_two(asked);
}

/**
 * vh264_formats_init - the formats of a device that was just opened
 * @context: the open file
 */
void vh264_formats_init(struct vh264_context *context)
{
	static const u32 none[VH264_PLANES_MAX];
	struct vh264_raw raw = {
		.format = &formats[0],
		.width = WIDTH_DEFAULT,
		.height = HEIGHT_DEFAULT,
	};

	context->stride_align = stride_alignment();
	context->raw_interval = (struct v4l2_fract) { 1, 30 };
	context->coded_interval = context->raw_interval;
	choose_colour(&raw);
	lay_out(&raw, none, context->stride_align);
	set_raw(context, &raw);
}

/* --- the two ways of saying a format --- */

static void from_user(struct vh264_raw *raw, u32 *fourcc, u32 *asked,
		      const struct v4l2_format *f)
{
	const struct v4l2_pix_format_mplane *mp = &f->fmt.pix_mp;
	const struct v4l2_pix_format *pix = &f->fmt.pix;
	unsigned int i;

	if (!V4L2_TYPE_IS_MULTIPLANAR(f->type)) {
		*raw = (struct vh264_raw) {
			.width = pix->width,
			.height = pix->height,
			.colorspace = pix->colorspace,
			.xfer_func = pix->xfer_func,
			.ycbcr_enc = pix->ycbcr_enc,
			.quantization = pix->quantization,
		};
		*fourcc = pix->pixelformat;
		asked[0] = pix->bytesperline;
		return;
	}
	*raw = (struct vh264_raw) {
		.width = mp->width,
		.height = mp->height,
		.colorspace = mp->colorspace,
		.xfer_func = mp->xfer_func,
		.ycbcr_enc = mp->ycbcr_enc,
		.quantization = mp->quantization,
	};
	*fourcc = mp->pixelformat;
	for (i = 0; i < min_t(u32, mp->num_planes, VH264_PLANES_MAX); i++)
		asked[i] = mp->plane_fmt[i].bytesperline;
}

static void to_user(struct v4l2_format *f, u32 fourcc, u32 planes,
		    const struct vh264_raw *raw)
{
	struct v4l2_pix_format_mplane *mp = &f->fmt.pix_mp;
	struct v4l2_pix_format *pix = &f->fmt.pix;
	unsigned int i;

	if (!V4L2_TYPE_IS_MULTIPLANAR(f->type)) {
		pix->width = raw->width;
		pix->height = raw->height;
		pix->pixelformat = fourcc;
		pix->field = V4L2_FIELD_NONE;
		pix->bytesperline = raw->line[0];
		pix->sizeimage = raw->size[0];
		pix->colorspace = raw->colorspace;
		pix->xfer_func = raw->xfer_func;
		pix->ycbcr_enc = raw->ycbcr_enc;
		pix->quantization = raw->quantization;
		pix->flags = 0;
		return;
	}
	mp->width = raw->width;
	mp->height = raw->height;
	mp->pixelformat = fourcc;
	mp->field = V4L2_FIELD_NONE;
	mp->num_planes = planes;
	for (i = 0; i < planes; i++) {
		mp->plane_fmt[i].bytesperline = raw->line[i];
		mp->plane_fmt[i].sizeimage = raw->size[i];
	}
	mp->colorspace = raw->colorspace;
	mp->xfer_func = raw->xfer_func;
	mp->ycbcr_enc = raw->ycbcr_enc;
	mp->quantization = raw->quantization;
	mp->flags = 0;
}

/* --- the raw side --- */

static void adjust_raw(struct vh264_context *context, struct vh264_raw *raw,
		       const struct v4l2_format *f)
{
	u32 asked[VH264_PLANES_MAX] = { 0 };
	u32 fourcc;

	from_user(raw, &fourcc, asked, f);
	raw->format = find_format(context, fourcc) ?: &formats[0];
	raw->width = even_side(raw->width);
	raw->height = even_side(raw->height);
	choose_colour(raw);
	lay_out(raw, asked, context->stride_align);
}

static void say_raw(struct v4l2_format *f, const struct vh264_raw *raw)
{
	to_user(f, raw->format->fourcc, raw->format->buffers, raw);
}

static int vh264_enum_raw(struct file *file, void *fh, struct v4l2_fmtdesc *f)
{
	struct vh264_context *context = vh264_of_file(file);

	if (!right_type(context, f->type) || f->index >= format_count(context))
		return -EINVAL;
	f->pixelformat = formats[f->index].fourcc;
	return 0;
}

static int vh264_get_raw(struct file *file, void *fh, struct v4l2_format *f)
{
	struct vh264_context *context = vh264_of_file(file);

	if (!right_type(context, f->type))
		return -EINVAL;
	mutex_lock(&context->lock);
	say_raw(f, &context->raw);
	mutex_unlock(&context->lock);
	return 0;
}

static int vh264_try_raw(struct file *file, void *fh, struct v4l2_format *f)
{
	struct vh264_context *context = vh264_of_file(file);
	struct vh264_raw raw;

	if (!right_type(context, f->type))
		return -EINVAL;
	adjust_raw(context, &raw, f);
	say_raw(f, &raw);
	return 0;
}

static bool same_geometry(const struct vh264_raw *a, const struct vh264_raw *b)
{
	return a->format == b->format && a->width == b->width &&
	       a->height == b->height &&
	       !memcmp(a->stride, b->stride, sizeof(a->stride));
}

static int vh264_set_raw(struct file *file, void *fh, struct v4l2_format *f)
{
	struct vh264_context *context = vh264_of_file(file);
	struct v4l2_m2m_ctx *m2m = context->fh.m2m_ctx;
	struct vh264_raw raw;
	bool recropped;
	int ret = 0;

	if (!right_type(context, f->type))
		return -EINVAL;

	mutex_lock(&context->lock);
	adjust_raw(context, &raw, f);
	recropped = raw.width != context->crop.width ||
		    raw.height != context->crop.height;
	if (!same_geometry(&raw, &context->raw) &&
	    vb2_is_busy(v4l2_m2m_get_src_vq(m2m)))
		ret = -EBUSY;
	else if (recropped && vb2_is_busy(v4l2_m2m_get_dst_vq(m2m)))
		ret = -EBUSY;
	else
		set_raw(context, &raw);
	mutex_unlock(&context->lock);
	if (!ret)
		say_raw(f, &raw);
	return ret;
}

/* --- the coded side --- */

static u32 size_asked(const struct v4l2_format *f)
{
	return V4L2_TYPE_IS_MULTIPLANAR(f->type) ?
		       f->fmt.pix_mp.plane_fmt[0].sizeimage :
		       f->fmt.pix.sizeimage;
}

static void say_coded(struct vh264_context *context, struct v4l2_format *f,
		      u32 size)
{
	struct vh264_raw coded = context->raw;

	coded.width = 16 * vh264_macroblocks(context->crop.width);
	coded.height = 16 * vh264_macroblocks(context->crop.height);
	coded.line[0] = 0;
	coded.size[0] = size;
	if (is_rgb(&context->raw)) {
		coded.ycbcr_enc = V4L2_YCBCR_ENC_709;
		coded.quantization = V4L2_QUANTIZATION_LIM_RANGE;
	}
	to_user(f, V4L2_PIX_FMT_H264, 1, &coded);
}

static int vh264_enum_coded(struct file *file, void *fh, struct v4l2_fmtdesc *f)
{
	struct vh264_context *context = vh264_of_file(file);

	if (!right_type(context, f->type) || f->index)
		return -EINVAL;
	f->pixelformat = V4L2_PIX_FMT_H264;
	f->flags = V4L2_FMT_FLAG_ENC_CAP_FRAME_INTERVAL;
	return 0;
}

static int vh264_get_coded(struct file *file, void *fh, struct v4l2_format *f)
{
	struct vh264_context *context = vh264_of_file(file);

	if (!right_type(context, f->type))
		return -EINVAL;
	mutex_lock(&context->lock);
	say_coded(context, f, context->coded_size);
	mutex_unlock(&context->lock);
	return 0;
}

static int vh264_try_coded(struct file *file, void *fh, struct v4l2_format *f)
{
	struct vh264_context *context = vh264_of_file(file);

	if (!right_type(context, f->type))
		return -EINVAL;
	mutex_lock(&context->lock);
	say_coded(context, f, choose_coded_size(context, size_asked(f)));
	mutex_unlock(&context->lock);
	return 0;
}

static int vh264_set_coded(struct file *file, void *fh, struct v4l2_format *f)
{
	struct vh264_context *context = vh264_of_file(file);
	u32 size;
	int ret = 0;

	if (!right_type(context, f->type))
		return -EINVAL;

	mutex_lock(&context->lock);
	size = choose_coded_size(context, size_asked(f));
	if (!vb2_is_busy(v4l2_m2m_get_dst_vq(context->fh.m2m_ctx))) {
		/* Whoever was promised a size is not given a smaller one */
		context->coded_size_asked = size;
		context->coded_size = size;
	} else if (size != context->coded_size) {
		ret = -EBUSY;
	}
	say_coded(context, f, context->coded_size);
	mutex_unlock(&context->lock);
	return ret;
}

/* --- sizes, rates, crop --- */

static int vh264_enum_sizes(struct file *file, void *fh,
			    struct v4l2_frmsizeenum *sizes)
{
	struct vh264_context *context = vh264_of_file(file);

	if (sizes->index)
		return -EINVAL;
	if (sizes->pixel_format != V4L2_PIX_FMT_H264 &&
	    !find_format(context, sizes->pixel_format))
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

	if (!right_type(context, parm->type))
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

	if (!right_type(context, parm->type))
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
	*length = min(even_side(*length), available);
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
	set_crop(context, r);
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
