/* SPDX-License-Identifier: GPL-2.0-only */
/* Writes NAL units in Annex B form, bit by bit, with emulation prevention. */
#ifndef VH264_BITS_H
#define VH264_BITS_H

#include "platform.h"

/**
 * struct vh264_bits - a writer into a buffer of fixed size
 * @start: first byte of the buffer
 * @pos: where the next byte goes
 * @end: first byte behind the buffer
 * @pending: bits that do not yet make a byte, in the low end
 * @pending_count: how many bits are pending, 0 to 7
 * @zeros: how many zero bytes were written last, within this NAL unit
 * @overflow: the buffer was too small; nothing was written behind it
 */
struct vh264_bits {
	u8 *start;
	u8 *pos;
	u8 *end;
	u32 pending;
	unsigned int pending_count;
	unsigned int zeros;
	bool overflow;
};

void vh264_bits_init(struct vh264_bits *bits, u8 *buffer, size_t size);
size_t vh264_bits_written(const struct vh264_bits *bits);

void vh264_nal_begin(struct vh264_bits *bits, unsigned int ref_idc,
		     unsigned int type);
void vh264_nal_end(struct vh264_bits *bits);

void vh264_put(struct vh264_bits *bits, u32 value, unsigned int count);
void vh264_put_ue(struct vh264_bits *bits, u32 value);
void vh264_put_se(struct vh264_bits *bits, s32 value);
void vh264_put_alignment(struct vh264_bits *bits);
void vh264_put_bytes(struct vh264_bits *bits, const u8 *bytes, size_t count);

#endif
