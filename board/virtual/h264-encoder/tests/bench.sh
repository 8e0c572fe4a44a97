#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# How many pictures a second the encoder codes, inside the virtual board
# Colour bars stand still, a tenth of the picture changes each time; drawing that tenth is part of the time.
set -euo pipefail

for path in /sys/class/video4linux/*; do
    [ "$(cat "$path/name")" != h264-encoder ] || device=/dev/${path##*/}
done
[ -c "${device:-}" ] || { echo "bench: no encoder" >&2; exit 1; }

bench() { # FOURCC SIZE RATE PICTURES
    printf '%s %s, needs %s: ' "$1" "$2" "$3"
    board-encode "$device" "$1" "$2" "$4" -q | sed -n '/a second/p'
}

for fourcc in NV12 YU12 YUYV UYVY XR24; do
    bench $fourcc 1280x720 60 300
    bench $fourcc 1920x1080 30 150
done
