/// A part of the canvas on which the same layers lie everywhere.
struct Patch {
    var area: Rectangle
    /// Places in `PatchList.layers`: the layers that are seen, the lowest first.
    var stack: Range<Int>
}

/// Divides a canvas into patches, and leaves out what lies below something opaque: it is not read.
struct PatchList {
    private(set) var all: [Patch] = []
    /// Numbers of layers, patch after patch.
    private(set) var layers: [Int] = []
    private var edges: [Int] = []
    private var bands: [Int] = []
    private var present: [Int] = []

    /// - Parameter placed: the layers, the lowest first.
    mutating func divide(_ placed: [PlacedLayer], width: Int, height: Int) {
        all.removeAll(keepingCapacity: true)
        layers.removeAll(keepingCapacity: true)
        bands.removeAll(keepingCapacity: true)
        bands.append(0)
        bands.append(height)
        for layer in placed {
            bands.append(layer.visible.top)
            bands.append(layer.visible.bottom)
        }
        bands.sort()
        for (top, bottom) in zip(bands, bands.dropFirst()) where top < bottom {
            divideBand(placed, Rectangle(left: 0, top: top, right: width, bottom: bottom))
        }
    }

    private mutating func divideBand(_ placed: [PlacedLayer], _ band: Rectangle) {
        present.removeAll(keepingCapacity: true)
        edges.removeAll(keepingCapacity: true)
        edges.append(band.left)
        edges.append(band.right)
        for (number, layer) in placed.enumerated() {
            guard layer.visible.top <= band.top, layer.visible.bottom >= band.bottom else { continue }
            present.append(number)
            edges.append(layer.visible.left)
            edges.append(layer.visible.right)
        }
        edges.sort()
        for (left, right) in zip(edges, edges.dropFirst()) where left < right {
            let first = layers.count
            for number in present.reversed() {
                let layer = placed[number]
                guard layer.visible.left <= left, layer.visible.right >= right else { continue }
                layers.append(number)
                if layer.isOpaque { break }
            }
            layers[first...].reverse()
            let area = Rectangle(left: left, top: band.top, right: right, bottom: band.bottom)
            all.append(Patch(area: area, stack: first..<layers.count))
        }
    }
}
