// swift-tools-version:6.0
import PackageDescription

/// Rules of the whole package: language mode 6 everywhere, static standard library by `tools/build`.
let settings: [SwiftSetting] = [.swiftLanguageMode(.v6)]

/// A Swift module of the product, with files that are built into it.
func module(_ name: String, _ dependencies: [Target.Dependency], embedding files: [String] = []) -> Target {
    .target(
        name: name, dependencies: dependencies, resources: files.map { .embedInCode($0) }, swiftSettings: settings)
}

/// The tests of one module.
func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: name, dependencies: dependencies, swiftSettings: settings)
}

let package = Package(
    name: "kinebox",
    products: [
        .executable(name: "kinebox", targets: ["kinebox"]),
        .executable(name: "kinebox-kms", targets: ["kinebox-kms"]),
    ],
    targets: [
        .target(name: "CKernel"),
        .systemLibrary(name: "CALSA"),
        .systemLibrary(name: "CV4L"),
        .systemLibrary(name: "CX264"),
        .systemLibrary(name: "CAAC"),
        .systemLibrary(name: "CYUV"),
        .systemLibrary(name: "CJPEG"),
        .systemLibrary(name: "CUdev"),
        .systemLibrary(name: "CDRM", pkgConfig: "libdrm", providers: [.apt(["libdrm-dev"])]),
        module("Linux", ["CKernel"]),
        module("Media", ["Linux"]),
        module("V4L2", ["CV4L", "CKernel", "Linux", "Media"]),
        module("KMS", ["CDRM", "CKernel", "Linux", "Media"]),
        module("Pixels", ["CYUV", "CJPEG", "Linux", "Media", "KMS"]),
        module("Capture", ["CALSA", "CKernel", "Linux", "Media", "V4L2", "KMS", "Pixels"]),
        module("Encoding", ["CX264", "CAAC", "Linux", "Media", "V4L2", "Pixels"]),
        module("MP4", ["CKernel", "Linux", "Media"]),
        module("Storage", ["CKernel", "CUdev", "Linux", "Media"]),
        module("Recorder", ["Linux", "Media", "V4L2", "Pixels", "Capture", "Encoding", "MP4", "Storage"]),
        module("Panel", ["CKernel", "Linux", "Media"]),
        module(
            "Control", ["CKernel", "Linux", "Media"],
            embedding: ["Interface/io.kinebox.Recorder.varlink", "Interface/org.varlink.service.varlink"]),
        .executableTarget(
            name: "kinebox",
            dependencies: [
                "Linux", "Media", "V4L2", "KMS", "Pixels", "Capture", "Encoding", "MP4", "Storage", "Recorder", "Panel",
                "Control",
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "kinebox-kms", dependencies: ["Linux", "Media", "KMS"], swiftSettings: settings),
        .executableTarget(
            name: "kinebox-bench",
            dependencies: [
                "Judges", "Linux", "Media", "V4L2", "Capture", "Encoding", "MP4", "Storage", "Recorder", "Control",
            ],
            path: "tools/bench/program",
            swiftSettings: settings),
        tests("LinuxTests", ["Linux"]),
        tests("MediaTests", ["Media"]),
        tests("V4L2Tests", ["V4L2", "CKernel", "Linux", "Media"]),
        .target(
            name: "ToldScreen", dependencies: ["KMS", "Linux", "Media"], path: "Tests/ToldScreen",
            swiftSettings: settings),
        tests("KMSTests", ["KMS", "ToldScreen", "CKernel", "Judges", "Linux", "Media"]),
        tests("PixelsTests", ["Pixels", "KMS", "CJPEG", "Linux", "Media"]),
        tests("CaptureTests", ["Capture", "V4L2", "KMS", "Pixels", "Media", "Linux"]),
        tests(
            "EncodingTests",
            ["Encoding", "V4L2", "CKernel", "Judges", "Capture", "Pixels", "Media", "Linux"]),
        tests("MP4Tests", ["CKernel", "MP4", "Judges", "Media", "Linux"]),
        tests("StorageTests", ["Storage", "Judges", "Media", "Linux"]),
        .target(
            name: "ToldDeck", dependencies: ["Recorder", "Media"], path: "Tests/ToldDeck", swiftSettings: settings),
        tests(
            "RecorderTests", ["Recorder", "ToldDeck", "V4L2", "Judges", "Capture", "Encoding", "MP4", "Media", "Linux"]),
        tests("PanelTests", ["Panel", "CKernel", "Linux", "Media"]),
        .executableTarget(
            name: "FakeRecorder", dependencies: ["Control", "Linux", "Media"], path: "Tests/FakeRecorder",
            swiftSettings: settings),
        tests("ControlTests", ["Control", "FakeRecorder", "Judges", "Media", "Linux"]),
        .target(
            name: "Judges", dependencies: ["CKernel", "Linux", "Media", "Capture"], path: "Tests/Judges",
            swiftSettings: settings),
        .executableTarget(
            name: "panel-probe", dependencies: ["Panel", "Linux", "Media"], path: "Tests/PanelProbe",
            swiftSettings: settings),
        tests(
            "BoardTests",
            [
                "Control", "Judges", "ToldDeck", "ToldScreen", "CKernel", "Panel", "panel-probe", "kinebox-kms",
                "Linux", "Media", "V4L2", "CDRM", "KMS", "Pixels",
                "Capture", "Encoding", "MP4", "Storage", "Recorder",
            ]),
        tests(
            "KineboxTests",
            [
                "kinebox", "kinebox-kms", "FakeRecorder", "V4L2", "Judges", "Recorder", "Panel", "Control", "Capture",
                "Encoding",
                "MP4", "Storage", "Media", "Linux",
            ]),
    ]
)
