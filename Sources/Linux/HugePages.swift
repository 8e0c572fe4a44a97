import CKernel

/// Pages of two megabytes, which the kernel gives to programs that ask for them (`madvise(2)`, MADV_HUGEPAGE).
public enum HugePages {
    /// Has the kernel give this process small pages only (`prctl(2)`, PR_SET_THP_DISABLE). A buffer that is large and hardly
    /// used takes the memory that is used, then, and not two megabytes at least. From any thread; memory that the process
    /// has stays as it is.
    public static func decline() {
        // A kernel without huge pages has nothing to decline.
        _ = ckernel_decline_huge_pages()
    }
}
