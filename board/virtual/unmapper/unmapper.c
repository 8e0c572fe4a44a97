// SPDX-License-Identifier: GPL-2.0-only
/*
 * Takes kernel maps of the screen's framebuffers down soon after they are let go.
 *
 * vkms maps each framebuffer for as long as it is shown. What is let go the kernel only marks, and takes down all at once
 * when 32 MB have come together (lazy_max_pages in mm/vmalloc.c). A User-mode Linux kernel asks the machine below for each
 * page then, which stops the one processor of the board for 15 to 25 ms: with 320x240 pixels at each 108th flip. No display
 * engine does that; so it is done in small pieces here, for as long as a screen is shown (parameter "interval").
 */
#include <linux/module.h>
#include <linux/vmalloc.h>
#include <linux/workqueue.h>

static unsigned int interval;

static void take_down(struct work_struct *work);
static DECLARE_DELAYED_WORK(next, take_down);

static void take_down(struct work_struct *work)
{
	unsigned int now = READ_ONCE(interval);

	if (!now)
		return;
	vm_unmap_aliases();
	schedule_delayed_work(&next, msecs_to_jiffies(now));
}

static int set_interval(const char *text, const struct kernel_param *parameter)
{
	int result = param_set_uint_minmax(text, parameter, 0, 10000);

	if (!result && interval)
		mod_delayed_work(system_wq, &next, 0);
	return result;
}

static const struct kernel_param_ops interval_ops = { .set = set_interval, .get = param_get_uint };
module_param_cb(interval, &interval_ops, &interval, 0644);
MODULE_PARM_DESC(interval, "milliseconds from one time to the next; 0 (default): never, but for what the kernel does itself");

static int __init begin(void)
{
	return 0;
}
module_init(begin);

static void __exit end(void)
{
	interval = 0;
	cancel_delayed_work_sync(&next);
}
module_exit(end);

MODULE_DESCRIPTION("Takes kernel maps down soon after they are let go");
MODULE_LICENSE("GPL");
