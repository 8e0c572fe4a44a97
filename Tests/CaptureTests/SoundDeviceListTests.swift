import Testing

@testable import Capture

@Suite("Sound devices as the kernel lists them")
struct SoundDeviceListTests {
    @Test("only nodes that capture are taken")
    func nodes() throws {
        let node = try #require(DeviceList.captureNode("pcmC1D10c"))
        #expect(node == (1, 10))
        for name in ["pcmC0D0p", "controlC0", "timer", "pcmCxD0c", "pcmC0c", "seq"] {
            #expect(DeviceList.captureNode(name)?.card == nil)
        }
    }

    @Test("cards have the names that people know")
    func names() {
        let text = """
             0 [PCH            ]: HDA-Intel - HDA Intel PCH
                                  HDA Intel PCH at 0xf7d10000 irq 130
             1 [Device         ]: USB-Audio - USB Audio Device
                                  C-Media Electronics Inc. USB Audio Device at usb-0000:00:14.0-2, full speed
            12 [Loopback       ]: Loopback - Loopback
                                  Loopback 1

            """
        #expect(DeviceList.cardNames(text) == [0: "HDA Intel PCH", 1: "USB Audio Device", 12: "Loopback"])
        #expect(DeviceList.cardNames("--- no soundcards ---\n").isEmpty)
    }

    @Test("a device's description is read")
    func fields() {
        let fields = DeviceList.fields("card: 1\ndevice: 0\nname: USB Audio\nsubdevices_avail: 0\n")
        #expect(fields["name"] == "USB Audio")
        #expect(fields["subdevices_avail"] == "0")
    }
}
