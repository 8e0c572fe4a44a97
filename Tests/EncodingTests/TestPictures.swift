import Glibc
import Media

/// Pictures that any test can draw again: a slope that moves, with as much noise as is wanted.
struct TestPictures {
    let format: VideoFormat
    private let noise: [UInt8]

    /// - Parameter amplitude: 0 for a smooth picture; else a power of two up to 128.
    init(_ format: VideoFormat, noise amplitude: Int = 0) {
        self.format = format
        var random: UInt64 = 42
        noise = (0..<(amplitude == 0 ? 0 : 8209)).map { _ in
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: random >> 40) & UInt8(amplitude - 1)
        }
    }

    /// The picture with this number as one array, planes in the order of YUV420.
    func planar(_ number: Int) -> [UInt8] {
        let (width, height) = (format.width, format.height)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(width * height * 3 / 2)
        let slope = (0..<(width + height + 1024)).map { (place: Int) -> UInt8 in
            let step = place / 3 % 256
            return UInt8(40 + (step < 128 ? step : 255 - step))
        }
        for line in 0..<height {
            let start = line + number * 3 % 768
            bytes.append(contentsOf: slope[start..<(start + width)])
        }
        for plane in 0..<2 {
            for line in 0..<(height / 2) {
                let start = line / 2 + plane * 99 + number % 256
                bytes.append(contentsOf: slope[start..<(start + width / 2)])
            }
        }
        if !noise.isEmpty {
            bytes.withUnsafeMutableBufferPointer { bytes in
                noise.withUnsafeBufferPointer { noise in
                    var place = number * 1237 % noise.count
                    for index in 0..<(width * height) {
                        bytes[index] &+= noise[place]
                        place = place + 1 == noise.count ? 0 : place + 1
                    }
                }
            }
        }
        return bytes
    }

    /// Draws the picture with this number into a frame.
    func draw(_ number: Int, into frame: VideoFrame) {
        let (width, height) = (format.width, format.height)
        let half = width / 2
        planar(number).withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            for line in 0..<height {
                memcpy(frame.planes[0].base + line * frame.planes[0].bytesPerLine, base + line * width, width)
            }
            for line in 0..<(height / 2) {
                let (blue, red) = (base + width * height + line * half, base + width * height * 5 / 4 + line * half)
                if format.pixelFormat == .nv12 {
                    let target = frame.planes[1].base + line * frame.planes[1].bytesPerLine
                    for column in 0..<half {
                        target.storeBytes(
                            of: blue.load(fromByteOffset: column, as: UInt8.self), toByteOffset: 2 * column,
                            as: UInt8.self)
                        target.storeBytes(
                            of: red.load(fromByteOffset: column, as: UInt8.self), toByteOffset: 2 * column + 1,
                            as: UInt8.self)
                    }
                } else {
                    memcpy(frame.planes[1].base + line * frame.planes[1].bytesPerLine, blue, half)
                    memcpy(frame.planes[2].base + line * frame.planes[2].bytesPerLine, red, half)
                }
            }
        }
    }
}
