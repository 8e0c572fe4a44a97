import Glibc
import Linux
import Media

extension Failure {
    /// What an error of the kernel means for whoever records onto a medium.
    static func medium(_ reason: Errno, _ thing: String) -> Failure {
        switch reason.code {
        case EEXIST:
            Failure(
                .fileExists, thing, because: "a file of this name exists and is never overwritten",
                mend: "Choose another name, or a folder to have one chosen.")
        case ENOENT, ENOTDIR:
            Failure(
                .noMedium, thing, because: "the folder does not exist",
                mend: "Create the folder, or mount the medium that it is on.")
        case EROFS:
            Failure(
                .mediumReadOnly, thing, because: "the medium is read-only",
                mend: "Move its write protection switch, or mount it for writing.")
        case EACCES, EPERM:
            Failure(
                .mediumReadOnly, thing, because: "this user may not write there",
                mend: "Choose another folder, or have the right to write given.")
        case ENOSPC:
            Failure(
                .mediumFull, thing, because: "the medium is full",
                mend: "Remove files from it, or use another medium.")
        case EDQUOT:
            Failure(
                .mediumFull, thing, because: "this user's share of the medium is used up",
                mend: "Remove files from it, or use another medium.")
        case EFBIG:
            Failure(
                .mediumFull, thing, because: "the file has reached the largest size that is allowed here",
                mend: "Split recordings into smaller parts with --split-size.")
        case ENAMETOOLONG, EINVAL, EILSEQ, ELOOP, EISDIR:
            Failure(
                .invalidName, thing, because: "the medium cannot have a file of this name (\(reason))",
                mend: "Choose a shorter name of plain letters and digits.")
        case EMFILE, ENFILE, ENOMEM:
            Failure(
                .internalFault, thing, because: "the system has run out of something it needs (\(reason))",
                mend: "End other programs and try again.")
        default:
            Failure(
                .mediumFailed, thing, because: "the medium reports an error (\(reason))",
                mend: "Use another medium; what was saved before can be finished with kinebox recover.")
        }
    }

    /// A flush that failed. The kernel has forgotten by then which bytes are not on the medium, so whatever the reason is,
    /// no more can be promised of the file.
    static func flush(_ reason: Errno, _ thing: String) -> Failure {
        Failure(
            .mediumFailed, thing, because: "the medium could not save what was written (\(reason))",
            mend: "Use another medium; what was saved before can be finished with kinebox recover.")
    }

    /// True when there was no room for what should be written.
    static func isFull(_ reason: Errno) -> Bool {
        reason.code == ENOSPC || reason.code == EDQUOT || reason.code == EFBIG
    }
}
