/* The calling thread's name, of which the kernel keeps 15 bytes (prctl(2), variadic). */
#ifndef CKERNEL_THREAD_H
#define CKERNEL_THREAD_H

static inline int ckernel_name_thread(const char *name) { return prctl(PR_SET_NAME, name); }

#endif
