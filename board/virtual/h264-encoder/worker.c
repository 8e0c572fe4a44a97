// SPDX-License-Identifier: GPL-2.0-only
/*
 * The work: one picture a job, done by a kernel worker, so that the time it
 * takes is nobody's who uses the device.
 */
#include <linux/jiffies.h>

#include "driver.h"

#define STALL_STEP (HZ / 50 ?: 1)

/* What became of a picture. */
enum outcome {
	CODED,
	DROPPED,
	FAILED,
};

static bool stalls(struct vh264_context *context)
{
	u32 after = READ_ONCE(vh264_faults.stall_after);

	return after && context->coded >= after && !context->stalled &&
	       !READ_ONCE(context->aborting);
}

static void stall(struct vh264_context *context)
{
	unsigned long begin = jiffies;
	u32 limit;

	while (stalls(context)) {
		wait_event_timeout(context->wake, READ_ONCE(context->aborting),
				   STALL_STEP);
		limit = READ_ONCE(vh264_faults.stall_ms);
		if (limit && jiffies_to_msecs(jiffies - begin) >= limit)
			context->stalled = true;
	}
}

static void find_planes(struct vh264_context *context,
			struct vb2_buffer *buffer, struct vh264_planes *planes)
{
	const struct vh264_raw *raw = &context->raw;
	const struct vh264_layout *layout = raw->format->layout;
	const struct v4l2_rect *crop = &context->crop;
	unsigned int i;
	u8 *data = NULL;

	for (i = 0; i < layout->planes; i++) {
		const struct vh264_plane_layout *shape = &layout->plane[i];

		if (i < raw->format->buffers)
			data = (u8 *)vb2_plane_vaddr(buffer, i) +
			       buffer->planes[i].data_offset;
		planes->stride[i] = raw->stride[i];
		planes->data[i] = data +
				  crop->top * shape->lines / 16 * raw->stride[i] +
				  crop->left * shape->line / 16;
		data += raw->height * shape->lines / 16 * raw->stride[i];
	}
}

static bool have_memory(struct vh264_context *context, struct vb2_buffer *raw,
			struct vb2_buffer *coded)
{
	unsigned int i;

	for (i = 0; i < context->raw.format->buffers; i++)
		if (!vb2_plane_vaddr(raw, i))
			return false;
	return vb2_plane_vaddr(coded, 0);
}

static bool reached(u32 count, u32 period)
{
	return period && count >= period;
}

static bool asks_for_idr(struct vh264_context *context)
{
	struct vh264_settings *settings = &context->settings;

	return xchg(&settings->force_key_frame, false) ||
	       !context->coder.has_last ||
	       reached(context->since_idr, READ_ONCE(settings->gop_size)) ||
	       reached(context->since_idr, READ_ONCE(settings->i_period));
}

/* The decision stands until the picture is coded: headers may go out first. */
static void decide_idr(struct vh264_context *context)
{
	if (context->idr_due || !asks_for_idr(context))
		return;
	context->idr_due = true;
	if (READ_ONCE(context->settings.repeat_headers))
		context->headers_due = true;
}

static bool sends_headers_alone(struct vh264_context *context)
{
	return READ_ONCE(vh264_faults.headers_alone) ||
	       READ_ONCE(context->settings.header_mode) ==
		       V4L2_MPEG_VIDEO_HEADER_MODE_SEPARATE;
}

static void write_headers(struct vh264_context *context,
			  struct vh264_bits *bits)
{
	vh264_describe_stream(context, &context->stream);
	vh264_write_headers(bits, &context->stream);
	context->headers_due = false;
}

static void begin_buffer(struct vb2_v4l2_buffer *coded, struct vh264_bits *bits)
{
	coded->flags &= ~(V4L2_BUF_FLAG_KEYFRAME | V4L2_BUF_FLAG_PFRAME |
			  V4L2_BUF_FLAG_BFRAME | V4L2_BUF_FLAG_LAST);
	vb2_set_plane_payload(&coded->vb2_buf, 0, 0);
	vh264_bits_init(bits, vb2_plane_vaddr(&coded->vb2_buf, 0),
			vb2_plane_size(&coded->vb2_buf, 0));
}

static void finish_buffer(struct vh264_context *context,
			  struct vb2_v4l2_buffer *raw,
			  struct vb2_v4l2_buffer *coded)
{
	v4l2_m2m_buf_copy_metadata(raw, coded, false);
	coded->field = V4L2_FIELD_NONE;
	if (!context->coded_sequence && READ_ONCE(vh264_faults.first_time_zero))
		coded->vb2_buf.timestamp = 0;
	coded->sequence = context->coded_sequence++;
}

/* A buffer of parameter sets alone; the picture waits for the next one. */
static void send_headers(struct vh264_context *context,
			 struct vb2_v4l2_buffer *raw,
			 struct vb2_v4l2_buffer *coded)
{
	struct vh264_bits bits;

	begin_buffer(coded, &bits);
	write_headers(context, &bits);
	vb2_set_plane_payload(&coded->vb2_buf, 0, vh264_bits_written(&bits));
	finish_buffer(context, raw, coded);
	v4l2_m2m_dst_buf_remove(context->fh.m2m_ctx);
	v4l2_m2m_buf_done(coded, VB2_BUF_STATE_DONE);
}

static enum outcome code(struct vh264_context *context,
			 struct vb2_v4l2_buffer *raw,
			 struct vb2_v4l2_buffer *coded)
{
	bool idr = context->idr_due;
	struct vh264_planes planes;
	struct vh264_bits bits;
	size_t size;

	begin_buffer(coded, &bits);
	if (context->headers_due)
		write_headers(context, &bits);
	find_planes(context, &raw->vb2_buf, &planes);
	context->idr_due = false;
	if (vh264_code_picture(&context->coder, &bits, &planes, idr))
		return FAILED;

	context->since_idr = idr ? 1 : context->since_idr + 1;
	context->coded++;
	if (!idr)
		coded->flags |= V4L2_BUF_FLAG_PFRAME;
	else if (!READ_ONCE(vh264_faults.no_keyframe_flag))
		coded->flags |= V4L2_BUF_FLAG_KEYFRAME;

	size = vh264_bits_written(&bits);
	if (vh264_is_nth(context->coded,
			 READ_ONCE(vh264_faults.truncate_every)))
		size /= 2;
	vb2_set_plane_payload(&coded->vb2_buf, 0, size);
	return CODED;
}

/*
 * Gives the raw buffer back, and the coded one if it holds a picture or has to
 * tell that it is the last one. VIDIOC_ENCODER_CMD takes the same lock: without
 * it, a stop could choose this raw buffer as the last one just after it was
 * found not to be.
 */
static void finish(struct vh264_context *context, struct vb2_v4l2_buffer *raw,
		   struct vb2_v4l2_buffer *coded, enum outcome outcome)
{
	struct v4l2_m2m_ctx *m2m = context->fh.m2m_ctx;
	enum vb2_buffer_state state = outcome == FAILED ? VB2_BUF_STATE_ERROR :
							  VB2_BUF_STATE_DONE;
	bool last;

	if (outcome != CODED)
		vb2_set_plane_payload(&coded->vb2_buf, 0, 0);

	spin_lock(&context->drain_lock);
	last = v4l2_m2m_is_last_draining_src_buf(m2m, raw);
	if (outcome != DROPPED || last) {
		finish_buffer(context, raw, coded);
		v4l2_m2m_dst_buf_remove(m2m);
	}
	raw->sequence = context->raw_sequence++;
	v4l2_m2m_src_buf_remove(m2m);
	if (last) {
		coded->flags |= V4L2_BUF_FLAG_LAST;
		v4l2_m2m_mark_stopped(m2m);
		vh264_queue_eos(context);
	}
	v4l2_m2m_buf_done(raw, state);
	if (outcome != DROPPED || last)
		v4l2_m2m_buf_done(coded, state);
	spin_unlock(&context->drain_lock);
}

static void run(struct vh264_context *context)
{
	struct v4l2_m2m_ctx *m2m = context->fh.m2m_ctx;
	struct vb2_v4l2_buffer *raw = v4l2_m2m_next_src_buf(m2m);
	struct vb2_v4l2_buffer *coded = v4l2_m2m_next_dst_buf(m2m);
	struct vh264_bits bits;

	if (!have_memory(context, &raw->vb2_buf, &coded->vb2_buf)) {
		finish(context, raw, coded, FAILED);
		return;
	}
	/* It is counted when it is done with, not when its headers are */
	if (vh264_is_nth(context->taken + 1,
			 READ_ONCE(vh264_faults.drop_every))) {
		context->taken++;
		begin_buffer(coded, &bits);
		finish(context, raw, coded, DROPPED);
		return;
	}

	decide_idr(context);
	if (context->headers_due && sends_headers_alone(context)) {
		send_headers(context, raw, coded);
		return;
	}
	context->taken++;
	finish(context, raw, coded, code(context, raw, coded));
}

/**
 * vh264_job - codes one picture
 * @work: of an open file
 */
void vh264_job(struct work_struct *work)
{
	struct vh264_context *context =
		container_of(work, struct vh264_context, job);

	stall(context);
	if (!READ_ONCE(context->aborting))
		run(context);
	v4l2_m2m_job_finish(context->node->m2m, context->fh.m2m_ctx);
}

static void vh264_device_run(void *private)
{
	struct vh264_context *context = private;

	queue_work(context->node->jobs, &context->job);
}

static void vh264_job_abort(void *private)
{
	struct vh264_context *context = private;

	WRITE_ONCE(context->aborting, true);
	wake_up(&context->wake);
}

const struct v4l2_m2m_ops vh264_m2m_ops = {
	.device_run = vh264_device_run,
	.job_abort = vh264_job_abort,
};
