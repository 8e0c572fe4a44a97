import CKernel
import Glibc
import Linux

/// A process of its own that sets the lights when this one has died, whatever it died of: so no steady red light is left
/// that nobody stands for. It waits without waking up.
///
/// To be started by a thread that stays as long as the lights are needed: its end counts as the program's, since a program
/// of which another thread hangs in a device is not over before that device lets it go.
struct LightGuard: ~Copyable {
    private let process: pid_t
    private let control: Int32

    /// - Throws: `Errno` where no process can be started.
    init(_ will: LastWill) throws(Errno) {
        var control: Int32 = -1
        let paths = will.writes.map { strdup($0.path) }
        let texts = will.writes.map { strdup($0.text) }
        defer { (paths + texts).forEach { free($0) } }
        process = try Self.start(will, paths, texts, &control)
        self.control = control
    }

    /// Lets it end without doing anything.
    deinit {
        ckernel_dismiss_light_guard(process, control)
    }

    /// Readable once the guard has ended, which it does not do by itself.
    var raw: Int32 { control }

    private static func start(
        _ will: LastWill, _ paths: [UnsafeMutablePointer<CChar>?], _ texts: [UnsafeMutablePointer<CChar>?],
        _ control: inout Int32
    ) throws(Errno) -> pid_t {
        let process = will.lines.withUnsafeBufferPointer { lines in
            will.locks.withUnsafeBufferPointer { locks in
                paths.map { UnsafePointer($0) }.withUnsafeBufferPointer { paths in
                    texts.map { UnsafePointer($0) }.withUnsafeBufferPointer { texts in
                        var content = ckernel_last_will(
                            lines: lines.baseAddress, line_count: Int32(lines.count),
                            locks: locks.baseAddress, lock_count: Int32(locks.count),
                            paths: paths.baseAddress, texts: texts.baseAddress, write_count: Int32(paths.count))
                        return ckernel_start_light_guard(&content, &control)
                    }
                }
            }
        }
        guard process > 0 else { throw Errno.last }
        return process
    }
}
