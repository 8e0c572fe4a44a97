import Testing

@testable import KMS

@Suite("Memory without a modifier")
struct TilingSourceTests {
    @Test("only drivers of AMD's older graphics processors have to be asked how it lies")
    func drivers() {
        #expect(TilingSource(driver: "amdgpu") == .amdgpu && TilingSource(driver: "radeon") == .radeon)
        for name in ["vc4", "rockchip", "i915", "vkms", "simpledrm", "msm", ""] {
            #expect(TilingSource(driver: name) == .modifier)
        }
    }

    @Test("a console's memory is linear, a desktop's is tiles, whatever else the driver keeps of them")
    func tiled() {
        // ARRAY_LINEAR_GENERAL and ARRAY_LINEAR_ALIGNED, then ARRAY_1D_TILED_THIN1 and ARRAY_2D_TILED_THIN1.
        for (mode, isTiled) in [(UInt64(0), false), (1, false), (2, true), (4, true)] {
            #expect(TilingSource.isTiled(amdgpu: mode) == isTiled)
            #expect(TilingSource.isTiled(amdgpu: mode | 0x1F_FFF0) == isTiled)
        }
        #expect(!TilingSource.isTiled(radeon: 0) && !TilingSource.isTiled(radeon: 0x4))
        #expect(TilingSource.isTiled(radeon: 0x1) && TilingSource.isTiled(radeon: 0x2))
    }
}
