// SPDX-License-Identifier: GPL-3.0-or-later
#include "card.h"

#include <drm.h>
#include <drm_mode.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

struct card card;

static const char *const plane_properties[PLANE_PROPERTIES] = {
	"FB_ID", "CRTC_ID", "CRTC_X", "CRTC_Y", "CRTC_W", "CRTC_H", "SRC_X", "SRC_Y", "SRC_W", "SRC_H", "rotation",
};

void fail(const char *what)
{
	fprintf(stderr, "board-screen: %s: %s\n", what, strerror(errno));
	exit(1);
}

int call(unsigned long request, void *argument)
{
	while (ioctl(card.file, request, argument))
		if (errno != EINTR && errno != EAGAIN)
			return -1;
	return 0;
}

/* The number of an object's property of that name, and its value; 0 where it has none. */
static uint32_t property(uint32_t object, uint32_t type, const char *name, uint64_t *value)
{
	uint32_t ids[64];
	uint64_t values[64];
	struct drm_mode_obj_get_properties all = {
		.props_ptr = (uintptr_t)ids, .prop_values_ptr = (uintptr_t)values, .count_props = 64,
		.obj_id = object, .obj_type = type,
	};

	if (call(DRM_IOCTL_MODE_OBJ_GETPROPERTIES, &all))
		fail("no properties");
	for (uint32_t i = 0; i < all.count_props && i < 64; i++) {
		struct drm_mode_get_property one = { .prop_id = ids[i] };

		if (call(DRM_IOCTL_MODE_GETPROPERTY, &one))
			fail("no property");
		if (!strcmp(one.name, name)) {
			*value = values[i];
			return ids[i];
		}
	}
	return 0;
}

static void find_planes(void)
{
	uint32_t ids[32], overlays = 0;
	struct drm_mode_get_plane_res all = { .plane_id_ptr = (uintptr_t)ids, .count_planes = 32 };

	if (call(DRM_IOCTL_MODE_GETPLANERESOURCES, &all))
		fail("no planes");
	for (uint32_t i = 0; i < all.count_planes && i < 32; i++) {
		uint64_t type, unused;
		struct plane *plane;

		property(ids[i], DRM_MODE_OBJECT_PLANE, "type", &type);
		if (type == 0 && overlays == OVERLAYS)
			continue;
		plane = type == 1 ? &card.primary : type == 2 ? &card.cursor : &card.overlay[overlays++];
		plane->id = ids[i];
		plane->rotation = DRM_MODE_ROTATE_0;
		for (int p = 0; p < PLANE_PROPERTIES; p++)
			plane->property[p] = property(ids[i], DRM_MODE_OBJECT_PLANE, plane_properties[p], &unused);
	}
}

void open_card(const char *path)
{
	uint32_t connectors[8], crtcs[8];
	struct drm_mode_card_res all = {
		.connector_id_ptr = (uintptr_t)connectors, .count_connectors = 8,
		.crtc_id_ptr = (uintptr_t)crtcs, .count_crtcs = 8,
	};
	struct drm_set_client_cap atomic = { .capability = DRM_CLIENT_CAP_ATOMIC, .value = 1 };
	uint64_t unused;

	card.file = open(path, O_RDWR | O_CLOEXEC);
	if (card.file < 0)
		fail(path);
	/* What a compositor does: whoever is not master cannot set a mode. */
	if (ioctl(card.file, DRM_IOCTL_SET_MASTER, 0))
		fail("another program is master of the screen");
	if (call(DRM_IOCTL_SET_CLIENT_CAP, &atomic) || call(DRM_IOCTL_MODE_GETRESOURCES, &all))
		fail("what is no screen");
	card.connector = connectors[0];
	card.crtc = crtcs[0];
	card.smallest = all.min_width > all.min_height ? all.min_width : all.min_height;
	card.largest = all.max_width < all.max_height ? all.max_width : all.max_height;
	card.crtc_mode = property(card.crtc, DRM_MODE_OBJECT_CRTC, "MODE_ID", &unused);
	card.crtc_active = property(card.crtc, DRM_MODE_OBJECT_CRTC, "ACTIVE", &unused);
	card.connector_crtc = property(card.connector, DRM_MODE_OBJECT_CONNECTOR, "CRTC_ID", &unused);
	find_planes();
}

/* A mode that the screen does not name: 60 pictures a second to the nearest kilohertz of its clock. */
static struct drm_mode_modeinfo own_mode(uint32_t width, uint32_t height)
{
	struct drm_mode_modeinfo mode = { .hdisplay = width, .vdisplay = height, .vrefresh = 60 };

	mode.hsync_start = width + 48;
	mode.hsync_end = width + 80;
	mode.htotal = width + 160;
	mode.vsync_start = height + 3;
	mode.vsync_end = height + 8;
	mode.vtotal = height + 40;
	mode.clock = (mode.htotal * mode.vtotal * 60u + 500) / 1000;
	snprintf(mode.name, sizeof(mode.name), "%ux%u", width, height);
	return mode;
}

bool choose_mode(uint32_t width, uint32_t height)
{
	struct drm_mode_modeinfo modes[128], chosen = own_mode(width, height);
	struct drm_mode_get_connector one = { .connector_id = card.connector };
	struct drm_mode_create_blob blob = { .data = (uintptr_t)&chosen, .length = sizeof(chosen) };

	if (width < card.smallest || height < card.smallest || width > card.largest || height > card.largest) {
		errno = ERANGE;
		return false;
	}
	/* The first question makes the driver look for modes; only the second has room for them. */
	if (call(DRM_IOCTL_MODE_GETCONNECTOR, &one))
		return false;
	memset(&one, 0, sizeof(one));
	one.connector_id = card.connector;
	one.modes_ptr = (uintptr_t)modes;
	one.count_modes = 128;
	if (call(DRM_IOCTL_MODE_GETCONNECTOR, &one))
		return false;
	for (uint32_t i = 0; i < one.count_modes && i < 128; i++)
		if (modes[i].hdisplay == width && modes[i].vdisplay == height) {
			chosen = modes[i];
			break;
		}
	if (call(DRM_IOCTL_MODE_CREATEPROPBLOB, &blob))
		return false;
	card.mode = blob.blob_id;
	card.width = width;
	card.height = height;
	card.is_active = true;
	return true;
}

/* What one commit asks for, in the four lists that the kernel wants. */
struct wishes {
	uint32_t objects[128], counts[128], properties[128], count;
	uint64_t values[128];
};

static void wish(struct wishes *wishes, uint32_t object, uint32_t property, uint64_t value)
{
	uint32_t i = wishes->count++;

	wishes->objects[i] = object;
	wishes->counts[i] = 1;
	wishes->properties[i] = property;
	wishes->values[i] = value;
}

static void wish_plane(struct wishes *wishes, const struct plane *plane)
{
	const struct picture *picture = plane->shows;
	const uint64_t values[PLANE_PROPERTIES] = {
		[FB_ID] = picture ? picture->framebuffer : 0, [CRTC_ID] = picture ? card.crtc : 0,
		[CRTC_X] = (int64_t)plane->x, [CRTC_Y] = (int64_t)plane->y,
		[CRTC_W] = plane->width, [CRTC_H] = plane->height,
		[SRC_W] = picture ? (uint64_t)picture->width << 16 : 0,
		[SRC_H] = picture ? (uint64_t)picture->height << 16 : 0,
		[ROTATION] = plane->rotation,
	};

	if (!plane->id)
		return;
	for (int p = 0; p < PLANE_PROPERTIES; p++)
		/* A plane that shows nothing needs no more than to be told so. */
		if (picture || p == FB_ID || p == CRTC_ID)
			wish(wishes, plane->id, plane->property[p], values[p]);
}

static bool send(const struct wishes *wishes, uint32_t flags)
{
	struct drm_mode_atomic order = {
		.flags = flags, .count_objs = wishes->count, .objs_ptr = (uintptr_t)wishes->objects,
		.count_props_ptr = (uintptr_t)wishes->counts, .props_ptr = (uintptr_t)wishes->properties,
		.prop_values_ptr = (uintptr_t)wishes->values,
	};

	return !call(DRM_IOCTL_MODE_ATOMIC, &order);
}

bool commit(enum manner manner)
{
	static const uint32_t flags[] = {
		[TRIES] = DRM_MODE_ATOMIC_TEST_ONLY | DRM_MODE_ATOMIC_ALLOW_MODESET,
		[FLIPS] = DRM_MODE_PAGE_FLIP_EVENT | DRM_MODE_ATOMIC_NONBLOCK,
		[SETS] = DRM_MODE_ATOMIC_ALLOW_MODESET,
	};
	struct wishes wishes = { .count = 0 };

	if (manner != FLIPS) {
		wish(&wishes, card.connector, card.connector_crtc, card.crtc);
		wish(&wishes, card.crtc, card.crtc_mode, card.mode);
		wish(&wishes, card.crtc, card.crtc_active, card.is_active);
	}
	wish_plane(&wishes, &card.primary);
	for (int i = 0; i < OVERLAYS; i++)
		wish_plane(&wishes, &card.overlay[i]);
	wish_plane(&wishes, &card.cursor);
	return send(&wishes, flags[manner]);
}

bool bare(void)
{
	struct wishes wishes = { .count = 0 };
	struct plane *planes[] = { &card.primary, &card.overlay[0], &card.overlay[1], &card.overlay[2], &card.overlay[3],
				   &card.cursor };

	wish(&wishes, card.connector, card.connector_crtc, 0);
	wish(&wishes, card.crtc, card.crtc_mode, 0);
	wish(&wishes, card.crtc, card.crtc_active, 0);
	for (unsigned int i = 0; i < sizeof(planes) / sizeof(planes[0]); i++)
		if (planes[i]->id) {
			wish(&wishes, planes[i]->id, planes[i]->property[FB_ID], 0);
			wish(&wishes, planes[i]->id, planes[i]->property[CRTC_ID], 0);
		}
	card.is_active = false;
	return send(&wishes, DRM_MODE_ATOMIC_ALLOW_MODESET);
}

struct happening happened(void)
{
	union {
		struct drm_event head;
		struct drm_event_vblank flip;
		struct drm_event_crtc_sequence blank;
		char room[64];
	} event;

	for (;;) {
		/* The kernel gives whole events only; with room for two short ones, it must not give both. */
		ssize_t got = read(card.file, &event, sizeof(event.flip));

		if (got < 0 && errno != EINTR)
			fail("no word of the screen");
		if (got >= (ssize_t)sizeof(event.head) && event.head.type == DRM_EVENT_FLIP_COMPLETE)
			return (struct happening){
				.is_flip = true, .sequence = event.flip.sequence,
				.nanoseconds = event.flip.tv_sec * UINT64_C(1000000000) + event.flip.tv_usec * UINT64_C(1000),
			};
		if (got >= (ssize_t)sizeof(event.head) && event.head.type == DRM_EVENT_CRTC_SEQUENCE)
			return (struct happening){ .sequence = event.blank.sequence, .nanoseconds = event.blank.time_ns };
	}
}

bool await_blank(uint64_t sequence)
{
	struct drm_crtc_queue_sequence order = { .crtc_id = card.crtc, .sequence = sequence };

	return !call(DRM_IOCTL_CRTC_QUEUE_SEQUENCE, &order);
}
