import CKernel
import Testing

@testable import Panel

@Suite("Keys of input devices")
struct KeyDeviceTests {
    private func take(_ events: [(Int32, Int32, Int32)]) -> [KeyEvents.Meaning] {
        var reader = KeyEvents()
        return events.map { reader.take(type: UInt16($0.0), code: UInt16($0.1), value: $0.2) }.filter { $0 != .nothing }
    }

    @Test("presses and releases count, a key that repeats itself does not")
    func edges() {
        let read = take([
            (EV_MSC, MSC_SCAN, 5), (EV_KEY, KEY_RECORD, 1), (EV_SYN, SYN_REPORT, 0), (EV_KEY, KEY_RECORD, 2),
            (EV_SYN, SYN_REPORT, 1), (EV_KEY, KEY_RECORD, 0), (EV_SYN, SYN_REPORT, 0), (EV_REL, REL_X, 1),
        ])
        let code = UInt16(KEY_RECORD)
        #expect(read == [.key(code: code, isDown: true), .key(code: code, isDown: false)])
    }

    @Test("after SYN_DROPPED nothing is believed up to the end of the report, and then the levels are asked for")
    func dropped() {
        let read = take([
            (EV_KEY, KEY_PLAY, 1), (EV_SYN, SYN_DROPPED, 0), (EV_KEY, KEY_RECORD, 1), (EV_KEY, KEY_PLAY, 0),
            (EV_SYN, SYN_REPORT, 0), (EV_KEY, KEY_STOP, 1), (EV_SYN, SYN_REPORT, 0),
        ])
        #expect(
            read == [
                .key(code: UInt16(KEY_PLAY), isDown: true), .lost, .key(code: UInt16(KEY_STOP), isDown: true),
            ])
    }

    private func set(_ codes: [Int32]) -> KeySet {
        var keys = KeySet()
        keys.fill { bytes in
            for code in codes { bytes[Int(code) / 8] |= 1 << (code % 8) }
        }
        return keys
    }

    private func key(_ name: String, on device: String? = nil, isExclusive: Bool = true) throws -> ButtonWiring {
        let code = try #require(KeyCode(named: name))
        return ButtonWiring(name, at: .key(code, device: device, isExclusive: isExclusive))
    }

    private func buttons(_ wirings: [ButtonWiring], _ keys: KeySet, name: String = "keys", phys: String = "") -> [Int] {
        KeyDevice.fitting(wirings, keys, name: name, phys: phys).keys.map(\.button)
    }

    @Test("a device is chosen by the keys that it has, and by its name or place where they are given")
    func fitting() throws {
        let keys = set([KEY_RECORD, KEY_STOP])
        #expect(buttons([try key("RECORD"), try key("PLAY"), try key("STOP")], keys) == [0, 2])
        #expect(buttons([try key("RECORD", on: "keys")], keys) == [0])
        #expect(buttons([try key("RECORD", on: "PCsensor*")], keys, name: "PCsensor FootSwitch") == [0])
        #expect(buttons([try key("RECORD", on: "PCsensor*")], keys).isEmpty)
        #expect(buttons([try key("RECORD", on: "usb-*-1.2/input0")], keys, phys: "usb-0000:01:00.0-1.2/input0") == [0])
        #expect(buttons([try key("RECORD", on: "usb-*-1.3/*")], keys, phys: "usb-0000:01:00.0-1.2/input0").isEmpty)
    }

    @Test("somebody's keyboard is left alone unless it is named")
    func keyboard() throws {
        let keyboard = set(Array(KEY_ESC...KEY_D) + [KEY_RECORD])
        #expect(keyboard.isKeyboard)
        #expect(buttons([try key("RECORD")], keyboard).isEmpty)
        #expect(buttons([try key("RECORD", on: "keys")], keyboard) == [0])
        #expect(!set([KEY_A, KEY_B, KEY_RECORD]).isKeyboard)
    }

    @Test("a device is taken for us alone unless no button on it asks for that")
    func exclusive() throws {
        let keys = set([KEY_RECORD, KEY_STOP])
        let shared = try key("RECORD", isExclusive: false)
        #expect(!KeyDevice.fitting([shared], keys, name: "", phys: "").isExclusive)
        #expect(KeyDevice.fitting([shared, try key("STOP")], keys, name: "", phys: "").isExclusive)
        #expect(!KeyDevice.fitting([shared, try key("PLAY")], keys, name: "", phys: "").isExclusive)
    }

    @Test("keys have names and numbers")
    func codes() throws {
        #expect(KeyCode(named: "KEY_RECORD")?.code == 167)
        #expect(KeyCode(named: "RECORD")?.code == 167)
        #expect(KeyCode(named: "167")?.description == "KEY_RECORD")
        #expect(KeyCode(named: "BTN_0")?.code == 256)
        #expect(KeyCode(named: "766")?.description == "766")
        #expect(KeyCode(named: "768") == nil && KeyCode(named: "-1") == nil && KeyCode(named: "KEY_NONE") == nil)
        #expect(Set(KeyCode.names).count == KeyCode.names.count)
        for name in KeyCode.names { #expect(KeyCode(named: name)?.description == name) }
    }

    @Test("lines are addressed by name, or by chip and place")
    func lines() {
        #expect(LineAddress("GPIO17") == .named("GPIO17"))
        #expect(LineAddress("pinctrl-bcm2711:17") == .place(chip: "pinctrl-bcm2711", offset: 17))
        #expect(LineAddress("1c20800.pinctrl:3")?.description == "1c20800.pinctrl:3")
        #expect(LineAddress("led:red") == .named("led:red"))
        #expect(LineAddress(":4") == .named(":4"))
        #expect(LineAddress("") == nil)
    }
}
