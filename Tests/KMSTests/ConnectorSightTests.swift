import Glibc
import Judges
import Testing

@testable import KMS

@Suite("What the kernel shows of connectors")
struct ConnectorSightTests {
    @Test("a name is that of the connector, behind the card's")
    func parts() throws {
        let one = try #require(ConnectorSight.parts(of: "card1-HDMI-A-2"))
        #expect(one.number == 1)
        #expect(one.name == "HDMI-A-2")
        #expect(ConnectorSight.parts(of: "card12-eDP-1")?.number == 12)
        for other in ["card0", "renderD128", "version", "card-HDMI-A-1", "ttm"] {
            #expect(ConnectorSight.parts(of: other) == nil)
        }
    }

    @Test("connectors come by card and name; those to memory are none; what sleeps is not driven")
    func all() throws {
        let folder = try TemporaryFolder()
        func put(_ name: String, _ status: String, _ enabled: String, _ dpms: String) throws {
            mkdir("\(folder.path)/\(name)", 0o755)
            for (file, text) in [("status", status), ("enabled", enabled), ("dpms", dpms)] {
                let file = fopen("\(folder.path)/\(name)/\(file)", "w")
                fputs("\(text)\n", file)
                fclose(file)
            }
        }
        try put("card10-HDMI-A-1", "connected", "enabled", "On")
        try put("card2-HDMI-A-2", "connected", "enabled", "Off")
        try put("card2-HDMI-A-1", "disconnected", "disabled", "Off")
        try put("card2-DSI-1", "unknown", "disabled", "On")
        try put("card2-Writeback-1", "unknown", "enabled", "On")
        mkdir("\(folder.path)/card2", 0o755)
        let sights = ConnectorSight.all(in: folder.path)
        #expect(sights.map(\.card) == ["/dev/dri/card2", "/dev/dri/card2", "/dev/dri/card2", "/dev/dri/card10"])
        #expect(sights.map(\.name) == ["DSI-1", "HDMI-A-1", "HDMI-A-2", "HDMI-A-1"])
        #expect(sights.map(\.isConnected) == [true, false, true, true])
        #expect(sights.map(\.isDriven) == [false, false, false, true])
    }

    @Test("a machine without screens has none")
    func none() {
        #expect(ConnectorSight.all(in: "/nowhere").isEmpty)
    }

    @Test("kinds of connectors have the kernel's names")
    func names() {
        #expect(ScreenConnector.name(kind: 11, number: 1) == "HDMI-A-1")
        #expect(ScreenConnector.name(kind: 15, number: 2) == "Virtual-2")
        #expect(ScreenConnector.name(kind: 16, number: 1) == "DSI-1")
        #expect(ScreenConnector.name(kind: 99, number: 1) == "Unknown-1")
    }
}
