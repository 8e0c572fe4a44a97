// SPDX-License-Identifier: GPL-2.0-only
/* The buffer queues: what videobuf2 asks of the driver. */
#include <linux/delay.h>
#include <linux/sched/signal.h>
#include <linux/vmalloc.h>
#include <media/v4l2-event.h>
#include <media/videobuf2-vmalloc.h>

#include "driver.h"

#define HANG_STEP_MS 10

static bool is_raw(const struct vb2_queue *queue)
{
	return V4L2_TYPE_IS_OUTPUT(queue->type);
}

static unsigned int plane_count(const struct vh264_context *context,
				const struct vb2_queue *queue)
{
	return is_raw(queue) ? context->raw.format->buffers : 1;
}

static u32 plane_size(const struct vh264_context *context,
		      const struct vb2_queue *queue, unsigned int plane)
{
	return is_raw(queue) ? context->raw.size[plane] : context->coded_size;
}

static int vh264_queue_setup(struct vb2_queue *queue, unsigned int *buffers,
			     unsigned int *planes, unsigned int sizes[],
			     struct device *devices[])
{
	struct vh264_context *context = vb2_get_drv_priv(queue);
	unsigned int count = plane_count(context, queue);
	unsigned int i;

	if (*planes && *planes != count)
		return -EINVAL;
	for (i = 0; i < count; i++) {
		u32 needed = plane_size(context, queue, i);

		if (!*planes)
			sizes[i] = needed;
		else if (sizes[i] < needed)
			return -EINVAL;
	}
	*planes = count;
	return 0;
}

static int vh264_buf_out_validate(struct vb2_buffer *buffer)
{
	to_vb2_v4l2_buffer(buffer)->field = V4L2_FIELD_NONE;
	return 0;
}

static int vh264_buf_prepare(struct vb2_buffer *buffer)
{
	struct vb2_queue *queue = buffer->vb2_queue;
	struct vh264_context *context = vb2_get_drv_priv(queue);
	unsigned int i;

	for (i = 0; i < plane_count(context, queue); i++) {
		unsigned long needed = plane_size(context, queue, i);

		if (is_raw(queue))
			needed += buffer->planes[i].data_offset;
		if (vb2_plane_size(buffer, i) < needed)
			return -EINVAL;
	}
	return 0;
}

/**
 * vh264_queue_eos - says that the last coded buffer is on its way
 * @context: the open file
 */
void vh264_queue_eos(struct vh264_context *context)
{
	static const struct v4l2_event event = { .type = V4L2_EVENT_EOS };

	v4l2_event_queue_fh(&context->fh, &event);
}

/**
 * vh264_prepare_last - readies the buffer that may have to tell of the end
 * @context: the open file
 *
 * When nothing is left to be coded, the core gives the next coded buffer back
 * as the last one, as it is: empty it, and number it.
 */
void vh264_prepare_last(struct vh264_context *context)
{
	struct v4l2_m2m_ctx *m2m = context->fh.m2m_ctx;
	struct vb2_v4l2_buffer *coded = v4l2_m2m_next_dst_buf(m2m);

	if (!coded)
		return;
	vb2_set_plane_payload(&coded->vb2_buf, 0, 0);
	coded->vb2_buf.timestamp = 0;
	coded->field = V4L2_FIELD_NONE;
	coded->sequence = context->coded_sequence;
}

static void vh264_buf_queue(struct vb2_buffer *buffer)
{
	struct vb2_v4l2_buffer *v4l2_buffer = to_vb2_v4l2_buffer(buffer);
	struct vb2_queue *queue = buffer->vb2_queue;
	struct vh264_context *context = vb2_get_drv_priv(queue);
	struct v4l2_m2m_ctx *m2m = context->fh.m2m_ctx;

	/* Draining ended while there was no buffer to say so with */
	if (!is_raw(queue) && vb2_is_streaming(queue) &&
	    v4l2_m2m_dst_buf_is_last(m2m)) {
		vb2_set_plane_payload(buffer, 0, 0);
		v4l2_buffer->field = V4L2_FIELD_NONE;
		v4l2_buffer->sequence = context->coded_sequence++;
		v4l2_m2m_last_buffer_done(m2m, v4l2_buffer);
		vh264_queue_eos(context);
		return;
	}
	v4l2_m2m_buf_queue(m2m, v4l2_buffer);
}

static void return_buffers(struct vb2_queue *queue, enum vb2_buffer_state state)
{
	struct vh264_context *context = vb2_get_drv_priv(queue);
	struct v4l2_m2m_ctx *m2m = context->fh.m2m_ctx;
	struct vb2_v4l2_buffer *buffer;

	for (;;) {
		buffer = is_raw(queue) ? v4l2_m2m_src_buf_remove(m2m) :
					 v4l2_m2m_dst_buf_remove(m2m);
		if (!buffer)
			return;
		v4l2_m2m_buf_done(buffer, state);
	}
}

static bool level_suffices(struct vh264_context *context)
{
	struct vh264_stream stream;
	u8 level_idc;

	vh264_describe_stream(context, &stream);
	/* Level 1b, number 9, allows the sizes and rates of level 1 */
	level_idc = max_t(u8, stream.level_idc, 10);
	return level_idc >= vh264_level_needed(stream.width, stream.height,
					       stream.rate_numerator,
					       stream.rate_denominator);
}

/* The last picture is kept over a stop of the raw side, unless the size or
 * the format has changed.
 */
static int prepare_coder(struct vh264_context *context)
{
	const struct vh264_layout *layout = context->raw.format->layout;
	struct vh264_coder *coder = &context->coder;
	u8 *memory;

	if (coder->layout == layout && coder->width == context->crop.width &&
	    coder->height == context->crop.height)
		return 0;

	memory = vmalloc(vh264_coder_memory(layout, context->crop.width,
					    context->crop.height));
	if (!memory)
		return -ENOMEM;
	vfree(context->memory);
	context->memory = memory;
	vh264_coder_init(coder, layout, context->crop.width,
			 context->crop.height, memory);
	context->headers_due = true;
	return 0;
}

static void begin_coded_stream(struct vh264_context *context)
{
	context->coder.has_last = false;
	context->headers_due = true;
	context->idr_due = false;
	context->coded = 0;
	context->stalled = false;
	context->coded_sequence = 0;
	vh264_controls_hold(context, true);
}

static int vh264_start_streaming(struct vb2_queue *queue, unsigned int count)
{
	struct vh264_context *context = vb2_get_drv_priv(queue);
	int ret = 0;

	if (READ_ONCE(vh264_faults.refuse_low_level) &&
	    !level_suffices(context))
		ret = -EINVAL;
	if (!ret && is_raw(queue))
		ret = prepare_coder(context);
	if (ret) {
		return_buffers(queue, VB2_BUF_STATE_QUEUED);
		return ret;
	}

	v4l2_m2m_update_start_streaming_state(context->fh.m2m_ctx, queue);
	WRITE_ONCE(context->aborting, false);
	if (is_raw(queue)) {
		context->taken = 0;
		context->raw_sequence = 0;
	} else {
		begin_coded_stream(context);
	}
	return 0;
}

/* A real chip would not let go even then; whoever is killed gets out here, so
 * that a test can clean up.
 */
static void hang(void)
{
	unsigned int passed = 0;

	while (passed < READ_ONCE(vh264_faults.hang_streamoff_ms) &&
	       !fatal_signal_pending(current)) {
		schedule_timeout_killable(msecs_to_jiffies(HANG_STEP_MS));
		passed += HANG_STEP_MS;
	}
}

static void vh264_stop_streaming(struct vb2_queue *queue)
{
	struct vh264_context *context = vb2_get_drv_priv(queue);
	struct v4l2_m2m_ctx *m2m = context->fh.m2m_ctx;

	hang();
	return_buffers(queue, VB2_BUF_STATE_ERROR);
	vh264_prepare_last(context);
	v4l2_m2m_update_stop_streaming_state(m2m, queue);
	if (!is_raw(queue))
		vh264_controls_hold(context, false);
	else if (v4l2_m2m_has_stopped(m2m))
		vh264_queue_eos(context);
}

static const struct vb2_ops queue_operations = {
	.queue_setup = vh264_queue_setup,
	.buf_out_validate = vh264_buf_out_validate,
	.buf_prepare = vh264_buf_prepare,
	.buf_queue = vh264_buf_queue,
	.start_streaming = vh264_start_streaming,
	.stop_streaming = vh264_stop_streaming,
	.wait_prepare = vb2_ops_wait_prepare,
	.wait_finish = vb2_ops_wait_finish,
};

static int init_queue(struct vh264_context *context, struct vb2_queue *queue,
		      enum v4l2_buf_type type)
{
	queue->type = type;
	queue->io_modes = VB2_MMAP | VB2_DMABUF;
	queue->drv_priv = context;
	queue->buf_struct_size = sizeof(struct v4l2_m2m_buffer);
	queue->ops = &queue_operations;
	queue->mem_ops = &vb2_vmalloc_memops;
	queue->timestamp_flags = V4L2_BUF_FLAG_TIMESTAMP_COPY;
	queue->lock = &context->lock;
	return vb2_queue_init(queue);
}

/**
 * vh264_queues_init - sets up both queues of an open file
 * @context: the open file
 * @raw: where pictures come in
 * @coded: where streams go out
 *
 * Return: 0 or a negative error code.
 */
int vh264_queues_init(void *context, struct vb2_queue *raw,
		      struct vb2_queue *coded)
{
	bool mplane = ((struct vh264_context *)context)->node->multiplanar;
	int ret;

	ret = init_queue(context, raw,
			 mplane ? V4L2_BUF_TYPE_VIDEO_OUTPUT_MPLANE :
				  V4L2_BUF_TYPE_VIDEO_OUTPUT);
	if (ret)
		return ret;
	return init_queue(context, coded,
			  mplane ? V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE :
				   V4L2_BUF_TYPE_VIDEO_CAPTURE);
}
