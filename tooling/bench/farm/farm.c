/*
 * A farm of emulated game servers on loopback, for benchmarks. One process has thousands of addresses in 127/8. Each system call receives
 * or sends a batch of datagrams, so that the farm does not limit the speed of a client.
 *
 *   farm --n N --port P [--base 127.20.0.1] [--dead PERCENT] [--loss PERCENT] [--latency MS] [--jitter MS]
 *        [--players N] [--rules N] [--split BYTES] [--compress 1] [--seed N] [--seconds N] [--spin US]
 *
 * Server i has the address BASE + i, and the name "Bench #" with i in eight digits. Each server requires a challenge. The farm prints
 * "ready" when the socket is bound. On SIGUSR1, the farm resets its counts. On SIGUSR2, the farm prints the counts and the number of live
 * servers as a line of JSON. The farm ends after N seconds (--seconds), on SIGTERM, or when its standard input is closed.
 *
 * --compress sends compressed rules. It requires a farm that was compiled with -DWITH_BZIP2 -lbz2.
 *
 * With --spin, the farm polls for this number of microseconds after the last datagram before it sleeps. If the farm slept at once, clients
 * would spend processor time to wake the farm with each datagram that they send.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#ifdef WITH_BZIP2
#include <bzlib.h>
#endif
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { BATCH = 128, REQUEST_BYTES = 64, REPLY_BYTES = 16384, MAX_FRAGMENTS = 32, CONTROL_BYTES = 64 };

static struct {
  uint32_t base;
  int n, port, dead, players, rules, split, compress, seconds, spin;
  double loss, latency, jitter;
  uint64_t seed;
} opt = { .n = 10000, .port = 17015, .players = 32, .rules = 120, .split = 1248, .seconds = 3600, .seed = 1 };

static struct { uint64_t received, sent, lost, strange; } counts;
static volatile sig_atomic_t wants_end, wants_reset, wants_counts;

static void on_signal(int number) {
  if (number == SIGUSR1) wants_reset = 1;
  else if (number == SIGUSR2) wants_counts = 1;
  else wants_end = 1;
}

static uint64_t random_state;
static double random_share(void) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return (double)(random_state >> 11) / 9007199254740992.0;
}

static double now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* A multiplicative hash. It determines which servers are dead, and which challenge a client's address receives. */
static uint32_t mixed(uint32_t x) {
  x = (x ^ (x >> 16)) * 0x7feb352du;
  x = (x ^ (x >> 15)) * 0x846ca68bu;
  return x ^ (x >> 16);
}

static int is_dead(uint32_t server) { return (int)(mixed(server + (uint32_t)opt.seed) % 100u) < opt.dead; }
static uint32_t challenge_of(const struct sockaddr_in *asker) { return mixed(asker->sin_addr.s_addr ^ 0x5bd1e995u) | 1u; }

/* ---- replies: encoded once; the name of a server and the id of a split reply are written into the bytes for each reply ---- */
typedef struct { uint8_t bytes[REPLY_BYTES]; size_t length; } Message;
static Message info, players, rules;
static size_t name_at;

static void put(Message *m, const void *bytes, size_t length) {
  memcpy(m->bytes + m->length, bytes, length);
  m->length += length;
}
static void put_byte(Message *m, int value) { m->bytes[m->length++] = (uint8_t)value; }
static void put_short(Message *m, int value) { put_byte(m, value & 255); put_byte(m, value >> 8); }
static void put_text(Message *m, const char *text) { put(m, text, strlen(text) + 1); }
static void begin(Message *m, char type) { m->length = 0; put(m, "\xff\xff\xff\xff", 4); put_byte(m, type); }

static void make_replies(void) {
  char text[64];
  begin(&info, 'I');
  put_byte(&info, 17);
  name_at = info.length + strlen("Bench #");
  put_text(&info, "Bench #00000000, a farm hand on loopback");
  put_text(&info, "de_dust2");
  put_text(&info, "cstrike");
  put_text(&info, "Counter-Strike: Source");
  put_short(&info, 240);
  put_byte(&info, opt.players);
  put(&info, "\x40\x00" "dl\x00\x01", 6);
  put_text(&info, "1.0.0.70");
  put_byte(&info, 0x80 | 0x10 | 0x20 | 0x01);
  put_short(&info, 27015);
  put(&info, "\x40\x1f\x5a\x0b\x01\x00\x30\x01", 8);
  put_text(&info, "alltalk,increased_maxplayers,nocrits");
  put(&info, "\xf0\x00\x00\x00\x00\x00\x00\x00", 8);

  begin(&players, 'D');
  put_byte(&players, opt.players);
  for (int i = 0; i < opt.players; i++) {
    const float seconds = (float)(60 * i) + 0.5f;
    const int32_t score = i * 3 - 4;
    put_byte(&players, 0);
    snprintf(text, sizeof text, "Farm hand %d", i);
    put_text(&players, text);
    put(&players, &score, 4);
    put(&players, &seconds, 4);
  }

  begin(&rules, 'E');
  put_short(&rules, opt.rules);
  for (int i = 0; i < opt.rules && rules.length + 64 < REPLY_BYTES; i++) {
    snprintf(text, sizeof text, "sv_farm_setting_%03d", i);
    put_text(&rules, text);
    snprintf(text, sizeof text, "value %d of a setting", i * 7919);
    put_text(&rules, text);
  }
}

static void compress_rules(void) {
#ifdef WITH_BZIP2
  uint32_t crc = 0xffffffffu;
  for (size_t i = 0; i < rules.length; i++) {
    crc ^= rules.bytes[i];
    for (int bit = 0; bit < 8; bit++) crc = (crc >> 1) ^ (crc & 1 ? 0xedb88320u : 0);
  }
  crc = ~crc;
  static char packed[REPLY_BYTES];
  unsigned length = sizeof packed;
  if (BZ2_bzBuffToBuffCompress(packed, &length, (char *)rules.bytes, (unsigned)rules.length, 9, 0, 0) != BZ_OK) exit(1);
  const uint32_t whole = (uint32_t)rules.length;
  rules.length = 0;
  put(&rules, &whole, 4);
  put(&rules, &crc, 4);
  put(&rules, packed, length);
#else
  fprintf(stderr, "farm: compiled without bzip2\n");
  exit(2);
#endif
}

/* ---- outgoing datagrams: a batch to send now, and a ring of datagrams to send later, sorted by the time of sending ---- */
typedef struct {
  double due;
  struct sockaddr_in to;
  struct in_addr from;
  uint16_t length;
  uint8_t bytes[1400];
} Pending;

static int fd;
static struct mmsghdr out[BATCH];
static struct iovec out_vec[BATCH];
static Pending out_pending[BATCH];
static uint8_t out_control[BATCH][CONTROL_BYTES];
static int out_count;

enum { RING = 1 << 17 };
static Pending *ring;
static uint32_t ring_head, ring_tail;

static void flush_out(void) {
  for (int done = 0; done < out_count;) {
    const int sent = sendmmsg(fd, out + done, (unsigned)(out_count - done), 0);
    if (sent > 0) {
      done += sent;
      counts.sent += (uint64_t)sent;
    } else if (errno == EAGAIN || errno == ENOBUFS) {
      struct pollfd wait = { fd, POLLOUT, 0 };
      poll(&wait, 1, 10);
    } else if (errno != EINTR) done++; /* the socket of the client is closed */
  }
  out_count = 0;
}

static void leave(const Pending *p) {
  if (out_count == BATCH) flush_out();
  Pending *copy = &out_pending[out_count];
  memcpy(copy, p, offsetof(Pending, bytes) + p->length);
  struct msghdr *h = &out[out_count].msg_hdr;
  out_vec[out_count] = (struct iovec){ copy->bytes, copy->length };
  *h = (struct msghdr){ .msg_name = &copy->to, .msg_namelen = sizeof copy->to, .msg_iov = &out_vec[out_count], .msg_iovlen = 1,
    .msg_control = out_control[out_count], .msg_controllen = CMSG_SPACE(sizeof(struct in_pktinfo)) };
  struct cmsghdr *c = CMSG_FIRSTHDR(h);
  c->cmsg_level = IPPROTO_IP;
  c->cmsg_type = IP_PKTINFO;
  c->cmsg_len = CMSG_LEN(sizeof(struct in_pktinfo));
  const struct in_pktinfo source = { .ipi_spec_dst = copy->from };
  memcpy(CMSG_DATA(c), &source, sizeof source);
  out_count++;
}

static void reply(const struct sockaddr_in *to, struct in_addr from, const uint8_t *bytes, size_t length, double now) {
  if (opt.loss > 0 && random_share() * 100 < opt.loss) { counts.lost++; return; }
  Pending p = { .due = now, .to = *to, .from = from, .length = (uint16_t)length };
  memcpy(p.bytes, bytes, length);
  if (opt.latency <= 0) { leave(&p); return; }
  p.due = now + opt.latency + opt.jitter * (2 * random_share() - 1);
  if (ring_tail - ring_head >= RING) { counts.lost++; return; }
  /* The ring stays sorted by the time of sending. If the jitter is smaller than the latency, only the last few datagrams have to move. */
  uint32_t at = ring_tail++;
  for (; at != ring_head && ring[(at - 1) % RING].due > p.due; at--) ring[at % RING] = ring[(at - 1) % RING];
  ring[at % RING] = p;
}

static void reply_split(const struct sockaddr_in *to, struct in_addr from, const Message *m, double now) {
  static uint32_t id;
  const int total = (int)((m->length + (size_t)opt.split - 1) / (size_t)opt.split);
  id = ((id + 1) & 0x7fffffff) | (m == &rules && opt.compress ? 0x80000000u : 0);
  for (int i = 0; i < total && i < MAX_FRAGMENTS; i++) {
    uint8_t bytes[1400] = { 0xfe, 0xff, 0xff, 0xff };
    const size_t start = (size_t)i * (size_t)opt.split;
    const size_t length = m->length - start < (size_t)opt.split ? m->length - start : (size_t)opt.split;
    memcpy(bytes + 4, &id, 4);
    bytes[8] = (uint8_t)total;
    bytes[9] = (uint8_t)i;
    memcpy(bytes + 10, &(uint16_t){ (uint16_t)opt.split }, 2);
    memcpy(bytes + 12, m->bytes + start, length);
    reply(to, from, bytes, length + 12, now);
  }
}

static void reply_message(const struct sockaddr_in *to, struct in_addr from, const Message *m, double now) {
  if (m->length <= (size_t)opt.split + 12 && !(m == &rules && opt.compress)) reply(to, from, m->bytes, m->length, now);
  else reply_split(to, from, m, now);
}

static void answer(const struct sockaddr_in *asker, struct in_addr at, const uint8_t *bytes, size_t length, double now) {
  const uint32_t server = ntohl(at.s_addr) - opt.base;
  counts.received++;
  if (server >= (uint32_t)opt.n || length < 5 || memcmp(bytes, "\xff\xff\xff\xff", 4) != 0) { counts.strange++; return; }
  if (is_dead(server)) return;
  if (opt.loss > 0 && random_share() * 100 < opt.loss) { counts.lost++; return; }
  const uint32_t challenge = challenge_of(asker);
  uint32_t given = 0;
  /* Like real servers, the farm ignores bytes after the challenge. One of the measured libraries sends such bytes. */
  const size_t challenge_at = bytes[4] == 'T' ? 25 : 5;
  if (length >= challenge_at + 4) memcpy(&given, bytes + challenge_at, 4);
  if (given != challenge) {
    uint8_t demand[9] = { 0xff, 0xff, 0xff, 0xff, 'A' };
    memcpy(demand + 5, &challenge, 4);
    reply(asker, at, demand, sizeof demand, now);
  } else if (bytes[4] == 'T') {
    uint32_t rest = server;
    for (size_t digit = name_at + 8; digit-- > name_at; rest /= 10) info.bytes[digit] = (uint8_t)('0' + rest % 10);
    reply_message(asker, at, &info, now);
  } else if (bytes[4] == 'U') reply_message(asker, at, &players, now);
  else if (bytes[4] == 'V') reply_message(asker, at, &rules, now);
  else counts.strange++;
}

static void receive_batch(void) {
  static uint8_t in_bytes[BATCH][REQUEST_BYTES], in_control[BATCH][CONTROL_BYTES];
  static struct sockaddr_in in_from[BATCH];
  static struct iovec in_vec[BATCH];
  static struct mmsghdr in[BATCH];
  for (int i = 0; i < BATCH; i++) {
    in_vec[i] = (struct iovec){ in_bytes[i], REQUEST_BYTES };
    in[i].msg_hdr = (struct msghdr){ .msg_name = &in_from[i], .msg_namelen = sizeof in_from[i], .msg_iov = &in_vec[i], .msg_iovlen = 1,
      .msg_control = in_control[i], .msg_controllen = CONTROL_BYTES };
  }
  const int count = recvmmsg(fd, in, BATCH, MSG_DONTWAIT, NULL);
  const double now = now_ms();
  for (int i = 0; i < count; i++) {
    for (struct cmsghdr *c = CMSG_FIRSTHDR(&in[i].msg_hdr); c != NULL; c = CMSG_NXTHDR(&in[i].msg_hdr, c)) {
      if (c->cmsg_type != IP_PKTINFO) continue;
      struct in_pktinfo to;
      memcpy(&to, CMSG_DATA(c), sizeof to);
      answer(&in_from[i], to.ipi_addr, in_bytes[i], in[i].msg_len, now);
    }
  }
}

static void read_options(int argc, char **argv) {
  opt.base = ntohl(inet_addr("127.20.0.1"));
  for (int i = 1; i + 1 < argc; i += 2) {
    const char *name = argv[i], *value = argv[i + 1];
    if (!strcmp(name, "--n")) opt.n = atoi(value);
    else if (!strcmp(name, "--port")) opt.port = atoi(value);
    else if (!strcmp(name, "--base")) opt.base = ntohl(inet_addr(value));
    else if (!strcmp(name, "--dead")) opt.dead = atoi(value);
    else if (!strcmp(name, "--loss")) opt.loss = atof(value);
    else if (!strcmp(name, "--latency")) opt.latency = atof(value);
    else if (!strcmp(name, "--jitter")) opt.jitter = atof(value);
    else if (!strcmp(name, "--players")) opt.players = atoi(value);
    else if (!strcmp(name, "--rules")) opt.rules = atoi(value);
    else if (!strcmp(name, "--split")) opt.split = atoi(value);
    else if (!strcmp(name, "--compress")) opt.compress = atoi(value);
    else if (!strcmp(name, "--seed")) opt.seed = strtoull(value, NULL, 10);
    else if (!strcmp(name, "--seconds")) opt.seconds = atoi(value);
    else if (!strcmp(name, "--spin")) opt.spin = atoi(value);
    else { fprintf(stderr, "farm: no option %s\n", name); exit(2); }
  }
  if (opt.base >> 24 != 127 || opt.split < 64 || opt.split > 1380 || opt.players > 255) {
    fprintf(stderr, "farm: loopback addresses, fragments of 64 to 1380 bytes and up to 255 players only\n");
    exit(2);
  }
}

int main(int argc, char **argv) {
  read_options(argc, argv);
  make_replies();
  if (opt.compress) compress_rules();
  ring = malloc(sizeof(Pending) * RING);
  fd = socket(AF_INET, SOCK_DGRAM, 0);
  const int on = 1, queue = 16 << 20;
  setsockopt(fd, IPPROTO_IP, IP_PKTINFO, &on, sizeof on);
  /* A privileged process can exceed the system's limit with SO_RCVBUFFORCE. */
  if (setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &queue, sizeof queue) != 0) setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &queue, sizeof queue);
  /*
   * No wildcard address covers only 127/8. Therefore the socket is bound to the loopback device, and the farm replies only to loopback
   * addresses.
   */
  setsockopt(fd, SOL_SOCKET, SO_BINDTODEVICE, "lo", 3);
  const struct sockaddr_in any = { .sin_family = AF_INET, .sin_port = htons((uint16_t)opt.port) };
  if (ring == NULL || bind(fd, (const struct sockaddr *)&any, sizeof any) != 0) { perror("farm"); return 1; }
  for (const int *s = (const int[]){ SIGTERM, SIGINT, SIGUSR1, SIGUSR2, 0 }; *s != 0; s++) signal(*s, on_signal);
  printf("ready\n");
  fflush(stdout);
  random_state = opt.seed * 0x9e3779b97f4a7c15ull | 1u;
  double heard = 0;
  for (const double end = now_ms() + 1e3 * opt.seconds; !wants_end && now_ms() < end;) {
    double wait = 100;
    while (ring_head != ring_tail && (wait = ring[ring_head % RING].due - now_ms()) <= 0) leave(&ring[ring_head++ % RING]);
    flush_out();
    struct pollfd ready[2] = { { fd, POLLIN, 0 }, { STDIN_FILENO, POLLIN, 0 } };
    if (now_ms() < heard + opt.spin / 1e3) wait = 0;
    const struct timespec at_most = { 0, (long)((wait < 0 ? 0 : wait > 100 ? 100 : wait) * 1e6) };
    if (ppoll(ready, 2, &at_most, NULL) > 0) {
      if (ready[0].revents & POLLIN) {
        receive_batch();
        heard = now_ms();
      }
      char byte;
      if ((ready[1].revents & (POLLIN | POLLHUP)) && read(STDIN_FILENO, &byte, 1) <= 0) break;
    }
    if (wants_reset) {
      memset(&counts, 0, sizeof counts);
      wants_reset = 0;
    }
    if (wants_counts) {
      int alive = 0;
      for (uint32_t server = 0; server < (uint32_t)opt.n; server++) alive += !is_dead(server);
      printf("{\"alive\":%d,\"received\":%llu,\"sent\":%llu,\"lost\":%llu,\"strange\":%llu}\n", alive,
        (unsigned long long)counts.received, (unsigned long long)counts.sent, (unsigned long long)counts.lost,
        (unsigned long long)counts.strange);
      fflush(stdout);
      wants_counts = 0;
    }
  }
  return 0;
}
