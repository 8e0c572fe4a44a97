import Judges
import Testing

extension BoardTests {
    @Suite("Webcam and the rest")
    struct OtherDeviceTests {
        @Test(
            "every device has its name",
            arguments: [
                "hdmi", "hdmi-feed", "hdmi-planes", "hdmi-planes-feed", "converter", "webcam", "screen", "keys",
                "panel",
            ])
        func name(of device: String) throws {
            try Board.shell("test -c /dev/board/\(device)")
        }

        @Test("the webcam gives the JPEG pictures that are played into it")
        func webcam() throws {
            try Board.shell(
                "cd /tmp; ffmpeg -v error -y -f lavfi -i testsrc=size=320x240:rate=10 -t 1 -c:v mjpeg -f mjpeg cam.mjpeg"
            )
            let playing = try Board.start(
                "exec ffmpeg -v error -re -stream_loop -1 -f mjpeg -r 10 -i /tmp/cam.mjpeg -c copy -f v4l2 /dev/board/webcam"
            )
            try Board.shell("until v4l2-ctl -d /dev/board/webcam -V 2>/dev/null | grep -q MJPG; do sleep 0.1; done")
            let seen = try Board.run(
                "v4l2-ctl", "-d", "/dev/board/webcam", "--stream-mmap", "--stream-count=3", "--stream-to=-"
            ).output
            playing.send(15)
            _ = playing.wait(atMost: 10)
            #expect(seen.starts(with: [0xff, 0xd8, 0xff]))
        }

        @Test("memory of this process can be given to a device as a dma-buf")
        func udmabuf() throws {
            try Board.shell("test -c /dev/udmabuf; test -c /dev/dma_heap/system")
        }

        @Test("the board is its own machine: nothing but what was shared is written to the host")
        func overlay() throws {
            try Board.shell("echo lost >/etc/only-here; test -s /etc/only-here; ! touch /old/etc/not-here 2>/dev/null")
        }
    }
}
