import Glibc
import Testing

/// What a recording shows, held against the numbered pictures that were fed.
struct RecordedPictures: CustomStringConvertible {
    /// The number of each picture.
    private(set) var numbers: [UInt32] = []
    /// Pictures that are not what was fed under their number.
    private(set) var wrong = 0

    /// Where the numbers do not go up by one.
    var breaks: Int { zip(numbers, numbers.dropFirst()).filter { $0 &+ 1 != $1 }.count }

    var description: String { "\(numbers.count) pictures, \(wrong) wrong, \(breaks) breaks: \(numbers)" }

    /// Decodes a recording and looks at each picture, bit by bit.
    init(of file: String, _ fed: FedPicture) throws {
        let raw = "\(file).yuv"
        try Board.shell(
            "ffmpeg -nostdin -v error -y -i \(file) -fps_mode passthrough -pix_fmt yuv420p -f rawvideo \(raw)")
        defer { unlink(raw) }
        let size = fed.width * fed.height * 3 / 2
        let stream = try #require(fopen(raw, "r"))
        defer { fclose(stream) }
        var picture = [UInt8](repeating: 0, count: size)
        while fread(&picture, 1, size, stream) == size {
            let number = picture.withUnsafeBufferPointer { fed.number(in: $0) }
            numbers.append(number)
            if !fed.equals(picture, number) { wrong += 1 }
        }
    }
}
