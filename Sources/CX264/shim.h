#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <x264.h>

/* The versioned open function is a macro in x264.h, which Swift does not import. */
static inline x264_t *kinebox_x264_encoder_open(x264_param_t *param) { return x264_encoder_open(param); }

/* Room for an error message, its end included. */
enum { KINEBOX_X264_MESSAGE = 200 };

/* The type of a va_list differs from machine to machine in Swift. */
static inline void kinebox_x264_keep_error(void *message, int level, const char *format, va_list arguments)
{
	if (level == X264_LOG_ERROR)
		vsnprintf((char *)message, KINEBOX_X264_MESSAGE, format, arguments);
}

/* Has errors written to a buffer of KINEBOX_X264_MESSAGE bytes, and nothing printed. */
static inline void kinebox_x264_log_to(x264_param_t *param, char *message)
{
	param->i_log_level = X264_LOG_ERROR;
	param->p_log_private = message;
	param->pf_log = kinebox_x264_keep_error;
}
