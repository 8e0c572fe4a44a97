extension RecorderAPI {
    /// Lets the recording rest.
    public enum Pause: RecorderCall {
        public static let method = RecorderMethod.pause
        public typealias Parameters = Nothing
        public typealias Reply = Nothing
    }

    /// Goes on with a recording that rests.
    public enum Resume: RecorderCall {
        public static let method = RecorderMethod.resume
        public typealias Parameters = Nothing
        public typealias Reply = Nothing
    }

    /// Goes on in a new file.
    public enum Split: RecorderCall {
        public static let method = RecorderMethod.split
        public typealias Parameters = Nothing
        public typealias Reply = Nothing
    }

    /// Lets the lights of the box show which one it is.
    public enum Identify: RecorderCall {
        public static let method = RecorderMethod.identify
        public typealias Parameters = Nothing
        public typealias Reply = Nothing
    }
}
