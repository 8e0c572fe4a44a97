import CKernel
import Glibc
import Linux
import Media

/// The sizes that a device gives pictures of one layout in (VIDIOC_ENUM_FRAMESIZES).
public enum V4L2Sizes: Hashable, Sendable {
    case discrete([Size])
    /// From the smallest to the largest, in steps.
    case stepwise(smallest: Size, largest: Size, step: Size)

    /// Pixels a line and lines.
    public struct Size: Hashable, Sendable, CustomStringConvertible {
        public var width: Int
        public var height: Int

        public init(_ width: Int, _ height: Int) {
            self.width = width
            self.height = height
        }

        /// "1920x1080".
        public var description: String { "\(width)x\(height)" }
    }
}

/// The rates that a device gives pictures of one layout and size at (VIDIOC_ENUM_FRAMEINTERVALS).
public enum V4L2Rates: Hashable, Sendable {
    /// The device does not say.
    case unknown
    case discrete([FrameRate])
    case range(slowest: FrameRate, fastest: FrameRate)
}

extension V4L2Device {
    /// The four-character codes that a queue can have, in the driver's order (VIDIOC_ENUM_FMT).
    public func layouts(_ type: V4L2BufferType) -> [UInt32] {
        var codes: [UInt32] = []
        // A bound, should a driver never come to an end.
        for index in 0..<256 as Range<UInt32> {
            var entry = v4l2_fmtdesc()
            (entry.index, entry.type) = (index, type.rawValue)
            guard (try? request(CKERNEL_VIDIOC_ENUM_FMT, &entry)) != nil else { break }
            codes.append(entry.pixelformat)
        }
        return codes
    }

    /// The sizes that a layout can have; nil when the device does not say, as those that a signal decides.
    public func sizes(_ fourcc: UInt32) -> V4L2Sizes? {
        var sizes: [V4L2Sizes.Size] = []
        for index in 0..<256 as Range<UInt32> {
            var entry = v4l2_frmsizeenum()
            (entry.index, entry.pixel_format) = (index, fourcc)
            guard (try? request(CKERNEL_VIDIOC_ENUM_FRAMESIZES, &entry)) != nil else { break }
            guard entry.type == V4L2_FRMSIZE_TYPE_DISCRETE.rawValue else {
                let range = entry.stepwise
                return .stepwise(
                    smallest: V4L2Sizes.Size(Int(range.min_width), Int(range.min_height)),
                    largest: V4L2Sizes.Size(Int(range.max_width), Int(range.max_height)),
                    step: V4L2Sizes.Size(max(Int(range.step_width), 1), max(Int(range.step_height), 1)))
            }
            sizes.append(V4L2Sizes.Size(Int(entry.discrete.width), Int(entry.discrete.height)))
        }
        return sizes.isEmpty ? nil : .discrete(sizes)
    }

    /// The rates that a layout and size can have.
    public func rates(_ fourcc: UInt32, _ size: V4L2Sizes.Size) -> V4L2Rates {
        var rates: [FrameRate] = []
        for index in 0..<256 as Range<UInt32> {
            var entry = v4l2_frmivalenum()
            (entry.index, entry.pixel_format) = (index, fourcc)
            (entry.width, entry.height) = (UInt32(size.width), UInt32(size.height))
            guard (try? request(CKERNEL_VIDIOC_ENUM_FRAMEINTERVALS, &entry)) != nil else { break }
            guard entry.type == V4L2_FRMIVAL_TYPE_DISCRETE.rawValue else {
                guard let fastest = Self.rate(entry.stepwise.min) else { return .unknown }
                // The longest interval may be more than a picture in an hour: then the fastest is all that counts.
                return .range(slowest: Self.rate(entry.stepwise.max) ?? fastest, fastest: fastest)
            }
            if let rate = Self.rate(entry.discrete) { rates.append(rate) }
        }
        return rates.isEmpty ? .unknown : .discrete(rates)
    }

    /// The rate that a queue is set to (VIDIOC_G_PARM); nil when the device has no such setting.
    public func rate(_ type: V4L2BufferType) -> FrameRate? {
        var setting = v4l2_streamparm()
        setting.type = type.rawValue
        guard (try? request(CKERNEL_VIDIOC_G_PARM, &setting)) != nil else { return nil }
        return Self.rate(setting.parm.capture.timeperframe)
    }

    /// Sets a queue's rate (VIDIOC_S_PARM).
    /// - Returns: what the driver made of it; nil when the device has no such setting.
    public func set(rate: FrameRate, _ type: V4L2BufferType) throws(Errno) -> FrameRate? {
        var setting = v4l2_streamparm()
        setting.type = type.rawValue
        setting.parm.capture.timeperframe = v4l2_fract(
            numerator: UInt32(clamping: rate.denominator), denominator: UInt32(clamping: rate.numerator))
        do {
            try request(CKERNEL_VIDIOC_S_PARM, &setting)
        } catch {
            if error.code == ENOTTY || error.code == EINVAL { return nil }
            throw error
        }
        return Self.rate(setting.parm.capture.timeperframe)
    }

    private static func rate(_ interval: v4l2_fract) -> FrameRate? {
        FrameRate(Int64(interval.denominator), Int64(interval.numerator))
    }
}
