/* Memory of the process. */
#ifndef CKERNEL_MEMORY_H
#define CKERNEL_MEMORY_H

/* From now on no huge pages are given to this process, even where a library asks for them. */
static inline int ckernel_decline_huge_pages(void) { return prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0); }

/* dma-bufs (linux/dma-buf.h): a macro with a cast, and flags in 64 bits. */
static const unsigned long CKERNEL_DMA_BUF_IOCTL_SYNC = DMA_BUF_IOCTL_SYNC;
static const unsigned long CKERNEL_DMA_HEAP_IOCTL_ALLOC = DMA_HEAP_IOCTL_ALLOC;
static const unsigned long CKERNEL_UDMABUF_CREATE = UDMABUF_CREATE;

/* Memory without a file (memfd_create) of so many bytes that cannot be made smaller any more: a descriptor, or -1 with errno. */
int ckernel_sealed_memory(long bytes);

#endif
