# A layer under a disk or a stick that can be made slow or bad while it is in use: device mapper over a file in
# memory or over a disk. Sourced by the verbs that need it.
# shellcheck shell=bash

# layer NAME make BACKING: BACKING (a file or a disk) is now also /dev/mapper/NAME, and good.
# layer NAME good | slow MILLISECONDS | fail | drop | dead: how writes to it go from now on.
layer() {
    local name=$1 what=$2 backing
    local state=/run/board/layer-$name
    if [ "$what" = make ]; then
        backing=$3
        [ -b "$backing" ] || backing=$(losetup --find --show "$backing")
        backing=$(readlink -f "$backing")
        echo "$backing" >"$state"
        dmsetup create --noudevsync "$name" --table "0 $(blockdev --getsz "$backing") linear $backing 0"
        # Without udev nobody else makes the node.
        [ -e "/dev/mapper/$name" ] || dmsetup mknodes "$name"
        return
    fi
    [ -e "$state" ] || fail "$name has not been made"
    read -r backing <"$state"
    local table size
    size=$(blockdev --getsz "$backing")
    case $what in
    good) table="linear $backing 0" ;;
    slow) table="delay $backing 0 0 $backing 0 ${3:-500}" ;;
    # From the first second on, for ever: flakey wants to be well for some time, which may be none.
    fail) table="flakey $backing 0 0 3600 1 error_writes" ;;
    drop) table="flakey $backing 0 0 3600 1 drop_writes" ;;
    dead) table="error" ;;
    *) wrong "good, slow, fail, drop or dead?" ;;
    esac
    dmsetup suspend --noflush --nolockfs "$name"
    dmsetup reload "$name" --table "0 $size $table"
    dmsetup resume --noudevsync "$name"
}

# layer_remove NAME
layer_remove() {
    local state=/run/board/layer-$1 backing
    read -r backing <"$state"
    dmsetup remove --noudevsync "$1"
    [[ $backing != /dev/loop* ]] || losetup -d "$backing"
    rm "$state"
}
