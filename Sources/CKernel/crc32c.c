#include "crc32c.h"

#include <pthread.h>
#include <string.h>

#if defined(__x86_64__)
#include <nmmintrin.h>
#define BY_INSTRUCTION __attribute__((target("sse4.2")))
#define STEP64(checksum, word) ((uint32_t)_mm_crc32_u64((checksum), (word)))
#define STEP8(checksum, byte) _mm_crc32_u8((checksum), (byte))
static bool has_instruction(void) { return __builtin_cpu_supports("sse4.2"); }
#elif defined(__aarch64__)
#include <sys/auxv.h>
#define BY_INSTRUCTION __attribute__((target("crc")))
#define STEP64(checksum, word) __builtin_arm_crc32cd((checksum), (word))
#define STEP8(checksum, byte) __builtin_arm_crc32cb((checksum), (byte))
/* HWCAP_CRC32 of <asm/hwcap.h>. */
static bool has_instruction(void) { return getauxval(AT_HWCAP) & (1 << 7); }
#endif

/* The polynomial with its bits turned round; bit 31 stands for x^0. */
#define POLYNOMIAL 0x82F63B78u
/* Bytes of each of the three runs that go through the processor's pipeline together. */
#define RUN 1024

static pthread_once_t once = PTHREAD_ONCE_INIT;
/* x^(8 * 2^n) modulo the polynomial. */
static uint32_t powers[64];
/* tables[n][b]: the checksum step for byte b that n more bytes follow. */
static uint32_t tables[8][256];
/* behind_run[n][b]: what byte n of a checksum becomes when RUN zero bytes follow. */
static uint32_t behind_run[4][256];
static bool by_instruction;

/* The product of two polynomials modulo POLYNOMIAL. */
static uint32_t multiply(uint32_t left, uint32_t right)
{
	uint32_t product = 0;

	for (uint32_t bit = 1u << 31; bit; bit >>= 1) {
		if (left & bit)
			product ^= right;
		right = right & 1 ? (right >> 1) ^ POLYNOMIAL : right >> 1;
	}
	return product;
}

/* x^(8 * count) modulo the polynomial. */
static uint32_t power(uint64_t count)
{
	uint32_t result = 1u << 31;

	for (int bit = 0; count; bit++, count >>= 1)
		if (count & 1)
			result = multiply(result, powers[bit]);
	return result;
}

static void prepare(void)
{
	powers[0] = 1u << 23;
	for (int bit = 1; bit < 64; bit++)
		powers[bit] = multiply(powers[bit - 1], powers[bit - 1]);
	for (uint32_t byte = 0; byte < 256; byte++) {
		uint32_t step = byte;

		for (int bit = 0; bit < 8; bit++)
			step = step & 1 ? (step >> 1) ^ POLYNOMIAL : step >> 1;
		tables[0][byte] = step;
	}
	for (int behind = 1; behind < 8; behind++)
		for (int byte = 0; byte < 256; byte++) {
			uint32_t before = tables[behind - 1][byte];

			tables[behind][byte] = (before >> 8) ^ tables[0][before & 255];
		}
	uint32_t run = power(RUN);

	for (int place = 0; place < 4; place++)
		for (uint32_t byte = 0; byte < 256; byte++)
			behind_run[place][byte] = multiply(run, byte << (8 * place));
#ifdef BY_INSTRUCTION
	by_instruction = has_instruction();
#endif
}

uint32_t ckernel_crc32c_by_tables(uint32_t checksum, const void *bytes, size_t count)
{
	const uint8_t *next = bytes;

	pthread_once(&once, prepare);
	checksum = ~checksum;
	for (; count >= 8; count -= 8, next += 8) {
		uint32_t low = checksum ^ ((uint32_t)next[0] | (uint32_t)next[1] << 8 | (uint32_t)next[2] << 16 |
					   (uint32_t)next[3] << 24);

		checksum = tables[7][low & 255] ^ tables[6][(low >> 8) & 255] ^ tables[5][(low >> 16) & 255] ^
			   tables[4][low >> 24] ^ tables[3][next[4]] ^ tables[2][next[5]] ^ tables[1][next[6]] ^
			   tables[0][next[7]];
	}
	for (; count; count--, next++)
		checksum = (checksum >> 8) ^ tables[0][(checksum ^ *next) & 255];
	return ~checksum;
}

#ifdef BY_INSTRUCTION
static uint64_t word_at(const uint8_t *place)
{
	uint64_t word;

	memcpy(&word, place, sizeof word);
	return word;
}

static uint32_t pass_run(uint32_t checksum)
{
	return behind_run[0][checksum & 255] ^ behind_run[1][(checksum >> 8) & 255] ^
	       behind_run[2][(checksum >> 16) & 255] ^ behind_run[3][checksum >> 24];
}

static uint64_t move_word(uint8_t *to, const uint8_t *from)
{
	uint64_t word = word_at(from);

	memcpy(to, &word, sizeof word);
	return word;
}

/* One instruction waits three cycles for the one before it, so three independent runs go at three times the speed. */
BY_INSTRUCTION static uint32_t calculate(uint32_t checksum, const uint8_t *next, size_t count)
{
	checksum = ~checksum;
	for (; count >= 3 * RUN; count -= 3 * RUN, next += 3 * RUN) {
		uint32_t second = 0, third = 0;

		for (size_t place = 0; place < RUN; place += 8) {
			checksum = STEP64(checksum, word_at(next + place));
			second = STEP64(second, word_at(next + place + RUN));
			third = STEP64(third, word_at(next + place + 2 * RUN));
		}
		checksum = pass_run(pass_run(checksum) ^ second) ^ third;
	}
	for (; count >= 8; count -= 8, next += 8)
		checksum = STEP64(checksum, word_at(next));
	for (; count; count--, next++)
		checksum = STEP8(checksum, *next);
	return ~checksum;
}

BY_INSTRUCTION static uint32_t calculate_and_copy(uint32_t checksum, uint8_t *to, const uint8_t *next, size_t count)
{
	checksum = ~checksum;
	for (; count >= 3 * RUN; count -= 3 * RUN, next += 3 * RUN, to += 3 * RUN) {
		uint32_t second = 0, third = 0;

		for (size_t place = 0; place < RUN; place += 8) {
			checksum = STEP64(checksum, move_word(to + place, next + place));
			second = STEP64(second, move_word(to + place + RUN, next + place + RUN));
			third = STEP64(third, move_word(to + place + 2 * RUN, next + place + 2 * RUN));
		}
		checksum = pass_run(pass_run(checksum) ^ second) ^ third;
	}
	for (; count >= 8; count -= 8, next += 8, to += 8)
		checksum = STEP64(checksum, move_word(to, next));
	for (; count; count--, next++, to++)
		checksum = STEP8(checksum, *to = *next);
	return ~checksum;
}
#endif

uint32_t ckernel_crc32c(uint32_t checksum, const void *bytes, size_t count)
{
	pthread_once(&once, prepare);
#ifdef BY_INSTRUCTION
	if (by_instruction)
		return calculate(checksum, bytes, count);
#endif
	return ckernel_crc32c_by_tables(checksum, bytes, count);
}

uint32_t ckernel_crc32c_copy(uint32_t checksum, void *to, const void *bytes, size_t count)
{
	pthread_once(&once, prepare);
#ifdef BY_INSTRUCTION
	if (by_instruction)
		return calculate_and_copy(checksum, to, bytes, count);
#endif
	memcpy(to, bytes, count);
	return ckernel_crc32c_by_tables(checksum, to, count);
}

uint32_t ckernel_crc32c_combine(uint32_t first, uint32_t second, uint64_t second_count)
{
	pthread_once(&once, prepare);
	return multiply(power(second_count), first) ^ second;
}

bool ckernel_crc32c_is_by_instruction(void)
{
	pthread_once(&once, prepare);
	return by_instruction;
}
