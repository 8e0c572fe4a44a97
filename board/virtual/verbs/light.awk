# Reads the kernel's record of a line being set; prints edges and the pattern's name. `level` is how it began.
# A line of it: " kworker/0:1-12  [000] .....  12.345678: gpio_value: 516 set 1"

/ gpio_value: / {
    value = $NF
    if (value == level) next
    for (field = 1; field <= NF; field++) if ($field == "gpio_value:") time = $(field - 1) + 0
    printf "edge %.6f %s\n", time, value ? "on" : "off"
    # The first length is not whole: it began before we looked.
    if (edges) { lengths[edges] = time - before; lit[edges] = level }
    edges++
    level = value
    before = time
}

# Half of a set of lengths is below this.
function middle(list, count,    i, j, swap) {
    for (i = 1; i < count; i++)
        for (j = i; j > 0 && list[j] < list[j - 1]; j--) { swap = list[j]; list[j] = list[j - 1]; list[j - 1] = swap }
    return list[int(count / 2)]
}

# Are the lengths alike? One in nine may differ: a machine that is busy lets a light wait now and then.
function even(list, count, around,    i, others) {
    for (i = 0; i < count; i++) if (list[i] < around * 0.8 - 0.01 || list[i] > around * 1.2 + 0.01) others++
    return others <= int(count / 9)
}

END {
    if (!edges) { print "pattern", level ? "on" : "off"; exit }
    for (i = 1; i < edges; i++) if (lit[i]) on[ons++] = lengths[i]; else dark[darks++] = lengths[i]
    if (!ons || !darks) { print "pattern too few edges to name"; exit }
    on_middle = middle(on, ons)
    dark_middle = middle(dark, darks)
    period = on_middle + dark_middle
    if (even(on, ons, on_middle) && even(dark, darks, dark_middle)) {
        if (dark_middle < 0.25 && on_middle > 3 * dark_middle)
            printf "pattern notch, dark %.1f s every %.1f s\n", dark_middle, period
        else printf "pattern blink %.1f Hz\n", 1 / period
        exit
    }
    # Flashes in groups: a pause is a dark time of more than twice the shortest.
    shortest = dark[0]
    for (i = 1; i < edges; i++) {
        if (lit[i]) { flashes++; continue }
        if (lengths[i] <= 2 * shortest) continue
        if (pauses++) { if (group && group != flashes) uneven = 1; group = flashes }
        flashes = 0
        pause = lengths[i]
    }
    if (pauses < 2) print "pattern too few edges to name"
    else if (uneven) print "pattern irregular"
    else printf "pattern %d flashes, pause %.1f s\n", group, pause
}
