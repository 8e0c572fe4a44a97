/*
 * A process that changes lights when the one that started it has died. It is C since between fork(2) and the end of such
 * a process only calls may be made that are safe in a signal handler, and Swift's runtime makes others.
 */
#ifndef CKERNEL_LIGHT_GUARD_H
#define CKERNEL_LIGHT_GUARD_H

/* What is done when the owner dies. All of it is read by the new process from its own copy of the memory. */
struct ckernel_last_will {
	/* GPIO line requests of one line each, which are set to inactive and closed. */
	const int *lines;
	int line_count;
	/* Descriptors that stay open until everything is done: their locks tell the next owner to wait. */
	const int *locks;
	int lock_count;
	/* Files, and what is written into each, in this order. One that cannot be written is passed over. */
	const char *const *paths;
	const char *const *texts;
	int write_count;
};

/*
 * Starts the process. It waits without ever waking up, and carries out the will when the last copy of *control is closed
 * or the calling thread has ended, whichever comes first: the descriptors of a process of which one thread hangs in
 * a device are closed only with that thread. One byte sent through *control lets it end without doing anything.
 * Returns the number of the process, to be waited for once it has ended, or -1 with errno.
 */
pid_t ckernel_start_light_guard(const struct ckernel_last_will *will, int *control);

/* Lets such a process end, and waits for that. */
void ckernel_dismiss_light_guard(pid_t guard, int control);

#endif
