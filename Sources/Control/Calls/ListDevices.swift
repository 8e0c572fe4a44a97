extension RecorderAPI {
    /// What can be recorded from and encoded with.
    public enum ListDevices: RecorderCall {
        public static let method = RecorderMethod.listDevices
        public typealias Parameters = Nothing

        public struct Reply: Codable, Sendable, Hashable {
            public var devices: [Device]

            public init(devices: [Device]) {
                self.devices = devices
            }
        }
    }
}
