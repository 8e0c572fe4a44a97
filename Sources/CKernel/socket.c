#define _GNU_SOURCE
#include "CKernel.h"

#include <linux/netlink.h>
#include <linux/sockios.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

static int type_of(enum ckernel_socket_kind kind) { return kind == CKERNEL_PACKETS ? SOCK_SEQPACKET : SOCK_STREAM; }

int ckernel_unix_socket(enum ckernel_socket_kind kind, int waits)
{
	return socket(AF_UNIX, type_of(kind) | SOCK_CLOEXEC | (waits ? 0 : SOCK_NONBLOCK), 0);
}

int ckernel_unix_pair(enum ckernel_socket_kind kind, int sockets[2])
{
	return socketpair(AF_UNIX, type_of(kind) | SOCK_CLOEXEC, 0, sockets);
}

static int address_of(const char *path, struct sockaddr_un *address)
{
	size_t length = strlen(path);

	memset(address, 0, sizeof *address);
	address->sun_family = AF_UNIX;
	if (length >= sizeof address->sun_path) {
		errno = ENAMETOOLONG;
		return -1;
	}
	memcpy(address->sun_path, path, length);
	return 0;
}

int ckernel_unix_bind(int socket, const char *path)
{
	struct sockaddr_un address;

	return address_of(path, &address) < 0 ? -1 : bind(socket, (struct sockaddr *)&address, sizeof address);
}

int ckernel_unix_connect(int socket, const char *path)
{
	struct sockaddr_un address;

	return address_of(path, &address) < 0 ? -1 : connect(socket, (struct sockaddr *)&address, sizeof address);
}

int ckernel_accept(int listener) { return accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK); }

static int option_of(int descriptor, int option)
{
	int value = -1;
	socklen_t size = sizeof value;

	return getsockopt(descriptor, SOL_SOCKET, option, &value, &size) < 0 ? -1 : value;
}

int ckernel_is_unix_listener(int descriptor, enum ckernel_socket_kind kind)
{
	return option_of(descriptor, SO_DOMAIN) == AF_UNIX && option_of(descriptor, SO_TYPE) == type_of(kind) &&
	       option_of(descriptor, SO_ACCEPTCONN) == 1;
}

int ckernel_peer_of(int socket, struct ckernel_peer *peer)
{
	struct ucred credentials;
	socklen_t size = sizeof credentials;

	if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &size) < 0)
		return -1;
	*peer = (struct ckernel_peer){ credentials.pid, credentials.uid, credentials.gid };
	return 0;
}

int ckernel_peer_groups(int socket, gid_t *groups, int room)
{
	socklen_t size = (socklen_t)room * sizeof *groups;

	if (getsockopt(socket, SOL_SOCKET, SO_PEERGROUPS, groups, &size) < 0)
		return -1;
	return (int)(size / sizeof *groups);
}

long ckernel_send(int socket, const void *bytes, unsigned long count)
{
	return send(socket, bytes, count, MSG_NOSIGNAL | MSG_DONTWAIT);
}

long ckernel_send_waiting(int socket, const void *bytes, unsigned long count)
{
	return send(socket, bytes, count, MSG_NOSIGNAL);
}

long ckernel_receive(int socket, void *bytes, unsigned long count)
{
	return recv(socket, bytes, count, MSG_DONTWAIT);
}

/* Room for control data, aligned as the kernel writes it. */
union control {
	struct cmsghdr header;
	char bytes[CMSG_SPACE(CKERNEL_MOST_DESCRIPTORS * sizeof(int))];
};

long ckernel_send_message(int socket, const void *bytes, unsigned long count, const int *descriptors, int descriptor_count)
{
	union control control;
	struct iovec piece = { (void *)bytes, count };
	struct msghdr message = { .msg_iov = &piece, .msg_iovlen = 1 };

	if (descriptor_count < 0 || descriptor_count > CKERNEL_MOST_DESCRIPTORS) {
		errno = EMSGSIZE;
		return -1;
	}
	if (descriptor_count > 0) {
		size_t size = descriptor_count * sizeof(int);

		memset(&control, 0, sizeof control);
		control.header.cmsg_level = SOL_SOCKET;
		control.header.cmsg_type = SCM_RIGHTS;
		control.header.cmsg_len = CMSG_LEN(size);
		memcpy(CMSG_DATA(&control.header), descriptors, size);
		message.msg_control = &control;
		message.msg_controllen = CMSG_LEN(size);
	}
	return sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
}

/* Notes the descriptors that came; those for which there is no place are closed. Returns whether all found one. */
static int note_descriptors(struct msghdr *message, int *descriptors, int room, int *count)
{
	int all_fit = 1;

	for (struct cmsghdr *part = CMSG_FIRSTHDR(message); part; part = CMSG_NXTHDR(message, part)) {
		if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS)
			continue;
		for (size_t at = CMSG_LEN(0); at + sizeof(int) <= part->cmsg_len; at += sizeof(int)) {
			int descriptor;

			memcpy(&descriptor, (char *)part + at, sizeof descriptor);
			if (*count < room) {
				descriptors[(*count)++] = descriptor;
			} else {
				close(descriptor);
				all_fit = 0;
			}
		}
	}
	return all_fit;
}

long ckernel_receive_message(int socket, void *bytes, unsigned long room, int *descriptors, int descriptor_room,
			     int *descriptor_count)
{
	union control control;
	struct iovec piece = { bytes, room };
	struct msghdr message = { .msg_iov = &piece, .msg_iovlen = 1 };
	int all_fit;
	long size;

	*descriptor_count = 0;
	if (descriptor_room > CKERNEL_MOST_DESCRIPTORS)
		descriptor_room = CKERNEL_MOST_DESCRIPTORS;
	/* CMSG_SPACE would round up to a place more, and the kernel would use it. Without room it makes no descriptors at all. */
	if (descriptor_room > 0) {
		message.msg_control = &control;
		message.msg_controllen = CMSG_LEN(descriptor_room * sizeof(int));
	}
	size = recvmsg(socket, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
	if (size < 0)
		return -1;
	all_fit = note_descriptors(&message, descriptors, descriptor_room, descriptor_count);
	if (size > 0 && all_fit && !(message.msg_flags & (MSG_TRUNC | MSG_CTRUNC)))
		return size;
	while (*descriptor_count > 0)
		close(descriptors[--*descriptor_count]);
	/* A message without bytes cannot be told from the end. */
	if (size == 0)
		return 0;
	errno = EMSGSIZE;
	return -1;
}

int ckernel_limit_sending(int socket, int bytes)
{
	return setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
}

int ckernel_unreceived(int socket)
{
	int bytes = 0;

	return ioctl(socket, SIOCOUTQ, &bytes) < 0 ? -1 : bytes;
}

int ckernel_unix_datagram_socket(void) { return socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0); }

int ckernel_unix_send_to(int socket, const char *text, const void *bytes, unsigned long count, int waits)
{
	struct sockaddr_un address;
	socklen_t size = sizeof address;

	if (address_of(text, &address) < 0)
		return -1;
	if (text[0] == '@') {
		address.sun_path[0] = 0;
		size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(text));
	}
	return sendto(socket, bytes, count, MSG_NOSIGNAL | (waits ? 0 : MSG_DONTWAIT), (struct sockaddr *)&address, size) < 0
		       ? -1
		       : 0;
}

int ckernel_uevent_socket(void)
{
	struct sockaddr_nl address = { .nl_family = AF_NETLINK, .nl_groups = 1 };
	int descriptor = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_KOBJECT_UEVENT);

	if (descriptor >= 0 && bind(descriptor, (struct sockaddr *)&address, sizeof address) < 0) {
		int reason = errno;

		close(descriptor);
		errno = reason;
		return -1;
	}
	return descriptor;
}
