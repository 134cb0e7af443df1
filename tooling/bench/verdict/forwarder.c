/*
 * forwarder.c - many game servers on loopback with one socket per port.
 *
 *   forwarder FIRST-LAST [FIRST-LAST ...]
 *
 * Listens on the given UDP ports at all addresses of the loopback interface. Writes each received datagram to standard output, and sends
 * each datagram from standard input. Each datagram is preceded by a header of 16 bytes, in the byte order of the machine:
 *
 * - the length of the datagram and the port of the server (2 bytes each)
 * - the addresses of server and client (4 bytes each)
 * - the port of the client (2 bytes), and 2 unused bytes
 *
 * Writes a header with length 0 when all sockets are open. Ends when standard input ends.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

struct frame {
	uint16_t length, server_port;
	uint32_t server, client;
	uint16_t client_port, unused;
};

#define LARGEST 65536
#define OUT (1 << 18)
#define IN (1 << 20)
#define EVENTS 256
#define AT_ONCE 64

static int sockets[65536];
static uint8_t out[OUT + LARGEST], in[IN];
static size_t out_used, in_used;

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

static void flush_out(void)
{
	for (size_t at = 0; at < out_used;) {
		ssize_t n = write(1, out + at, out_used - at);
		if (n < 0 && errno != EINTR) exit(1);
		if (n > 0) at += (size_t)n;
	}
	out_used = 0;
}

static void listen_on(int port, int epoll)
{
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0), on = 1;
	struct sockaddr_in name = { .sin_family = AF_INET, .sin_port = htons((uint16_t)port) };
	struct epoll_event event = { .events = EPOLLIN, .data.u32 = (uint32_t)port };
	if (fd < 0) fail("socket");
	if (setsockopt(fd, SOL_SOCKET, SO_BINDTODEVICE, "lo", 3)) fail("SO_BINDTODEVICE");
	if (setsockopt(fd, IPPROTO_IP, IP_PKTINFO, &on, sizeof on)) fail("IP_PKTINFO");
	if (bind(fd, (struct sockaddr *)&name, sizeof name)) fail("bind");
	if (epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event)) fail("epoll_ctl");
	sockets[port] = fd;
}

static void receive(int port)
{
	for (int i = 0; i < AT_ONCE; i++) {
		struct sockaddr_in client;
		char control[CMSG_SPACE(sizeof(struct in_pktinfo))];
		struct frame frame = { .server_port = (uint16_t)port };
		struct iovec iov = { out + out_used + sizeof frame, LARGEST - sizeof frame };
		struct msghdr message = { &client, sizeof client, &iov, 1, control, sizeof control, 0 };
		ssize_t n = recvmsg(sockets[port], &message, 0);
		struct cmsghdr *c;
		if (n < 0) return;
		for (c = CMSG_FIRSTHDR(&message); c != NULL; c = CMSG_NXTHDR(&message, c))
			if (c->cmsg_level == IPPROTO_IP && c->cmsg_type == IP_PKTINFO)
				frame.server = ntohl(((struct in_pktinfo *)CMSG_DATA(c))->ipi_addr.s_addr);
		frame.length = (uint16_t)n;
		frame.client = ntohl(client.sin_addr.s_addr);
		frame.client_port = ntohs(client.sin_port);
		memcpy(out + out_used, &frame, sizeof frame);
		out_used += sizeof frame + (size_t)n;
		if (out_used >= OUT) flush_out();
	}
}

static void send_frame(const struct frame *frame, uint8_t *bytes)
{
	struct sockaddr_in client = { .sin_family = AF_INET, .sin_port = htons(frame->client_port),
		.sin_addr.s_addr = htonl(frame->client) };
	char control[CMSG_SPACE(sizeof(struct in_pktinfo))] = { 0 };
	struct iovec iov = { bytes, frame->length };
	struct msghdr message = { &client, sizeof client, &iov, 1, control, sizeof control, 0 };
	struct cmsghdr *c = CMSG_FIRSTHDR(&message);
	c->cmsg_level = IPPROTO_IP;
	c->cmsg_type = IP_PKTINFO;
	c->cmsg_len = CMSG_LEN(sizeof(struct in_pktinfo));
	((struct in_pktinfo *)CMSG_DATA(c))->ipi_spec_dst.s_addr = htonl(frame->server);
	/* If the queue of the client is full, the datagram is lost, as in any network. Therefore errors are ignored. */
	(void)sendmsg(sockets[frame->server_port], &message, 0);
}

static void forward(void)
{
	ssize_t n = read(0, in + in_used, IN - in_used);
	size_t at = 0;
	if (n == 0) exit(0);
	if (n < 0) {
		if (errno == EINTR || errno == EAGAIN) return;
		exit(1);
	}
	in_used += (size_t)n;
	while (in_used - at >= sizeof(struct frame)) {
		struct frame frame;
		memcpy(&frame, in + at, sizeof frame);
		if (in_used - at < sizeof frame + frame.length) break;
		send_frame(&frame, in + at + sizeof frame);
		at += sizeof frame + frame.length;
	}
	memmove(in, in + at, in_used - at);
	in_used -= at;
}

int main(int argc, char **argv)
{
	struct rlimit limit;
	struct epoll_event events[EVENTS], input = { .events = EPOLLIN, .data.u32 = 0 };
	int epoll = epoll_create1(0);
	if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
		limit.rlim_cur = limit.rlim_max;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
	for (int i = 1; i < argc; i++) {
		int first, last;
		if (sscanf(argv[i], "%d-%d", &first, &last) != 2 || first < 1 || last > 65535) {
			fprintf(stderr, "not a range of ports: %s\n", argv[i]);
			return 2;
		}
		for (int port = first; port <= last; port++) listen_on(port, epoll);
	}
	if (epoll_ctl(epoll, EPOLL_CTL_ADD, 0, &input)) fail("epoll_ctl");
	out_used = sizeof(struct frame);
	flush_out();
	for (;;) {
		int n = epoll_wait(epoll, events, EVENTS, -1);
		for (int i = 0; i < n; i++) {
			if (events[i].data.u32 == 0) forward();
			else receive((int)events[i].data.u32);
		}
		if (out_used > 0) flush_out();
	}
}
