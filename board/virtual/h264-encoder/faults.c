// SPDX-License-Identifier: GPL-2.0-only
/*
 * The faults, as module parameters. Root may change them at any time under
 * /sys/module/vh264enc/parameters. stride_align and absent_controls are looked
 * at when the device is opened, all others whenever they matter.
 */
#include <linux/moduleparam.h>
#include <linux/string.h>

#include "faults.h"

struct vh264_faults vh264_faults;

#define FAULT(name, type, text)						\
	module_param_named(name, vh264_faults.name, type, 0644);	\
	MODULE_PARM_DESC(name, text)

FAULT(drop_every, uint, "take every Nth picture and give nothing back");
FAULT(truncate_every, uint, "end every Nth coded buffer half way");
FAULT(stall_after, uint, "stand still once N pictures of a stream were coded");
FAULT(stall_ms, uint, "stand still for so long (0: until stopped)");
FAULT(hang_streamoff_ms, uint, "STREAMOFF of a streaming queue takes so long");
FAULT(stride_align, uint, "lines begin at a multiple of N bytes, such as 32");
FAULT(headers_alone, bool, "parameter sets come in a buffer of their own");
FAULT(first_time_zero, bool, "the first coded buffer has time 0");
FAULT(no_keyframe_flag, bool, "key frames are not marked as such");
FAULT(refuse_low_level, bool, "STREAMON fails if the level is too low");
FAULT(no_encoder_cmd, bool, "there is no VIDIOC_ENCODER_CMD");

static char absent_controls[256];
module_param_string(absent_controls, absent_controls, sizeof(absent_controls),
		    0644);
MODULE_PARM_DESC(absent_controls,
		 "controls that the device lacks, such as bitrate,gop_size");

static bool names(const char *list, const char *word)
{
	size_t length = strlen(word);

	while (*list) {
		size_t next = strcspn(list, "\n ,");

		if (next == length && !strncmp(list, word, length))
			return true;
		list += next;
		list += strspn(list, "\n ,");
	}
	return false;
}

/**
 * vh264_is_absent - does the device lack a control?
 * @control: its name among the faults, see controls.c
 *
 * Return: true when absent_controls names it.
 */
bool vh264_is_absent(const char *control)
{
	bool absent;

	kernel_param_lock(THIS_MODULE);
	absent = names(absent_controls, control);
	kernel_param_unlock(THIS_MODULE);
	return absent;
}
