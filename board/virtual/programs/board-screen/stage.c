// SPDX-License-Identifier: GPL-3.0-or-later
#include "stage.h"

#include <drm.h>
#include <drm_mode.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { DRAWINGS = 16, MOST_BYTES = 64 << 20 };

/* Pictures of the primary plane; number n has its place at n modulo `places`, and what is shown is at the present one. */
static struct picture ring[MOST_PLACES];
static uint32_t places = DRAWINGS;
/* Of the pictures of a run; and how many places somebody has asked for, 0 for as many as fit. */
static uint32_t drawings = DRAWINGS, asked_places;
static uint32_t number;
static struct happening last;
struct run run;
const struct format *format;
FILE *flips;

void answer(const char *form, ...)
{
	va_list rest;

	va_start(rest, form);
	vprintf(form, rest);
	va_end(rest);
	putchar('\n');
	fflush(stdout);
}

void refuse(void)
{
	answer("refused: %s", strerror(errno));
}

void tell_shown(void)
{
	answer("shown %" PRIu32 " %" PRIu64, number, last.nanoseconds);
}

bool turns_on_its_side(uint64_t rotation)
{
	return rotation & (DRM_MODE_ROTATE_90 | DRM_MODE_ROTATE_270);
}

/*
 * A multiple of DRAWINGS, so that the drawing of a place stays. Where memory allows there are more: a reader that was kept
 * from reading for a second still finds what was shown.
 */
static void choose_places(void)
{
	uint64_t fit = MOST_BYTES / ((uint64_t)card.width * card.height * format->bits / 8) / DRAWINGS * DRAWINGS;

	places = asked_places ? asked_places : fit < DRAWINGS ? DRAWINGS : fit > MOST_PLACES ? MOST_PLACES : fit;
}

/* The framebuffer of a place in the ring as the screen needs it now. */
static struct picture *place(uint32_t at)
{
	bool on_side = turns_on_its_side(card.primary.rotation);
	uint32_t width = on_side ? card.height : card.width, height = on_side ? card.width : card.height;
	struct picture *picture = &ring[at % places];

	if (picture->framebuffer && picture->format == format && picture->width == width && picture->height == height)
		return picture;
	drop_picture(picture);
	if (!make_picture(picture, format, width, height))
		fail("no memory for a picture");
	return picture;
}

/* The picture of a run: the drawing is one of those made before, the number is its own. */
static struct picture *numbered(uint32_t count)
{
	struct picture *picture = place(count);

	draw_picture(picture, count % drawings, count);
	return picture;
}

bool calm(uint32_t count)
{
	drawings = 1;
	asked_places = count;
	return set_mode();
}

static void show(const struct picture *picture)
{
	card.primary.shows = picture;
	card.primary.width = card.width;
	card.primary.height = card.height;
}

static void note(struct happening flip)
{
	last = flip;
	if (flips)
		fprintf(flips, "%" PRIu32 " %" PRIu64 " %" PRIu64 "\n", number, flip.sequence, flip.nanoseconds);
}

/* Puts on the screen what `card` says, and waits until it is seen; says so where it was refused. */
static bool settle(void)
{
	struct happening word;

	if (!commit(FLIPS)) {
		refuse();
		return false;
	}
	for (word = happened(); !word.is_flip; word = happened())
		run.blank_is_out = false;
	last = word;
	return true;
}

bool set_mode(void)
{
	struct timespec now;
	uint32_t old_places = places;
	struct picture *picture = &ring[number % places];
	struct picture old = *picture;
	int64_t drawing = picture->framebuffer ? picture->drawing : number, mark = picture->framebuffer ? picture->number : -1;
	bool is_done;

	/* The old picture is seen until the new one is. */
	memset(picture, 0, sizeof(*picture));
	choose_places();
	picture = place(number);
	draw_picture(picture, drawing, mark);
	show(picture);
	is_done = commit(SETS);
	if (is_done) {
		drop_picture(&old);
	} else {
		int reason = errno;

		drop_picture(picture);
		places = old_places;
		ring[number % places] = old;
		errno = reason;
	}
	clock_gettime(CLOCK_MONOTONIC, &now);
	last.nanoseconds = now.tv_sec * UINT64_C(1000000000) + now.tv_nsec;
	return is_done;
}

void flip(uint32_t count)
{
	while (count--) {
		struct picture *next = place(number + 1);

		draw_picture(next, number + 1, -1);
		show(next);
		if (!settle())
			return;
		number++;
		note(last);
	}
	tell_shown();
}

void flip_fresh(uint32_t count)
{
	while (count--) {
		struct picture *before = &ring[number % places];

		drop_picture(&ring[(number + 1) % places]);
		show(place(number + 1));
		draw_picture(&ring[(number + 1) % places], number + 1, -1);
		if (!settle())
			return;
		number++;
		note(last);
		drop_picture(before);
	}
	tell_shown();
}

void redraw(void)
{
	struct picture *shown = &ring[number % places], *next = &ring[(number + 1) % places], other = *next;

	number++;
	draw_picture(shown, number, -1);
	/* It keeps its place in the ring: the one of its number. */
	*next = *shown;
	*shown = other;
	show(next);
	answer("drawn %" PRIu32, number);
}

static void roam(void)
{
	card.cursor.x = (int)(7 * number % (card.width + 64)) - 64;
	card.cursor.y = (int)(5 * number % (card.height + 64)) - 64;
}

void next_of_run(void)
{
	if (run.delay)
		usleep(run.delay);
	number++;
	show(numbered(number));
	if (run.roams)
		roam();
	if (!commit(FLIPS))
		fail("no flip");
	run.flip_is_out = true;
}

void begin_run(uint32_t count, uint32_t every, uint32_t delay)
{
	if (!card.is_active || !count || !every) {
		errno = EINVAL;
		refuse();
		return;
	}
	/* All that takes long is done before: this processor draws less than sixty pictures a second. */
	for (uint32_t i = 1; i < places; i++)
		draw_picture(place(number + i), (number + i) % drawings, number + i);
	run.left = count;
	run.every = every;
	run.delay = delay;
	answer("running %" PRIu32, count);
}

void go_on(struct happening word)
{
	if (!word.is_flip) {
		run.blank_is_out = false;
		return;
	}
	run.flip_is_out = false;
	note(word);
	if (--run.left) {
		run.blank_is_out = run.every > 1 && await_blank(word.sequence + run.every - 1);
		return;
	}
	if (flips)
		fflush(flips);
	if (run.is_awaited)
		tell_shown();
	run.is_awaited = false;
}

bool change(const char *what)
{
	if (!commit(TRIES)) {
		refuse();
		return false;
	}
	if (card.is_active && !settle())
		return false;
	answer("%s", what);
	return true;
}
