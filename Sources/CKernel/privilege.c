#define _GNU_SOURCE
#include "CKernel.h"

#include <sys/syscall.h>

int ckernel_keep_capability(int capability)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = { 0 };
	const __u32 bit = 1u << (capability & 31);
	const int word = capability >> 5;

	if (syscall(SYS_capget, &header, data) < 0)
		return -1;
	if (!(data[word].permitted & bit)) {
		errno = EPERM;
		return -1;
	}
	/*
	 * Who may not change what its programs could get at most (no CAP_SETPCAP) leaves it: without new privileges they get
	 * nothing in any case.
	 */
	for (int other = 0; prctl(PR_CAPBSET_READ, other, 0, 0, 0) >= 0; other++)
		if (other != capability)
			prctl(PR_CAPBSET_DROP, other, 0, 0, 0);
	prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
	for (int index = 0; index < _LINUX_CAPABILITY_U32S_3; index++)
		data[index] = (struct __user_cap_data_struct){ 0 };
	data[word].effective = data[word].permitted = bit;
	if (syscall(SYS_capset, &header, data) < 0)
		return -1;
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}
