#ifndef CKERNEL_LEAVE_H
#define CKERNEL_LEAVE_H

/*
 * Starts a process that has this one's devices and mappings and that is killed when the calling thread ends.
 * Returns 0, or -1 with errno.
 */
int ckernel_leave_heir(void);

#endif
