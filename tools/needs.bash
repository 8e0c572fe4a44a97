# What the tools beside this file share: which Debian packages they need, why, and how those come there; words; counts.
# Sourced, not run. A list of needs has one package a line, then what it is for.

needed_to_build='
libx264-dev         encodes the picture as H.264
libvo-aacenc-dev    encodes the sound as AAC
libyuv-dev          converts the colours of cameras and capture devices
libturbojpeg0-dev   decodes the pictures of cameras that send JPEG
libudev-dev         knows the sticks and cards that come and go
libasound2-dev      records sound from sound cards
libdrm-dev          reads what the screen of the board shows
libv4l-dev          reaches the encoders of boards whose drivers stand outside the kernel
g++                 links programs with the C and C++ libraries that Swift stands on
binutils            makes the finished program small
'

needed_to_test='
ffmpeg                    judges recordings: ffprobe, and a full decode
gstreamer1.0-tools        judges recordings: a second reader
gstreamer1.0-plugins-base for that reader
gstreamer1.0-plugins-good for that reader: MP4
gstreamer1.0-plugins-bad  for that reader: H.264
gstreamer1.0-libav        for that reader: decoding
mediainfo                 judges recordings: a third reader
python3-av                judges recordings: a fourth reader, PyAV
python3-venv              holds a newer ffmpeg, apart from the system
edid-decode               judges the EDIDs that come with the program
device-tree-compiler      judges the device trees that come with the program
'

needed_to_run='
udev         tells of media, buttons and lights
dosfstools   checks media with FAT
exfatprogs   checks media with exFAT
e2fsprogs    checks media with ext4
'

say() { printf '%s\n' "$*"; }

# Ends the tool with one sentence on standard error.
give_up() {
    printf '%s: %s\n' "${0##*/}" "$*" >&2
    exit 1
}

is_installed() { [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

# Prints the packages of a list that are not installed.
missing_from() {
    local package reason
    while read -r package reason; do
        if [ -n "$package" ] && ! is_installed "$package"; then printf '%s\n' "$package"; fi
    done <<<"$1"
}

# Runs a command with the right to install: as root directly, else through sudo, which may ask for a password.
as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    elif command -v sudo >/dev/null && { [ -t 0 ] || sudo -n true 2>/dev/null; }; then
        sudo "$@"
    else
        return 126
    fi
}

# Installs packages; says what to type where it may not.
install_packages() {
    command -v apt-get >/dev/null ||
        give_up "this needs the Debian packages $*, and apt-get is not here; install what corresponds to them."
    local log status
    as_root true ||
        give_up "installing needs root, and sudo cannot give it here; as root run 'apt-get install $*', then this again."
    say "Installing them"
    log=$(mktemp)
    as_root apt-get -q update >"$log" 2>&1
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -q install -y --no-install-recommends "$@" >>"$log" 2>&1
    status=$?
    if [ $status != 0 ]; then
        tail -n 5 "$log" >&2
        rm -f "$log"
        give_up "apt-get could not install $*; its last words are above."
    fi
    rm -f "$log"
}

# Takes care that the packages of a list are installed, and names those that it brings, each with its reason.
provide() {
    local missing package reason
    missing=$(missing_from "$1")
    [ -n "$missing" ] || return 0
    say "These Debian packages are missing:"
    while read -r package reason; do
        if grep -qx -- "$package" <<<"$missing"; then printf '  %-26s %s\n' "$package" "$reason"; fi
    done <<<"$1"
    # shellcheck disable=SC2086 # one word for each package
    install_packages $missing
}

# The version of the Swift on the PATH, as "6 0"; nothing where there is none.
swift_version() {
    swift --version 2>/dev/null | sed -nE 's/.*Swift version ([0-9]+)\.([0-9]+).*/\1 \2/p' | head -n 1
}

# Whether this system has a package of Swift. The answer is read to its end before it is searched: a reader that stops at
# the first match would make the writer fail, and with pipefail the whole pipe.
swift_is_packaged() {
    local answer
    answer=$(LC_ALL=C apt-cache policy swiftlang 2>/dev/null)
    [[ $answer == *'Candidate: '[0-9]* ]]
}

# Takes care that Swift 6.0 or newer is there.
provide_swift() {
    local major minor
    read -r major minor <<<"$(swift_version)"
    if [ -z "$major" ]; then
        if swift_is_packaged ||
            { command -v apt-get >/dev/null && as_root apt-get -q update >/dev/null 2>&1 && swift_is_packaged; }; then
            provide 'swiftlang   the Swift compiler (a download of about 440 MB)'
        else
            give_up "Swift is missing and this system has no package of it; install Swift 6.0 or newer, put it on the PATH, and run this again."
        fi
        read -r major minor <<<"$(swift_version)"
    fi
    [ "${major:-0}" -ge 6 ] ||
        give_up "the Swift on the PATH is ${major:-?}.${minor:-?}, and 6.0 or newer is needed; put a newer one first on the PATH."
}

# Prints the numbers of tests and suites of which a test run's output in the file $1 tells. The closing line of Swift 6.0
# has no suites; there the suites that ended are counted.
counted() {
    local tests suites
    read -r tests suites <<<"$(sed -nE 's/.*Test run with ([0-9]+) tests?( in ([0-9]+) suites?)? .*/\1 \3/p' "$1" | tail -n 1)"
    printf '%s %s\n' "${tests:-0}" "${suites:-$(grep -cE 'Suite .* (passed|failed) after ' "$1")}"
}
