#define _GNU_SOURCE
#include "CKernel.h"

#include <linux/netlink.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

int ckernel_unix_socket(void) { return socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0); }

int ckernel_unix_pair(int sockets[2]) { return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets); }

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

int ckernel_is_unix_listener(int descriptor)
{
	return option_of(descriptor, SO_DOMAIN) == AF_UNIX && option_of(descriptor, SO_TYPE) == SOCK_STREAM &&
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
