/*
 * Floods a port on loopback with junk: datagrams of random bytes and lengths from ever other sockets, at a given rate.
 *
 *   junk --port P --rate N --seconds S [--sockets N] [--queries 1]
 *
 * With --queries half of the datagrams begin as a query does, with four bytes of 255 and a letter. At its end it prints how many it
 * has sent and in how many milliseconds, as a line of JSON.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

enum { BATCH = 32, MAX_BYTES = 256, MAX_SOCKETS = 256 };

static uint64_t random_state = 88172645463325252ull;
static uint32_t random_number(void) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return (uint32_t)(random_state >> 32);
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

int main(int argc, char **argv) {
  int port = 0, sockets = 64, queries = 0;
  double rate = 0, seconds = 5;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (strcmp(argv[i], "--port") == 0) port = atoi(argv[i + 1]);
    else if (strcmp(argv[i], "--rate") == 0) rate = atof(argv[i + 1]);
    else if (strcmp(argv[i], "--seconds") == 0) seconds = atof(argv[i + 1]);
    else if (strcmp(argv[i], "--sockets") == 0) sockets = atoi(argv[i + 1]);
    else if (strcmp(argv[i], "--queries") == 0) queries = atoi(argv[i + 1]);
    else { fprintf(stderr, "what is %s?\n", argv[i]); return 2; }
  }
  if (port < 1 || rate <= 0 || sockets < 1 || sockets > MAX_SOCKETS) {
    fprintf(stderr, "junk --port P --rate N --seconds S [--sockets N] [--queries 1]\n");
    return 2;
  }

  struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(0x7f000001) };
  int fds[MAX_SOCKETS];
  for (int i = 0; i < sockets; i++) {
    struct sockaddr_in from = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(0x7f010001u + (uint32_t)i) };
    fds[i] = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0);
    if (fds[i] < 0 || bind(fds[i], (struct sockaddr *)&from, sizeof from) != 0 || connect(fds[i], (struct sockaddr *)&to, sizeof to) != 0) {
      perror("socket");
      return 1;
    }
  }

  static uint8_t bytes[BATCH][MAX_BYTES];
  struct iovec vectors[BATCH];
  struct mmsghdr messages[BATCH];
  memset(messages, 0, sizeof messages);
  for (int i = 0; i < BATCH; i++) {
    vectors[i].iov_base = bytes[i];
    messages[i].msg_hdr.msg_iov = &vectors[i];
    messages[i].msg_hdr.msg_iovlen = 1;
  }

  uint64_t sent = 0;
  double begun = now(), ends = begun + seconds, t = begun;
  for (uint64_t batch = 0; t < ends; batch++, t = now()) {
    double due = begun + (double)(batch * BATCH) / rate;
    /* Late by more than a tenth of a second: the rest is not made up for in one burst. */
    if (t - due > 0.1) begun += t - due;
    else if (due > t) {
      struct timespec pause = { .tv_nsec = (long)((due - t) * 1e9) };
      nanosleep(&pause, NULL);
    }
    for (int i = 0; i < BATCH; i++) {
      uint32_t *words = (uint32_t *)(void *)bytes[i];
      size_t length = 1 + random_number() % (MAX_BYTES - 1);
      for (size_t k = 0; k * 4 < length; k++) words[k] = random_number();
      if (queries && i % 2 == 0) {
        length += 5;
        if (length > MAX_BYTES) length = MAX_BYTES;
        memset(bytes[i], 0xff, 4);
        bytes[i][4] = (uint8_t)('a' + random_number() % 26);
      }
      vectors[i].iov_len = length;
    }
    int done = sendmmsg(fds[batch % (uint64_t)sockets], messages, BATCH, 0);
    if (done > 0) sent += (uint64_t)done;
    else if (errno != EAGAIN && errno != ECONNREFUSED && errno != ENOBUFS) { perror("sendmmsg"); return 1; }
  }
  printf("{\"sent\":%llu,\"ms\":%.0f}\n", (unsigned long long)sent, (now() - (ends - seconds)) * 1e3);
  return 0;
}
