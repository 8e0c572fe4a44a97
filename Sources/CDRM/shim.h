/* The kernel's interface to screens, as libdrm brings its headers; nothing of the library is linked. */
#ifndef KINEBOX_CDRM_H
#define KINEBOX_CDRM_H

#include <drm.h>
#include <drm_fourcc.h>
#include <drm_mode.h>

#endif
