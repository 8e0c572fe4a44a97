#ifndef KINEBOX_CALSA_H
#define KINEBOX_CALSA_H

#include <alsa/asoundlib.h>

static void kinebox_alsa_ignore(const char *file, int line, const char *function, int error, const char *format, ...)
{
	(void)file, (void)line, (void)function, (void)error, (void)format;
}

/* Keeps the library from writing to standard error: its errors come back as numbers. Variadic, so it must be done here. */
static inline void kinebox_alsa_be_silent(void) { snd_lib_error_set_handler(kinebox_alsa_ignore); }

#endif
