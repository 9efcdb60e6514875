#include "attack.h"
#include <arpa/inet.h>
#include <linux/netlink.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/un.h>

static struct sockaddr_in address(const char *ip, const char *port) {
	struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(atoi(port))};
	inet_pton(AF_INET, ip, &a.sin_addr);
	return a;
}

// tcp IP PORT connects.
static int tcp(char **args) {
	struct sockaddr_in a = address(args[0], args[1]);
	int s = socket(AF_INET, SOCK_STREAM, 0);
	if (s < 0) return errno;
	return result(connect(s, (struct sockaddr *)&a, sizeof a));
}

// udp IP PORT sends one datagram.
static int udp(char **args) {
	struct sockaddr_in a = address(args[0], args[1]);
	int s = socket(AF_INET, SOCK_DGRAM, 0);
	if (s < 0) return errno;
	return result(sendto(s, "x", 1, 0, (struct sockaddr *)&a, sizeof a));
}

// unix PATH connects to a socket in the file system; a path that begins with @ is an abstract name.
static int local(char **args) {
	struct sockaddr_un a = {.sun_family = AF_UNIX};
	strncpy(a.sun_path, args[0], sizeof a.sun_path - 1);
	socklen_t size = offsetof(struct sockaddr_un, sun_path) + strlen(args[0]);
	if (a.sun_path[0] == '@') a.sun_path[0] = 0;
	int s = socket(AF_UNIX, SOCK_STREAM, 0);
	if (s < 0) return errno;
	return result(connect(s, (struct sockaddr *)&a, size));
}

static int vsock(char **args) { return result(socket(AF_VSOCK, SOCK_STREAM, 0)); }
static int netlink(char **args) { return result(socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE)); }
static int packet(char **args) { return result(socket(AF_PACKET, SOCK_RAW, 0)); }
static int raw(char **args) { return result(socket(AF_INET, SOCK_RAW, IPPROTO_ICMP)); }
static int crypto(char **args) { return result(socket(AF_ALG, SOCK_SEQPACKET, 0)); }
// A family behind bits that the kernel does not look at.
static int wide(char **args) { return result(syscall(SYS_socket, 0x100000000L | AF_NETLINK, SOCK_RAW, NETLINK_ROUTE)); }
static int pair(char **args) {
	int s[2];
	return result(socketpair(AF_NETLINK, SOCK_RAW, 0, s));
}

const struct attack network[] = {
	{"tcp", tcp}, {"udp", udp}, {"unix", local}, {"vsock", vsock}, {"netlink", netlink}, {"packet", packet},
	{"raw", raw}, {"crypto", crypto}, {"wide", wide}, {"pair", pair}, {0},
};
