// SPDX-License-Identifier: GPL-2.0-only
/*
 * A virtual H.264 encoder: a V4L2 memory-to-memory stateful encoder without a
 * chip. Its streams are lossless in 4:2:0; see README.md.
 */
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>
#include <media/media-device.h>
#include <media/v4l2-ioctl.h>

#include "driver.h"

enum {
	NODE_SINGLE_PLANAR = 1,
	NODE_MULTI_PLANAR = 2,
};

static unsigned int nodes = NODE_SINGLE_PLANAR | NODE_MULTI_PLANAR;
module_param(nodes, uint, 0444);
MODULE_PARM_DESC(nodes,
		 "1: a single-planar node, 2: a multi-planar one, 3: both");

bool vh264_vui = true;
module_param_named(vui, vh264_vui, bool, 0644);
MODULE_PARM_DESC(vui, "write colour and frame rate into the stream (VUI)");

static struct platform_device *platform;
static struct media_device media;
static struct v4l2_device v4l2 = { .name = VH264_NAME, .mdev = &media };
static struct vh264_node single_planar = { .multiplanar = false };
static struct vh264_node multi_planar = { .multiplanar = true };

static int vh264_open(struct file *file)
{
	struct vh264_node *node = video_drvdata(file);
	struct vh264_context *context;
	int ret;

	context = kzalloc(sizeof(*context), GFP_KERNEL);
	if (!context)
		return -ENOMEM;

	context->node = node;
	mutex_init(&context->lock);
	spin_lock_init(&context->drain_lock);
	init_waitqueue_head(&context->wake);
	INIT_WORK(&context->job, vh264_job);
	vh264_formats_init(context);

	v4l2_fh_init(&context->fh, &node->video);
	ret = vh264_controls_init(context);
	if (ret)
		goto exit_fh;

	context->fh.m2m_ctx = v4l2_m2m_ctx_init(node->m2m, context,
						vh264_queues_init);
	if (IS_ERR(context->fh.m2m_ctx)) {
		ret = PTR_ERR(context->fh.m2m_ctx);
		goto free_controls;
	}

	file->private_data = &context->fh;
	v4l2_fh_add(&context->fh);
	return 0;

free_controls:
	v4l2_ctrl_handler_free(&context->controls);
exit_fh:
	v4l2_fh_exit(&context->fh);
	mutex_destroy(&context->lock);
	kfree(context);
	return ret;
}

static int vh264_release(struct file *file)
{
	struct vh264_context *context = vh264_of_file(file);
	struct v4l2_m2m_ctx *m2m = context->fh.m2m_ctx;

	mutex_lock(&context->lock);
	/* No job begins from here on; the last one may not have returned yet */
	v4l2_m2m_streamoff(file, m2m, v4l2_m2m_get_src_vq(m2m)->type);
	flush_work(&context->job);
	v4l2_m2m_ctx_release(m2m);
	mutex_unlock(&context->lock);

	v4l2_fh_del(&context->fh);
	v4l2_fh_exit(&context->fh);
	v4l2_ctrl_handler_free(&context->controls);
	mutex_destroy(&context->lock);
	vfree(context->memory);
	kfree(context);
	return 0;
}

static const struct v4l2_file_operations vh264_file_operations = {
	.owner = THIS_MODULE,
	.open = vh264_open,
	.release = vh264_release,
	.poll = v4l2_m2m_fop_poll,
	.unlocked_ioctl = video_ioctl2,
	.mmap = v4l2_m2m_fop_mmap,
};

static int add_node(struct vh264_node *node, const char *name)
{
	struct video_device *video = &node->video;
	int ret;

	node->jobs = alloc_workqueue("%s", WQ_UNBOUND, 0, name);
	if (!node->jobs)
		return -ENOMEM;

	node->m2m = v4l2_m2m_init(&vh264_m2m_ops);
	if (IS_ERR(node->m2m)) {
		ret = PTR_ERR(node->m2m);
		goto destroy_jobs;
	}

	/*
	 * The node has no lock: each open file has its own, so that one that
	 * hangs does not hold up the others.
	 */
	*video = (struct video_device) {
		.v4l2_dev = &v4l2,
		.vfl_dir = VFL_DIR_M2M,
		.fops = &vh264_file_operations,
		.ioctl_ops = &vh264_ioctl_ops,
		.release = video_device_release_empty,
		.device_caps = V4L2_CAP_STREAMING |
			       (node->multiplanar ? V4L2_CAP_VIDEO_M2M_MPLANE :
						    V4L2_CAP_VIDEO_M2M),
	};
	strscpy(video->name, name, sizeof(video->name));
	video_set_drvdata(video, node);

	ret = video_register_device(video, VFL_TYPE_VIDEO, -1);
	if (ret)
		goto release_m2m;
	ret = v4l2_m2m_register_media_controller(node->m2m, video,
						 MEDIA_ENT_F_PROC_VIDEO_ENCODER);
	if (ret)
		goto unregister_video;
	return 0;

unregister_video:
	video_unregister_device(video);
release_m2m:
	v4l2_m2m_release(node->m2m);
destroy_jobs:
	destroy_workqueue(node->jobs);
	node->jobs = NULL;
	return ret;
}

static void remove_node(struct vh264_node *node)
{
	if (!node->jobs)
		return;
	v4l2_m2m_unregister_media_controller(node->m2m);
	video_unregister_device(&node->video);
	v4l2_m2m_release(node->m2m);
	destroy_workqueue(node->jobs);
}

static void init_media(struct device *device)
{
	media.dev = device;
	strscpy(media.model, VH264_NAME, sizeof(media.model));
	strscpy(media.driver_name, VH264_NAME, sizeof(media.driver_name));
	strscpy(media.bus_info, "platform:" VH264_NAME, sizeof(media.bus_info));
	media_device_init(&media);
}

static int __init vh264_init(void)
{
	int ret;

	platform = platform_device_register_simple(VH264_NAME,
						   PLATFORM_DEVID_NONE, NULL,
						   0);
	if (IS_ERR(platform))
		return PTR_ERR(platform);

	init_media(&platform->dev);
	ret = v4l2_device_register(&platform->dev, &v4l2);
	if (ret)
		goto cleanup_media;

	if (nodes & NODE_SINGLE_PLANAR)
		ret = add_node(&single_planar, "h264-encoder");
	if (!ret && (nodes & NODE_MULTI_PLANAR))
		ret = add_node(&multi_planar, "h264-encoder-planes");
	if (!ret)
		ret = media_device_register(&media);
	if (ret)
		goto remove_nodes;
	return 0;

remove_nodes:
	remove_node(&multi_planar);
	remove_node(&single_planar);
	v4l2_device_unregister(&v4l2);
cleanup_media:
	media_device_cleanup(&media);
	platform_device_unregister(platform);
	return ret;
}

static void __exit vh264_exit(void)
{
	media_device_unregister(&media);
	remove_node(&multi_planar);
	remove_node(&single_planar);
	v4l2_device_unregister(&v4l2);
	media_device_cleanup(&media);
	platform_device_unregister(platform);
}

module_init(vh264_init);
module_exit(vh264_exit);

MODULE_DESCRIPTION("Virtual H.264 encoder, lossless");
MODULE_LICENSE("GPL");
