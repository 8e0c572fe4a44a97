import CDRM

/// Who says in which order the bytes of a framebuffer lie.
enum TilingSource: Equatable {
    /// Its modifier; one without is linear.
    case modifier
    /// Where there is no modifier, what the driver keeps of the memory: amdgpu for graphics processors before Vega, whose
    /// display engine knows no modifiers.
    case amdgpu
    /// The same of radeon.
    case radeon

    /// - Parameter driver: "amdgpu".
    init(driver: String) {
        switch driver {
        case "amdgpu": self = .amdgpu
        case "radeon": self = .radeon
        default: self = .modifier
        }
    }

    /// Whether what amdgpu keeps of a piece of memory (`tiling_info`) is anything but lines one behind the other: an array
    /// mode above ARRAY_LINEAR_ALIGNED, as registers of GFX6 to GFX8 have it.
    static func isTiled(amdgpu information: UInt64) -> Bool {
        information >> UInt64(AMDGPU_TILING_ARRAY_MODE_SHIFT) & UInt64(AMDGPU_TILING_ARRAY_MODE_MASK) > 1
    }

    /// The same of what radeon keeps (`tiling_flags`).
    static func isTiled(radeon flags: UInt32) -> Bool {
        flags & UInt32(RADEON_TILING_MACRO | RADEON_TILING_MICRO) != 0
    }
}

extension ScreenCard {
    /// The modifier of a framebuffer that names none.
    /// - Parameter handle: its memory's.
    func unsaidModifier(_ handle: UInt32) -> UInt64 {
        let isTiled: Bool
        switch tilingSource {
        case .modifier: isTiled = false
        // What cannot be asked is no line after line for certain.
        case .amdgpu:
            var metadata = drm_amdgpu_gem_metadata()
            metadata.handle = handle
            metadata.op = UInt32(AMDGPU_GEM_METADATA_OP_GET_METADATA)
            let isAnswered = (try? request(CDRM_AMDGPU_GEM_METADATA, &metadata)) != nil
            isTiled = !isAnswered || TilingSource.isTiled(amdgpu: metadata.data.tiling_info)
        case .radeon:
            var tiling = drm_radeon_gem_get_tiling()
            tiling.handle = handle
            let isAnswered = (try? request(CDRM_RADEON_GEM_GET_TILING, &tiling)) != nil
            isTiled = !isAnswered || TilingSource.isTiled(radeon: tiling.tiling_flags)
        }
        return isTiled ? ScreenPlane.unknownModifier : 0
    }
}
