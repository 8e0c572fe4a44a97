/* Brings all of a file system onto its medium (syncfs(2), which needs GNU's declarations): 0, or -1 with errno. */
#ifndef CKERNEL_VOLUME_H
#define CKERNEL_VOLUME_H

int ckernel_synchronise_volume(int descriptor);

#endif
