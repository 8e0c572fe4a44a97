import Glibc

/// A movement of the pen. Units: capitals are 7 high; x grows to the right, y downwards.
public enum Stroke: Sendable {
    /// A straight line; a point where both ends are the same.
    case line(Double, Double, Double, Double)
    /// A part of an ellipse: centre, radii, and the angles in degrees at which the pen starts and ends; 0 is to the
    /// right, 90 below.
    case arc(Double, Double, Double, Double, from: Double, to: Double)

    /// The stroke as points that are joined by straight lines.
    var points: [(x: Double, y: Double)] {
        switch self {
        case .line(let x1, let y1, let x2, let y2):
            return [(x1, y1), (x2, y2)]
        case .arc(let x, let y, let radiusX, let radiusY, let from, let to):
            let steps = max(2, Int(abs(to - from) / 9))
            return (0...steps).map {
                let angle = (from + (to - from) * Double($0) / Double(steps)) * .pi / 180
                return (x + radiusX * cos(angle), y + radiusY * sin(angle))
            }
        }
    }
}

/// The recorder's own letters, as pen strokes, so that they are sharp in every size. It has digits, capitals
/// and a few signs.
public enum StrokeFont {
    /// The height of digits and capitals in units.
    public static let height = 7.0

    /// A character's width in units, without the pen's, and its strokes; nil for a character that the font does not have.
    /// "x" is the sign between width and height.
    public static func glyph(_ character: Character) -> (width: Double, strokes: [Stroke])? {
        digit(character) ?? letter(character) ?? rareLetter(character) ?? sign(character)
    }

    private static func digit(_ character: Character) -> (width: Double, strokes: [Stroke])? {
        let strokes: [Stroke]
        switch character {
        case "0":
            strokes = [
                .arc(2, 2, 2, 2, from: 180, to: 360), .line(4, 2, 4, 5), .arc(2, 5, 2, 2, from: 0, to: 180),
                .line(0, 5, 0, 2),
            ]
        case "1":
            strokes = [.line(0.6, 1.5, 2.2, 0), .line(2.2, 0, 2.2, 7), .line(0.6, 7, 3.8, 7)]
        case "2":
            strokes = [.arc(2, 2, 2, 2, from: 180, to: 397), .line(3.6, 3.2, 0, 7), .line(0, 7, 4, 7)]
        case "3":
            strokes = [
                .arc(1.9, 1.7, 1.8, 1.7, from: 200, to: 450), .arc(1.9, 5.2, 2.1, 1.8, from: 270, to: 520),
                .line(1.3, 3.4, 1.9, 3.4),
            ]
        case "4":
            strokes = [.line(3.1, 7, 3.1, 0), .line(3.1, 0, 0, 5), .line(0, 5, 4.2, 5)]
        case "5":
            strokes = [
                .line(3.7, 0, 0.5, 0), .line(0.5, 0, 0.2, 3.5), .arc(1.9, 4.8, 2.1, 2.2, from: 216, to: 520),
            ]
        case "6":
            strokes = [.arc(2, 4.9, 2, 2.1, from: 0, to: 360), .arc(4, 4.9, 4, 4.9, from: 180, to: 260)]
        case "7":
            strokes = [.line(0, 0, 4, 0), .line(4, 0, 1.4, 7)]
        case "8":
            strokes = [.arc(2, 1.7, 1.7, 1.7, from: 0, to: 360), .arc(2, 5.2, 2, 1.8, from: 0, to: 360)]
        case "9":
            strokes = [.arc(2, 2.1, 2, 2.1, from: 0, to: 360), .arc(0, 2.1, 4, 4.9, from: 0, to: 80)]
        default:
            return nil
        }
        return (4, strokes)
    }

    private static func letter(_ character: Character) -> (width: Double, strokes: [Stroke])? {
        switch character {
        case "A": (4.4, [.line(0, 7, 2.2, 0), .line(2.2, 0, 4.4, 7), .line(0.9, 4.6, 3.5, 4.6)])
        case "B":
            (
                4,
                [
                    .line(0, 0, 0, 7), .line(0, 0, 2.2, 0), .arc(2.2, 1.7, 1.6, 1.7, from: 270, to: 450),
                    .line(0, 3.4, 2.2, 3.4), .arc(2.2, 5.2, 1.8, 1.8, from: 270, to: 450), .line(2.2, 7, 0, 7),
                ]
            )
        case "C": (4.4, [.arc(2.5, 3.5, 2.5, 3.5, from: 50, to: 310)])
        case "D":
            (
                4.2,
                [
                    .line(0, 0, 0, 7), .line(0, 0, 1.6, 0), .arc(1.6, 3.5, 2.6, 3.5, from: 270, to: 450),
                    .line(1.6, 7, 0, 7),
                ]
            )
        case "E": (3.5, [.line(3.5, 0, 0, 0), .line(0, 0, 0, 7), .line(0, 7, 3.5, 7), .line(0, 3.4, 3, 3.4)])
        case "F": (3.4, [.line(3.4, 0, 0, 0), .line(0, 0, 0, 7), .line(0, 3.4, 2.9, 3.4)])
        case "G":
            (4.6, [.arc(2.5, 3.5, 2.5, 3.5, from: 30, to: 310), .line(4.6, 5.2, 4.6, 3.8), .line(4.6, 3.8, 2.8, 3.8)])
        case "I": (0, [.line(0, 0, 0, 7)])
        case "K": (3.9, [.line(0, 0, 0, 7), .line(3.7, 0, 0, 4.3), .line(1.4, 2.8, 3.9, 7)])
        case "L": (3.4, [.line(0, 0, 0, 7), .line(0, 7, 3.4, 7)])
        case "N": (4, [.line(0, 7, 0, 0), .line(0, 0, 4, 7), .line(4, 7, 4, 0)])
        case "O": (5, [.arc(2.5, 3.5, 2.5, 3.5, from: 0, to: 360)])
        case "P":
            (
                3.9,
                [
                    .line(0, 7, 0, 0), .line(0, 0, 2, 0), .arc(2, 1.9, 1.9, 1.9, from: 270, to: 450),
                    .line(2, 3.8, 0, 3.8),
                ]
            )
        case "R":
            (
                4,
                [
                    .line(0, 7, 0, 0), .line(0, 0, 2, 0), .arc(2, 1.9, 1.9, 1.9, from: 270, to: 450),
                    .line(2, 3.8, 0, 3.8), .line(2, 3.8, 4, 7),
                ]
            )
        case "S":
            (3.8, [.arc(1.9, 1.75, 1.9, 1.75, from: 90, to: 335), .arc(1.9, 5.25, 1.9, 1.75, from: 270, to: 515)])
        case "T": (4, [.line(0, 0, 4, 0), .line(2, 0, 2, 7)])
        case "U": (4, [.line(0, 0, 0, 5), .arc(2, 5, 2, 2, from: 0, to: 180), .line(4, 5, 4, 0)])
        case "X": (4, [.line(0, 0, 4, 7), .line(4, 0, 0, 7)])
        default: nil
        }
    }

    private static func rareLetter(_ character: Character) -> (width: Double, strokes: [Stroke])? {
        switch character {
        case "H": (4, [.line(0, 0, 0, 7), .line(4, 0, 4, 7), .line(0, 3.4, 4, 3.4)])
        case "J": (3, [.line(3, 0, 3, 5.5), .arc(1.5, 5.5, 1.5, 1.5, from: 0, to: 180)])
        case "M": (4.8, [.line(0, 7, 0, 0), .line(0, 0, 2.4, 4), .line(2.4, 4, 4.8, 0), .line(4.8, 0, 4.8, 7)])
        case "Q": (5, [.arc(2.5, 3.5, 2.5, 3.5, from: 0, to: 360), .line(3.2, 5, 5, 7)])
        case "V": (4.4, [.line(0, 0, 2.2, 7), .line(2.2, 7, 4.4, 0)])
        case "W":
            (6, [.line(0, 0, 1.5, 7), .line(1.5, 7, 3, 1.5), .line(3, 1.5, 4.5, 7), .line(4.5, 7, 6, 0)])
        case "Y": (4.4, [.line(0, 0, 2.2, 3.4), .line(4.4, 0, 2.2, 3.4), .line(2.2, 3.4, 2.2, 7)])
        case "Z": (4, [.line(0, 0, 4, 0), .line(4, 0, 0, 7), .line(0, 7, 4, 7)])
        default: nil
        }
    }

    private static func sign(_ character: Character) -> (width: Double, strokes: [Stroke])? {
        switch character {
        case "x": (2.8, [.line(0, 3, 2.8, 5.8), .line(2.8, 3, 0, 5.8)])
        case ":": (0, [.line(0, 2, 0, 2), .line(0, 5.2, 0, 5.2)])
        case "-": (2.4, [.line(0, 3.6, 2.4, 3.6)])
        case ".": (0, [.line(0, 7, 0, 7)])
        case " ": (2, [])
        case "@":
            (
                5,
                [
                    .arc(2.5, 3.9, 2.5, 3, from: 60, to: 360), .arc(2.4, 4, 1.1, 1.2, from: 0, to: 360),
                    .arc(4.25, 3.9, 0.75, 1.3, from: 0, to: 180), .line(3.5, 2.8, 3.5, 3.9),
                ]
            )
        default: nil
        }
    }
}
