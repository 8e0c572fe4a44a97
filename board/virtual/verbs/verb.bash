# What the verbs have in common; sourced by them.
# shellcheck shell=bash
set -euo pipefail
shopt -s nullglob

verb=${0##*/}

fail() {
    echo "boardctl $verb: $*" >&2
    exit 1
}

wrong() {
    echo "boardctl $verb: $*; see boardctl help" >&2
    exit 2
}

# Waits without starting a program, which here costs more than the pauses that buttons need.
exec {never}<> <(:)
pause() { read -r -t "$1" -u "$never" _ || true; }

# Finds the simulated GPIO line called $1: its folder is left in $line, its place on the chip in $offset.
# shellcheck disable=SC2034 # the verbs read both
find_line() {
    local names folders
    mapfile -d '' names </proc/device-tree/panel/bank0/gpio-line-names
    folders=(/sys/devices/platform/panel/gpiochip*)
    [ "${#folders[@]}" = 1 ] || fail "the panel's GPIO chip is not there"
    for offset in "${!names[@]}"; do
        line=${folders[0]}/sim_gpio$offset
        [ "${names[offset]}" != "$1" ] || return 0
    done
    wrong "the panel has no line called $1, only: ${names[*]}"
}

# Waits up to $1 seconds until the rest, a command, succeeds.
within() {
    local tries=$(($1 * 50))
    shift
    until "$@"; do
        tries=$((tries - 1))
        [ "$tries" -gt 0 ] || return 1
        pause 0.02
    done
}
