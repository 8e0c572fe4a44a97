import KMS

/// One plane of a screen, with its memory as this process sees it. The memory is only looked at while a `Composer` works.
public struct ScreenLayer {
    public var plane: ScreenPlane
    private var pieces: (UnsafeRawBufferPointer, UnsafeRawBufferPointer, UnsafeRawBufferPointer, UnsafeRawBufferPointer)

    public init(_ plane: ScreenPlane) {
        self.plane = plane
        let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
        pieces = (nothing, nothing, nothing, nothing)
    }

    /// All of the memory in which piece `index` (0…3) of the framebuffer lies: from the memory's start, not from the
    /// piece's offset. What is not set is empty.
    public subscript(memory index: Int) -> UnsafeRawBufferPointer {
        get {
            switch index {
            case 0: pieces.0
            case 1: pieces.1
            case 2: pieces.2
            default: pieces.3
            }
        }
        set {
            switch index {
            case 0: pieces.0 = newValue
            case 1: pieces.1 = newValue
            case 2: pieces.2 = newValue
            default: pieces.3 = newValue
            }
        }
    }
}
