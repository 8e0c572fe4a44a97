import CKernel

/// The number of a key or a button of an input device, as in `<linux/input-event-codes.h>`.
public struct KeyCode: Hashable, Sendable, CustomStringConvertible {
    /// 0...767.
    public let code: UInt16

    /// - Parameter code: 0...767; nil for another number.
    public init?(_ code: Int) {
        guard (0..<Int(KEY_CNT)).contains(code) else { return nil }
        self.code = UInt16(code)
    }

    /// From a configuration: one of `names`, with or without "KEY_", or a number ("167", as `evtest` shows it).
    public init?(named name: String) {
        if let number = Int(name) {
            self.init(number)
        } else {
            guard let known = Self.known.first(where: { $0.name == name || $0.name == "KEY_\(name)" }) else {
                return nil
            }
            self.init(Int(known.code))
        }
    }

    /// Its name, or its number where it has none here.
    public var description: String { Self.known.first { $0.code == Int32(code) }?.name ?? "\(code)" }

    /// The names that `init(named:)` knows: keys that buttons, foot switches, remote controls and small keypads send.
    public static let names = known.map(\.name)

    private static let known: [(name: String, code: Int32)] = media + letters + functions + others

    private static let media: [(name: String, code: Int32)] = [
        ("KEY_RECORD", KEY_RECORD), ("KEY_PLAY", KEY_PLAY), ("KEY_STOP", KEY_STOP), ("KEY_PAUSE", KEY_PAUSE),
        ("KEY_PLAYPAUSE", KEY_PLAYPAUSE), ("KEY_PLAYCD", KEY_PLAYCD), ("KEY_STOPCD", KEY_STOPCD),
        ("KEY_PAUSECD", KEY_PAUSECD), ("KEY_EJECTCD", KEY_EJECTCD), ("KEY_NEXTSONG", KEY_NEXTSONG),
        ("KEY_PREVIOUSSONG", KEY_PREVIOUSSONG), ("KEY_REWIND", KEY_REWIND), ("KEY_FASTFORWARD", KEY_FASTFORWARD),
        ("KEY_FAVORITES", KEY_FAVORITES), ("KEY_BOOKMARKS", KEY_BOOKMARKS), ("KEY_CAMERA", KEY_CAMERA),
        ("KEY_MUTE", KEY_MUTE), ("KEY_VOLUMEUP", KEY_VOLUMEUP), ("KEY_VOLUMEDOWN", KEY_VOLUMEDOWN),
        ("KEY_POWER", KEY_POWER), ("KEY_OK", KEY_OK), ("KEY_SELECT", KEY_SELECT), ("KEY_RED", KEY_RED),
        ("KEY_GREEN", KEY_GREEN), ("KEY_YELLOW", KEY_YELLOW), ("KEY_BLUE", KEY_BLUE),
    ]

    private static let letters: [(name: String, code: Int32)] = [
        ("KEY_A", KEY_A), ("KEY_B", KEY_B), ("KEY_C", KEY_C), ("KEY_D", KEY_D), ("KEY_E", KEY_E), ("KEY_F", KEY_F),
        ("KEY_G", KEY_G), ("KEY_H", KEY_H), ("KEY_I", KEY_I), ("KEY_J", KEY_J), ("KEY_K", KEY_K), ("KEY_L", KEY_L),
        ("KEY_M", KEY_M), ("KEY_N", KEY_N), ("KEY_O", KEY_O), ("KEY_P", KEY_P), ("KEY_Q", KEY_Q), ("KEY_R", KEY_R),
        ("KEY_S", KEY_S), ("KEY_T", KEY_T), ("KEY_U", KEY_U), ("KEY_V", KEY_V), ("KEY_W", KEY_W), ("KEY_X", KEY_X),
        ("KEY_Y", KEY_Y), ("KEY_Z", KEY_Z), ("KEY_0", KEY_0), ("KEY_1", KEY_1), ("KEY_2", KEY_2), ("KEY_3", KEY_3),
        ("KEY_4", KEY_4), ("KEY_5", KEY_5), ("KEY_6", KEY_6), ("KEY_7", KEY_7), ("KEY_8", KEY_8), ("KEY_9", KEY_9),
    ]

    private static let functions: [(name: String, code: Int32)] = [
        ("KEY_F1", KEY_F1), ("KEY_F2", KEY_F2), ("KEY_F3", KEY_F3), ("KEY_F4", KEY_F4), ("KEY_F5", KEY_F5),
        ("KEY_F6", KEY_F6), ("KEY_F7", KEY_F7), ("KEY_F8", KEY_F8), ("KEY_F9", KEY_F9), ("KEY_F10", KEY_F10),
        ("KEY_F11", KEY_F11), ("KEY_F12", KEY_F12), ("KEY_F13", KEY_F13), ("KEY_F14", KEY_F14), ("KEY_F15", KEY_F15),
        ("KEY_F16", KEY_F16), ("KEY_F17", KEY_F17), ("KEY_F18", KEY_F18), ("KEY_F19", KEY_F19), ("KEY_F20", KEY_F20),
        ("KEY_F21", KEY_F21), ("KEY_F22", KEY_F22), ("KEY_F23", KEY_F23), ("KEY_F24", KEY_F24),
        ("KEY_PROG1", KEY_PROG1),
        ("KEY_PROG2", KEY_PROG2), ("KEY_PROG3", KEY_PROG3), ("KEY_PROG4", KEY_PROG4),
    ]

    private static let others: [(name: String, code: Int32)] = [
        ("KEY_ENTER", KEY_ENTER), ("KEY_KPENTER", KEY_KPENTER), ("KEY_SPACE", KEY_SPACE), ("KEY_ESC", KEY_ESC),
        ("KEY_TAB", KEY_TAB), ("KEY_BACKSPACE", KEY_BACKSPACE), ("KEY_DELETE", KEY_DELETE), ("KEY_HOME", KEY_HOME),
        ("KEY_END", KEY_END), ("KEY_PAGEUP", KEY_PAGEUP), ("KEY_PAGEDOWN", KEY_PAGEDOWN), ("KEY_UP", KEY_UP),
        ("KEY_DOWN", KEY_DOWN), ("KEY_LEFT", KEY_LEFT), ("KEY_RIGHT", KEY_RIGHT), ("KEY_LEFTSHIFT", KEY_LEFTSHIFT),
        ("KEY_LEFTCTRL", KEY_LEFTCTRL), ("KEY_LEFTALT", KEY_LEFTALT), ("BTN_0", BTN_0), ("BTN_1", BTN_1),
        ("BTN_2", BTN_2), ("BTN_3", BTN_3), ("BTN_LEFT", BTN_LEFT), ("BTN_RIGHT", BTN_RIGHT),
        ("BTN_MIDDLE", BTN_MIDDLE),
        ("BTN_TRIGGER", BTN_TRIGGER),
    ]
}
