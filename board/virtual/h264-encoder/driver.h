/* SPDX-License-Identifier: GPL-2.0-only */
/* The V4L2 device around the coder. */
#ifndef VH264_DRIVER_H
#define VH264_DRIVER_H

#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/videodev2.h>
#include <linux/wait.h>
#include <linux/workqueue.h>
#include <media/v4l2-ctrls.h>
#include <media/v4l2-dev.h>
#include <media/v4l2-device.h>
#include <media/v4l2-fh.h>
#include <media/v4l2-mem2mem.h>

#include "coder.h"
#include "faults.h"

#define VH264_NAME "vh264enc"

#define VH264_SIDE_MIN 16
#define VH264_SIDE_MAX 4096

struct vh264_format;

/**
 * struct vh264_node - one video node; each is a device of its own to its users
 * @video: the node
 * @m2m: runs one job at a time
 * @jobs: where the jobs are done
 * @multiplanar: speaks the multi-planar interface
 */
struct vh264_node {
	struct video_device video;
	struct v4l2_m2m_dev *m2m;
	struct workqueue_struct *jobs;
	bool multiplanar;
};

/**
 * struct vh264_raw - the raw side's format
 * @format: pixel format
 * @width: luma samples in a line, even
 * @height: lines, even
 * @stride: bytes from line to line of each plane of the layout
 * @line: bytes from line to line of each buffer plane, as V4L2 says it
 * @size: bytes of each buffer plane
 * @colorspace: enum v4l2_colorspace
 * @xfer_func: enum v4l2_xfer_func
 * @ycbcr_enc: enum v4l2_ycbcr_encoding
 * @quantization: enum v4l2_quantization
 */
struct vh264_raw {
	const struct vh264_format *format;
	u32 width;
	u32 height;
	u32 stride[VH264_PLANES_MAX];
	u32 line[VH264_PLANES_MAX];
	u32 size[VH264_PLANES_MAX];
	u32 colorspace;
	u32 xfer_func;
	u32 ycbcr_enc;
	u32 quantization;
};

/**
 * struct vh264_format - a raw pixel format
 * @fourcc: V4L2_PIX_FMT_*
 * @layout: how it lies in memory
 * @buffers: planes of a V4L2 buffer: 1, or one for each plane of the layout
 */
struct vh264_format {
	u32 fourcc;
	const struct vh264_layout *layout;
	unsigned int buffers;
};

/**
 * struct vh264_settings - what the controls say
 * @gop_size: pictures from IDR picture to IDR picture, 0 is no limit
 * @i_period: the same from the control of that name
 * @profile: enum v4l2_mpeg_video_h264_profile
 * @level: enum v4l2_mpeg_video_h264_level
 * @header_mode: enum v4l2_mpeg_video_header_mode
 * @repeat_headers: parameter sets before each IDR picture
 * @force_key_frame: the next picture becomes an IDR picture
 */
struct vh264_settings {
	u32 gop_size;
	u32 i_period;
	u32 profile;
	u32 level;
	u32 header_mode;
	bool repeat_headers;
	bool force_key_frame;
};

/**
 * struct vh264_context - an open file
 * @fh: what V4L2 knows of it
 * @node: the node that was opened
 * @controls: its controls
 * @profile: control, held fast while streaming; absent if the fault says so
 * @level: the same
 * @lock: guards formats, queues and commands
 * @drain_lock: guards the beginning and the end of draining
 * @raw: the raw side's format
 * @crop: the part of the raw picture that is coded
 * @coded_size: bytes of a coded buffer
 * @coded_size_asked: the least that it may be, since the user was told so
 * @raw_interval: time from raw picture to raw picture
 * @coded_interval: time from picture to picture, as the stream says it
 * @stride_align: fault, as it was on opening
 * @settings: what the controls say
 * @job: the work of coding one picture
 * @aborting: the job is to end without a result
 * @wake: woken when @aborting is set
 * @coder: the stream
 * @memory: of @coder
 * @stream: what the stream's parameter sets say
 * @headers_due: parameter sets come before the next picture
 * @idr_due: the next picture is an IDR picture
 * @since_idr: pictures since the last IDR picture
 * @taken: pictures taken since the raw side began to stream
 * @coded: pictures coded since the coded side began to stream
 * @stalled: the stall is over
 * @raw_sequence: of the next raw buffer
 * @coded_sequence: of the next coded buffer
 */
struct vh264_context {
	struct v4l2_fh fh;
	struct vh264_node *node;
	struct v4l2_ctrl_handler controls;
	struct v4l2_ctrl *profile;
	struct v4l2_ctrl *level;
	struct mutex lock;
	spinlock_t drain_lock;

	struct vh264_raw raw;
	struct v4l2_rect crop;
	u32 coded_size;
	u32 coded_size_asked;
	struct v4l2_fract raw_interval;
	struct v4l2_fract coded_interval;
	u32 stride_align;
	struct vh264_settings settings;

	struct work_struct job;
	bool aborting;
	wait_queue_head_t wake;
	struct vh264_coder coder;
	u8 *memory;
	struct vh264_stream stream;
	bool headers_due;
	bool idr_due;
	u32 since_idr;
	u32 taken;
	u32 coded;
	bool stalled;
	u32 raw_sequence;
	u32 coded_sequence;
};

static inline struct vh264_context *vh264_of_file(struct file *file)
{
	return container_of(file->private_data, struct vh264_context, fh);
}

extern bool vh264_vui;

static inline bool vh264_is_rgb(const struct vh264_raw *raw)
{
	return raw->format->layout->kind == VH264_PACKED_RGB;
}

/* Each node speaks one of the two interfaces, the core would allow both. */
static inline bool vh264_right_type(const struct vh264_context *context,
				    u32 type)
{
	return V4L2_TYPE_IS_MULTIPLANAR(type) == context->node->multiplanar;
}

/* geometry.c */
void vh264_formats_init(struct vh264_context *context);
const struct vh264_format *vh264_format_at(const struct vh264_context *context,
					   u32 index);
const struct vh264_format *
vh264_find_format(const struct vh264_context *context, u32 fourcc);
u32 vh264_even_side(u32 side);
u32 vh264_choose_coded_size(const struct vh264_context *context, u32 asked);
void vh264_set_crop(struct vh264_context *context,
		    const struct v4l2_rect *crop);
void vh264_adjust_raw(const struct vh264_context *context,
		      struct vh264_raw *raw, u32 fourcc, const u32 *asked);
void vh264_take_raw(struct vh264_context *context, const struct vh264_raw *raw);

/* formats.c */
int vh264_enum_raw(struct file *file, void *fh, struct v4l2_fmtdesc *f);
int vh264_get_raw(struct file *file, void *fh, struct v4l2_format *f);
int vh264_try_raw(struct file *file, void *fh, struct v4l2_format *f);
int vh264_set_raw(struct file *file, void *fh, struct v4l2_format *f);
int vh264_enum_coded(struct file *file, void *fh, struct v4l2_fmtdesc *f);
int vh264_get_coded(struct file *file, void *fh, struct v4l2_format *f);
int vh264_try_coded(struct file *file, void *fh, struct v4l2_format *f);
int vh264_set_coded(struct file *file, void *fh, struct v4l2_format *f);

/* ioctls.c */
extern const struct v4l2_ioctl_ops vh264_ioctl_ops;

/* controls.c */
int vh264_controls_init(struct vh264_context *context);
void vh264_controls_hold(struct vh264_context *context, bool held);
void vh264_describe_stream(struct vh264_context *context,
			   struct vh264_stream *stream);

/* queues.c */
int vh264_queues_init(void *context, struct vb2_queue *raw,
		      struct vb2_queue *coded);
void vh264_queue_eos(struct vh264_context *context);
void vh264_prepare_last(struct vh264_context *context);

/* worker.c */
extern const struct v4l2_m2m_ops vh264_m2m_ops;
void vh264_job(struct work_struct *work);

#endif
