/* Capabilities (capabilities(7)), for which the C library has no functions. */
#ifndef CKERNEL_PRIVILEGE_H
#define CKERNEL_PRIVILEGE_H

static const int CKERNEL_CAP_SYS_ADMIN = CAP_SYS_ADMIN;

/*
 * Gives up all capabilities of the calling thread but one, for ever: no program that is started gets any, nor would one with
 * capabilities of its own (PR_SET_NO_NEW_PRIVS). To be called before other threads start.
 * Returns 0, or -1 with errno; EPERM where the thread has not the one.
 */
int ckernel_keep_capability(int capability);

#endif
