/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The display engine: what shall be on the screen, and the commit that puts it there. */
#ifndef CARD_H
#define CARD_H

#include "picture.h"

#include <stdbool.h>
#include <stdint.h>

enum { OVERLAYS = 4 };

/* What the kernel calls the properties of a plane, by their place in `plane_properties`. */
enum { FB_ID, CRTC_ID, CRTC_X, CRTC_Y, CRTC_W, CRTC_H, SRC_X, SRC_Y, SRC_W, SRC_H, ROTATION, PLANE_PROPERTIES };

struct plane {
	uint32_t id, property[PLANE_PROPERTIES];
	/* NULL: the plane shows nothing. */
	const struct picture *shows;
	int x, y;
	uint32_t width, height;
	uint64_t rotation;
};

struct card {
	int file;
	uint32_t crtc, connector, crtc_mode, crtc_active, connector_crtc, mode, largest, smallest;
	struct plane primary, overlay[OVERLAYS], cursor;
	uint32_t width, height;
	bool is_active;
};

extern struct card card;

/* A request that is tried again where a signal came between; 0, or -1 with errno. */
int call(unsigned long request, void *argument);

/* Ends the program. */
void fail(const char *what);

void open_card(const char *path);

/* Takes the mode of that size, one that the screen names if there is one, else of 60 pictures a second. */
bool choose_mode(uint32_t width, uint32_t height);

/* Whether a commit only asks what the kernel would say, comes back at once (`happened` tells when it is seen), or waits
 * until it is done and may set the mode. */
enum manner { TRIES, FLIPS, SETS };

/* Puts on the screen what `card` says; false, with errno, where the kernel refuses. */
bool commit(enum manner manner);

/* Takes the mode away: neither it nor a picture is left. */
bool bare(void);

/* What happened: a flip, or a vertical blank that was waited for. */
struct happening {
	bool is_flip;
	uint64_t sequence, nanoseconds;
};

/* Waits for the next word of the kernel. */
struct happening happened(void);

/* Asks for word of a vertical blank. */
bool await_blank(uint64_t sequence);

#endif
