// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Plays into the board's sound card, so that its other side records it: 48 kHz, two channels, 16 bits.
 *
 *     board-sound ALSA-DEVICE tone HERTZ
 *     board-sound ALSA-DEVICE clap SECONDS HDMI-INPUT
 *
 * tone: a sine at -20 dBFS, until it is ended. clap: every SECONDS a tone of 1 kHz for a tenth of a second, and at
 * the instant of its first sample the HDMI input turns from black to white for as long; prints "clap NUMBER
 * NANOSECONDS" (CLOCK_MONOTONIC) for each. The first frame that the input takes after that instant is white.
 */
#include <alsa/asoundlib.h>
#include <linux/videodev2.h>
#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>

enum { RATE = 48000, CHUNK = 480, BUFFER = 20 * CHUNK };

/* vivid's own controls: its test picture, and the text over it. */
enum { TEST_PATTERN = 0x00f0f000, TEXT = 0x00f0f001, BLACK = 5, WHITE = 6, NO_TEXT = 2 };

static const uint64_t second = 1000000000;

static struct {
	pthread_mutex_t lock;
	pthread_cond_t ordered;
	uint64_t at;
	int input, number;
} flash = { .lock = PTHREAD_MUTEX_INITIALIZER, .ordered = PTHREAD_COND_INITIALIZER };

static void fail(const char *what, const char *why)
{
	fprintf(stderr, "board-sound: %s: %s\n", what, why);
	exit(1);
}

static void check(int result, const char *what)
{
	if (result < 0)
		fail(what, snd_strerror(result));
}

static snd_pcm_t *open_card(const char *name)
{
	snd_pcm_hw_params_t *hardware;
	snd_pcm_sw_params_t *software;
	snd_pcm_uframes_t chunk = CHUNK, buffer = BUFFER;
	snd_pcm_t *card;

	check(snd_pcm_open(&card, name, SND_PCM_STREAM_PLAYBACK, 0), name);
	snd_pcm_hw_params_alloca(&hardware);
	check(snd_pcm_hw_params_any(card, hardware), name);
	check(snd_pcm_hw_params_set_access(card, hardware, SND_PCM_ACCESS_RW_INTERLEAVED), "interleaved");
	check(snd_pcm_hw_params_set_format(card, hardware, SND_PCM_FORMAT_S16_LE), "16 bits");
	check(snd_pcm_hw_params_set_channels(card, hardware, 2), "two channels");
	check(snd_pcm_hw_params_set_rate(card, hardware, RATE, 0), "48 kHz");
	check(snd_pcm_hw_params_set_period_size_near(card, hardware, &chunk, NULL), "chunk");
	check(snd_pcm_hw_params_set_buffer_size_near(card, hardware, &buffer), "buffer");
	check(snd_pcm_hw_params(card, hardware), name);
	snd_pcm_sw_params_alloca(&software);
	check(snd_pcm_sw_params_current(card, software), name);
	check(snd_pcm_sw_params_set_tstamp_mode(card, software, SND_PCM_TSTAMP_ENABLE), "times");
	check(snd_pcm_sw_params_set_tstamp_type(card, software, SND_PCM_TSTAMP_TYPE_MONOTONIC), "times");
	check(snd_pcm_sw_params(card, software), name);
	return card;
}

/* When the sample that is written next will be played. */
static uint64_t time_of_next(snd_pcm_t *card)
{
	snd_pcm_status_t *status;
	snd_htimestamp_t now;

	snd_pcm_status_alloca(&status);
	check(snd_pcm_status(card, status), "status");
	snd_pcm_status_get_htstamp(status, &now);
	return now.tv_sec * second + now.tv_nsec + snd_pcm_status_get_delay(status) * second / RATE;
}

static void show(int picture)
{
	struct v4l2_control control = { .id = TEST_PATTERN, .value = picture };

	if (ioctl(flash.input, VIDIOC_S_CTRL, &control))
		fail("the HDMI input", strerror(errno));
}

static void wait_until(uint64_t at)
{
	struct timespec time = { .tv_sec = at / second, .tv_nsec = at % second };

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL) == EINTR)
		;
}

static void *flashes(void *unused)
{
	uint64_t at, done = 0;

	for (;;) {
		pthread_mutex_lock(&flash.lock);
		while (flash.at == done)
			pthread_cond_wait(&flash.ordered, &flash.lock);
		done = at = flash.at;
		pthread_mutex_unlock(&flash.lock);
		wait_until(at);
		show(WHITE);
		printf("clap %d %llu\n", ++flash.number, (unsigned long long)at);
		fflush(stdout);
		wait_until(at + second / 10);
		show(BLACK);
	}
	return unused;
}

static void open_flash(const char *name)
{
	struct v4l2_control control = { .id = TEXT, .value = NO_TEXT };
	pthread_t thread;

	flash.input = open(name, O_RDWR | O_CLOEXEC);
	if (flash.input < 0 || ioctl(flash.input, VIDIOC_S_CTRL, &control))
		fail(name, strerror(errno));
	show(BLACK);
	if (pthread_create(&thread, NULL, flashes, NULL))
		fail("thread", "cannot be started");
}

static void order_flash(uint64_t at)
{
	pthread_mutex_lock(&flash.lock);
	flash.at = at;
	pthread_cond_signal(&flash.ordered);
	pthread_mutex_unlock(&flash.lock);
}

int main(int count, char **words)
{
	int clap = count == 5 && !strcmp(words[2], "clap");
	double hertz = 1000, every = 0;
	int16_t chunk[2 * CHUNK];
	uint64_t written = 0, period = 0;
	snd_pcm_t *card;

	if (!clap && !(count == 4 && !strcmp(words[2], "tone"))) {
		fprintf(stderr, "usage: board-sound ALSA-DEVICE tone HERTZ | clap SECONDS HDMI-INPUT\n");
		return 2;
	}
	if (clap)
		every = atof(words[3]);
	else
		hertz = atof(words[3]);
	period = every * RATE;
	if (hertz <= 0 || (clap && period < RATE / 4))
		fail(words[3], "at least a quarter of a second, or a pitch above 0");
	card = open_card(words[1]);
	if (clap)
		open_flash(words[4]);

	for (;;) {
		for (int i = 0; i < CHUNK; i++) {
			uint64_t at = clap ? (written + i) % period : written + i;
			/* The first beat comes after one period, when the card runs. */
			int silent = clap && (written + i < period || at >= RATE / 10);
			int16_t sample = silent ? 0 : lrint(3276.7 * sin(2 * M_PI * hertz * at / RATE));

			chunk[2 * i] = chunk[2 * i + 1] = sample;
			if (clap && !silent && at == 0)
				order_flash(time_of_next(card) + i * second / RATE);
		}
		snd_pcm_sframes_t done = snd_pcm_writei(card, chunk, CHUNK);

		if (done == -EPIPE) {
			fprintf(stderr, "board-sound: the card ran dry\n");
			check(snd_pcm_prepare(card), "prepare");
		} else {
			check(done, "write");
		}
		written += CHUNK;
	}
}
