/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Framebuffers with known pictures in them; README.md has the formulas. */
#ifndef PICTURE_H
#define PICTURE_H

#include <stdbool.h>
#include <stdint.h>

struct format {
	const char *name;
	uint32_t fourcc, bits;
	bool has_alpha;
};

/* NULL where the display engine has no such format. */
const struct format *find_format(const char *name);

struct picture {
	const struct format *format;
	uint32_t framebuffer, handle, width, height, bytes_per_line;
	uint64_t size;
	uint8_t *pixels;
	/* What is drawn in it, so that nothing is drawn twice: -1 for nothing. */
	int64_t drawing, number;
};

/* Makes a framebuffer of dumb memory and maps it; false, with errno, where the kernel does not. */
bool make_picture(struct picture *picture, const struct format *format, uint32_t width, uint32_t height);

void drop_picture(struct picture *picture);

/* Draws the known picture called `drawing`, with `number` in its lowest lines, or none where that is below 0. */
void draw_picture(struct picture *picture, int64_t drawing, int64_t number);

/* Draws what an overlay shows; alpha 0 ... 255, or below 0 for one that differs from pixel to pixel. */
void draw_overlay(struct picture *picture, int alpha);

void draw_cursor(struct picture *picture);

#endif
