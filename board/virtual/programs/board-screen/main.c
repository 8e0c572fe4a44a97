// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Shows known pictures on the board's screen as a compositor does, and does what it is told on standard input.
 *
 *     board-screen DEVICE WIDTHxHEIGHT [FLIPS]
 *
 * Each line is answered by one line. The file FLIPS gets a line "NUMBER SEQUENCE NANOSECONDS" for each picture that was
 * flipped to: the vertical blank from which on it is seen, and the kernel's time of it (CLOCK_MONOTONIC).
 * README.md has the commands and the pictures' formulas.
 */
#include "stage.h"

#include <drm.h>
#include <drm_mode.h>
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static struct picture overlays[OVERLAYS], cursor;

/* The bits of "90" or "180x"; 0 for what is none. */
static uint64_t rotation_of(const char *words)
{
	uint32_t degrees;
	char mirror = 0;

	if (sscanf(words, "%" SCNu32 "%c", &degrees, &mirror) < 1 || degrees % 90 || degrees > 270)
		return 0;
	return (uint64_t)1 << degrees / 90 | (mirror == 'x' ? DRM_MODE_REFLECT_X : mirror == 'y' ? DRM_MODE_REFLECT_Y : 0);
}

static void cover(uint32_t which, const char *words)
{
	struct plane *plane = &card.overlay[which], old_plane = *plane;
	struct picture old = overlays[which];
	char name[32] = "", turn[8] = "0";
	bool on_side;
	int alpha = -1;

	if (sscanf(words, "%d %d %" SCNu32 " %" SCNu32 " %31s %7s %d", &plane->x, &plane->y, &plane->width, &plane->height,
		   name, turn, &alpha) < 5 || !find_format(name) || !rotation_of(turn)) {
		*plane = old_plane;
		answer("refused: where, how large, in which format, how turned?");
		return;
	}
	plane->rotation = rotation_of(turn);
	on_side = turns_on_its_side(plane->rotation);
	plane->shows = &overlays[which];
	if (make_picture(&overlays[which], find_format(name), on_side ? plane->height : plane->width,
			 on_side ? plane->width : plane->height)) {
		draw_overlay(&overlays[which], alpha);
		if (change("overlay")) {
			drop_picture(&old);
			return;
		}
	} else {
		refuse();
	}
	drop_picture(&overlays[which]);
	overlays[which] = old;
	*plane = old_plane;
}

static void uncover(uint32_t which)
{
	card.overlay[which].shows = NULL;
	if (change("overlay"))
		drop_picture(&overlays[which]);
}

static void put_cursor(int x, int y)
{
	if (!cursor.framebuffer) {
		if (!make_picture(&cursor, find_format("ARGB8888"), 64, 64))
			fail("no memory for a cursor");
		draw_cursor(&cursor);
	}
	card.cursor.shows = &cursor;
	card.cursor.x = x;
	card.cursor.y = y;
	card.cursor.width = card.cursor.height = 64;
	change("cursor");
}

/* Sets the mode as `card` and `format` have it now, or goes back to what they were. */
static void change_mode(const struct card *before, const struct format *format_before)
{
	if (set_mode()) {
		tell_shown();
		return;
	}
	refuse();
	card = *before;
	format = format_before;
}

static void turn(const char *words)
{
	struct card before = card;

	card.primary.rotation = rotation_of(words);
	if (card.primary.rotation) {
		change_mode(&before, format);
		return;
	}
	card = before;
	answer("refused: turned how?");
}

static void resize(uint32_t width, uint32_t height)
{
	struct card before = card;

	if (choose_mode(width, height))
		change_mode(&before, format);
	else
		refuse();
}

static void change_format(const char *name)
{
	const struct format *before = format;

	if (find_format(name)) {
		format = find_format(name);
		change_mode(&card, before);
	} else {
		answer("refused: the screen has no such format");
	}
}

/* Dark as a screen that sleeps: the mode and the planes stay, nothing is sent. Bare: nothing of it stays. */
static void go_dark(bool is_bare)
{
	run.left = 0;
	card.is_active = false;
	if (is_bare ? bare() : commit(SETS))
		answer(is_bare ? "bare" : "dark");
	else
		refuse();
}

static void wake(void)
{
	card.is_active = true;
	if (set_mode())
		tell_shown();
	else
		refuse();
}

/* Gives the screen to another program, as at a switch of virtual terminals, and takes it back. */
static void hand_over(bool leaves)
{
	if (ioctl(card.file, leaves ? DRM_IOCTL_DROP_MASTER : DRM_IOCTL_SET_MASTER, 0)) {
		refuse();
	} else if (leaves) {
		run.left = 0;
		answer("left");
	} else {
		wake();
	}
}

/* What may be asked while a run goes on; false where this is none of it. */
static bool obey_always(const char *line)
{
	uint32_t first, second;
	char word[32];
	int x, y, end = 0;

	if (!strncmp(line, "wait", 4)) {
		run.is_awaited = run.left;
		if (!run.left)
			tell_shown();
	} else if (sscanf(line, "cursor %d %d", &x, &y) == 2) {
		put_cursor(x, y);
	} else if (!strncmp(line, "cursor roams", 12)) {
		run.roams = true;
		put_cursor(card.cursor.x, card.cursor.y);
	} else if (!strncmp(line, "cursor off", 10)) {
		run.roams = false;
		card.cursor.shows = NULL;
		change("cursor");
	} else if (sscanf(line, "overlay %" SCNu32 " %n", &first, &end) == 1 && end && first < OVERLAYS) {
		if (strncmp(line + end, "off", 3))
			cover(first, line + end);
		else
			uncover(first);
	} else if (!strncmp(line, "rotate ", 7)) {
		turn(line + 7);
	} else if (sscanf(line, "mode %" SCNu32 "x%" SCNu32, &first, &second) == 2) {
		resize(first, second);
	} else if (sscanf(line, "format %31s", word) == 1) {
		change_format(word);
	} else if (!strncmp(line, "dark", 4) || !strncmp(line, "bare", 4)) {
		go_dark(line[0] == 'b');
	} else if (!strncmp(line, "lit", 3)) {
		wake();
	} else if (!strncmp(line, "leave", 5) || !strncmp(line, "enter", 5)) {
		hand_over(line[0] == 'l');
	} else {
		return false;
	}
	return true;
}

static void obey(const char *line)
{
	uint32_t count, every = 1, delay = 0;

	if (obey_always(line))
		return;
	if (run.left)
		answer("refused: a run goes on");
	else if (sscanf(line, "flip %" SCNu32, &count) == 1)
		flip(count);
	else if (sscanf(line, "fresh %" SCNu32, &count) == 1)
		flip_fresh(count);
	else if (sscanf(line, "run %" SCNu32 " %" SCNu32 " %" SCNu32, &count, &every, &delay) >= 1)
		begin_run(count, every, delay);
	else if (sscanf(line, "calm %" SCNu32, &count) == 1 && count > 1 && count <= MOST_PLACES) {
		if (calm(count))
			tell_shown();
		else
			refuse();
	} else if (!strncmp(line, "redraw", 6))
		redraw();
	else
		answer("refused: what?");
	if (flips)
		fflush(flips);
}

int main(int count, char **words)
{
	struct pollfd files[2] = { { .fd = STDIN_FILENO, .events = POLLIN }, { .events = POLLIN } };
	uint32_t width, height;
	char line[128];

	if ((count != 3 && count != 4) || sscanf(words[2], "%" SCNu32 "x%" SCNu32, &width, &height) != 2) {
		fprintf(stderr, "usage: board-screen DEVICE WIDTHxHEIGHT [FLIPS]\n");
		return 2;
	}
	/* A line is read when it is there: nothing may wait in a buffer that poll does not see. */
	setvbuf(stdin, NULL, _IONBF, 0);
	if (count == 4) {
		flips = fopen(words[3], "we");
		if (!flips)
			fail(words[3]);
	}
	open_card(words[1]);
	files[1].fd = card.file;
	format = find_format("XRGB8888");
	if (!choose_mode(width, height)) {
		fprintf(stderr, "board-screen: the screen has no mode of %ux%u\n", width, height);
		return 1;
	}
	if (!set_mode())
		fail("the mode cannot be set");
	tell_shown();
	for (;;) {
		if (run.left && !run.flip_is_out && !run.blank_is_out)
			next_of_run();
		/* While a flip is out, nothing else may be asked of the card: a line is taken between two of them. */
		files[0].fd = run.flip_is_out ? -1 : STDIN_FILENO;
		if (poll(files, 2, -1) < 0 && errno != EINTR)
			fail("no word of anybody");
		if (files[1].revents)
			go_on(happened());
		files[0].fd = STDIN_FILENO;
		if (!run.flip_is_out && poll(files, 1, 0) == 1) {
			if (!fgets(line, sizeof(line), stdin))
				return 0;
			obey(line);
		}
	}
}
