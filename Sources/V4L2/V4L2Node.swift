import Linux

/// Something that takes V4L2's requests: a video device, or a sub-device behind it ("Sub-device Interface").
public protocol V4L2Node: AnyObject {
    /// The descriptor to wait for: it has priority readiness when an event can be dequeued.
    var raw: Int32 { get }

    /// Makes a request (`ioctl(2)`), again when a signal interrupts it. The argument is the C struct of the request.
    /// - Throws: the driver's `Errno`.
    func request<Argument>(_ number: UInt, _ argument: inout Argument) throws(Errno)
}
