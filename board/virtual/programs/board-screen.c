// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Shows known pictures on the board's screen and flips them at the vertical blank.
 *
 *     board-screen DEVICE WIDTHxHEIGHT
 *
 * Picture n has at (x, y) red x + 16 n, green y, blue (x / 8) xor (y / 8) xor n, all modulo 256; XRGB8888.
 * Shows picture 0 and prints "shown 0 NANOSECONDS". Each line "flip N" on standard input flips N times, one picture
 * at each vertical blank, and prints "shown PICTURE NANOSECONDS" when the last is on the screen (the time that the
 * kernel gave that blank, CLOCK_MONOTONIC). "cursor X Y" puts a white square of 64 there, and prints "cursor".
 */
#include <drm.h>
#include <drm_mode.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

struct picture {
	uint32_t framebuffer, handle, pitch, width, height;
	uint32_t *pixels;
};

static int card;

static void fail(const char *what)
{
	fprintf(stderr, "board-screen: %s: %s\n", what, strerror(errno));
	exit(1);
}

static void call(unsigned long request, void *argument, const char *what)
{
	while (ioctl(card, request, argument))
		if (errno != EINTR && errno != EAGAIN)
			fail(what);
}

static struct picture make(uint32_t width, uint32_t height)
{
	struct drm_mode_create_dumb dumb = { .width = width, .height = height, .bpp = 32 };
	struct drm_mode_fb_cmd2 frame = { .width = width, .height = height, .pixel_format = 0x34325258 /* XR24 */ };
	struct drm_mode_map_dumb map = { 0 };
	struct picture made = { .width = width, .height = height };

	call(DRM_IOCTL_MODE_CREATE_DUMB, &dumb, "no buffer for the picture");
	frame.handles[0] = dumb.handle;
	frame.pitches[0] = dumb.pitch;
	call(DRM_IOCTL_MODE_ADDFB2, &frame, "no frame buffer");
	map.handle = dumb.handle;
	call(DRM_IOCTL_MODE_MAP_DUMB, &map, "the picture cannot be mapped");
	made.framebuffer = frame.fb_id;
	made.handle = dumb.handle;
	made.pitch = dumb.pitch / 4;
	made.pixels = mmap(NULL, dumb.size, PROT_READ | PROT_WRITE, MAP_SHARED, card, map.offset);
	if (made.pixels == MAP_FAILED)
		fail("the picture cannot be mapped");
	return made;
}

static void draw(const struct picture *picture, uint32_t number)
{
	for (uint32_t y = 0; y < picture->height; y++)
		for (uint32_t x = 0; x < picture->width; x++) {
			uint32_t red = (x + 16 * number) & 255, blue = ((x >> 3) ^ (y >> 3) ^ number) & 255;

			picture->pixels[y * picture->pitch + x] = red << 16 | (y & 255) << 8 | blue;
		}
}

/* Finds the one screen and a mode of that size; leaves both and the way to them in `crtc`. */
static void find(struct drm_mode_crtc *crtc, uint32_t *connector, uint32_t width, uint32_t height)
{
	uint32_t connectors[8], crtcs[8];
	struct drm_mode_modeinfo modes[128];
	struct drm_mode_card_res all = {
		.connector_id_ptr = (uintptr_t)connectors, .count_connectors = 8,
		.crtc_id_ptr = (uintptr_t)crtcs, .count_crtcs = 8,
	};
	struct drm_mode_get_connector one = { 0 };

	call(DRM_IOCTL_MODE_GETRESOURCES, &all, "what is no screen");
	*connector = one.connector_id = connectors[0];
	/* The first question makes the driver look for modes; only the second has room for them. */
	call(DRM_IOCTL_MODE_GETCONNECTOR, &one, "no connector");
	memset(&one, 0, sizeof(one));
	one.connector_id = connectors[0];
	one.modes_ptr = (uintptr_t)modes;
	one.count_modes = 128;
	call(DRM_IOCTL_MODE_GETCONNECTOR, &one, "no connector");
	crtc->crtc_id = crtcs[0];
	for (uint32_t i = 0; i < one.count_modes && i < 128; i++)
		if (modes[i].hdisplay == width && modes[i].vdisplay == height) {
			crtc->mode = modes[i];
			crtc->mode_valid = 1;
			return;
		}
	fprintf(stderr, "board-screen: the screen has no mode of %ux%u\n", width, height);
	exit(1);
}

static void flip(uint32_t crtc, const struct picture *picture)
{
	struct drm_mode_crtc_page_flip order = {
		.crtc_id = crtc, .fb_id = picture->framebuffer, .flags = DRM_MODE_PAGE_FLIP_EVENT,
	};

	call(DRM_IOCTL_MODE_PAGE_FLIP, &order, "no flip");
}

/* Waits until the kernel says that the picture is on the screen; gives the time of that blank. */
static uint64_t flipped(void)
{
	struct drm_event_vblank event;

	do {
		if (read(card, &event, sizeof(event)) != sizeof(event))
			fail("no word of the flip");
	} while (event.base.type != DRM_EVENT_FLIP_COMPLETE);
	return event.tv_sec * UINT64_C(1000000000) + event.tv_usec * UINT64_C(1000);
}

static void put_cursor(uint32_t crtc, int x, int y)
{
	static struct picture square;
	struct drm_mode_cursor cursor = { .crtc_id = crtc, .flags = DRM_MODE_CURSOR_BO | DRM_MODE_CURSOR_MOVE };

	if (!square.pixels)
		square = make(64, 64);
	for (uint32_t i = 0; i < 64 * square.pitch; i++)
		square.pixels[i] = 0xffffffff;
	cursor.x = x;
	cursor.y = y;
	cursor.width = cursor.height = 64;
	cursor.handle = square.handle;
	call(DRM_IOCTL_MODE_CURSOR, &cursor, "no cursor");
}

int main(int count, char **words)
{
	struct drm_mode_crtc crtc = { 0 };
	struct picture pictures[3];
	uint32_t width, height, connector, number = 0;
	struct timespec now;
	char line[64];

	if (count != 3 || sscanf(words[2], "%ux%u", &width, &height) != 2) {
		fprintf(stderr, "usage: board-screen DEVICE WIDTHxHEIGHT\n");
		return 2;
	}
	card = open(words[1], O_RDWR | O_CLOEXEC);
	if (card < 0)
		fail(words[1]);
	find(&crtc, &connector, width, height);
	for (int i = 0; i < 3; i++)
		pictures[i] = make(width, height);
	draw(&pictures[0], 0);
	draw(&pictures[1], 1);
	crtc.fb_id = pictures[0].framebuffer;
	crtc.set_connectors_ptr = (uintptr_t)&connector;
	crtc.count_connectors = 1;
	call(DRM_IOCTL_MODE_SETCRTC, &crtc, "the mode cannot be set");
	clock_gettime(CLOCK_MONOTONIC, &now);
	printf("shown 0 %" PRIu64 "\n", now.tv_sec * UINT64_C(1000000000) + now.tv_nsec);
	fflush(stdout);

	while (fgets(line, sizeof(line), stdin)) {
		unsigned int flips;
		uint64_t at = 0;
		int x, y;

		if (sscanf(line, "cursor %d %d", &x, &y) == 2) {
			put_cursor(crtc.crtc_id, x, y);
			printf("cursor\n");
		} else if (sscanf(line, "flip %u", &flips) == 1) {
			/* One picture is on the screen, one waits for the blank, and one is drawn meanwhile. */
			while (flips--) {
				number++;
				flip(crtc.crtc_id, &pictures[number % 3]);
				draw(&pictures[(number + 1) % 3], number + 1);
				at = flipped();
			}
			printf("shown %u %" PRIu64 "\n", number, at);
		}
		fflush(stdout);
	}
	return 0;
}
