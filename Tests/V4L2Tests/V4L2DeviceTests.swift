import CKernel
import Media
import Testing
import V4L2

@Suite("Video devices")
struct V4L2DeviceTests {
    private func refusal(_ path: String) -> Failure? {
        do {
            _ = try V4L2Device(opening: path)
            return nil
        } catch {
            return error
        }
    }

    @Test("a device that is not there is named, and how to find others")
    func absent() throws {
        let failure = try #require(refusal("/dev/no-such-device"))
        #expect(failure.kind == .noSource)
        #expect(failure.description.contains("/dev/no-such-device"))
        #expect(failure.description.contains("kinebox devices"))
    }

    @Test("what is no video device is refused", arguments: ["/dev/null", "/dev/zero"])
    func otherDevice(path: String) throws {
        let failure = try #require(refusal(path))
        #expect(failure.kind == .noSource)
        #expect(failure.cause == "it is no video device")
    }

    @Test("a folder is refused")
    func folder() throws {
        #expect(refusal("/tmp")?.kind == .noSource)
    }
}

@Suite("Layouts of V4L2")
struct V4L2LayoutTests {
    @Test("codes are found and named")
    func codes() throws {
        let layout = try #require(V4L2Layout.of(CKERNEL_FOURCC_YUYV))
        #expect(layout.pixelFormat == .yuyv)
        #expect(V4L2Layout.name(CKERNEL_FOURCC_YUYV) == "YUYV")
        #expect(V4L2Layout.of(CKERNEL_FOURCC_H264) == nil)
    }

    @Test("each code appears once, and every layout has one")
    func complete() {
        #expect(Set(V4L2Layout.all.map(\.fourcc)).count == V4L2Layout.all.count)
        #expect(Set(V4L2Layout.all.map(\.pixelFormat)) == Set(PixelFormat.allCases))
    }
}
