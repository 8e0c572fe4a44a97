/// Which Kinebox this is: of all programs that are built together.
public enum Release {
    /// Its version.
    public static let version = "0.1.0"
}
