// SPDX-License-Identifier: GPL-2.0-only
/* Raw pictures as V4L2 sees them: formats, strides, sizes, colour, crop. */
#include <linux/log2.h>
#include <linux/math.h>
#include <media/v4l2-common.h>

#include "driver.h"

#define WIDTH_DEFAULT 1280
#define HEIGHT_DEFAULT 720
#define LINE_MAX (8 * VH264_SIDE_MAX)
#define STRIDE_ALIGN_MAX 4096
#define CODED_SIZE_MAX (256 << 20)

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

/**
 * vh264_format_at - the raw formats of a node, one after the other
 * @context: the open file
 * @index: from 0
 *
 * Return: NULL behind the last one.
 */
const struct vh264_format *vh264_format_at(const struct vh264_context *context,
					   u32 index)
{
	if (index >= ARRAY_SIZE(formats))
		return NULL;
	if (!context->node->multiplanar && formats[index].buffers > 1)
		return NULL;
	return &formats[index];
}

/**
 * vh264_find_format - a raw format by its code
 * @context: the open file
 * @fourcc: V4L2_PIX_FMT_*
 *
 * Return: NULL if the node does not have it.
 */
const struct vh264_format *
vh264_find_format(const struct vh264_context *context, u32 fourcc)
{
	const struct vh264_format *format;
	unsigned int i;

	for (i = 0; (format = vh264_format_at(context, i)); i++)
		if (format->fourcc == fourcc)
			return format;
	return NULL;
}

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

/**
 * vh264_even_side - a side that a picture may have
 * @side: what was asked for
 *
 * Return: the nearest even number within bounds, upwards.
 */
u32 vh264_even_side(u32 side)
{
	return round_down(clamp_t(u32, side + side % 2, VH264_SIDE_MIN,
				  VH264_SIDE_MAX), 2);
}

static void choose_colour(struct vh264_raw *raw)
{
	if (raw->colorspace == V4L2_COLORSPACE_DEFAULT ||
	    !v4l2_is_colorspace_valid(raw->colorspace))
		raw->colorspace = vh264_is_rgb(raw) ? V4L2_COLORSPACE_SRGB :
						V4L2_COLORSPACE_REC709;
	if (!v4l2_is_xfer_func_valid(raw->xfer_func))
		raw->xfer_func = V4L2_XFER_FUNC_DEFAULT;
	if (!v4l2_is_ycbcr_enc_valid(raw->ycbcr_enc))
		raw->ycbcr_enc = V4L2_YCBCR_ENC_DEFAULT;
	if (!v4l2_is_quant_valid(raw->quantization))
		raw->quantization = V4L2_QUANTIZATION_DEFAULT;
}

/**
 * vh264_choose_coded_size - the size of coded buffers
 * @context: the open file
 * @asked: what the user asks for; less would not hold a picture of noise
 *
 * Return: bytes.
 */
u32 vh264_choose_coded_size(const struct vh264_context *context, u32 asked)
{
	u32 needed = vh264_coded_size_max(context->crop.width,
					  context->crop.height);

	return clamp_t(u32, asked, needed, max_t(u32, needed, CODED_SIZE_MAX));
}

/**
 * vh264_set_crop - chooses the part of the raw picture that is coded
 * @context: the open file
 * @crop: inside the picture, even
 */
void vh264_set_crop(struct vh264_context *context, const struct v4l2_rect *crop)
{
	context->crop = *crop;
	context->coded_size =
		vh264_choose_coded_size(context, context->coded_size_asked);
}

/**
 * vh264_adjust_raw - brings a raw format to what the device can do
 * @context: the open file
 * @raw: size and colour as asked; filled in
 * @fourcc: pixel format as asked
 * @asked: bytes from line to line of each buffer plane, 0 for the least
 */
void vh264_adjust_raw(const struct vh264_context *context,
		      struct vh264_raw *raw, u32 fourcc, const u32 *asked)
{
	raw->format = vh264_find_format(context, fourcc) ?: &formats[0];
	raw->width = vh264_even_side(raw->width);
	raw->height = vh264_even_side(raw->height);
	choose_colour(raw);
	lay_out(raw, asked, context->stride_align);
}

/**
 * vh264_take_raw - takes a raw format over; all of the picture is coded then
 * @context: the open file
 * @raw: as vh264_adjust_raw() left it
 */
void vh264_take_raw(struct vh264_context *context, const struct vh264_raw *raw)
{
	struct v4l2_rect whole = { .width = raw->width, .height = raw->height };

	context->raw = *raw;
	vh264_set_crop(context, &whole);
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
		.width = WIDTH_DEFAULT,
		.height = HEIGHT_DEFAULT,
	};

	context->stride_align = stride_alignment();
	context->raw_interval = (struct v4l2_fract) { 1, 30 };
	context->coded_interval = context->raw_interval;
	vh264_adjust_raw(context, &raw, formats[0].fourcc, none);
	vh264_take_raw(context, &raw);
}
