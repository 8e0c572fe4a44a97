/// The interfaces that the service answers to, with their descriptions in Varlink's own language. The files beside this
/// one are built into the program; they are the documentation of the socket API.
public enum InterfaceDescription {
    /// The recorder's interface.
    public static let recorder = "io.kinebox.Recorder"
    /// The interface of every Varlink service.
    public static let service = "org.varlink.service"

    /// The names of both.
    public static let names = [recorder, service]

    /// The text of an interface; nil when there is no such interface.
    public static func text(of name: String) -> String? {
        switch name {
        case recorder: String(decoding: PackageResources.io_kinebox_Recorder_varlink, as: UTF8.self)
        case service: String(decoding: PackageResources.org_varlink_service_varlink, as: UTF8.self)
        default: nil
        }
    }
}
