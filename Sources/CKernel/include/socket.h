/* Unix sockets (unix(7)): what needs GNU's constants and types, in socket.c. */
#ifndef CKERNEL_SOCKET_H
#define CKERNEL_SOCKET_H

/* Who is on the other side, as the kernel saw it when the connection was made (SO_PEERCRED). */
struct ckernel_peer {
	pid_t process;
	uid_t user;
	gid_t group;
};

/* A new stream socket, close-on-exec, or -1 with errno. */
int ckernel_unix_socket(void);

/* Two stream sockets that are joined, close-on-exec: 0, or -1 with errno. */
int ckernel_unix_pair(int sockets[2]);

/* Binds a socket to a path: 0, or -1 with errno; ENAMETOOLONG for a path of more than 107 bytes. */
int ckernel_unix_bind(int socket, const char *path);

/* Connects a socket to a path: 0, or -1 with errno. */
int ckernel_unix_connect(int socket, const char *path);

/* The next connection, close-on-exec and non-blocking, or -1 with errno. */
int ckernel_accept(int listener);

/* 1 for a Unix stream socket that listens, 0 for anything else. */
int ckernel_is_unix_listener(int descriptor);

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

#endif
