import CKernel
import Glibc
import Linux
import Media

/// A GPIO line that is a button's contact.
final class ButtonLine: ContactSource {
    /// What a level has to stay for where nothing else is configured: 10 ms.
    static let usualDebounce: Int64 = 10_000_000

    private let line: LineRequest
    private let button: Int
    private var isActive: Bool
    private var number: UInt32 = 0

    /// - Parameters:
    ///   - button: its place in the configuration.
    ///   - debounce: nanoseconds for which the kernel is asked to let levels settle; 0 for none.
    init(_ address: LineAddress, _ sense: LineSense, button: Int, debounce: Int64) throws(Failure) {
        let line = try LineRequest.input(address, sense, debounce: debounce)
        do throws(Errno) {
            isActive = try line.level()
        } catch {
            throw PanelFailure.opening("the line \(line.name)", error, group: "gpio")
        }
        self.line = line
        self.button = button
    }

    var raw: Int32 { line.raw }
    var name: String { line.name }
    var path: String? { nil }
    var buttons: [Int] { [button] }
    var isDebounced: Bool { line.isDebounced }

    func isClosed(_ button: Int) -> Bool { isActive }

    func takeEdges(_ take: (ContactEdge) -> Void) throws(Errno) {
        var isLost = false
        let reason: Errno? = withUnsafeTemporaryAllocation(of: gpio_v2_line_event.self, capacity: 16) { buffer in
            while true {
                do throws(Errno) {
                    let count = try line.read(buffer)
                    for event in buffer[..<count] { isLost = read(event, take) || isLost }
                    if count < buffer.count { return nil }
                } catch {
                    return error
                }
            }
        }
        if let reason { throw reason }
        if isLost { try takeMissedEdges(take) }
    }

    func takeMissedEdges(_ take: (ContactEdge) -> Void) throws(Errno) {
        let level = try line.level()
        guard level != isActive else { return }
        isActive = level
        tell(at: .now, isExact: false, take)
    }

    /// - Returns: whether edges before this one are missing: of a queue that was full the kernel drops the oldest.
    private func read(_ event: gpio_v2_line_event, _ take: (ContactEdge) -> Void) -> Bool {
        let isGap = event.line_seqno != number &+ 1
        number = event.line_seqno
        isActive = event.id == UInt32(GPIO_V2_LINE_EVENT_RISING_EDGE.rawValue)
        tell(at: MonotonicTime(nanoseconds: Int64(event.timestamp_ns)), isExact: true, take)
        return isGap
    }

    private func tell(at time: MonotonicTime, isExact: Bool, _ take: (ContactEdge) -> Void) {
        take(ContactEdge(button: button, change: .init(isClosed: isActive, time: time, isExact: isExact)))
    }
}
