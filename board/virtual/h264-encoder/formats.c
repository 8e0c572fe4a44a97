// SPDX-License-Identifier: GPL-2.0-only
/* VIDIOC_ENUM_FMT, G_FMT, TRY_FMT and S_FMT, single-planar and multi-planar. */
#include "driver.h"

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
	vh264_adjust_raw(context, raw, fourcc, asked);
}

static void say_raw(struct v4l2_format *f, const struct vh264_raw *raw)
{
	to_user(f, raw->format->fourcc, raw->format->buffers, raw);
}

int vh264_enum_raw(struct file *file, void *fh, struct v4l2_fmtdesc *f)
{
	struct vh264_context *context = vh264_of_file(file);
	const struct vh264_format *format = vh264_format_at(context, f->index);

	if (!vh264_right_type(context, f->type) || !format)
		return -EINVAL;
	f->pixelformat = format->fourcc;
	return 0;
}

int vh264_get_raw(struct file *file, void *fh, struct v4l2_format *f)
{
	struct vh264_context *context = vh264_of_file(file);

	if (!vh264_right_type(context, f->type))
		return -EINVAL;
	mutex_lock(&context->lock);
	say_raw(f, &context->raw);
	mutex_unlock(&context->lock);
	return 0;
}

int vh264_try_raw(struct file *file, void *fh, struct v4l2_format *f)
{
	struct vh264_context *context = vh264_of_file(file);
	struct vh264_raw raw;

	if (!vh264_right_type(context, f->type))
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

int vh264_set_raw(struct file *file, void *fh, struct v4l2_format *f)
{
	struct vh264_context *context = vh264_of_file(file);
	struct v4l2_m2m_ctx *m2m = context->fh.m2m_ctx;
	struct vh264_raw raw;
	bool recropped;
	int ret = 0;

	if (!vh264_right_type(context, f->type))
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
		vh264_take_raw(context, &raw);
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
	if (vh264_is_rgb(&context->raw)) {
		coded.ycbcr_enc = V4L2_YCBCR_ENC_709;
		coded.quantization = V4L2_QUANTIZATION_LIM_RANGE;
	}
	to_user(f, V4L2_PIX_FMT_H264, 1, &coded);
}

int vh264_enum_coded(struct file *file, void *fh, struct v4l2_fmtdesc *f)
{
	struct vh264_context *context = vh264_of_file(file);

	if (!vh264_right_type(context, f->type) || f->index)
		return -EINVAL;
	f->pixelformat = V4L2_PIX_FMT_H264;
	f->flags = V4L2_FMT_FLAG_ENC_CAP_FRAME_INTERVAL;
	return 0;
}

int vh264_get_coded(struct file *file, void *fh, struct v4l2_format *f)
{
	struct vh264_context *context = vh264_of_file(file);

	if (!vh264_right_type(context, f->type))
		return -EINVAL;
	mutex_lock(&context->lock);
	say_coded(context, f, context->coded_size);
	mutex_unlock(&context->lock);
	return 0;
}

int vh264_try_coded(struct file *file, void *fh, struct v4l2_format *f)
{
	struct vh264_context *context = vh264_of_file(file);

	if (!vh264_right_type(context, f->type))
		return -EINVAL;
	mutex_lock(&context->lock);
	say_coded(context, f,
		  vh264_choose_coded_size(context, size_asked(f)));
	mutex_unlock(&context->lock);
	return 0;
}

int vh264_set_coded(struct file *file, void *fh, struct v4l2_format *f)
{
	struct vh264_context *context = vh264_of_file(file);
	u32 size;
	int ret = 0;

	if (!vh264_right_type(context, f->type))
		return -EINVAL;

	mutex_lock(&context->lock);
	size = vh264_choose_coded_size(context, size_asked(f));
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
