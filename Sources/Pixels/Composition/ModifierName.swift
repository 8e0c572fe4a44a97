import KMS

/// What people call the orders of bytes that framebuffers may have (drm_fourcc.h), and what to do about them.
enum ModifierName {
    /// - Parameter modifier: DRM_FORMAT_MOD_….
    static func name(_ modifier: UInt64) -> String {
        let number = "0x" + String(modifier, radix: 16)
        if modifier == ScreenPlane.unknownModifier { return "unknown, \(number)" }
        return brief(modifier).map { "\($0), \(number)" } ?? number
    }

    /// The name without the number; nil where there is none.
    static func brief(_ modifier: UInt64) -> String? {
        guard let vendor = vendors.first(where: { $0.code == modifier >> 56 }) else { return nil }
        let kind = vendor.kind(modifier & 0x00FF_FFFF_FFFF_FFFF)
        return kind.isEmpty ? vendor.name : "\(vendor.name) \(kind)"
    }

    /// What helps: where drivers choose linear memory as soon as a program names no modifier, to name none, else to draw
    /// without the graphics processor.
    static func mend(_ modifier: UInt64) -> String {
        // A driver that does not say how memory lies has chosen by itself.
        let isOwnChoice =
            modifier == ScreenPlane.unknownModifier
            || vendors.first { $0.code == modifier >> 56 }?.isTiledByItself ?? false
        return isOwnChoice
            ? "Let the program that draws the screen do without the graphics processor: WLR_RENDERER=pixman for labwc, "
                + "sway and others by wlroots, KWIN_COMPOSE=Q for KWin, --renderer=pixman for Weston."
            : "Let the program that draws the screen use linear memory: WLR_DRM_NO_MODIFIERS=1 for labwc, sway and others "
                + "by wlroots, KWIN_DRM_USE_MODIFIERS=0 for KWin, MUTTER_DEBUG_USE_KMS_MODIFIERS=0 for GNOME, "
                + "AQ_NO_MODIFIERS=1 for Hyprland, WESTON_DISABLE_GBM_MODIFIERS=1 for Weston."
    }

    private struct Vendor {
        let code: UInt64
        let name: String
        /// Whether its drivers choose tiles without being asked.
        let isTiledByItself: Bool
        let kind: @Sendable (UInt64) -> String
    }

    private static let vendors: [Vendor] = [
        Vendor(code: 1, name: "Intel", isTiledByItself: true, kind: intel),
        Vendor(code: 2, name: "AMD", isTiledByItself: true, kind: amd),
        Vendor(code: 3, name: "NVIDIA", isTiledByItself: true, kind: nvidia),
        Vendor(code: 4, name: "Samsung", isTiledByItself: false) { named($0, [1: "64x32 tiles", 2: "16x16 tiles"]) },
        Vendor(code: 5, name: "Qualcomm", isTiledByItself: false) {
            named($0, [1: "compressed (UBWC)", 2: "tiles 2", 3: "tiles 3"])
        },
        Vendor(code: 6, name: "Vivante", isTiledByItself: true) {
            named($0 & 0xFF, [1: "tiles", 2: "super tiles", 3: "split tiles", 4: "split super tiles"])
        },
        Vendor(code: 7, name: "Broadcom", isTiledByItself: false, kind: broadcom),
        Vendor(code: 8, name: "ARM", isTiledByItself: false, kind: arm),
        Vendor(code: 9, name: "Allwinner", isTiledByItself: false) { named($0, [1: "tiles"]) },
        Vendor(code: 10, name: "Amlogic", isTiledByItself: false) { named($0 & 0xFF, [1: "FBC", 2: "FBC scatter"]) },
        // Rockchip's own kernels use the number that is MediaTek's elsewhere.
        Vendor(code: 11, name: "Rockchip or MediaTek", isTiledByItself: false) { _ in "" },
        Vendor(code: 12, name: "Apple", isTiledByItself: false) { _ in "" },
    ]

    private static func named(_ code: UInt64, _ names: [UInt64: String]) -> String { names[code] ?? "" }

    private static func intel(_ code: UInt64) -> String {
        switch code {
        case 1: "X-tiled"
        case 2: "Y-tiled"
        case 3: "Yf-tiled"
        case 4, 6, 7, 8: "Y-tiled, compressed (CCS)"
        case 5: "Yf-tiled, compressed (CCS)"
        case 9: "4-tiled"
        case 10...: "4-tiled, compressed (CCS)"
        default: ""
        }
    }

    private static func amd(_ code: UInt64) -> String {
        let generation = named(code & 0xFF, [1: "GFX9 ", 2: "GFX10 ", 3: "GFX10.3 ", 4: "GFX11 ", 5: "GFX12 "])
        return generation + (code >> 13 & 1 == 1 ? "tiles, compressed (DCC)" : "tiles")
    }

    private static func nvidia(_ code: UInt64) -> String {
        code == 1 ? "Tegra tiles" : code & 0x10 != 0 ? "block linear" : ""
    }

    private static func broadcom(_ code: UInt64) -> String {
        switch code & 0xFF {
        case 1: "VC4 T-tiled"
        case 2: "SAND32"
        case 3: "SAND64"
        case 4: "SAND128"
        case 5: "SAND256"
        case 6: "UIF"
        default: ""
        }
    }

    private static func arm(_ code: UInt64) -> String {
        switch code >> 52 {
        case 0: "AFBC"
        case 1: "16x16 blocks, interleaved"
        case 2: "AFRC"
        default: ""
        }
    }
}
