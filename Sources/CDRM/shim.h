/*
 * The kernel's interface to screens, as libdrm brings its headers; nothing of the library is linked. Request numbers are
 * macros with casts there, which Swift does not import.
 */
#ifndef KINEBOX_CDRM_H
#define KINEBOX_CDRM_H

#include <amdgpu_drm.h>
#include <drm.h>
#include <drm_fourcc.h>
#include <drm_mode.h>
#include <radeon_drm.h>
#include <stdint.h>

#define CDRM_REQUEST(name) static const unsigned long CDRM_##name = DRM_IOCTL_##name

CDRM_REQUEST(VERSION);
CDRM_REQUEST(AUTH_MAGIC);
CDRM_REQUEST(DROP_MASTER);
CDRM_REQUEST(SET_CLIENT_CAP);
CDRM_REQUEST(GEM_CLOSE);
CDRM_REQUEST(PRIME_HANDLE_TO_FD);
CDRM_REQUEST(CRTC_GET_SEQUENCE);
CDRM_REQUEST(CRTC_QUEUE_SEQUENCE);
CDRM_REQUEST(MODE_CREATE_DUMB);
CDRM_REQUEST(MODE_GETRESOURCES);
CDRM_REQUEST(MODE_GETCONNECTOR);
CDRM_REQUEST(MODE_GETENCODER);
CDRM_REQUEST(MODE_GETCRTC);
CDRM_REQUEST(MODE_GETPLANERESOURCES);
CDRM_REQUEST(MODE_GETPLANE);
CDRM_REQUEST(MODE_OBJ_GETPROPERTIES);
CDRM_REQUEST(MODE_GETPROPERTY);
CDRM_REQUEST(MODE_GETFB2);
CDRM_REQUEST(AMDGPU_GEM_METADATA);
CDRM_REQUEST(RADEON_GEM_GET_TILING);

#undef CDRM_REQUEST

/* Since Linux 6.6, and not in every libdrm that there is. */
static const uint64_t CDRM_CLIENT_CAP_CURSOR_PLANE_HOTSPOT = 6;

#define CDRM_FORMAT(name) static const uint32_t CDRM_FORMAT_##name = DRM_FORMAT_##name

CDRM_FORMAT(XRGB8888);
CDRM_FORMAT(ARGB8888);
CDRM_FORMAT(RGB565);
CDRM_FORMAT(XRGB2101010);

#undef CDRM_FORMAT

#endif
