/// What one plane of the display engine puts on the screen ("Plane Abstraction" and "Plane Composition Properties" in the
/// kernel's documentation of KMS).
public struct ScreenPlane: Hashable, Sendable {
    /// What the driver made the plane for.
    public enum Kind: UInt8, Sendable {
        case overlay = 0
        case primary = 1
        case cursor = 2
    }

    /// How the plane's own alpha counts ("pixel blend mode").
    public enum Blend: UInt8, Sendable {
        /// Colours have been multiplied by alpha; what a plane without the property does.
        case premultiplied = 0
        /// Colours have not been multiplied.
        case coverage = 1
        /// The pixels' alpha does not count.
        case none = 2
    }

    /// A part of the picture in memory: one of the colour planes of a framebuffer.
    public struct Piece: Hashable, Sendable {
        /// The place of its memory among the buffers of the view (`ScreenView.buffers`).
        public var buffer: Int
        /// Bytes from the memory's start to the first line.
        public var offset: Int
        /// Bytes from one line's start to the next line's.
        public var bytesPerLine: Int

        public init(buffer: Int, offset: Int, bytesPerLine: Int) {
            self.buffer = buffer
            self.offset = offset
            self.bytesPerLine = bytesPerLine
        }
    }

    /// The pieces of a framebuffer, one to four, without memory of their own.
    public struct Pieces: Hashable, Sendable, RandomAccessCollection {
        private var storage: (Piece, Piece, Piece, Piece)
        public private(set) var count: Int

        public init() {
            let empty = Piece(buffer: 0, offset: 0, bytesPerLine: 0)
            storage = (empty, empty, empty, empty)
            count = 0
        }

        public var startIndex: Int { 0 }
        public var endIndex: Int { count }

        public subscript(index: Int) -> Piece {
            get {
                precondition(index >= 0 && index < count, "a framebuffer has no such piece")
                return switch index {
                case 0: storage.0
                case 1: storage.1
                case 2: storage.2
                default: storage.3
                }
            }
            set {
                precondition(index >= 0 && index < count, "a framebuffer has no such piece")
                switch index {
                case 0: storage.0 = newValue
                case 1: storage.1 = newValue
                case 2: storage.2 = newValue
                default: storage.3 = newValue
                }
            }
        }

        /// Adds a piece; a fifth one is a mistake of the caller.
        public mutating func append(_ piece: Piece) {
            precondition(count < 4, "a framebuffer has four pieces at most")
            count += 1
            self[count - 1] = piece
        }

        public static func == (one: Pieces, other: Pieces) -> Bool { one.elementsEqual(other) }
        public func hash(into hasher: inout Hasher) { for piece in self { hasher.combine(piece) } }
    }

    /// The kernel's number of the plane.
    public var id: UInt32 = 0
    public var kind = Kind.primary
    /// Its place in the pile: what has a greater one lies above.
    public var depth = 0
    /// The kernel's number of the framebuffer; numbers are used again for others.
    public var framebuffer: UInt32 = 0
    /// Pixels a line of the framebuffer.
    public var width = 0
    /// Lines of the framebuffer.
    public var height = 0
    /// DRM_FORMAT_….
    public var fourcc: UInt32 = 0
    /// DRM_FORMAT_MOD_…; for a framebuffer that was made without one LINEAR, or `unknownModifier` where its driver says that
    /// it is not.
    public var modifier: UInt64 = 0
    /// DRM_FORMAT_MOD_INVALID: an order that nobody names.
    public static let unknownModifier: UInt64 = 0x00FF_FFFF_FFFF_FFFF
    public var pieces = Pieces()
    /// The part of the framebuffer that is shown, in 1/65536 of its pixels (SRC_X, SRC_Y, SRC_W, SRC_H).
    public var sourceX: UInt32 = 0
    public var sourceY: UInt32 = 0
    public var sourceWidth: UInt32 = 0
    public var sourceHeight: UInt32 = 0
    /// Where on the screen, in its pixels; parts may lie outside (CRTC_X, CRTC_Y, CRTC_W, CRTC_H).
    public var x = 0
    public var y = 0
    public var targetWidth = 0
    public var targetHeight = 0
    /// DRM_MODE_ROTATE_… and DRM_MODE_REFLECT_…: how the part is turned before it is put there, counter-clockwise,
    /// reflected first.
    public var rotation: UInt32 = 1
    /// The plane's alpha, 0 (not seen) … 65535.
    public var alpha: UInt16 = 0xFFFF
    public var blend = Blend.premultiplied
    /// For Y'CbCr: H.273's number of the matrix: 6 (BT.601), 1 (BT.709), 9 (BT.2020).
    public var matrix: UInt8 = 6
    /// For Y'CbCr: whether samples use all values.
    public var isFullRange = false

    public init() {}
}
