import Glibc
import Linux
import Media

StandardDescriptors.fill()
do throws(Failure) {
    switch try ServiceArguments(CommandLine.arguments.dropFirst()).wish {
    case .help: Words.print(ServiceArguments.help)
    case .version: Words.print("kinebox-kms \(Release.version)")
    case .serve(let path, let user, let idle): try ScreenService.run(at: path, for: user, orIdleFor: idle)
    }
} catch {
    Words.tell("kinebox-kms: \(error)")
    exit(error.kind.exitCode)
}
