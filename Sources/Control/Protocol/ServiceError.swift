/// The errors of `org.varlink.service`.
enum ServiceError: Equatable {
    case interfaceNotFound(String)
    /// With the interface's name.
    case methodNotFound(String)
    case invalidParameter(String)
    case expectedMore

    /// The error's name with the interface's.
    var name: String {
        let word =
            switch self {
            case .interfaceNotFound: "InterfaceNotFound"
            case .methodNotFound: "MethodNotFound"
            case .invalidParameter: "InvalidParameter"
            case .expectedMore: "ExpectedMore"
            }
        return "\(InterfaceDescription.service).\(word)"
    }

    /// The error's fields.
    var parameters: [String: String] {
        switch self {
        case .interfaceNotFound(let name): ["interface": name]
        case .methodNotFound(let name): ["method": name]
        case .invalidParameter(let name): ["parameter": name]
        case .expectedMore: [:]
        }
    }
}
