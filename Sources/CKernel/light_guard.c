#define _GNU_SOURCE
#include "CKernel.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>

/* Closes the descriptors from first to last, also on kernels that have no call for it. */
static void close_range_of(unsigned int first, unsigned int last)
{
#ifdef SYS_close_range
	if (syscall(SYS_close_range, first, last, 0) == 0)
		return;
#endif
	for (unsigned int descriptor = first; descriptor <= last && descriptor < 65536; descriptor++)
		close((int)descriptor);
}

static int is_kept(const struct ckernel_last_will *will, int control, int descriptor)
{
	int kept = descriptor == control;

	for (int index = 0; index < will->line_count; index++)
		kept |= will->lines[index] == descriptor;
	for (int index = 0; index < will->lock_count; index++)
		kept |= will->locks[index] == descriptor;
	return kept;
}

/* A device or a file that the owner closes must not stay open here. */
static void close_others(const struct ckernel_last_will *will, int control)
{
	int kept = 1 + will->line_count + will->lock_count;
	unsigned int first = 0;

	for (int descriptor = 0; kept > 0; descriptor++) {
		if (!is_kept(will, control, descriptor))
			continue;
		if ((unsigned int)descriptor > first)
			close_range_of(first, (unsigned int)descriptor - 1);
		first = (unsigned int)descriptor + 1;
		kept--;
	}
	close_range_of(first, ~0u);
}

static void carry_out(const struct ckernel_last_will *will)
{
	struct gpio_v2_line_values dark = { .bits = 0, .mask = 1 };

	for (int index = 0; index < will->line_count; index++) {
		ioctl(will->lines[index], GPIO_V2_LINE_SET_VALUES_IOCTL, &dark);
		close(will->lines[index]);
	}
	for (int index = 0; index < will->write_count; index++) {
		int file = open(will->paths[index], O_WRONLY | O_CLOEXEC);
		const char *text = will->texts[index];
		size_t length = 0;

		while (text[length])
			length++;
		if (file < 0)
			continue;
		if (write(file, text, length) < 0) {
			/* There is nobody to tell, and what follows may still help. */
		}
		close(file);
	}
}

static void keep_watch(const struct ckernel_last_will *will, int control)
{
	struct pollfd waiting[2] = { { .fd = control, .events = POLLIN }, { .events = POLLIN } };
	sigset_t signals;
	char goodbye;

	/* A terminal, or who ends a service by signals to all its processes, does not end this one before its work. */
	sigfillset(&signals);
	sigprocmask(SIG_SETMASK, &signals, NULL);
	setsid();
	prctl(PR_SET_NAME, "kinebox-light");
	close_others(will, control);
	sigemptyset(&signals);
	sigaddset(&signals, SIGUSR2);
	waiting[1].fd = signalfd(-1, &signals, SFD_CLOEXEC);
	prctl(PR_SET_PDEATHSIG, SIGUSR2);
	/* A thread that ended before this moment would not have been noticed: the owner waits for this word. */
	send(control, "", 1, MSG_NOSIGNAL);
	while (poll(waiting, 2, -1) < 0 && errno == EINTR)
		;
	if (waiting[0].revents && recv(control, &goodbye, 1, MSG_DONTWAIT) == 1)
		return;
	carry_out(will);
}

pid_t ckernel_start_light_guard(const struct ckernel_last_will *will, int *control)
{
	int ends[2];
	pid_t guard;
	char word;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0)
		return -1;
	guard = fork();
	if (guard == 0) {
		keep_watch(will, ends[1]);
		_exit(0);
	}
	close(ends[1]);
	if (guard < 0) {
		int reason = errno;

		close(ends[0]);
		errno = reason;
		return -1;
	}
	while (recv(ends[0], &word, 1, 0) < 0 && errno == EINTR)
		;
	*control = ends[0];
	return guard;
}

void ckernel_dismiss_light_guard(pid_t guard, int control)
{
	/* One that was killed takes no goodbye, and has ended already. */
	send(control, "", 1, MSG_NOSIGNAL);
	close(control);
	while (waitpid(guard, NULL, 0) < 0 && errno == EINTR)
		;
}
