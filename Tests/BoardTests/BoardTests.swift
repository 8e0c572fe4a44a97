import Glibc
import Testing

/// Everything that is shown on the virtual board: first the board itself, device by device and verb by verb.
/// The suites inside use one set of devices and so run one after another.
@Suite(
    "The virtual board", .serialized,
    .enabled(if: Board.isHere, "these run on the virtual board: tools/test does so, or tools/virtual-board run"))
struct BoardTests {}
