/* SPDX-License-Identifier: GPL-2.0-only */
/* Raw pictures: how they lie in memory and how a macroblock is taken out. */
#ifndef VH264_PICTURE_H
#define VH264_PICTURE_H

#include "platform.h"

#define VH264_PLANES_MAX 3

/* The samples of one macroblock in 4:2:0: 256 Y, 64 Cb, 64 Cr. */
#define VH264_MACROBLOCK_SAMPLES 384

enum vh264_layout_kind {
	VH264_SEMIPLANAR,	/* Y; Cb and Cr taking turns */
	VH264_PLANAR,		/* Y; Cb; Cr */
	VH264_PACKED_422,	/* Y, Cb, Y, Cr in some order */
	VH264_PACKED_RGB,	/* R, G, B and an unused byte in some order */
};

/**
 * struct vh264_plane_layout - one plane of a raw format
 * @line: bytes that 16 luma samples take in a line
 * @lines: lines that 16 luma lines take
 * @unit: bytes that belong together when the last column is repeated
 */
struct vh264_plane_layout {
	u8 line;
	u8 lines;
	u8 unit;
};

/**
 * struct vh264_layout - how a raw format lies in memory
 * @kind: one of enum vh264_layout_kind
 * @planes: how many of @plane are in use
 * @plane: the planes
 * @offset: byte of Y (the first), Cb, Cr within four bytes of packed 4:2:2;
 *	of R, G, B within four bytes of packed RGB
 */
struct vh264_layout {
	enum vh264_layout_kind kind;
	unsigned int planes;
	struct vh264_plane_layout plane[VH264_PLANES_MAX];
	u8 offset[3];
};

extern const struct vh264_layout vh264_layout_nv12;
extern const struct vh264_layout vh264_layout_yuv420;
extern const struct vh264_layout vh264_layout_yuyv;
extern const struct vh264_layout vh264_layout_uyvy;
extern const struct vh264_layout vh264_layout_bgrx;
extern const struct vh264_layout vh264_layout_xrgb;
extern const struct vh264_layout vh264_layout_rgbx;
extern const struct vh264_layout vh264_layout_xbgr;

/**
 * struct vh264_planes - a picture in memory
 * @data: first byte of each plane
 * @stride: bytes from line to line of each plane
 */
struct vh264_planes {
	u8 *data[VH264_PLANES_MAX];
	u32 stride[VH264_PLANES_MAX];
};

/**
 * struct vh264_block - the place of a macroblock
 * @column: in macroblocks
 * @row: in macroblocks
 * @width: luma samples of it that are inside the picture, 2 to 16
 * @height: luma lines of it that are inside the picture, 2 to 16
 */
struct vh264_block {
	u32 column;
	u32 row;
	u32 width;
	u32 height;
};

bool vh264_block_equal(const struct vh264_layout *layout,
		       const struct vh264_planes *a,
		       const struct vh264_planes *b,
		       const struct vh264_block *block);
void vh264_block_copy(const struct vh264_layout *layout,
		      const struct vh264_planes *to,
		      const struct vh264_planes *from,
		      const struct vh264_block *block);
void vh264_block_samples(const struct vh264_layout *layout,
			 const struct vh264_planes *from,
			 const struct vh264_block *block, u8 *samples);

#endif
