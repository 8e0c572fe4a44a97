/* SPDX-License-Identifier: GPL-2.0-only */
/* What the device does wrong, since real chips do it, and what it lacks. */
#ifndef VH264_FAULTS_H
#define VH264_FAULTS_H

#include <linux/types.h>

/**
 * struct vh264_faults - the module's parameters at one moment
 * @drop_every: every so-manieth picture is taken and gives nothing back
 * @truncate_every: every so-manieth coded buffer ends half way
 * @stall_after: the device stands still once so many pictures were coded
 * @stall_ms: how long; 0 is until the queue is stopped
 * @hang_streamoff_ms: how long STREAMOFF takes
 * @stride_align: lines begin at a multiple of so many bytes
 * @headers_alone: parameter sets come in a buffer of their own
 * @first_time_zero: the first coded buffer has time 0
 * @no_keyframe_flag: key frames are not marked as such
 * @refuse_low_level: STREAMON fails if the level is too low for the size
 * @no_encoder_cmd: there is no VIDIOC_ENCODER_CMD
 *
 * Everywhere 0 or false is a device without that fault.
 */
struct vh264_faults {
	u32 drop_every;
	u32 truncate_every;
	u32 stall_after;
	u32 stall_ms;
	u32 hang_streamoff_ms;
	u32 stride_align;
	bool headers_alone;
	bool first_time_zero;
	bool no_keyframe_flag;
	bool refuse_low_level;
	bool no_encoder_cmd;
};

extern struct vh264_faults vh264_faults;

bool vh264_is_absent(const char *control);

static inline bool vh264_is_nth(u32 count, u32 every)
{
	return every && count % every == 0;
}

#endif
