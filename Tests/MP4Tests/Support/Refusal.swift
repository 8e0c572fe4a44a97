import Media

/// The failure that something ends with; nil when it ends well, or in another way.
func refusal(of body: () throws -> Void) -> Failure? {
    do {
        try body()
        return nil
    } catch {
        return error as? Failure
    }
}
