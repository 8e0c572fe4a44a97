// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Runs a program for which a display engine knows nothing of vertical blanks, as drivers without an interrupt for them.
 *
 *     board-without-blanks [--refused | --silent] PROGRAM [WORD...]
 *
 * DRM_IOCTL_CRTC_QUEUE_SEQUENCE, CRTC_GET_SEQUENCE and WAIT_VBLANK fail with EOPNOTSUPP, in its children too. --refused: the
 * last blank can be asked for, but QUEUE_SEQUENCE fails with EINVAL; --silent: it succeeds, and no event ever comes.
 */
#include <drm.h>
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int count, char **words)
{
	bool is_refused = count > 1 && !strcmp(words[1], "--refused");
	bool is_silent = count > 1 && !strcmp(words[1], "--silent");
	/* No request has this number. */
	unsigned int get = is_refused || is_silent ? 0 : DRM_IOCTL_CRTC_GET_SEQUENCE;
	unsigned int wait = is_refused || is_silent ? 0 : DRM_IOCTL_WAIT_VBLANK;
	/* Error 0 is success, though nothing was done. */
	unsigned int error = is_silent ? 0 : is_refused ? EINVAL : EOPNOTSUPP;
	/* The lower halves of the system call's second word decide: a request has 32 bits. */
	struct sock_filter steps[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_ioctl, 0, 4),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[1])),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, DRM_IOCTL_CRTC_QUEUE_SEQUENCE, 3, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, get, 2, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, wait, 1, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error),
	};
	struct sock_fprog filter = { .len = sizeof(steps) / sizeof(steps[0]), .filter = steps };

	words += is_refused || is_silent;
	count -= is_refused || is_silent;
	if (count < 2) {
		fprintf(stderr, "usage: board-without-blanks [--refused | --silent] PROGRAM [WORD...]\n");
		return 2;
	}
	/* Who is not root may set a filter only if no program gains rights by being run. */
	if (geteuid() != 0 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) {
		perror("board-without-blanks: no filter");
		return 1;
	}
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter)) {
		perror("board-without-blanks: no filter");
		return 1;
	}
	execvp(words[1], words + 1);
	perror(words[1]);
	return 127;
}
