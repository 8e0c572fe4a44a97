import Media
import Storage
import Testing

@Suite("The room on a medium")
struct VolumeTests {
    private func kind(_ body: () throws(Failure) -> Void) -> FailureKind? {
        do throws(Failure) {
            try body()
            return nil
        } catch {
            return error.kind
        }
    }

    @Test("is what the kernel says of the folder's file system")
    func real() throws {
        let volume = try Volume(holding: "/tmp")
        #expect(volume.freeByteCount > 0 && !volume.isReadOnly)
        #expect(kind { () throws(Failure) in try volume.checkRoom(for: 1, in: "/tmp") } == nil)
        #expect(kind { () throws(Failure) in try volume.checkRoom(for: .max, in: "/tmp") } == .mediumFull)
    }

    @Test("of a folder that is not there cannot be told")
    func absent() {
        #expect(kind { () throws(Failure) in _ = try Volume(holding: "/surely/absent") } == .noMedium)
    }

    @Test("does not help where nothing may be written")
    func readOnly() throws {
        var volume = try Volume(holding: "/tmp")
        volume.isReadOnly = true
        #expect(kind { () throws(Failure) in try volume.checkRoom(for: 1, in: "/tmp") } == .mediumReadOnly)
    }
}
