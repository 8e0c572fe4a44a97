/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the coder needs from its surroundings. The coder (bits, syntax,
 * picture, coder) knows neither V4L2 nor the kernel, so that the very same
 * code is also built as a program and checked on the machine that builds it.
 */
#ifndef VH264_PLATFORM_H
#define VH264_PLATFORM_H

#ifdef __KERNEL__
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/types.h>
#else
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int32_t s32;

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))
#define DIV_ROUND_UP(n, d) (((n) + (d) - 1) / (d))
#define min(a, b) ((a) < (b) ? (a) : (b))
#define cond_resched() do { } while (0)
#endif

#endif
