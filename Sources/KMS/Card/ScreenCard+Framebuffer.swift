import CDRM
import CKernel
import Glibc
import Linux

/// Reading a framebuffer's memory. Numbers of framebuffers are used again, and handles are numbers of one open card: what
/// stays the same for as long as the memory lives is the dma-buf's inode.
extension ScreenCard {
    /// What became of a framebuffer.
    enum Outcome {
        case read
        /// There is no such framebuffer any more.
        case gone
        /// The kernel gave no handle: this process may not read what others show.
        case denied
        /// More memory than a view takes.
        case crowded
    }

    /// Puts down size, format and memory of a plane's framebuffer.
    ///
    /// Each request for it makes handles, references of this open card that keep the memory; one that several pieces have
    /// in common is one handle (`drm_mode_getfb2_ioctl`). All are given back before this returns.
    func readFramebuffer(of plane: inout ScreenPlane, into picture: ScreenPicture) throws(Errno) -> Outcome {
        var framebuffer = drm_mode_fb_cmd2()
        framebuffer.fb_id = plane.framebuffer
        do throws(Errno) {
            try request(CDRM_MODE_GETFB2, &framebuffer)
        } catch {
            if error.code == ENOENT { return .gone }
            throw error
        }
        plane.width = Int(framebuffer.width)
        plane.height = Int(framebuffer.height)
        plane.fourcc = framebuffer.pixel_format
        plane.pieces = ScreenPlane.Pieces()
        let handles = framebuffer.handles
        guard handles.0 != 0 else { return .denied }
        defer { giveBack(handles) }
        let isModified = framebuffer.flags & UInt32(DRM_MODE_FB_MODIFIERS) != 0
        plane.modifier = isModified ? framebuffer.modifier.0 : unsaidModifier(handles.0)
        let (offsets, lines) = (framebuffer.offsets, framebuffer.pitches)
        guard try add(handles.0, offsets.0, lines.0, handles, to: &plane, picture),
            try add(handles.1, offsets.1, lines.1, handles, to: &plane, picture),
            try add(handles.2, offsets.2, lines.2, handles, to: &plane, picture),
            try add(handles.3, offsets.3, lines.3, handles, to: &plane, picture)
        else { return .crowded }
        return .read
    }

    private typealias Handles = (UInt32, UInt32, UInt32, UInt32)

    /// Adds a piece to a plane: false when the picture has no room for its memory.
    private func add(
        _ handle: UInt32, _ offset: UInt32, _ line: UInt32, _ all: Handles, to plane: inout ScreenPlane,
        _ picture: ScreenPicture
    ) throws(Errno) -> Bool {
        guard handle != 0 else { return true }
        let buffer: Int
        switch (plane.pieces.count, handle) {
        case (1..., all.0): buffer = plane.pieces[0].buffer
        case (2..., all.1): buffer = plane.pieces[1].buffer
        case (3..., all.2): buffer = plane.pieces[2].buffer
        default:
            guard let new = try share(handle, with: picture) else { return false }
            buffer = new
        }
        plane.pieces.append(.init(buffer: buffer, offset: Int(offset), bytesPerLine: Int(line)))
        return true
    }

    /// Makes a dma-buf of a handle and gives it to the picture: its place there.
    private func share(_ handle: UInt32, with picture: ScreenPicture) throws(Errno) -> Int? {
        var order = drm_prime_handle()
        order.handle = handle
        order.flags = UInt32(O_CLOEXEC)
        try request(CDRM_PRIME_HANDLE_TO_FD, &order)
        var status = stat()
        guard fstat(order.fd, &status) == 0 else {
            let reason = Errno.last
            close(order.fd)
            throw reason
        }
        return picture.own(order.fd, inode: UInt64(status.st_ino), byteCount: Int(status.st_size))
    }

    /// Gives each handle back once.
    private func giveBack(_ handles: Handles) {
        giveBack(handles.0)
        if handles.1 != handles.0 { giveBack(handles.1) }
        if handles.2 != handles.0 && handles.2 != handles.1 { giveBack(handles.2) }
        if handles.3 != handles.0 && handles.3 != handles.1 && handles.3 != handles.2 { giveBack(handles.3) }
    }

    private func giveBack(_ handle: UInt32) {
        guard handle != 0 else { return }
        var order = drm_gem_close()
        order.handle = handle
        // It fails only for a number that is no handle.
        try? request(CDRM_GEM_CLOSE, &order)
    }
}
