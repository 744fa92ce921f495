// A running program as a client of a viewer (sn_view*). Callers leave their state in a mailbox of one place; a thread
// takes the newest out of it and sends it, however long that takes. The lock is held for copies only.
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <sinew/view.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "live/message.h"
#include "live/websocket.h"

// what is drawn of a state
enum {
  SPEC = mjSTATE_TIME | mjSTATE_QPOS | mjSTATE_QVEL | mjSTATE_ACT | mjSTATE_CTRL | mjSTATE_EQ_ACTIVE |
         mjSTATE_MOCAP_POS | mjSTATE_MOCAP_QUAT
};
static const double INTERVAL = 1.0 / 60;  // seconds between states

struct snView_ {
  mjModel* m;
  int nsim, size;  // simulations, numbers of the state of one
  uint64_t signature;
  int fd;
  LivReader reader;      // what the viewer says
  unsigned char* frame;  // a message on its way
  uint32_t noise;        // masks are drawn from it
  double sent;           // when the last state was taken from a batch

  // shared with the thread
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t wake;
  mjtNum* state;  // the mailbox
  int fresh;      // 1: it has not been sent
  int closing;    // 1: no more will come
  double end;     // when to give up then
  int gone;       // 1: the viewer has gone
};

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

//---------------------------------- sockets ----------------------------------

// waits until the socket can be read or written; 0: not in time
static int ready(int fd, short events, double wait) {
  struct pollfd p = {.fd = fd, .events = events};
  const int n = poll(&p, 1, (int)(1000 * wait));
  return n > 0 || (n < 0 && errno == EINTR);
}

// 1: everything was sent; 0: the other side has gone or there is no more time
static int sendAll(snView* v, const unsigned char* bytes, size_t n) {
  while (n) {
    const ssize_t done = send(v->fd, bytes, n, MSG_NOSIGNAL);
    if (done > 0) {
      bytes += done;
      n -= (size_t)done;
      continue;
    }
    if (done < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR) return 0;
    ready(v->fd, POLLOUT, 0.1);
    pthread_mutex_lock(&v->lock);
    const int late = v->closing && seconds() > v->end;
    pthread_mutex_unlock(&v->lock);
    if (late) return 0;
  }
  return 1;
}

static int openSocket(const struct addrinfo* at, double wait) {
  const int fd = socket(at->ai_family, at->ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, at->ai_protocol);
  if (fd < 0) return -1;
  int bad = connect(fd, at->ai_addr, at->ai_addrlen) != 0;
  if (bad && errno == EINPROGRESS && ready(fd, POLLOUT, wait)) {
    socklen_t length = sizeof(bad);
    if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &bad, &length)) bad = 1;
  }
  if (!bad) return fd;
  close(fd);
  return -1;
}

// the socket, or -1 with a message; host is what was asked for
static int dial(const char* address, char host[256], char* message, int size) {
  char port[16];
  snprintf(host, 256, "%s", address && *address ? address : "localhost");
  snprintf(port, sizeof(port), "%d", LIV_PORT);
  char* const colon = strrchr(host, ':');
  if (colon && !strchr(colon, ']')) {
    *colon = 0;
    snprintf(port, sizeof(port), "%.15s", colon + 1);
  }
  struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV}, *all = NULL;
  const int unknown = getaddrinfo(host, port, &hints, &all);
  int fd = -1;
  for (const struct addrinfo* at = unknown ? NULL : all; at && fd < 0; at = at->ai_next) fd = openSocket(at, 3);
  if (!unknown) freeaddrinfo(all);
  if (fd < 0 && message && size > 0) {
    snprintf(message, (size_t)size,
             unknown ? "there is no host '%s'" : "no viewer listens at %s:%s: sinew view --listen", host, port);
  }
  return fd;
}

// The handshake: asks for a WebSocket and reads the answer. 1: agreed.
static int agree(snView* v, const char* host) {
  static const char KEY[] = "c2luZXcgc2hvd3MgaXRzZWxm";
  char text[1024], accept[LIV_ACCEPT];
  size_t n = (size_t)snprintf(text, sizeof(text),
                              "GET /send HTTP/1.1\r\nHost: %s\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                              "Sec-WebSocket-Key: %s\r\nSec-WebSocket-Version: 13\r\n\r\n",
                              host, KEY);
  if (!sendAll(v, (const unsigned char*)text, n)) return 0;
  liv_acceptKey(KEY, accept);
  const double end = seconds() + 10;
  for (n = 0; n + 1 < sizeof(text) && seconds() < end;) {
    // byte by byte: frames of the viewer may follow
    if (!ready(v->fd, POLLIN, 0.1)) continue;
    const ssize_t got = recv(v->fd, text + n, 1, 0);
    if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) return 0;
    if (got < 0) continue;
    text[++n] = 0;
    if (n >= 4 && strcmp(text + n - 4, "\r\n\r\n") == 0) {
      return strncmp(text, "HTTP/1.1 101", 12) == 0 && strstr(text, accept) != NULL;
    }
  }
  return 0;
}

//---------------------------------- the thread ----------------------------------

// sends n bytes of v->frame, behind which they begin, as one message
static int sendMessage(snView* v, int kind, size_t n) {
  // masks keep caches on the way from being fooled; no secret depends on them
  v->noise = v->noise * 1664525u + 1013904223u;
  unsigned char mask[4], head[LIV_FRAME_HEAD];
  for (int i = 0; i < 4; i++) mask[i] = (unsigned char)(v->noise >> (8 * i));
  const size_t length = liv_frameHead(head, kind, n, mask);
  unsigned char* const start = v->frame + LIV_FRAME_HEAD - length;
  memcpy(start, head, length);
  liv_mask(v->frame + LIV_FRAME_HEAD, n, mask);
  return sendAll(v, start, length + n);
}

// reads what the viewer says; 0: it has gone
static int hear(snView* v) {
  unsigned char bytes[512];
  for (ssize_t n = 0; (n = recv(v->fd, bytes, sizeof(bytes), 0)) != 0;) {
    if (n < 0) return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
    LivFrame frame;
    if (!liv_feed(&v->reader, bytes, (size_t)n)) return 0;
    for (int found = 0; (found = liv_nextFrame(&v->reader, &frame)) != 0;) {
      if (found < 0 || frame.kind == LIV_CLOSE) return 0;
      if (frame.kind != LIV_PING) continue;
      memcpy(v->frame + LIV_FRAME_HEAD, frame.bytes, frame.n);
      if (!sendMessage(v, LIV_PONG, frame.n)) return 0;
    }
  }
  return 0;
}

// waits for a state in the mailbox and copies it; 0: no more will come
static int takeState(snView* v, unsigned char* body) {
  pthread_mutex_lock(&v->lock);
  while (!v->fresh && !v->closing) {
    // a viewer that leaves is noticed without a state too
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 1;
    if (pthread_cond_timedwait(&v->wake, &v->lock, &until) == ETIMEDOUT) break;
  }
  const int taken = v->fresh;
  if (taken) memcpy(body, v->state, (size_t)v->nsim * (size_t)v->size * sizeof(mjtNum));
  const int more = taken || !v->closing;
  v->fresh = 0;
  pthread_mutex_unlock(&v->lock);
  return taken ? 1 : more ? -1 : 0;
}

static int sendState(snView* v) {
  unsigned char* const head = v->frame + LIV_FRAME_HEAD;
  const size_t bytes = (size_t)v->nsim * (size_t)v->size * sizeof(mjtNum);
  const int taken = takeState(v, head + LIV_HEAD);
  if (taken <= 0) return taken;
  const LivMessage message = {
      .kind = LIV_STATE, .nsim = (uint32_t)v->nsim, .spec = SPEC, .signature = v->signature, .bytes = bytes};
  liv_writeHead(head, &message);
  return sendMessage(v, LIV_BINARY, LIV_HEAD + bytes) ? 1 : 0;
}

// the model, then states
static void* work(void* arg) {
  snView* const v = arg;
  const size_t hello = LIV_HEAD + (size_t)mj_sizeModel(v->m);
  int good = sendMessage(v, LIV_BINARY, hello);
  while (good) {
    const double start = seconds();
    good = hear(v) && sendState(v) != 0;
    const double left = INTERVAL - (seconds() - start);
    const struct timespec pause = {0, (long)(1e9 * (left > 0 ? left : 0))};
    if (good) nanosleep(&pause, NULL);
  }
  pthread_mutex_lock(&v->lock);
  const int leaving = v->closing;
  v->gone = 1;
  pthread_mutex_unlock(&v->lock);
  static const unsigned char NORMAL[2] = {1000 >> 8, 1000 & 255};
  memcpy(v->frame + LIV_FRAME_HEAD, NORMAL, sizeof(NORMAL));
  if (leaving) sendMessage(v, LIV_CLOSE, sizeof(NORMAL));
  return NULL;
}

//---------------------------------- interface ----------------------------------

static void release(snView* v) {
  if (v->fd >= 0) close(v->fd);
  liv_freeReader(&v->reader);
  free(v->frame);
  free(v->state);
  mj_deleteModel(v->m);
  pthread_mutex_destroy(&v->lock);
  pthread_cond_destroy(&v->wake);
  free(v);
}

static snView* refuse(snView* v, char* message, int size, const char* text) {
  if (message && size > 0) snprintf(message, (size_t)size, "%s", text);
  if (v) release(v);
  return NULL;
}

// a connection without a socket: the model as the first message, room for states. NULL: no memory
static snView* prepare(const mjModel* m, int nsim) {
  snView* const v = calloc(1, sizeof(*v));
  if (!v) return NULL;
  v->fd = -1;
  v->nsim = nsim;
  v->size = mj_stateSize(m, SPEC);
  v->reader = (LivReader){.most = 4096};
  v->noise = (uint32_t)time(NULL) ^ (uint32_t)getpid();
  pthread_mutex_init(&v->lock, NULL);
  pthread_cond_init(&v->wake, NULL);
  const size_t model = (size_t)mj_sizeModel(m), states = (size_t)nsim * (size_t)v->size * sizeof(mjtNum);
  v->frame = malloc(LIV_FRAME_HEAD + LIV_HEAD + (model > states ? model : states));
  v->state = calloc((size_t)nsim * (size_t)v->size, sizeof(mjtNum));
  v->m = mj_copyModel(NULL, m);
  if (!v->frame || !v->state || !v->m) {
    release(v);
    return NULL;
  }
  // the model's bytes, and a number for them (FNV-1a)
  unsigned char* const body = v->frame + LIV_FRAME_HEAD + LIV_HEAD;
  mj_saveModel(m, NULL, body, (int)model);
  v->signature = 14695981039346656037u;
  for (size_t i = 0; i < model; i++) v->signature = (v->signature ^ body[i]) * 1099511628211u;
  const LivMessage hello = {
      .kind = LIV_HELLO, .nsim = (uint32_t)nsim, .spec = SPEC, .signature = v->signature, .bytes = model};
  liv_writeHead(v->frame + LIV_FRAME_HEAD, &hello);
  return v;
}

snView* sn_viewConnect(const char* address, const mjModel* m, int nsim, char* message, int size) {
  char host[256];
  if (!m) return refuse(NULL, message, size, "sn_viewConnect: model is NULL");
  if (nsim < 1 || nsim > LIV_MOST_SIMS) return refuse(NULL, message, size, "sn_viewConnect: 1 to 1024 simulations");
  if ((size_t)mj_sizeModel(m) > LIV_MOST_BYTES - LIV_HEAD) {
    return refuse(NULL, message, size, "sn_viewConnect: the model is too large to be sent");
  }
  const int fd = dial(address, host, message, size);
  if (fd < 0) return NULL;
  snView* const v = prepare(m, nsim);
  if (!v) {
    close(fd);
    return refuse(NULL, message, size, "sn_viewConnect: no memory");
  }
  v->fd = fd;
  const int now = 1;
  (void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &now, sizeof(now));
  if (!agree(v, host)) return refuse(v, message, size, "what listens there is no viewer");
  if (pthread_create(&v->thread, NULL, work, v)) return refuse(v, message, size, "sn_viewConnect: no thread");
  return v;
}

snStatus sn_viewSend(snView* view, const mjData* d, int sim) {
  if (!view || !d || sim < 0 || sim >= view->nsim) return SN_ERROR;
  pthread_mutex_lock(&view->lock);
  const int gone = view->gone;
  if (!gone) {
    mj_getState(view->m, d, view->state + (size_t)sim * (size_t)view->size, SPEC);
    view->fresh = 1;
    pthread_cond_signal(&view->wake);
  }
  pthread_mutex_unlock(&view->lock);
  return gone ? SN_WARNING : SN_OK;
}

snStatus sn_viewSendBatch(snView* view, snBatch* b) {
  if (!view || !b || sn_batchSize(b) < view->nsim || sn_batchStateSize(b, SPEC) != view->size) return SN_ERROR;
  pthread_mutex_lock(&view->lock);
  const int gone = view->gone;
  pthread_mutex_unlock(&view->lock);
  if (gone) return SN_WARNING;
  const double now = seconds();
  if (now - view->sent < INTERVAL) return SN_OK;
  view->sent = now;
  int index[LIV_MOST_SIMS];
  for (int i = 0; i < view->nsim; i++) index[i] = i;
  const snSelection first = {.index = index, .n = view->nsim};
  pthread_mutex_lock(&view->lock);
  const snStatus status = sn_batchGetState(b, &first, view->state, SPEC);
  view->fresh = 1;
  pthread_cond_signal(&view->wake);
  pthread_mutex_unlock(&view->lock);
  return status == SN_ERROR ? SN_ERROR : SN_OK;
}

void sn_viewClose(snView* view) {
  if (!view) return;
  pthread_mutex_lock(&view->lock);
  view->closing = 1;
  view->end = seconds() + 1;
  pthread_cond_signal(&view->wake);
  pthread_mutex_unlock(&view->lock);
  pthread_join(view->thread, NULL);
  release(view);
}
