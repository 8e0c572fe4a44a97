/* Unix sockets (unix(7)): what needs GNU's constants and types, in socket.c. */
#ifndef CKERNEL_SOCKET_H
#define CKERNEL_SOCKET_H

/* Who is on the other side, as the kernel saw it when the connection was made (SO_PEERCRED). */
struct ckernel_peer {
	pid_t process;
	uid_t user;
	gid_t group;
};

/* What travels through a socket: a stream of bytes, or messages that stay whole (SOCK_SEQPACKET). */
enum ckernel_socket_kind { CKERNEL_STREAM, CKERNEL_PACKETS };

/* Descriptors that may travel with one message; the kernel's own limit is 253. */
enum { CKERNEL_MOST_DESCRIPTORS = 64 };

/* A new socket, close-on-exec, or -1 with errno. One that does not wait fails to connect (EAGAIN) where that would take time. */
int ckernel_unix_socket(enum ckernel_socket_kind kind, int waits);

/* Two sockets that are joined, close-on-exec: 0, or -1 with errno. */
int ckernel_unix_pair(enum ckernel_socket_kind kind, int sockets[2]);

/* Binds a socket to a path: 0, or -1 with errno; ENAMETOOLONG for a path of more than 107 bytes. */
int ckernel_unix_bind(int socket, const char *path);

/* Connects a socket to a path: 0, or -1 with errno. */
int ckernel_unix_connect(int socket, const char *path);

/* The next connection, close-on-exec and non-blocking, or -1 with errno. */
int ckernel_accept(int listener);

/* 1 for a Unix socket of this kind that listens, 0 for anything else. */
int ckernel_is_unix_listener(int descriptor, enum ckernel_socket_kind kind);

/* 0, or -1 with errno. */
int ckernel_peer_of(int socket, struct ckernel_peer *peer);

/*
 * The supplementary groups of the other side (SO_PEERGROUPS): their number, or -1 with errno; ERANGE when there are more
 * than `room`.
 */
int ckernel_peer_groups(int socket, gid_t *groups, int room);

/* Sends without a signal and without waiting: the bytes taken, or -1 with errno. */
long ckernel_send(int socket, const void *bytes, unsigned long count);

/* Sends without a signal, and waits for room: the bytes taken, or -1 with errno. */
long ckernel_send_waiting(int socket, const void *bytes, unsigned long count);

/* A new datagram socket, close-on-exec, or -1 with errno. */
int ckernel_unix_datagram_socket(void);

/*
 * Sends one datagram to a path, or to an abstract address where it begins with '@', without a signal: 0, or -1 with errno;
 * EAGAIN where there is no room and it is not to be waited for.
 */
int ckernel_unix_send_to(int socket, const char *address, const void *bytes, unsigned long count, int waits);

/* Receives without waiting: the bytes read, 0 at the end, or -1 with errno. */
long ckernel_receive(int socket, void *bytes, unsigned long count);

/* A socket on which the kernel tells of devices that come, change and go, close-on-exec, or -1 with errno. */
int ckernel_uevent_socket(void);

/*
 * Sends a message with descriptors (SCM_RIGHTS), without a signal and without waiting: the bytes taken, or -1 with errno;
 * EMSGSIZE for more than CKERNEL_MOST_DESCRIPTORS. The sender keeps its own descriptors.
 */
long ckernel_send_message(int socket, const void *bytes, unsigned long count, const int *descriptors, int descriptor_count);

/*
 * Receives a message with its descriptors, which are close-on-exec, without waiting: the bytes read, 0 at the end or
 * for a message without bytes, or -1 with errno. EMSGSIZE where the message or its descriptors did not fit; whatever descriptors had come are closed
 * then, and with a message without bytes.
 */
long ckernel_receive_message(int socket, void *bytes, unsigned long room, int *descriptors, int descriptor_room,
			     int *descriptor_count);

/* Sets how many bytes may be on their way (SO_SNDBUF, of which the kernel makes twice as many): 0, or -1 with errno. */
int ckernel_limit_sending(int socket, int bytes);

/* The memory that messages take which were sent and not received yet (SIOCOUTQ); 0 when all were, or -1 with errno. */
int ckernel_unreceived(int socket);

#endif
