/// A part of a picture, in its pixels; the right and lower edges are outside.
struct Rectangle: Hashable {
    var left: Int
    var top: Int
    var right: Int
    var bottom: Int

    var width: Int { right - left }
    var height: Int { bottom - top }
    var isEmpty: Bool { right <= left || bottom <= top }

    func intersected(_ other: Rectangle) -> Rectangle {
        Rectangle(
            left: max(left, other.left), top: max(top, other.top), right: min(right, other.right),
            bottom: min(bottom, other.bottom))
    }

    /// Where this part lies once the whole picture is turned (drm_rect_rotate).
    /// - Parameters:
    ///   - width: pixels a line of the whole, before.
    ///   - height: lines of the whole, before.
    func turned(_ turn: Turn, width: Int, height: Int) -> Rectangle {
        switch turn {
        case .none: self
        case .quarter: Rectangle(left: top, top: width - right, right: bottom, bottom: width - left)
        case .half:
            Rectangle(left: width - right, top: height - bottom, right: width - left, bottom: height - top)
        case .threeQuarters: Rectangle(left: height - bottom, top: left, right: height - top, bottom: right)
        }
    }
}
