import Glibc
import Linux
import Media

/// Where a medium is mounted, and how it is known that it still is.
public struct MediumPlace: Hashable, Sendable {
    /// The folder: "/media/kinebox/STICK".
    public var folder: String
    /// The number of the device that all files in it are on.
    public var number: UInt64

    public init(folder: String, number: UInt64) {
        self.folder = folder
        self.number = number
    }

    /// Makes sure that the folder, or one in it, is the medium's, and not the empty place that is left when it was taken
    /// off. To be asked before each file that is created. It waits for the medium.
    /// - Parameter inner: a folder in it; nil for its top.
    /// - Throws: `Failure` of kind noMedium when the folder lies on another file system, or is not there.
    public func verify(_ inner: String? = nil) throws(Failure) {
        let path = inner ?? folder
        var status = stat()
        guard stat(path, &status) == 0 else { throw gone(path, "\(Errno.last)") }
        guard UInt64(status.st_dev) == number else { throw gone(path, "no medium is mounted there") }
    }

    private func gone(_ path: String, _ cause: String) -> Failure {
        Failure(.noMedium, "cannot record to \(path)", because: cause, mend: "Plug in a USB stick or a card.")
    }
}
