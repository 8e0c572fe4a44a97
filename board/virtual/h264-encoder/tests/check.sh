#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Codes pictures of every format with the coder of the module, decodes them with
# FFmpeg and compares bit by bit. Usage: check.sh PROGRAM
set -euo pipefail

program=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
command -v ffmpeg >/dev/null || {
	echo "check: ffmpeg is needed (apt-get install ffmpeg)" >&2
	exit 1
}

count=0
check() { # FORMAT SIZE PICTURES GOP PROFILE KIND
	"$program" "$@" "$folder/film"
	ffmpeg -v error -xerror -i "$folder/film.h264" -f rawvideo -pix_fmt yuv420p -y "$folder/decoded.yuv"
	cmp "$folder/film.yuv" "$folder/decoded.yuv" || {
		echo "check: $*: the decoded pictures differ" >&2
		exit 1
	}
	count=$((count + 1))
}

for format in nv12 yuv420 yuyv uyvy bgrx xrgb rgbx xbgr; do
	for size in 16x16 64x48 162x122 350x18 30x210; do
		check $format $size 7 3 3 noise
		check $format $size 12 5 0 still
		check $format $size 5 100 2 zeros
	done
done
for profile in 0 1 2 3; do
	check nv12 320x240 20 7 $profile still
done
check nv12 1920x1080 3 2 3 zeros
check yuv420 1366x768 40 25 3 still
# frame_num goes round at 65536.
check nv12 16x16 66000 100000 3 still
echo "check: $count streams decode bit by bit"
