// SPDX-License-Identifier: GPL-2.0-only
/*
 * Bit writer: ITU-T H.264, 7.2 (descriptors), 7.4.1 (emulation prevention),
 * 9.1 (Exp-Golomb codes) and Annex B (byte stream).
 */
#include "bits.h"

void vh264_bits_init(struct vh264_bits *bits, u8 *buffer, size_t size)
{
	memset(bits, 0, sizeof(*bits));
	bits->start = buffer;
	bits->pos = buffer;
	bits->end = buffer + size;
}

size_t vh264_bits_written(const struct vh264_bits *bits)
{
	return bits->pos - bits->start;
}

static void put_raw_byte(struct vh264_bits *bits, u8 byte)
{
	if (bits->pos == bits->end) {
		bits->overflow = true;
		return;
	}
	*bits->pos++ = byte;
}

static void put_byte(struct vh264_bits *bits, u8 byte)
{
	if (bits->zeros >= 2 && byte <= 3) {
		put_raw_byte(bits, 3);
		bits->zeros = 0;
	}
	put_raw_byte(bits, byte);
	bits->zeros = byte ? 0 : bits->zeros + 1;
}

void vh264_nal_begin(struct vh264_bits *bits, unsigned int ref_idc,
		     unsigned int type)
{
	put_raw_byte(bits, 0);
	put_raw_byte(bits, 0);
	put_raw_byte(bits, 0);
	put_raw_byte(bits, 1);
	put_raw_byte(bits, ref_idc << 5 | type);
	bits->zeros = 0;
}

void vh264_nal_end(struct vh264_bits *bits)
{
	vh264_put(bits, 1, 1);
	vh264_put_alignment(bits);
}

void vh264_put(struct vh264_bits *bits, u32 value, unsigned int count)
{
	while (count) {
		unsigned int take = min(count, 8 - bits->pending_count);
		u32 part = (value >> (count - take)) & ((1u << take) - 1);

		bits->pending = bits->pending << take | part;
		bits->pending_count += take;
		count -= take;
		if (bits->pending_count == 8) {
			put_byte(bits, bits->pending);
			bits->pending = 0;
			bits->pending_count = 0;
		}
	}
}

/* The largest value written is a run of skipped macroblocks, below 2^17. */
void vh264_put_ue(struct vh264_bits *bits, u32 value)
{
	unsigned int length = 0;

	while ((value + 1) >> (length + 1))
		length++;
	vh264_put(bits, 0, length);
	vh264_put(bits, value + 1, length + 1);
}

void vh264_put_se(struct vh264_bits *bits, s32 value)
{
	vh264_put_ue(bits, value > 0 ? 2 * value - 1 : -2 * value);
}

void vh264_put_alignment(struct vh264_bits *bits)
{
	if (bits->pending_count)
		vh264_put(bits, 0, 8 - bits->pending_count);
}

static bool has_zero_byte(u64 word)
{
	return (word - 0x0101010101010101ULL) & ~word & 0x8080808080808080ULL;
}

/*
 * The writer must stand at a byte boundary. Samples are seldom zero, so eight
 * of them go at once wherever no zero byte is in sight.
 */
void vh264_put_bytes(struct vh264_bits *bits, const u8 *bytes, size_t count)
{
	const u8 *end = bytes + count;

	if ((size_t)(bits->end - bits->pos) < count + count / 2 + 1) {
		bits->overflow = true;
		return;
	}
	while (bytes < end) {
		if (!bits->zeros && end - bytes >= 8) {
			u64 word;

			memcpy(&word, bytes, 8);
			if (!has_zero_byte(word)) {
				memcpy(bits->pos, &word, 8);
				bits->pos += 8;
				bytes += 8;
				continue;
			}
		}
		put_byte(bits, *bytes++);
	}
}
