import Linux

/// Something that lights up.
protocol LightOutput: AnyObject {
    /// Shows a pattern.
    /// - Returns: whether the kernel sees to all of it. Otherwise the light is dark, and has to be set at each change.
    /// - Throws: `Errno` when the light has gone.
    func show(_ pattern: LightPattern) throws(Errno) -> Bool

    /// Sets a light whose pattern the kernel does not see to.
    func set(_ isLit: Bool) throws(Errno)

    /// Makes it dark, and leaves it as it is without this program.
    func giveBack()

    /// What has to be done when this program has died.
    var lastWill: LastWill { get }
}
