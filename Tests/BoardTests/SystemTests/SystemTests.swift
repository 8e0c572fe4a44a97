import Glibc
import Testing

/// The recorder as a service: what is shown on a virtual board whose process 1 is systemd.
@Suite(
    "The virtual board under systemd", .serialized,
    .enabled(
        if: Board.hasSystemd, "these run under systemd: tools/test-boards does so, or tools/virtual-board run --systemd"
    ))
struct SystemTests {}
