// SPDX-License-Identifier: GPL-3.0-or-later
#include "picture.h"
#include "card.h"

#include <drm.h>
#include <drm_fourcc.h>
#include <drm_mode.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

static const struct format formats[] = {
	{ "XRGB8888", DRM_FORMAT_XRGB8888, 32, false },
	{ "ARGB8888", DRM_FORMAT_ARGB8888, 32, true },
	{ "RGB565", DRM_FORMAT_RGB565, 16, false },
	{ "XRGB16161616", DRM_FORMAT_XRGB16161616, 64, false },
	{ "ARGB16161616", DRM_FORMAT_ARGB16161616, 64, true },
};

const struct format *find_format(const char *name)
{
	for (unsigned int i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
		if (!strcmp(formats[i].name, name))
			return &formats[i];
	return NULL;
}

void drop_picture(struct picture *picture)
{
	struct drm_mode_destroy_dumb dumb = { .handle = picture->handle };

	if (picture->pixels)
		munmap(picture->pixels, picture->size);
	if (picture->framebuffer)
		ioctl(card.file, DRM_IOCTL_MODE_RMFB, &picture->framebuffer);
	if (picture->handle)
		ioctl(card.file, DRM_IOCTL_MODE_DESTROY_DUMB, &dumb);
	memset(picture, 0, sizeof(*picture));
}

bool make_picture(struct picture *picture, const struct format *format, uint32_t width, uint32_t height)
{
	struct drm_mode_create_dumb dumb = { .width = width, .height = height, .bpp = format->bits };
	struct drm_mode_fb_cmd2 frame = { .width = width, .height = height, .pixel_format = format->fourcc };
	struct drm_mode_map_dumb map = { 0 };
	void *pixels;

	memset(picture, 0, sizeof(*picture));
	picture->drawing = picture->number = -1;
	picture->format = format;
	picture->width = width;
	picture->height = height;
	if (call(DRM_IOCTL_MODE_CREATE_DUMB, &dumb))
		return false;
	map.handle = frame.handles[0] = picture->handle = dumb.handle;
	picture->bytes_per_line = frame.pitches[0] = dumb.pitch;
	if (call(DRM_IOCTL_MODE_ADDFB2, &frame))
		return false;
	picture->framebuffer = frame.fb_id;
	if (call(DRM_IOCTL_MODE_MAP_DUMB, &map))
		return false;
	pixels = mmap(NULL, dumb.size, PROT_READ | PROT_WRITE, MAP_SHARED, card.file, map.offset);
	if (pixels == MAP_FAILED)
		return false;
	picture->size = dumb.size;
	picture->pixels = pixels;
	return true;
}

/* A colour of 16 bits a channel, not multiplied by alpha. */
struct colour {
	uint32_t red, green, blue, alpha;
};

static struct colour colour_of_bytes(uint32_t red, uint32_t green, uint32_t blue)
{
	return (struct colour){ (red & 255) * 257, (green & 255) * 257, (blue & 255) * 257, 65535 };
}

/* The format keeps the highest bits of each channel, then multiplies by what it kept of alpha. */
static void put(const struct picture *picture, uint32_t x, uint32_t y, struct colour colour)
{
	uint8_t *line = picture->pixels + (uint64_t)y * picture->bytes_per_line;
	bool has_alpha = picture->format->has_alpha;

	if (picture->format->bits == 16) {
		((uint16_t *)line)[x] = (colour.red >> 11) << 11 | (colour.green >> 10) << 5 | colour.blue >> 11;
	} else if (picture->format->bits == 32) {
		uint32_t alpha = has_alpha ? colour.alpha >> 8 : 255;
		uint32_t red = (colour.red >> 8) * alpha / 255, green = (colour.green >> 8) * alpha / 255;
		uint32_t blue = (colour.blue >> 8) * alpha / 255;

		/* The byte that does not count is no alpha that happens to be right. */
		((uint32_t *)line)[x] = (has_alpha ? alpha : 0x5a) << 24 | red << 16 | green << 8 | blue;
	} else {
		uint64_t alpha = has_alpha ? colour.alpha : 65535;
		uint64_t red = colour.red * alpha / 65535, green = colour.green * alpha / 65535;
		uint64_t blue = colour.blue * alpha / 65535;

		((uint64_t *)line)[x] = (has_alpha ? alpha : 0x5a5a) << 48 | red << 32 | green << 16 | blue;
	}
}

/* 32 bits of the number, the highest first, and the 8 bits of a CRC-8 (polynomial 0x07, begun with 0xff). */
static uint64_t code_word(uint32_t number)
{
	uint8_t check = 0xff;

	for (int shift = 24; shift >= 0; shift -= 8) {
		check ^= number >> shift;
		for (int bit = 0; bit < 8; bit++)
			check = check & 0x80 ? check << 1 ^ 0x07 : check << 1;
	}
	return (uint64_t)number << 8 | check;
}

/* Two rows of twenty blocks, white for a bit that is set: what the recorder's own test picture has there as well. */
static void draw_number(const struct picture *picture, uint32_t number)
{
	uint32_t block_height = picture->height / 36 / 2 * 2, top;
	uint64_t bits = code_word(number);

	if (block_height < 8)
		block_height = 8;
	top = picture->height - 2 * block_height;
	for (uint32_t block = 0; block < 40; block++) {
		struct colour colour = bits >> (39 - block) & 1 ? colour_of_bytes(255, 255, 255) : colour_of_bytes(0, 0, 0);
		uint32_t left = picture->width * (block % 20) / 20, right = picture->width * (block % 20 + 1) / 20;

		for (uint32_t y = 0; y < block_height; y++)
			for (uint32_t x = left; x < right; x++)
				put(picture, x, top + block / 20 * block_height + y, colour);
	}
}

void draw_picture(struct picture *picture, int64_t drawing, int64_t number)
{
	/* Where only the number changes, the rest need not be drawn. */
	if (picture->drawing != drawing || (number < 0 && picture->number >= 0))
		for (uint32_t y = 0; y < picture->height; y++)
			for (uint32_t x = 0; x < picture->width; x++)
				put(picture, x, y, colour_of_bytes(x + 16 * drawing, y, (x >> 3) ^ (y >> 3) ^ drawing));
	if (number >= 0 && (picture->drawing != drawing || picture->number != number))
		draw_number(picture, number);
	picture->drawing = drawing;
	picture->number = number;
}

void draw_overlay(struct picture *picture, int alpha)
{
	for (uint32_t y = 0; y < picture->height; y++)
		for (uint32_t x = 0; x < picture->width; x++) {
			struct colour colour = {
				.red = (1021 * x + 7 * y) & 65535,
				.green = (2039 * y) & 65535,
				.blue = (509 * (x ^ y)) & 65535,
				.alpha = alpha < 0 ? (512 * x + 256 * y) & 65535 : (uint32_t)alpha * 257,
			};

			put(picture, x, y, colour);
		}
}

void draw_cursor(struct picture *picture)
{
	for (uint32_t y = 0; y < picture->height; y++)
		for (uint32_t x = 0; x < picture->width; x++) {
			struct colour colour = colour_of_bytes(255, 4 * y, 255 - 4 * y);

			colour.alpha = 4 * x * 257;
			put(picture, x, y, colour);
		}
}
