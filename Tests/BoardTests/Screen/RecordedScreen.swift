import Capture
import Glibc
import Testing

/// What a recording of the screen shows, held against what a reference says that the screen showed.
struct RecordedScreen: CustomStringConvertible {
    /// The number of each picture that is right.
    private(set) var numbers: [Int] = []
    /// Pictures that are not what was shown under any number that they could have.
    private(set) var wrong = 0

    var description: String { "\(numbers.count) pictures are right, \(wrong) are wrong: \(numbers)" }

    /// How many numbers more the next picture may have, where an overlay or the cursor covers what tells it: a busy machine
    /// below keeps a recorder from many.
    private static let farthest = 3000

    /// Decodes a recording and looks at each picture, bit by bit.
    /// - Parameter reference: what the screen showed with picture `number`.
    init(of file: String, _ reference: (_ number: Int) -> ReferenceScreen) throws {
        let raw = "\(file).yuv"
        try Board.shell(
            "ffmpeg -nostdin -v error -y -i \(file) -fps_mode passthrough -pix_fmt yuv420p -f rawvideo \(raw)")
        defer { unlink(raw) }
        let (width, height) = (reference(0).pictureWidth, reference(0).pictureHeight)
        let size = width * height * 3 / 2
        let stream = try #require(fopen(raw, "r"))
        defer { fclose(stream) }
        var picture = [UInt8](repeating: 0, count: size)
        while fread(&picture, 1, size, stream) == size {
            let next = (numbers.last ?? -1) + 1
            let told = picture.withUnsafeBufferPointer { samples in
                samples.baseAddress.flatMap {
                    FrameNumberStrip.read($0, bytesPerLine: width, width: width, height: height)
                }
            }
            let candidates = told.map { [Int($0)] } ?? Array(next...(next + Self.farthest))
            if let number = candidates.first(where: { reference($0).equals(picture) }) {
                numbers.append(number)
            } else {
                wrong += 1
            }
        }
    }

    /// Where the numbers do not go up by one.
    var breaks: Int { zip(numbers, numbers.dropFirst()).filter { $0 + 1 != $1 }.count }
}
