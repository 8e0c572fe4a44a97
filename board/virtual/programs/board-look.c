// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Writes what a screen shows to standard output, the way a recorder sees it: the frame buffer of the running mode
 * (GETFB2), exported as a dma-buf (PRIME) and mapped.
 *
 *     board-look DEVICE
 *
 * A line "WIDTH HEIGHT FOURCC", then the rows without their padding, four bytes a pixel. Needs CAP_SYS_ADMIN.
 */
#include <drm.h>
#include <drm_mode.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/dma-buf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

static void fail(const char *what)
{
	fprintf(stderr, "board-look: %s: %s\n", what, strerror(errno));
	exit(1);
}

static void call(int file, unsigned long request, void *argument, const char *what)
{
	while (ioctl(file, request, argument))
		if (errno != EINTR && errno != EAGAIN)
			fail(what);
}

int main(int count, char **words)
{
	uint32_t crtcs[8];
	struct drm_mode_card_res all = { .crtc_id_ptr = (uintptr_t)crtcs, .count_crtcs = 8 };
	struct drm_mode_crtc crtc = { 0 };
	struct drm_mode_fb_cmd2 frame = { 0 };
	struct drm_prime_handle prime = { .flags = DRM_CLOEXEC };
	struct dma_buf_sync sync = { .flags = DMA_BUF_SYNC_START | DMA_BUF_SYNC_READ };
	const uint8_t *pixels;
	int card;

	if (count != 2) {
		fprintf(stderr, "usage: board-look DEVICE\n");
		return 2;
	}
	card = open(words[1], O_RDWR | O_CLOEXEC);
	if (card < 0)
		fail(words[1]);
	call(card, DRM_IOCTL_MODE_GETRESOURCES, &all, "what is no screen");
	crtc.crtc_id = crtcs[0];
	call(card, DRM_IOCTL_MODE_GETCRTC, &crtc, "no mode");
	if (!crtc.fb_id) {
		fprintf(stderr, "board-look: the screen shows nothing\n");
		return 1;
	}
	frame.fb_id = crtc.fb_id;
	call(card, DRM_IOCTL_MODE_GETFB2, &frame, "GETFB2");
	prime.handle = frame.handles[0];
	call(card, DRM_IOCTL_PRIME_HANDLE_TO_FD, &prime, "PRIME");
	pixels = mmap(NULL, (size_t)frame.pitches[0] * frame.height, PROT_READ, MAP_SHARED, prime.fd, 0);
	if (pixels == MAP_FAILED)
		fail("the dma-buf cannot be mapped");
	call(prime.fd, DMA_BUF_IOCTL_SYNC, &sync, "sync");
	printf("%u %u %.4s\n", frame.width, frame.height, (const char *)&frame.pixel_format);
	for (uint32_t y = 0; y < frame.height; y++)
		if (fwrite(pixels + (size_t)y * frame.pitches[0], 4, frame.width, stdout) != frame.width)
			fail("standard output");
	return fflush(stdout) ? 1 : 0;
}
