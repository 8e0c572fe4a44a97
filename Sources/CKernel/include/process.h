/* A descriptor that is readable once a process has ended (pidfd_open(2), for which older C libraries have no function). */
#ifndef CKERNEL_PROCESS_H
#define CKERNEL_PROCESS_H

int ckernel_open_process(int process);

#endif
