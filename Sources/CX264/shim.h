#include <stdint.h>
#include <stdarg.h>
#include <x264.h>

/* The versioned open function is a macro in x264.h, which Swift does not import. */
static inline x264_t *kinebox_x264_encoder_open(x264_param_t *param) { return x264_encoder_open(param); }
