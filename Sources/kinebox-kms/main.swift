import Glibc
import Linux
import Media

StandardDescriptors.fill()
do throws(Failure) {
    switch try ServiceArguments(CommandLine.arguments.dropFirst()).wish {
    case .help: Words.print(ServiceArguments.help)
    case .version: Words.print("kinebox-kms \(Release.version)")
    case .serve(let path, let user): try ScreenService.run(at: path, for: user)
    }
} catch {
    Words.tell("kinebox-kms: \(error)")
    exit(error.kind.exitCode)
}
