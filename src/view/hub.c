// The hub: see hub.h. One thread, sockets that never block. Requests are HTTP/1.1 of the simplest kind, one a
// connection; those that ask for a WebSocket stay.
#include "view/hub.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "live/message.h"
#include "live/websocket.h"

enum { MOST_PEERS = 64, MOST_REQUEST = 8192, MOST_WORD = 1000 };

typedef enum { ASKING, ANSWERED, SENDING, WATCHING } Role;

// Bytes on their way out, and messages that are kept.
typedef struct {
  unsigned char* bytes;
  size_t n, sent, room;
} Buffer;

typedef struct {
  int fd;
  Role role;
  char request[MOST_REQUEST];
  size_t nrequest;
  LivReader reader;
  Buffer out;
  unsigned hello, state;  // serial numbers of what a page has got
  int over;               // 1: closed as soon as everything is out
} Peer;

struct ViwHub_ {
  int fd, port, local;
  char page[MOST_WORD];
  Peer* peer[MOST_PEERS];
  int npeer;
  const Peer* program;  // whose states are shown: the last that connected
  Buffer helloBytes, stateBytes;
  unsigned hello, state;          // serial numbers
  unsigned newsHello, newsState;  // of those that the viewer has got
  int gone;
  const char* wrong;
};

//---------------------------------- buffers ----------------------------------

static int append(Buffer* b, const void* bytes, size_t n) {
  if (b->n + n > b->room) {
    const size_t room = 2 * (b->n + n);
    unsigned char* const larger = realloc(b->bytes, room);
    if (!larger) return 0;
    b->bytes = larger;
    b->room = room;
  }
  if (n) memcpy(b->bytes + b->n, bytes, n);
  b->n += n;
  return 1;
}

static void appendFrame(Peer* p, int kind, const void* bytes, size_t n) {
  unsigned char head[LIV_FRAME_HEAD];
  if (!append(&p->out, head, liv_frameHead(head, kind, n, NULL)) || !append(&p->out, bytes, n)) p->over = 1;
}

static void appendClose(Peer* p, int code) {
  const unsigned char bytes[2] = {(unsigned char)(code >> 8), (unsigned char)code};
  appendFrame(p, LIV_CLOSE, bytes, sizeof(bytes));
  p->over = 1;
}

//---------------------------------- requests ----------------------------------

// a line of the head by its name; "" where it is not there
static void headerOf(const char* request, const char* name, char value[MOST_WORD]) {
  const size_t length = strlen(name);
  value[0] = 0;
  for (const char* line = strstr(request, "\r\n"); line; line = strstr(line + 2, "\r\n")) {
    const char* at = line + 2;
    if (strncasecmp(at, name, length) != 0 || at[length] != ':') continue;
    at += length + 1;
    while (*at == ' ' || *at == '\t') at++;
    const size_t n = strcspn(at, "\r\n");
    if (n < MOST_WORD) snprintf(value, MOST_WORD, "%.*s", (int)n, at);
    return;
  }
}

static void answer(Peer* p, const char* status, const char* type, const void* bytes, size_t n) {
  char head[400];
  const int length = snprintf(head, sizeof(head),
                              "HTTP/1.1 %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\nCache-Control: no-cache\r\n"
                              "X-Content-Type-Options: nosniff\r\nConnection: close\r\n"
                              // the page may have threads
                              "Cross-Origin-Opener-Policy: same-origin\r\n"
                              "Cross-Origin-Embedder-Policy: require-corp\r\n\r\n",
                              status, type, n);
  append(&p->out, head, (size_t)length);
  append(&p->out, bytes, n);
  p->role = ANSWERED;
  p->over = 1;
}

static void answerText(Peer* p, const char* status, const char* text) {
  answer(p, status, "text/plain", text, strlen(text));
}

static const char* typeOf(const char* path) {
  static const char* const TYPES[][2] = {
      {".html", "text/html; charset=utf-8"},
      {".js",   "text/javascript"         },
      {".wasm", "application/wasm"        },
      {".zip",  "application/zip"         },
      {".png",  "image/png"               }
  };
  const char* const dot = strrchr(path, '.');
  for (size_t i = 0; dot && i < sizeof(TYPES) / sizeof(TYPES[0]); i++) {
    if (strcmp(dot, TYPES[i][0]) == 0) return TYPES[i][1];
  }
  return "application/octet-stream";
}

// a file of the page: names of letters, digits, '.', '-', '_' and '/', none of which begin with a dot
static void answerFile(ViwHub* hub, Peer* p, const char* name) {
  static const char GOOD[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_/";
  char path[2 * MOST_WORD];
  if (!hub->page[0]) {
    answerText(p, "404 Not Found", "The page is not here: build it with make web, or name its folder with --page.\n");
    return;
  }
  if (strspn(name, GOOD) != strlen(name) || strstr(name, "/.") || strstr(name, "..")) {
    answerText(p, "403 Forbidden", "There is no such file.\n");
    return;
  }
  snprintf(path, sizeof(path), "%s%s", hub->page, strcmp(name, "/") == 0 ? "/index.html" : name);
  struct stat info;
  FILE* const file = stat(path, &info) == 0 && S_ISREG(info.st_mode) ? fopen(path, "rb") : NULL;
  unsigned char* const bytes = file ? malloc((size_t)info.st_size + 1) : NULL;
  const size_t n = bytes ? fread(bytes, 1, (size_t)info.st_size, file) : 0;
  if (bytes) {
    answer(p, "200 OK", typeOf(path), bytes, n);
  } else {
    answerText(p, "404 Not Found", "There is no such file.\n");
  }
  free(bytes);
  if (file) fclose(file);
}

// 1: the host of an address is this machine
static int isLocal(const char* host) {
  static const char* const NAMES[] = {"localhost", "127.0.0.1", "[::1]"};
  for (size_t i = 0; i < sizeof(NAMES) / sizeof(NAMES[0]); i++) {
    const size_t n = strlen(NAMES[i]);
    if (strncasecmp(host, NAMES[i], n) == 0 && (!host[n] || host[n] == ':')) return 1;
  }
  return 0;
}

// Pages of other sites must not reach what is on this machine, neither by their own address nor by a name that leads
// here: NULL, or why not.
static const char* refusal(const ViwHub* hub, const Peer* p) {
  char host[MOST_WORD], origin[MOST_WORD];
  headerOf(p->request, "Host", host);
  headerOf(p->request, "Origin", origin);
  if (hub->local && !isLocal(host)) return "This viewer is for this machine only.\n";
  const char* const from = strstr(origin, "://");
  if (origin[0] && (!from || strcasecmp(from + 3, host) != 0)) return "Pages of other sites are not served.\n";
  return NULL;
}

static void openSocket(ViwHub* hub, Peer* p, const char* name, const char* key) {
  char accept[LIV_ACCEPT], text[300];
  liv_acceptKey(key, accept);
  const int n = snprintf(text, sizeof(text),
                         "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                         "Sec-WebSocket-Accept: %s\r\n\r\n",
                         accept);
  append(&p->out, text, (size_t)n);
  p->reader.masked = 1;
  p->role = strcmp(name, "/send") == 0 ? SENDING : WATCHING;
  p->reader.most = p->role == SENDING ? LIV_MOST_BYTES : 4096;
  if (p->role != SENDING) return;
  // one program at a time: the one before is told that it is over
  for (int i = 0; i < hub->npeer; i++) {
    if (hub->peer[i] != p && hub->peer[i]->role == SENDING && !hub->peer[i]->over) appendClose(hub->peer[i], 1001);
  }
  hub->program = p;
}

static void handleRequest(ViwHub* hub, Peer* p) {
  char name[MOST_WORD] = "", key[MOST_WORD], upgrade[MOST_WORD];
  const char* const no = refusal(hub, p);
  if (sscanf(p->request, "GET %999s HTTP/1.", name) != 1 || name[0] != '/') {
    answerText(p, "405 Method Not Allowed", "Only GET is understood.\n");
    return;
  }
  if (no) {
    answerText(p, "403 Forbidden", no);
    return;
  }
  name[strcspn(name, "?#")] = 0;
  headerOf(p->request, "Upgrade", upgrade);
  headerOf(p->request, "Sec-WebSocket-Key", key);
  if (strcasecmp(upgrade, "websocket") != 0) {
    answerFile(hub, p, name);
  } else if (!key[0] || strlen(key) > 60) {
    answerText(p, "400 Bad Request", "A WebSocket needs a key.\n");
  } else {
    openSocket(hub, p, name, key);
  }
}

//---------------------------------- messages ----------------------------------

static void keep(Buffer* b, unsigned* serial, const LivFrame* frame) {
  b->n = 0;
  if (append(b, frame->bytes, frame->n)) ++*serial;
}

static void takeFrame(ViwHub* hub, Peer* p, const LivFrame* frame) {
  LivMessage message;
  if (frame->kind == LIV_CLOSE) {
    appendClose(p, 1000);
  } else if (frame->kind == LIV_PING) {
    appendFrame(p, LIV_PONG, frame->bytes, frame->n);
  } else if (frame->kind != LIV_PONG && p == hub->program) {
    const char* const wrong = liv_readMessage(frame->bytes, frame->n, &message);
    if (wrong) {
      hub->wrong = wrong;
    } else if (message.kind == LIV_HELLO) {
      keep(&hub->helloBytes, &hub->hello, frame);
      hub->stateBytes.n = 0;
    } else {
      keep(&hub->stateBytes, &hub->state, frame);
    }
  }
}

// bytes of a peer: of its request, or frames
static void takeBytes(ViwHub* hub, Peer* p, const unsigned char* bytes, size_t n) {
  while (p->role == ASKING && n && !p->over) {
    // byte by byte: frames may follow the request
    p->request[p->nrequest++] = (char)*bytes++;
    p->request[p->nrequest] = 0;
    n--;
    if (p->nrequest >= 4 && strcmp(p->request + p->nrequest - 4, "\r\n\r\n") == 0) {
      handleRequest(hub, p);
    } else if (p->nrequest + 1 == MOST_REQUEST) {
      answerText(p, "431 Request Header Fields Too Large", "That is too long.\n");
    }
  }
  if (p->role == ASKING || p->role == ANSWERED || p->over) return;
  LivFrame frame;
  int found = liv_feed(&p->reader, bytes, n) ? 1 : -1;
  while (found > 0 && !p->over) {
    found = liv_nextFrame(&p->reader, &frame);
    if (found > 0) takeFrame(hub, p, &frame);
  }
  if (found >= 0) return;
  if (p->role == SENDING) hub->wrong = p->reader.reason ? p->reader.reason : "more than there is memory for";
  appendClose(p, p->reader.code ? p->reader.code : 1011);
}

//---------------------------------- peers ----------------------------------

static void addPeer(ViwHub* hub) {
  const int fd = accept4(hub->fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
  if (fd < 0) return;
  Peer* const p = hub->npeer < MOST_PEERS ? calloc(1, sizeof(*p)) : NULL;
  if (!p) {
    close(fd);
    return;
  }
  const int now = 1;
  (void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &now, sizeof(now));
  p->fd = fd;
  hub->peer[hub->npeer++] = p;
}

static void removePeer(ViwHub* hub, int i) {
  Peer* const p = hub->peer[i];
  if (hub->program && p == hub->program) {
    hub->program = NULL;
    hub->gone = 1;
    if (p->reader.n > p->reader.taken && !hub->wrong) hub->wrong = "a message that was cut off";
  }
  close(p->fd);
  liv_freeReader(&p->reader);
  free(p->out.bytes);
  free(p);
  hub->peer[i] = hub->peer[--hub->npeer];
}

// what there is to read, up to so much that others get their turn; 0: the other side has gone
static int readPeer(ViwHub* hub, Peer* p) {
  enum { TURNS = 512 };
  unsigned char bytes[65536];
  for (int turn = 0; turn < TURNS; turn++) {
    const ssize_t n = recv(p->fd, bytes, sizeof(bytes), 0);
    if (n == 0) return 0;
    if (n < 0) return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
    takeBytes(hub, p, bytes, (size_t)n);
  }
  return 1;
}

// A page that has got everything so far gets the newest, the model first. 0: the other side has gone.
static int writePeer(ViwHub* hub, Peer* p) {
  for (;;) {
    if (p->out.sent == p->out.n) {
      p->out.sent = p->out.n = 0;
      if (p->over) return 0;
      if (p->role != WATCHING) return 1;
      if (p->hello != hub->hello) {
        p->hello = hub->hello;
        appendFrame(p, LIV_BINARY, hub->helloBytes.bytes, hub->helloBytes.n);
      } else if (p->state != hub->state && hub->stateBytes.n) {
        p->state = hub->state;
        appendFrame(p, LIV_BINARY, hub->stateBytes.bytes, hub->stateBytes.n);
      } else {
        return 1;
      }
    }
    const ssize_t n = send(p->fd, p->out.bytes + p->out.sent, p->out.n - p->out.sent, MSG_NOSIGNAL);
    if (n < 0) return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
    p->out.sent += (size_t)n;
  }
}

void viw_pollHub(ViwHub* hub, int wait, ViwHubNews* news) {
  struct pollfd fds[MOST_PEERS + 1];
  fds[0] = (struct pollfd){.fd = hub->fd, .events = POLLIN};
  for (int i = 0; i < hub->npeer; i++) {
    const Peer* const p = hub->peer[i];
    const short out = p->out.sent < p->out.n ? POLLOUT : 0;
    fds[1 + i] = (struct pollfd){.fd = p->fd, .events = (short)(POLLIN | out)};
  }
  hub->gone = 0;
  hub->wrong = NULL;
  const int count = hub->npeer;
  if (poll(fds, (nfds_t)count + 1, wait) > 0 && fds[0].revents) addPeer(hub);
  for (int i = 0; i < count; i++) {
    if (fds[1 + i].revents && !readPeer(hub, hub->peer[i])) hub->peer[i]->role = ANSWERED, hub->peer[i]->over = 2;
  }
  for (int i = hub->npeer - 1; i >= 0; i--) {
    if (hub->peer[i]->over == 2 || !writePeer(hub, hub->peer[i])) removePeer(hub, i);
  }

  // what the viewer has not seen
  *news = (ViwHubNews){.gone = hub->gone, .wrong = hub->wrong};
  if (hub->newsHello != hub->hello) {
    hub->newsHello = hub->hello;
    news->hello = hub->helloBytes.bytes;
    news->nhello = hub->helloBytes.n;
  }
  if (hub->newsState != hub->state && hub->stateBytes.n) {
    hub->newsState = hub->state;
    news->state = hub->stateBytes.bytes;
    news->nstate = hub->stateBytes.n;
  }
}

//---------------------------------- beginning and end ----------------------------------

ViwHub* viw_openHub(const ViwHubStart* start, char error[VIW_HUB_ERROR]) {
  struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((uint16_t)start->port)};
  const char* const address = start->address ? start->address : "127.0.0.1";
  if (inet_pton(AF_INET, address, &at.sin_addr) != 1) {
    snprintf(error, VIW_HUB_ERROR, "'%.100s' is no address such as 127.0.0.1", address);
    return NULL;
  }
  ViwHub* const hub = calloc(1, sizeof(*hub));
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0), again = 1;
  if (fd >= 0) (void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &again, sizeof(again));
  socklen_t length = sizeof(at);
  if (!hub || fd < 0 || bind(fd, (const struct sockaddr*)&at, sizeof(at)) || listen(fd, 16) ||
      getsockname(fd, (struct sockaddr*)&at, &length)) {
    snprintf(error, VIW_HUB_ERROR, "cannot listen at %.100s:%d: %s", address, start->port, strerror(errno));
    if (fd >= 0) close(fd);
    free(hub);
    return NULL;
  }
  hub->fd = fd;
  hub->port = ntohs(at.sin_port);
  hub->local = (ntohl(at.sin_addr.s_addr) >> 24) == 127;
  if (start->page) snprintf(hub->page, sizeof(hub->page), "%s", start->page);
  return hub;
}

int viw_hubPort(const ViwHub* hub) {
  return hub->port;
}

void viw_closeHub(ViwHub* hub) {
  if (!hub) return;
  while (hub->npeer) removePeer(hub, hub->npeer - 1);
  close(hub->fd);
  free(hub->helloBytes.bytes);
  free(hub->stateBytes.bytes);
  free(hub);
}
