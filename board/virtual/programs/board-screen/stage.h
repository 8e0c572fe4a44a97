/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is shown: the pictures of the primary plane, and the flips from one to the next. */
#ifndef STAGE_H
#define STAGE_H

#include "card.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* A run of flips, one at each `every`th blank, `delay` microseconds after the blank before. */
struct run {
	uint32_t left, every, delay;
	bool roams, flip_is_out, blank_is_out, is_awaited;
};

/* The most framebuffers of the primary plane. */
enum { MOST_PLACES = 64 };

extern struct run run;
/* Of the pictures. */
extern const struct format *format;
/* Where the flips are noted, or NULL. */
extern FILE *flips;

/* One line to whoever asked. */
void answer(const char *form, ...) __attribute__((format(printf, 1, 2)));

/* Answers with errno. */
void refuse(void);

/* Answers with the picture's number and the time of the blank from which on it is seen. */
void tell_shown(void);

bool turns_on_its_side(uint64_t rotation);

/* Sets the mode anew with whatever picture is shown; pictures of other sizes are made anew. False, with errno, where the
 * kernel refuses. */
bool set_mode(void);

/* From now on pictures of a run differ in their number alone, and take turns in so many framebuffers, as a desktop's. */
bool calm(uint32_t count);

void flip(uint32_t count);

/* Each picture in memory of its own, which is given back as soon as the next is seen. */
void flip_fresh(uint32_t count);

/* The next picture is drawn into the framebuffer that is seen. */
void redraw(void);

/* A change of the planes; where nothing is sent to the screen, it is seen once that is lit again. Answers with `what`, or
 * refuses and gives false. */
bool change(const char *what);

void begin_run(uint32_t count, uint32_t every, uint32_t delay);

/* Shows the next picture of a run; the kernel tells when it is seen. */
void next_of_run(void);

/* What a run does at a word of the kernel. */
void go_on(struct happening word);

#endif
