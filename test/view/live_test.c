// Programs that show themselves: messages good and bad on a viewer, the hub with programs, pages and strangers.
#include <arpa/inet.h>
#include <malloc.h>
#include <math.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sinew/view.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "live/message.h"
#include "view/hub.h"
#include "view/stage.h"

static const char EMPTY[] = "<mujoco/>";
static const char BALL[] =
    "<mujoco><worldbody><geom type='plane' size='0 0 1'/><body name='ball' pos='0 0 1'><freejoint/><geom size='0.2'/>"
    "<body><joint name='hinge' axis='0 1 0'/><geom size='0.05' pos='0.4 0 0'/></body></body></worldbody></mujoco>";

enum { SPEC = mjSTATE_TIME | mjSTATE_QPOS, ROOM = 1 << 20 };

static unsigned char buffer[ROOM];

static size_t writeMessage(uint32_t kind, uint64_t signature, uint32_t nsim, const void* body, size_t n) {
  const LivMessage message = {.kind = kind, .signature = signature, .nsim = nsim, .spec = SPEC, .bytes = n};
  liv_writeHead(buffer, &message);
  if (n) memcpy(buffer + LIV_HEAD, body, n);
  return LIV_HEAD + n;
}

static void sendHello(ViwApp* app, const char* xml, uint64_t signature, uint32_t nsim) {
  viw_liveMessage(app, buffer, writeMessage(LIV_HELLO, signature, nsim, xml, strlen(xml)));
}

// time, then positions of each simulation; the height of the ball is the number of the simulation
static size_t writeState(uint64_t signature, uint32_t nsim, double time, double height) {
  static double numbers[16][9];
  for (uint32_t i = 0; i < nsim; i++) {
    const double row[9] = {time, 0, 0, height + i, 1, 0, 0, 0, 0.5};
    memcpy(numbers[i], row, sizeof(row));
  }
  return writeMessage(LIV_STATE, signature, nsim, numbers, nsim * sizeof(numbers[0]));
}

static ViwApp* open(ViwTarget* target) {
  static const char* text;
  text = EMPTY;
  ViwApp* const app = stageDraw(&text, target);
  app->paused = 0;
  return app;
}

static void statesAreShown(void** state) {
  if (!glc_make()) skip();
  (void)state;
  ViwTarget target;
  ViwApp* const app = open(&target);
  sendHello(app, BALL, 7, 1);
  assert_int_equal(app->live.on, 1);
  for (int i = 1; i < 10; i++) {
    viw_liveMessage(app, buffer, writeState(7, 1, 0.1 * i, i));
    stageFrame(app, NULL);
  }
  assert_true(app->d->time == 0.9 && app->d->qpos[2] == 9 && app->d->xpos[3 + 2] == 9);
  assert_int_equal(app->timeline.n, 10);

  // the past can be looked at, and what comes meanwhile is not followed
  viw_scrub(app, 3);
  assert_true(viw_shownData(app)->qpos[2] == 3);
  viw_liveMessage(app, buffer, writeState(7, 1, 1.0, 10));
  assert_true(viw_shownData(app)->qpos[2] == 3 && app->d->qpos[2] == 9);
  viw_runKey(app, ' ', 0, 0);
  viw_liveMessage(app, buffer, writeState(7, 1, 1.1, 11));
  assert_true(viw_shownData(app)->qpos[2] == 11);

  // hands stay off
  viw_reset(app, -1);
  viw_step(app, 5);
  assert_true(app->d->time == 1.1);
  assert_non_null(strstr(app->message, "running program"));
  stageEnd(app, &target);
}

// geoms of a type whose height is about this
static int countAt(const mjvScene* scene, double height) {
  int n = 0;
  for (int i = 0; i < scene->ngeom; i++) {
    const mjvGeom* const geom = scene->geoms + i;
    n += geom->type == mjGEOM_SPHERE && geom->size[0] > 0.1f && fabs(geom->pos[2] - height) < 1e-5;
  }
  return n;
}

// sixteen side by side, each as its state says, on one floor; in the past too
static void gridIsDrawn(void** state) {
  if (!glc_make()) skip();
  (void)state;
  ViwTarget target;
  ViwApp* const app = open(&target);
  sendHello(app, BALL, 7, 16);
  viw_liveMessage(app, buffer, writeState(7, 16, 0.1, 1));
  stageFrame(app, NULL);
  viw_liveMessage(app, buffer, writeState(7, 16, 0.2, 101));
  stageFrame(app, NULL);
  for (int i = 0; i < 16; i++) assert_int_equal(countAt(&app->scene, 101 + i), 1);
  int planes = 0;
  for (int i = 0; i < app->scene.ngeom; i++) planes += app->scene.geoms[i].type == mjGEOM_PLANE;
  assert_int_equal(planes, 1);
  viw_scrub(app, 1);
  stageFrame(app, NULL);
  for (int i = 0; i < 16; i++) assert_int_equal(countAt(&app->scene, 1 + i), 1);
  stageEnd(app, &target);
}

// copies that are simulated here differ from each other, and go on exactly from the past
static void copiesAreSimulated(void** state) {
  if (!glc_make()) skip();
  (void)state;
  ViwTarget target;
  ViwApp* const app = open(&target);
  static const char* text;
  text = BALL;
  app->host.context = &text;
  app->copies = 4;
  viw_loadPath(app, "stage.xml");
  assert_int_equal(app->grid.n, 4);
  for (int i = 0; i < 20; i++) stageFrame(app, NULL);
  const size_t bytes = (size_t)app->timeline.size * sizeof(mjtNum);
  assert_memory_not_equal(app->grid.state, app->grid.state + app->grid.size, (size_t)app->grid.size * sizeof(mjtNum));
  mjtNum* const before = malloc(bytes);
  memcpy(before, viw_shownStates(app), bytes);
  const int last = app->timeline.at, steps = app->steps;
  viw_scrub(app, last - 1);
  const int again = (int)((before[0] - viw_shownStates(app)[0]) / app->m->opt.timestep + 0.5);
  assert_true(again > 0 && steps > again);
  viw_step(app, again);
  assert_memory_equal(viw_shownStates(app), before, bytes);
  free(before);
  stageEnd(app, &target);
}

// what the viewer has room for, of everything that grows when it is needed
static size_t roomOf(const ViwApp* app) {
  const ViwRenderer* const r = &app->renderer;
  return (size_t)(r->opaque.room + r->transparent.room + r->lineRoom + r->instanceRoom + r->canvas.room +
                  r->canvas.patchRoom + app->scene.maxgeom + app->timeline.room);
}

// frames need no more room than the first ones; states and looks into the past leave no memory behind
static void memoryDoesNotGrow(void** state) {
  if (!glc_make()) skip();
  (void)state;
  ViwTarget target;
  ViwApp* const app = open(&target);
  sendHello(app, BALL, 7, 4);
  app->timeline.room = 10;
  app->help = app->left = app->right = app->bars = 1;
  viw_addWatch(app, "qpos[2]");
  size_t room = 0, before = 0;
  for (int i = 1; i < 2000; i++) {
    app->paused = 0;
    viw_liveMessage(app, buffer, writeState(7, 4, 0.1 * i, 1));
    viw_liveMessage(app, buffer, writeState(8, 4, 0.1 * i, 1));
    if (i % 10 == 9) viw_scrub(app, 2);
    viw_sampleWatches(app);
    if (i < 15) stageFrame(app, NULL);
    if (i == 10) room = roomOf(app);
    if (i == 1000) before = mallinfo2().uordblks;
  }
  assert_int_equal(roomOf(app), room);
  // OpenGL's own threads may still be at work
  assert_true(mallinfo2().uordblks < before + 65536);
  stageEnd(app, &target);
}

//---------------------------------- bad messages ----------------------------------

static void expectRefusal(ViwApp* app, size_t n, const char* why) {
  app->message[0] = 0;
  const int states = app->live.states;
  viw_liveMessage(app, buffer, n);
  if (!strstr(app->message, why)) fail_msg("'%s' lacks '%s'", app->message, why);
  if (strcmp(why, "finite") != 0) assert_int_equal(app->live.states, states);
}

static void badMessagesAreSaid(void** state) {
  if (!glc_make()) skip();
  (void)state;
  ViwTarget target;
  ViwApp* const app = open(&target);
  expectRefusal(app, writeState(7, 1, 0.1, 1), "without its model");
  sendHello(app, BALL, 7, 2);
  viw_liveMessage(app, buffer, writeState(7, 2, 0.1, 1));
  assert_true(app->d->qpos[2] == 1);
  expectRefusal(app, writeState(8, 2, 0.2, 2), "another model");
  expectRefusal(app, writeState(7, 1, 0.2, 2), "another size");
  expectRefusal(app, writeState(7, 2, 0.2, NAN), "finite");
  expectRefusal(app, writeState(7, 2, INFINITY, 1), "finite");
  const size_t whole = writeState(7, 2, 0.2, 2);
  for (size_t n = 0; n < whole; n += 3) expectRefusal(app, n, "left out");
  expectRefusal(app, writeMessage(LIV_HELLO, 9, 1, "<mujoco><goem/></mujoco>", 24), "goem");
  // the reason stays, whatever states follow
  viw_liveMessage(app, buffer, writeState(9, 1, 0.1, 1));
  assert_non_null(strstr(app->message, "goem"));
  expectRefusal(app, writeMessage(LIV_HELLO, 9, 1, "", 0), "left out");
  static const char HUGE_STATE[] = "<mujoco><size nuserdata='90000000'/></mujoco>";
  expectRefusal(app, writeMessage(LIV_HELLO, 9, 900, HUGE_STATE, strlen(HUGE_STATE)), "too many");
  // and given back
  static const char MANY[] = "<mujoco><size nuserdata='70000'/></mujoco>";
  expectRefusal(app, writeMessage(LIV_HELLO, 9, 1024, MANY, strlen(MANY)), "such a model are too many");
  const size_t before = mallinfo2().uordblks;
  for (int i = 0; i < 100; i++) viw_liveMessage(app, buffer, LIV_HEAD + strlen(MANY));
  assert_true(mallinfo2().uordblks < before + 65536);
  // what was shown stays
  stageFrame(app, NULL);
  assert_int_equal(app->live.signature, 7);
  assert_true(app->d->qpos[2] == 1 && app->d->time == 0.1);
  stageEnd(app, &target);
}

// binary models cut and with bytes changed, and messages of noise: an error or a model, never a crash
static void noiseIsHarmless(void** state) {
  if (!glc_make()) skip();
  (void)state;
  ViwTarget target;
  ViwApp* const app = open(&target);
  mjModel* const m = tst_string(BALL);
  const size_t size = (size_t)mj_sizeModel(m);
  unsigned char* const mjb = malloc(size);
  mj_saveModel(m, NULL, mjb, (int)size);
  uint32_t noise = 5;
  for (int round = 0; round < 60; round++) {
    size_t n = writeMessage(LIV_HELLO, 1, 1, mjb, size);
    noise = noise * 1664525u + 1013904223u;
    if (round % 3 == 0) {
      n = writeMessage(LIV_HELLO, 1, 1, mjb, noise % size);
    } else {
      buffer[noise % n] ^= (unsigned char)(1 << (noise >> 28) % 8);
    }
    viw_liveMessage(app, buffer, n);
    for (size_t i = LIV_HEAD; i < 400; i++) buffer[i] = (unsigned char)((noise = noise * 1664525u + 1013904223u) >> 24);
    viw_liveMessage(app, buffer, 400);
  }
  sendHello(app, BALL, 7, 1);
  viw_liveMessage(app, buffer, writeState(7, 1, 0.1, 4));
  assert_true(app->d->qpos[2] == 4);
  free(mjb);
  mj_deleteModel(m);
  stageEnd(app, &target);
}

//---------------------------------- the hub ----------------------------------

static ViwHub* openHub(const char* page) {
  char error[VIW_HUB_ERROR] = "";
  const ViwHubStart start = {.page = page};
  ViwHub* const hub = viw_openHub(&start, error);
  if (!hub) fail_msg("%s", error);
  return hub;
}

// a program of its own thread: sends states, ends when it may
typedef struct {
  int port, nsim, steps;
  volatile int release;
  int good;
} Program;

static void* runProgram(void* arg) {
  Program* const p = arg;
  char address[32], message[300] = "";
  snprintf(address, sizeof(address), "localhost:%d", p->port);
  mjModel* const m = tst_string(BALL);
  mjData* const d = mj_makeData(m);
  snView* const view = sn_viewConnect(address, m, p->nsim, message, sizeof(message));
  p->good = view != NULL;
  for (int i = 0; i < p->steps && view; i++) {
    d->time = i + 1;
    d->qpos[2] = i + 1;
    p->good &= sn_viewSend(view, d, i % p->nsim) == SN_OK;
  }
  p->good &= sn_viewSend(view, d, p->nsim) == SN_ERROR;
  while (!p->release) usleep(2000);
  sn_viewClose(view);
  mj_deleteData(d);
  mj_deleteModel(m);
  return NULL;
}

// polls until the state of this time has come, or ten seconds have passed; what came
static double waitFor(ViwHub* hub, double time, ViwHubNews* all) {
  double last = -1;
  for (int i = 0; i < 1000 && last < time; i++) {
    ViwHubNews news;
    viw_pollHub(hub, 10, &news);
    all->nhello += news.nhello;
    all->gone |= news.gone;
    if (news.wrong) all->wrong = news.wrong;
    if (news.state) memcpy(&last, news.state + LIV_HEAD, sizeof(last));
    if (news.state) all->nstate++;
  }
  return last;
}

// A viewer that does not look does not hold the program up: a hundred thousand states are sent while nobody reads them,
// few of them come, the last one does.
static void programsNeverWait(void** state) {
  (void)state;
  ViwHub* const hub = openHub(NULL);
  Program p = {.port = viw_hubPort(hub), .nsim = 1, .steps = 100000};
  ViwHubNews all = {0};
  pthread_t thread;
  assert_int_equal(pthread_create(&thread, NULL, runProgram, &p), 0);
  assert_true(waitFor(hub, p.steps, &all) == p.steps);
  assert_true(all.nhello > LIV_HEAD);
  assert_true(all.nstate < 5000);
  p.release = 1;
  pthread_join(thread, NULL);
  assert_int_equal(p.good, 1);
  for (int i = 0; i < 200 && !all.gone; i++) {
    ViwHubNews news;
    viw_pollHub(hub, 10, &news);
    all.gone = news.gone;
    assert_null(news.wrong);
  }
  assert_int_equal(all.gone, 1);
  viw_closeHub(hub);
}

static void nobodyListens(void** state) {
  (void)state;
  mjModel* const m = tst_string(BALL);
  char message[300] = "", address[32];
  ViwHub* const hub = openHub(NULL);
  snprintf(address, sizeof(address), "127.0.0.1:%d", viw_hubPort(hub));
  viw_closeHub(hub);
  assert_null(sn_viewConnect(address, m, 1, message, sizeof(message)));
  assert_non_null(strstr(message, "sinew view --listen"));
  assert_null(sn_viewConnect(address, NULL, 1, message, sizeof(message)));
  assert_null(sn_viewConnect(address, m, 0, message, sizeof(message)));
  assert_null(sn_viewConnect(address, m, 5000, NULL, 0));
  assert_int_equal(sn_viewSend(NULL, NULL, 0), SN_ERROR);
  assert_int_equal(sn_viewSendBatch(NULL, NULL), SN_ERROR);
  sn_viewClose(NULL);
  mj_deleteModel(m);
}

// says something to the hub and hears its answer
static const char* ask(ViwHub* hub, const void* text, size_t n) {
  static char heard[20000];
  struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((uint16_t)viw_hubPort(hub))};
  inet_pton(AF_INET, "127.0.0.1", &at.sin_addr);
  const int fd = socket(AF_INET, SOCK_STREAM, 0);
  assert_int_equal(connect(fd, (const struct sockaddr*)&at, sizeof(at)), 0);
  assert_int_equal(send(fd, text, n, MSG_NOSIGNAL), (ssize_t)n);
  size_t got = 0;
  for (int i = 0; i < 20; i++) {
    ViwHubNews news;
    viw_pollHub(hub, 5, &news);
    const ssize_t more = recv(fd, heard + got, sizeof(heard) - 1 - got, MSG_DONTWAIT);
    if (more > 0) got += (size_t)more;
    if (more == 0) break;
  }
  close(fd);
  heard[got] = 0;
  return heard;
}

#define ASK(text) ask(hub, text, strlen(text))
#define UPGRADE   "Upgrade: websocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"

static void strangersAreRefused(void** state) {
  (void)state;
  char folder[] = "/tmp/sinew-hub-XXXXXX", path[64];
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof(path), "%s/index.html", folder);
  FILE* const file = fopen(path, "w");
  fputs("the page", file);
  fclose(file);
  ViwHub* const hub = openHub(folder);
  assert_non_null(strstr(ASK("GET / HTTP/1.1\r\nHost: localhost:1\r\n\r\n"), "the page"));
  assert_non_null(strstr(ASK("GET /index.html?live HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"), "text/html"));
  static const char* const NONE[] = {
      "GET /../../etc/passwd HTTP/1.1\r\nHost: localhost\r\n\r\n",
      "GET /%2e%2e/etc/passwd HTTP/1.1\r\nHost: localhost\r\n\r\n",
      "GET /.git HTTP/1.1\r\nHost: localhost\r\n\r\n",
      "GET /none HTTP/1.1\r\nHost: localhost\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n",
      "GET /send HTTP/1.1\r\nHost: localhost\r\nOrigin: http://evil.example\r\n" UPGRADE "\r\n",
      "GET /watch HTTP/1.1\r\nHost: localhost:5\r\nOrigin: http://localhost:6\r\n" UPGRADE "\r\n",
      "GET /watch HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n\r\n",
      "POST / HTTP/1.1\r\nHost: localhost\r\n\r\n",
      "\r\n\r\n"};
  for (size_t i = 0; i < sizeof(NONE) / sizeof(NONE[0]); i++) {
    const char* const heard = ASK(NONE[i]);
    if (strncmp(heard, "HTTP/1.1 40", 11) != 0) fail_msg("request %zu: %s", i, heard);
  }
  static const char GOOD[] =
      "GET /watch HTTP/1.1\r\nHost: localhost:5\r\nOrigin: http://localhost:5\r\n" UPGRADE "\r\n";
  assert_non_null(strstr(ASK(GOOD), "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="));

  // heads without end, and noise behind a good head
  static char lengthy[9000];
  memset(lengthy, 'x', sizeof(lengthy));
  assert_non_null(strstr(ask(hub, lengthy, sizeof(lengthy)), "431"));
  uint32_t noise = 3;
  for (int round = 0; round < 20; round++) {
    char text[700] = "GET /send HTTP/1.1\r\nHost: localhost\r\n" UPGRADE "\r\n";
    const size_t head = strlen(text);
    for (size_t i = head; i < sizeof(text); i++) text[i] = (char)((noise = noise * 1664525u + 1013904223u) >> 24);
    ask(hub, text, sizeof(text));
  }
  viw_closeHub(hub);
  remove(path);
  remove(folder);
}

// a second program takes the place of the first, which is told that it is over
static void lastProgramIsShown(void** state) {
  (void)state;
  ViwHub* const hub = openHub(NULL);
  Program first = {.port = viw_hubPort(hub), .nsim = 1, .steps = 5};
  Program second = {.port = viw_hubPort(hub), .nsim = 1, .steps = 9};
  ViwHubNews all = {0};
  pthread_t a, b;
  pthread_create(&a, NULL, runProgram, &first);
  assert_true(waitFor(hub, 5, &all) == 5);
  pthread_create(&b, NULL, runProgram, &second);
  assert_true(waitFor(hub, 9, &all) == 9);
  first.release = second.release = 1;
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert_int_equal(first.good & second.good, 1);
  viw_closeHub(hub);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(statesAreShown),     cmocka_unit_test(gridIsDrawn),        cmocka_unit_test(copiesAreSimulated),
      cmocka_unit_test(memoryDoesNotGrow),  cmocka_unit_test(badMessagesAreSaid), cmocka_unit_test(noiseIsHarmless),
      cmocka_unit_test(programsNeverWait),  cmocka_unit_test(nobodyListens),      cmocka_unit_test(strangersAreRefused),
      cmocka_unit_test(lastProgramIsShown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
