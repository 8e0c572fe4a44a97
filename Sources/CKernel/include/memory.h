/* Memory of the process. */
#ifndef CKERNEL_MEMORY_H
#define CKERNEL_MEMORY_H

/* From now on no huge pages are given to this process, even where a library asks for them. */
static inline int ckernel_decline_huge_pages(void) { return prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0); }

#endif
