/*
 * CRC-32C (Castagnoli polynomial 0x1EDC6F41, reflected; the same as iSCSI, RFC 3720 B.4, and ext4) by the processor's own
 * instruction (SSE4.2, or ARMv8 with CRC) where it has one, which is found at the first call, else by tables.
 */
#ifndef CKERNEL_CRC32C_H
#define CKERNEL_CRC32C_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The checksum of bytes that follow others whose checksum is known; 0 is the checksum of no bytes. */
uint32_t ckernel_crc32c(uint32_t checksum, const void *bytes, size_t count);

/* The same, and copies the bytes on the way, so that they come through the processor once. The two must not overlap. */
uint32_t ckernel_crc32c_copy(uint32_t checksum, void *to, const void *bytes, size_t count);

/* The same as the first, always by tables: so that the two can be compared. */
uint32_t ckernel_crc32c_by_tables(uint32_t checksum, const void *bytes, size_t count);

/* The checksum of two runs of bytes, one behind the other, from theirs. */
uint32_t ckernel_crc32c_combine(uint32_t first, uint32_t second, uint64_t second_count);

/* True when the processor has the instruction. */
bool ckernel_crc32c_is_by_instruction(void);

#endif
