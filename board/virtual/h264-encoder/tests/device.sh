#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Tests of the encoder as a device, to be run inside the virtual board: device.sh [SECTION]...
# The sections are controls, faults, compliance, exact and zero_copy; without any, all of them. Each raw format comes back bit by bit through board-encode, FFmpeg and GStreamer; each control and each fault does
# what README.md says. Prints a line for each test; the exit code is 0 if all of them passed.
set -u
[ $# -gt 0 ] || set -- controls faults compliance exact zero_copy
parameters=/sys/module/vh264enc/parameters
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
passed=0 failed=0

for program in board-encode ffmpeg ffprobe gst-launch-1.0 v4l2-ctl python3; do
    command -v $program >/dev/null || { echo "device: $program is needed"; exit 1; }
done

node() { # NAME
    local path
    for path in /sys/class/video4linux/*; do
        [ "$(cat "$path/name")" != "$1" ] || echo "/dev/${path##*/}"
    done
}
single=$(node h264-encoder)
planes=$(node h264-encoder-planes)
if [ ! -c "$single" ] || [ ! -c "$planes" ]; then
    echo "device: no encoder with both nodes"
    exit 1
fi

want() { # WHAT EXPECTED ACTUAL
    if [ "$2" = "$3" ]; then
        passed=$((passed + 1))
        echo "ok   $1"
    else
        failed=$((failed + 1))
        printf 'FAIL %s\n     expected: %s\n     actual:   %s\n' "$1" "$2" "$3"
    fi
}

# FFmpeg and GStreamer take the first encoder that they find.
hide() { mv "$1" /dev/hidden; }
show() { mv /dev/hidden "$1"; }

fault() { echo "$2" >"$parameters/$1"; }

# Controls by number, as <linux/v4l2-controls.h> has them.
codec=$((0x00990900))
declare -A id=(
    [b_frames]=$((codec + 202)) [gop_size]=$((codec + 203)) [bitrate_mode]=$((codec + 206))
    [bitrate]=$((codec + 207)) [rate_control]=$((codec + 215)) [header_mode]=$((codec + 216))
    [repeat_headers]=$((codec + 226)) [force_key_frame]=$((codec + 229)) [min_qp]=$((codec + 353))
    [max_qp]=$((codec + 354)) [i_period]=$((codec + 358)) [level]=$((codec + 359)) [profile]=$((codec + 363))
)

# --- bit by bit ---

# The expected picture by the formulas of README.md: expected FORMAT WIDTH HEIGHT <RAW >PLANAR-420
expected() {
    python3 -c '
import sys
kind, width, height = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
data = sys.stdin.buffer.read()
out = sys.stdout.buffer
def packed(size, luma, chroma):
    for first in range(0, len(data), size):
        f = data[first:first + size]
        out.write(luma(f)); out.write(chroma(f, 0)); out.write(chroma(f, 1))
if kind == "yuv420p":
    out.write(data)
elif kind == "nv12":
    n = width * height
    packed(n * 3 // 2, lambda f: f[:n], lambda f, c: f[n + c::2])
elif kind in ("yuyv422", "uyvy422"):
    y, c0, c1 = (0, 1, 3) if kind == "yuyv422" else (1, 0, 2)
    line = width * 2
    def chroma(f, which):
        c = f[c1 if which else c0::4]
        w = width // 2
        return bytes((c[2 * r * w + x] + c[(2 * r + 1) * w + x] + 1) >> 1
                     for r in range(height // 2) for x in range(w))
    packed(line * height, lambda f: f[y::2], chroma)
else:
    r, g, b = {"bgr0": (2, 1, 0), "0rgb": (1, 2, 3), "rgb0": (0, 1, 2), "0bgr": (3, 2, 1)}[kind]
    def luma(f):
        return bytes(((47 * R + 157 * G + 16 * B + 128) >> 8) + 16 for R, G, B in zip(f[r::4], f[g::4], f[b::4]))
    def chroma(f, which):
        weights = ((-26, -86, 112), (112, -102, -10))[which]
        result = bytearray()
        for row in range(0, height, 2):
            for x in range(0, width, 2):
                total = 512
                for p in ((row * width + x) * 4, (row * width + x + 1) * 4,
                          ((row + 1) * width + x) * 4, ((row + 1) * width + x + 1) * 4):
                    total += weights[0] * f[p + r] + weights[1] * f[p + g] + weights[2] * f[p + b]
                result.append((total >> 10) + 128)
        return bytes(result)
    packed(width * height * 4, luma, chroma)
' "$@"
}

# A film with still and moving parts: film FORMAT WIDTHxHEIGHT PICTURES -> film.raw, film.yuv
film() {
    ffmpeg -v error -f lavfi -i "testsrc2=size=$2:rate=30" -frames:v "$3" -pix_fmt "$1" -f rawvideo -y film.raw
    expected "$1" "${2%x*}" "${2#*x}" <film.raw >film.yuv
}

decodes_to() { # WHAT FILE
    rm -f decoded.yuv
    ffmpeg -v error -i coded.h264 -f rawvideo -pix_fmt yuv420p -y decoded.yuv
    want "$1" "the same" "$(test -s decoded.yuv && cmp decoded.yuv "$2" 2>&1 && echo the same)"
}

fourcc_of() {
    case $1 in
    yuv420p) echo YU12 ;; nv12) echo NV12 ;; yuyv422) echo YUYV ;; uyvy422) echo UYVY ;;
    bgr0) echo XR24 ;; 0rgb) echo BX24 ;; rgb0) echo XB24 ;; 0bgr) echo RX24 ;;
    esac
}

with_board_encode() { # DEVICE FOURCC FORMAT SIZE PICTURES
    rm -f coded.h264
    board-encode "$1" "$2" "$4" "$5" -i film.raw -o coded.h264 >log || cat log
    decodes_to "board-encode, $2 $4 on ${1##*/}" film.yuv
}

# The stream is the one that with_board_encode has just shown to be right.
same_on_planes() { # FOURCC SIZE PICTURES
    board-encode "$planes" "$1" "$2" "$3" -i film.raw -o planes.h264 >log || cat log
    want "board-encode, $1 $2 on ${planes##*/}: the same stream" "the same" \
        "$(test -s planes.h264 && cmp coded.h264 planes.h264 2>&1 && echo the same)"
    rm -f planes.h264
}

with_ffmpeg() { # FORMAT SIZE
    rm -f coded.h264
    ffmpeg -v error -f rawvideo -pix_fmt "$1" -s "$2" -r 30 -i film.raw -c:v h264_v4l2m2m -pix_fmt "$1" -y coded.h264
    decodes_to "FFmpeg, $1 $2" film.yuv
}

with_gstreamer() { # FORMAT SIZE
    local w=${2%x*} h=${2#*x} name colour=bt709 layout
    case $1 in
    yuv420p) name=i420 layout="frame-size=$((w * h * 3 / 2)) plane-strides=<$w,$((w / 2)),$((w / 2))>"
        layout="$layout plane-offsets=<0,$((w * h)),$((w * h * 5 / 4))>" ;;
    nv12) name=nv12 layout="frame-size=$((w * h * 3 / 2)) plane-strides=<$w,$w> plane-offsets=<0,$((w * h))>" ;;
    yuyv422) name=yuy2 layout="frame-size=$((w * h * 2)) plane-strides=<$((w * 2))>" ;;
    uyvy422) name=uyvy layout="frame-size=$((w * h * 2)) plane-strides=<$((w * 2))>" ;;
    bgr0) name=bgrx colour=sRGB layout= ;;
    0rgb) name=xrgb colour=sRGB layout= ;;
    esac
    rm -f coded.h264
    # shellcheck disable=SC2086
    gst-launch-1.0 -q filesrc location=film.raw ! \
        rawvideoparse format=$name width="$w" height="$h" framerate=30/1 $layout ! \
        capssetter caps=video/x-raw,colorimetry=$colour ! "$gstreamer_element" ! h264parse ! \
        video/x-h264,stream-format=byte-stream ! filesink location=coded.h264 >log 2>&1 || cat log
    decodes_to "GStreamer, $1 $2" film.yuv
}

exact() {
    local format size other=$planes
    gstreamer_element=$(gst-inspect-1.0 video4linux2 2>/dev/null | grep -o 'v4l2[a-z0-9]*h264enc' | head -n 1)
    want "GStreamer finds the encoder" v4l2h264enc "$gstreamer_element"
    for format in yuv420p nv12 yuyv422 uyvy422 bgr0 0rgb rgb0 0bgr; do
        # FFmpeg and GStreamer meet the one node and the other in turn.
        case $other in
        "$planes") other=$single size=82x50 ;;
        *) other=$planes size=350x18 ;;
        esac
        film $format $size 5
        with_board_encode "$single" "$(fourcc_of $format)" $format $size 5
        same_on_planes "$(fourcc_of $format)" $size 5
        case $format in
        nv12) same_on_planes NM12 $size 5 ;;
        yuv420p) same_on_planes YM12 $size 5 ;;
        rgb0 | 0bgr) continue ;; # FFmpeg knows no such V4L2 format
        esac
        hide "$other"
        with_ffmpeg $format $size
        with_gstreamer $format $size
        show "$other"
    done
}

# --- what the controls do ---

run() { # OPTION... : codes 12 pictures, one after the other
    board-encode "$single" NV12 64x48 "${pictures:-12}" -l -o coded.h264 "$@" >log
}
keys() { sed -n 's/^coded .* number \([0-9]*\) .* key.*/\1/p' log | tr '\n' ' '; }
numbers() { sed -n '/ bytes 0 /!s/^coded .* number \([0-9]*\) .*/\1/p' log | tr '\n' ' '; }
units() { sed -n '/ bytes 0 /!s/^coded .* units \([0-9,]*\).*/\1/p' log | tr '\n' ' '; }
property() { ffprobe -v error -show_entries "stream=$1" -of default=nw=1:nk=1 coded.h264; }

controls() {
    run
    want "times are copied, nothing is lost" "0 1 2 3 4 5 6 7 8 9 10 11 " "$(numbers)"
    want "the first picture is a key frame" "0 " "$(keys)"
    want "headers come with the first picture" "7,8,5 1 1 1 1 1 1 1 1 1 1 1 " "$(units)"
    want "the last buffer says so" 1 "$(grep -c ' last$' log)"
    run -c "${id[gop_size]}"=5
    want "GOP size 5" "0 5 10 " "$(keys)"
    run -c "${id[i_period]}"=4
    want "I period 4" "0 4 8 " "$(keys)"
    run -c "${id[gop_size]}"=5 -c "${id[repeat_headers]}"=1
    want "headers are repeated" "7,8,5 1 1 1 1 7,8,5 1 1 1 1 7,8,5 1 " "$(units)"
    run -c "${id[header_mode]}"=0
    want "headers on their own" "7,8 5 1 1 1 1 1 1 1 1 1 1 1 " "$(units)"
    run -c "${id[header_mode]}"=0 -c "${id[repeat_headers]}"=1 -c "${id[gop_size]}"=6
    want "headers on their own, again and again" "7,8 5 1 1 1 1 1 7,8 5 1 1 1 1 1 " "$(units)"
    run -k 7
    want "a key frame that was asked for" "0 7 " "$(keys)"
    run -n
    want "STOP, then START" \
        "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 " "$(numbers)"
    want "START goes on where STOP was" "0 " "$(keys)"
    want "both ends are told" 2 "$(grep -c ' last$' log)"

    run -c "${id[profile]}"=0 -c "${id[level]}"=8
    want "profile Baseline, level 3.0" "Baseline 30 " "$(property profile,level | tr '\n' ' ')"
    run -c "${id[profile]}"=1
    want "profile Constrained Baseline" "Constrained Baseline" "$(property profile)"
    run -c "${id[profile]}"=2 -c "${id[level]}"=15
    want "profile Main, level 5.1" "Main 51 " "$(property profile,level | tr '\n' ' ')"
    run
    want "profile High, level 4.0" "High 40 " "$(property profile,level | tr '\n' ' ')"
    run -r 50/1
    want "the rate is in the stream" "50/1" "$(property r_frame_rate)"
    want "so is the colour" "tv bt709 bt709 bt709 " \
        "$(property color_range,color_space,color_transfer,color_primaries | tr '\n' ' ')"
    fault vui 0
    run
    fault vui 1
    want "VUI left out" "unknown unknown unknown unknown " \
        "$(property color_range,color_space,color_transfer,color_primaries | tr '\n' ' ')"

    film nv12 64x48 3
    board-encode "$single" NV12 64x48 3 -i film.raw -o coded.h264 -x 38x20+11+7 >log
    want "crop is made even" "crop 38x20+10+6" "$(grep crop log)"
    ffmpeg -v error -f rawvideo -pix_fmt yuv420p -s 64x48 -i film.yuv -vf crop=38:20:10:6 -f rawvideo -y part.yuv
    decodes_to "only the crop is coded" part.yuv
}

# --- what the faults do ---

faults() {
    local name number sizes halves

    film nv12 64x48 12
    fault drop_every 4
    run -i film.raw
    want "drop_every" "0 1 2 4 5 6 8 9 10 " "$(numbers)"
    want "drop_every: the end is told none the less" 1 "$(grep -c ' last$' log)"
    fault drop_every 0
    ffmpeg -v error -f rawvideo -pix_fmt yuv420p -s 64x48 -i film.yuv -vf "select=mod(n+1\,4)" -vsync passthrough \
        -f rawvideo -y kept.yuv
    decodes_to "drop_every: what is left decodes" kept.yuv

    run -c "${id[gop_size]}"=1
    sizes=$(sed -n 's/^coded .* bytes \([0-9]*\) units [5-8].*/\1/p' log)
    fault truncate_every 3
    run -c "${id[gop_size]}"=1
    fault truncate_every 0
    halves=$(awk 'NR % 3 == 0 { $1 = int($1 / 2) } { print $1 }' <<<"$sizes")
    want "truncate_every" "$halves" "$(sed -n 's/^coded .* bytes \([0-9]*\) units [5-8].*/\1/p' log)"

    fault stall_after 5
    run -t 500
    want "stall_after: gives up" 3 $?
    want "stall_after: five pictures came" "0 1 2 3 4 " "$(numbers)"
    want "stall_after: STREAMOFF ends it" 1 "$(grep -c '^streamoff took' log)"
    board-encode "$single" NV12 64x48 12 -l -t 100000 >killed &
    sleep 0.5
    kill -KILL $!
    wait $! 2>/dev/null
    want "stall_after: whoever waits can be killed" 137 $?
    fault stall_ms 300
    run -t 5000
    want "stall_ms: it goes on" "0 1 2 3 4 5 6 7 8 9 10 11 " "$(numbers)"
    fault stall_after 0
    fault stall_ms 0

    fault hang_streamoff_ms 400
    run
    want "hang_streamoff_ms: each queue takes that long" yes \
        "$(awk '/^streamoff/ { print ($3 >= 800 ? "yes" : $3 " ms") }' log)"
    fault hang_streamoff_ms 0

    for number in 32 64; do
        fault stride_align $number
        film nv12 162x122 3
        with_board_encode "$single" NV12 nv12 162x122 3
        want "stride_align $number" "stride $(((162 + number - 1) / number * number))" "$(grep stride log)"
        film yuv420p 162x122 3
        with_board_encode "$planes" YM12 yuv420p 162x122 3
    done
    fault stride_align 0

    fault headers_alone 1
    fault first_time_zero 1
    run
    fault headers_alone 0
    want "headers_alone" "7,8 5 1 1 1 1 1 1 1 1 1 1 1 " "$(units)"
    want "first_time_zero" "-1 0 1 2 3 4 5 6 7 8 9 10 11 " \
        "$(sed -n '/ bytes 0 /!s/^coded .* number \([-0-9]*\) .*/\1/p' log | tr '\n' ' ')"
    fault first_time_zero 0

    fault no_keyframe_flag 1
    run
    fault no_keyframe_flag 0
    want "no_keyframe_flag" " 5 units" "$(keys) $(units | grep -o 5 | head -n 1) units"

    fault refuse_low_level 1
    pictures=1 run -c "${id[level]}"=0
    want "refuse_low_level: level 1 does for 64x48" 0 $?
    board-encode "$single" NV12 320x240 1 -c "${id[level]}"=0 >log
    want "refuse_low_level: it does not for 320x240" "VIDIOC_STREAMON: Invalid argument" "$(tail -n 1 log)"
    board-encode "$single" NV12 320x240 1 -c "${id[level]}"=8 >log
    want "refuse_low_level: level 3 does" 0 $?
    fault refuse_low_level 0

    fault no_encoder_cmd 1
    run
    want "no_encoder_cmd" "VIDIOC_ENCODER_CMD: Inappropriate ioctl for device" "$(tail -n 1 log)"
    fault no_encoder_cmd 0

    for name in "${!id[@]}"; do
        fault absent_controls ''
        pictures=1 run -c "${id[$name]}"=0
        [ "$name" != bitrate ] || pictures=1 run -c "${id[$name]}"=5000
        want "$name is there" 0 $?
        fault absent_controls "$name"
        pictures=1 run -c "${id[$name]}"=0
        want "absent_controls $name" "VIDIOC_S_CTRL: Invalid argument" "$(tail -n 1 log)"
        fault absent_controls ''
        pictures=1 run
        want "without $name nothing else is amiss" 0 $?
    done
    fault absent_controls min_buffers,level
    want "absent_controls: two at once" 0 "$(v4l2-ctl -d "$single" -l | grep -c 'min_number_of_output\|h264_level')"
    fault absent_controls ''
    want "both are back" 2 "$(v4l2-ctl -d "$single" -l | grep -c 'min_number_of_output\|h264_level')"
}

# --- what the kernel's own test program says ---

# Debian 12's is older than the kernel and finds fault with the kernel's own vicodec in two tests; a newer one, where
# there is one, is named by V4L2_COMPLIANCE.
comply() { # DEVICE -> log: all that it says, failures: the tests that failed
    "${V4L2_COMPLIANCE:-v4l2-compliance}" -d "$1" -e "$(node vivid-000-vid-cap)" -s 2>&1 | tr '\r' '\n' >log
    sed -n 's/^\ttest \(.*\): FAIL$/\1/p' log | sort >failures
}

compliance() {
    local device
    modprobe vicodec
    sleep 0.5
    comply "$(node stateful-encoder)"
    mv failures allowed
    for device in "$single" "$planes"; do
        comply "$device"
        want "v4l2-compliance, ${device##*/}: gets to its end" 1 "$(grep -c '^Total for vh264enc' log)"
        want "v4l2-compliance, ${device##*/}: fails in nothing that vicodec passes" "" "$(comm -13 allowed failures)"
        sed -n 's/^Total for/     &/p' log
    done
    rmmod vicodec
}

# --- from the HDMI input into the encoder without a copy ---

# board-feed says what each picture looks like: judge WIDTH HEIGHT DOWN <PLANAR-420
# DOWN is 2 where the chroma that was fed has half as many lines as luma, else 1; 4:2:2 is brought to 4:2:0 as the README says.
judge() {
    python3 -c '
import sys
width, height, down = int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
data = sys.stdin.buffer.read()
size = width * height * 3 // 2
def luma(first, last, move):
    return b"".join(bytes(16 + (x + y + move) % 220 for x in range(width)) for y in range(first, last))
def cb(x, y): return 16 + (x + 2 * y) % 224
def cr(x, y): return 240 - (2 * x + y) % 224
def chroma(value):
    def sample(x, y): return value(x, y) if down == 2 else (value(x, 2 * y) + value(x, 2 * y + 1) + 1) >> 1
    return bytes(sample(x, y) for y in range(height // 2) for x in range(width // 2))
below, colour = luma(96, height, 0), chroma(cb) + chroma(cr)
changing = [luma(32, 96, move) for move in range(220)]
wrong, numbers = 0, []
for first in range(0, len(data), size):
    picture = data[first:first + size]
    number = sum((picture[16 * width + width // 32 * bit + 8] > 128) << bit for bit in range(32))
    numbers.append(number)
    wrong += picture[32 * width:] != changing[number % 220] + below + colour
# The joined output may give a picture twice; it never goes back.
print(len(numbers), "pictures,", wrong, "wrong,", "in order" if numbers == sorted(numbers) else numbers)
' "$@"
}

from_hdmi() { # HDMI-INPUT FORMAT DOWN ENCODER HIDDEN
    rm -f coded.h264
    hide "$5"
    gst-launch-1.0 -q v4l2src device="$1" io-mode=dmabuf num-buffers=60 ! \
        video/x-raw,format="$2",width=1280,height=720 ! v4l2h264enc output-io-mode=dmabuf-import ! h264parse ! \
        video/x-h264,stream-format=byte-stream ! filesink location=coded.h264 >log 2>&1 || cat log
    show "$5"
    ffmpeg -v error -i coded.h264 -f rawvideo -pix_fmt yuv420p -y decoded.yuv
    want "HDMI 1280x720 at 60, $2, dma-buf into ${4##*/}" "60 pictures, 0 wrong, in order" \
        "$(judge 1280 720 "$3" <decoded.yuv)"
}

zero_copy() {
    boardctl hdmi feed NV12 1280x720@60
    from_hdmi /dev/board/hdmi NV12 2 "$single" "$planes"
    boardctl hdmi unfeed
    # Of NV12, GStreamer would take the kind with two buffer planes, which cannot be fed.
    boardctl hdmi --planes feed YUYV 1280x720@60
    from_hdmi /dev/board/hdmi-planes YUY2 1 "$planes" "$single"
    boardctl hdmi --planes unfeed
}

for section in "$@"; do
    case $section in
    controls | faults | compliance | exact | zero_copy) $section ;;
    *)
        echo "device: there is no section $section"
        exit 2
        ;;
    esac
done
echo "device: $passed passed, $failed failed"
[ $failed = 0 ]
