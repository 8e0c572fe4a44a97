import CYUV
import Media

/// Brings planar pictures with more chroma than 4:2:0 to YUV420.
public enum PlanarChroma {
    /// Reduces a picture whose three planes Y, Cb, Cr lie one behind the other without gaps.
    /// - Parameters:
    ///   - samples: all of the picture.
    ///   - halvingColumns: true for 4:4:4, false for 4:2:2.
    ///   - frame: a YUV420 frame of the same size.
    ///   - width: even.
    ///   - height: even.
    public static func reduce(
        _ samples: UnsafeRawBufferPointer, halvingColumns: Bool, into frame: VideoFrame, width: Int, height: Int
    ) {
        let chromaWidth = halvingColumns ? width : width / 2
        precondition(
            samples.count >= height * (width + 2 * chromaWidth) && frame.planes.count == 3, "a picture's planes")
        guard let base = samples.assumingMemoryBound(to: UInt8.self).baseAddress else { return }
        let (cb, cr) = (base + width * height, base + height * (width + chromaWidth))
        func plane(_ index: Int) -> UnsafeMutablePointer<UInt8> {
            frame.planes[index].base.assumingMemoryBound(to: UInt8.self)
        }
        func stride(_ index: Int) -> Int32 { Int32(frame.planes[index].bytesPerLine) }
        let convert = halvingColumns ? I444ToI420 : I422ToI420
        _ = convert(
            base, Int32(width), cb, Int32(chromaWidth), cr, Int32(chromaWidth), plane(0), stride(0), plane(1),
            stride(1),
            plane(2), stride(2), Int32(width), Int32(height))
    }
}
