// `sinew view`: a window on a running model; without a display, the same into memory.
#include "view.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "live/message.h"
#include "modules/modules.h"
#include "support/cli.h"
#include "support/numbers.h"
#include "support/offscreen.h"

typedef struct {
  double speed;
  int frames, window, paused, bare, quiet, copies, threads, listen, serve;
  const char *out, *size, *script, *key, *camera, *film, *states, *at, *page;
  CliList show, watch;
} Options;

// All that the command holds, so that it is released in one place.
typedef struct {
  Options o;
  CliList words;
  ViewFiles files;
  ViwApp app;
  ViwHub* hub;  // NULL: nobody is listened to
  int opened;   // 1: app is
  int width, height;

  // where it is drawn: a window, or memory
  const ModWindow* module;
  void* window;
  CliOffscreen screen;
  ViwTarget target;
} View;

enum { FRAMES_A_SECOND = 60, SAMPLES = 4 };

// -------------------------------------------------------------------------------------------- checks

static int checkOptions(View* v) {
  const Options* const o = &v->o;
  if (v->words.n > 1) {
    return cli_fail(CLI_USAGE, "one model at a time, not '%s' and '%s'", v->words.at[0], v->words.at[1]);
  }
  if (!(o->speed > 0)) return cli_fail(CLI_USAGE, "--speed must be positive");
  if (o->frames == 0) return cli_fail(CLI_USAGE, "--frames must be at least 1");
  if (o->out && o->frames < 0)
    return cli_fail(CLI_USAGE, "--out goes with --frames: it is the picture of the last one");
  if (o->out && !cli_hasSuffix(o->out, ".png")) {
    return cli_fail(CLI_USAGE, "--out %s: the name of a picture ends in .png", o->out);
  }
  if (o->copies < 1 || o->copies > LIV_MOST_SIMS) return cli_fail(CLI_USAGE, "--copies are 1 to %d", LIV_MOST_SIMS);
  if (o->threads < 1 || o->threads > 256) return cli_fail(CLI_USAGE, "--threads are 1 to 256");
  if ((o->at || o->page) && !o->listen && !o->serve) {
    return cli_fail(CLI_USAGE, "--at and --page go with --listen or --serve");
  }
  if (o->serve && (v->words.n || o->frames > 0 || o->script)) {
    return cli_fail(CLI_USAGE, "--serve has no window of its own: it shows browsers what running programs send");
  }
  int code = cli_readSize(o->size, &v->width, &v->height);
  if (code == CLI_OK && o->out) code = cli_checkWritable(o->out);
  if (code == CLI_OK && o->film) code = cli_checkWritable(o->film);
  if (code == CLI_OK && o->states) code = cli_checkWritable(o->states);
  v->files.film = o->film ? o->film : "view.mp4";
  v->files.states = o->states ? o->states : "view-states.csv";
  return code;
}

// -------------------------------------------------------------------------------------------- where it is drawn

static int openWindow(View* v, ViwLookup* lookup) {
  v->module = mod_load("sinew_window", "sinew_window");
  if (!v->module) {
    cli_fail(CLI_OUTPUT, "%s", mod_reason("sinew_window"));
    cli_hint("--frames N --out shot.png needs no window");
    return CLI_OUTPUT;
  }
  char error[MOD_ERROR_SIZE] = "";
  const int size[2] = {v->width, v->height};
  // several samples a pixel take twice the time where it is the processor that draws
  v->window = v->module->open("sinew", size, viw_isSoftware, error);
  if (!v->window) {
    cli_fail(CLI_OUTPUT, "cannot open a window: %s", error);
    cli_hint("without a display: sinew view MODEL --frames 300 --out shot.png");
    return CLI_OUTPUT;
  }
  *lookup = v->module->lookup;
  return CLI_OK;
}

static int openMemory(View* v, ViwLookup* lookup) {
  setenv("EGL_LOG_LEVEL", "fatal", 0);
  if (!cli_openOffscreen(&v->screen, 0, 0)) {
    cli_fail(CLI_OUTPUT, "cannot draw: there is no OpenGL that works without a display");
    cli_hint("pictures need EGL or OSMesa: sudo apt-get install libegl1 libgl1-mesa-dri (or libosmesa6)");
    return CLI_OUTPUT;
  }
  *lookup = v->screen.lookup;
  return CLI_OK;
}

static int openTarget(View* v) {
  char error[VIW_ERROR_SIZE] = "";
  if (v->window) return CLI_OK;
  if (!viw_openTarget(&v->target, v->width, v->height, SAMPLES, error)) return cli_fail(CLI_OUTPUT, "%s", error);
  v->app.target = &v->target;
  return CLI_OK;
}

// -------------------------------------------------------------------------------------------- live

// the folder of the page: beside the program where it was built, or where it was installed; "" : not there
static void findPage(char path[VIW_PATH_SIZE]) {
  static const char* const FOLDERS[] = {"../../web/page", "../share/sinew/page"};
  char program[VIW_PATH_SIZE - 100];
  const ssize_t length = readlink("/proc/self/exe", program, sizeof(program) - 1);
  program[length > 0 ? length : 0] = 0;
  char* const slash = strrchr(program, '/');
  if (slash) *slash = 0;
  for (size_t i = 0; i < sizeof(FOLDERS) / sizeof(FOLDERS[0]); i++) {
    snprintf(path, VIW_PATH_SIZE, "%s/%s", program, FOLDERS[i]);
    if (access(path, R_OK) == 0) return;
  }
  path[0] = 0;
}

// "8000", "0.0.0.0:8000": where to listen
static int readPlace(const char* text, char address[64], int* port) {
  const char* const colon = text ? strrchr(text, ':') : NULL;
  double number = LIV_PORT;
  if (colon) snprintf(address, 64, "%.*s", (int)(colon - text), text);
  if (text &&
      (!cli_number(colon ? colon + 1 : text, &number) || number < 0 || number > 65535 || number != (int)number)) {
    return cli_fail(CLI_USAGE, "--at %s: a port such as %d, or an address and a port: 0.0.0.0:%d", text, LIV_PORT,
                    LIV_PORT);
  }
  *port = (int)number;
  return CLI_OK;
}

static int openHub(View* v) {
  const Options* const o = &v->o;
  if (!o->listen && !o->serve) return CLI_OK;
  char address[64] = "127.0.0.1", page[VIW_PATH_SIZE] = "", error[VIW_HUB_ERROR] = "";
  ViwHubStart start = {.address = address};
  const int code = readPlace(o->at, address, &start.port);
  if (code != CLI_OK) return code;
  if (o->page) {
    snprintf(page, sizeof(page), "%s", o->page);
    if (access(page, R_OK)) return cli_fail(CLI_INPUT, "cannot read '%s': %s", page, strerror(errno));
  } else {
    findPage(page);
  }
  start.page = page[0] ? page : NULL;
  v->hub = viw_openHub(&start, error);
  if (!v->hub) return cli_fail(CLI_OUTPUT, "%s", error);
  if (o->quiet) return CLI_OK;
  const int port = viw_hubPort(v->hub);
  printf("listening: programs call sn_viewConnect(\"localhost:%d\", ...) or sinew.view(batch, \"localhost:%d\")\n",
         port, port);
  if (start.page) printf("  browsers   http://localhost:%d/?live\n", port);
  fflush(stdout);
  return CLI_OK;
}

// passes on what came in
static void hear(View* v) {
  ViwHubNews news;
  ViwApp* const app = &v->app;
  viw_pollHub(v->hub, 0, &news);
  if (news.hello) viw_liveMessage(app, news.hello, news.nhello);
  if (news.state) viw_liveMessage(app, news.state, news.nstate);
  if (news.gone) viw_liveGone(app);
  if (news.wrong) viw_say(app, 1, "live: %s: left out", news.wrong);
}

// no window: only pages look
static int serve(View* v) {
  ViwHubNews news;
  cli_catchInterrupt();
  while (!cli_interrupted()) viw_pollHub(v->hub, 200, &news);
  return CLI_INTERRUPTED;
}

// -------------------------------------------------------------------------------------------- preparation

static int startScript(View* v) {
  size_t size = 0;
  char error[VIW_ERROR_SIZE] = "";
  char* const text = cli_readFile(v->o.script, &size);
  if (!text) return CLI_INPUT;
  const int good = viw_startScript(&v->app, text, error);
  free(text);
  return good ? CLI_OK : cli_fail(CLI_INPUT, "%s, %s", v->o.script, error);
}

static int chooseCamera(View* v, const char* word) {
  const mjModel* const m = v->app.m;
  int id = mj_name2id(m, mjOBJ_CAMERA, word);
  double number = -1;
  if (id < 0 && cli_number(word, &number) && number >= 0 && number < (double)m->ncam) id = (int)number;
  if (id < 0) return cli_unknownObject(m, mjOBJ_CAMERA, word);
  viw_chooseCamera(&v->app, 2 + id);
  return CLI_OK;
}

// what can only be set when the model is there
static int applyOptions(View* v) {
  const Options* const o = &v->o;
  ViwApp* const app = &v->app;
  for (int i = 0; i < o->show.n; i++) {
    if (!viw_setSwitch(app, o->show.at[i])) {
      return cli_fail(CLI_USAGE, "--show %s: there is no such thing; names are those of 'sinew picture'",
                      o->show.at[i]);
    }
  }
  if (app->m && o->key) {
    const int code = cli_resetTo(app->m, app->d, o->key);
    if (code != CLI_OK) return code;
    viw_forward(app);
    viw_remember(app);
  }
  if (app->m && o->camera) {
    const int code = chooseCamera(v, o->camera);
    if (code != CLI_OK) return code;
  }
  for (int i = 0; i < o->watch.n && app->m; i++) {
    if (!viw_addWatch(app, o->watch.at[i])) return cli_fail(CLI_USAGE, "--watch %s", app->message);
  }
  if (o->film) viw_toggleFilm(app);
  if (o->states) viw_toggleStates(app);
  return o->script ? startScript(v) : CLI_OK;
}

static int prepare(View* v) {
  const Options* const o = &v->o;
  const int alone = o->frames > 0;
  ViwLookup lookup = NULL;
  int code = openHub(v);
  if (code != CLI_OK || o->serve) return code;
  code = alone && !o->window ? openMemory(v, &lookup) : openWindow(v, &lookup);
  if (code != CLI_OK) return code;
  const ViwHost host = view_host(&v->files);
  const ViwStart start = {.paused = o->paused,
                          .speed = o->speed,
                          .frameTime = alone ? 1.0 / FRAMES_A_SECOND : 0,
                          .copies = o->copies,
                          .threads = o->threads - 1,
                          .bare = o->bare || (alone && !o->window)};
  char error[VIW_ERROR_SIZE] = "";
  if (!viw_openApp(&v->app, &host, lookup, &start, error)) return cli_fail(CLI_OUTPUT, "cannot draw: %s", error);
  v->opened = 1;
  code = openTarget(v);
  if (code != CLI_OK) return code;

  // alone, a model that cannot be loaded is an error; a window shows it and waits for a better one
  v->files.print = alone;
  if (o->listen && !v->words.n) {
    viw_say(&v->app, 0, "waiting for a program at localhost:%d", viw_hubPort(v->hub));
  } else if (!viw_loadPath(&v->app, v->words.n ? v->words.at[0] : "") && alone)
    return CLI_INPUT;
  v->files.print = 0;
  return applyOptions(v);
}

// -------------------------------------------------------------------------------------------- frames

static void pass(void* context, const ViwEvent* event) {
  viw_event(context, event);
}

// one frame; 0: it is over
static int oneFrame(View* v, int number) {
  ViwApp* const app = &v->app;
  const Options* const o = &v->o;
  const int last = o->frames > 0 && number == o->frames - 1;
  const int size[2] = {v->width, v->height};
  int pixels[2] = {size[0], size[1]};
  float scale = 1;
  if (v->window && !v->module->poll(v->window, pass, app)) return 0;
  if (v->window) v->module->size(v->window, pixels, &scale);
  if (v->hub) hear(v);
  if (last && o->out) snprintf(app->shot, sizeof(app->shot), "%s", o->out);
  const double now = o->frames > 0 ? (double)number / FRAMES_A_SECOND : cli_seconds();
  if (pixels[0] > 0 && pixels[1] > 0) viw_drawFrame(app, pixels[0], pixels[1], scale, now);
  if (v->window) v->module->show(v->window);
  return !last && !app->quit;
}

static int drawAll(View* v) {
  cli_catchInterrupt();
  int number = 0;
  const double start = cli_seconds();
  while (oneFrame(v, number++)) {
    if (cli_interrupted()) return CLI_INTERRUPTED;
  }
  viw_endRecords(&v->app);
  if (v->o.frames > 0 && !v->o.quiet && v->app.m) {
    const double spent = cli_seconds() - start;
    printf("%s: %d frames in %.2f s (%.0f a second) by %s, at %.6g s\n", v->app.name, number, spent,
           number / fmax(spent, 1e-9), (const char*)vgl.GetString(GL_RENDERER), v->app.d->time);
    if (v->o.out && v->files.code == CLI_OK) printf("  wrote      %s\n", v->o.out);
  }
  return v->files.code;
}

static void release(View* v) {
  viw_closeHub(v->hub);
  if (v->opened) {
    viw_closeTarget(&v->target);
    viw_closeApp(&v->app);
  }
  if (v->window) v->module->close(v->window);
  cli_closeOffscreen(&v->screen);
  cli_freeOptions(&cmd_view, &v->o, &v->words);
}

static int viewMain(int argc, char** argv) {
  View* const v = cli_zeroed(1, sizeof(*v));
  v->o = (Options){.speed = 1, .frames = -1, .copies = 1, .threads = 1, .size = "1280x800"};
  int code = cli_parse(&cmd_view, argc, argv, &v->o, &v->words);
  if (code == CLI_PROCEED) {
    code = checkOptions(v);
    if (code == CLI_OK) code = prepare(v);
    if (code == CLI_OK) code = v->o.serve ? serve(v) : drawAll(v);
    release(v);
  }
  free(v);
  return code;
}

// -------------------------------------------------------------------------------------------- options

// aligned columns would be wider than the page
// clang-format off
#define AT(member) offsetof(Options, member)
static const CliOption options[] = {
    {"frames", 'n', CLI_COUNT, AT(frames), "N", "draw N frames of 1/60 s and end: needs no person and no display"},
    {"out", 'o', CLI_TEXT, AT(out), "FILE.png", "the picture of the last frame"},
    {"window", 'w', CLI_SWITCH, AT(window), NULL, "with --frames: in a window nevertheless"},
    {"size", 's', CLI_TEXT, AT(size), "WxH", "pixels (default 1280x800)"},
    {"paused", 'p', CLI_SWITCH, AT(paused), NULL, "begin paused"},
    {"speed", 0, CLI_NUMBER, AT(speed), "FACTOR", "simulated over real time (default 1)"},
    {"key", 'k', CLI_TEXT, AT(key), "NAME|N", "start from a keyframe"},
    {"camera", 'C', CLI_TEXT, AT(camera), "NAME|N", "a camera of the model (default: one that sees all of it)"},
    {"show", 0, CLI_LIST, AT(show), "NAME[=on|off]",
     "show or hide: shadow, reflection, skybox, contact-point,\ncontact-force, joint, transparent, left, right, bars, help, ...;\nmay be given several times"},
    {"watch", 0, CLI_LIST, AT(watch), "FIELD", "a chart of a number: qpos[3], qpos.JOINT, xpos.BODY[2], SENSOR;\nmay be given several times"},
    {"bare", 0, CLI_SWITCH, AT(bare), NULL, "no panels; Tab and Shift Tab bring them back"},
    {"film", 0, CLI_TEXT, AT(film), "FILE", "film from the first frame on; .mp4 by ffmpeg where it is installed,\nelse numbered pictures (in a window F9 does it: view.mp4)"},
    {"states", 0, CLI_TEXT, AT(states), "FILE", "write a state for each frame: .csv, .npy or .h5 (F10)"},
    {"copies", 0, CLI_COUNT, AT(copies), "N", "N simulations side by side, whose velocities differ a little"},
    {"threads", 0, CLI_COUNT, AT(threads), "N", "threads that simulate: islands, copies; the result is the same"},
    {"listen", 'l', CLI_SWITCH, AT(listen), NULL, "show a running program (sn_viewConnect, sinew.view), also to browsers"},
    {"serve", 0, CLI_SWITCH, AT(serve), NULL, "the same for browsers only, without a window"},
    {"at", 0, CLI_TEXT, AT(at), "[ADDRESS:]PORT", "where to listen (default 127.0.0.1:7700; port 0: a free one)"},
    {"page", 0, CLI_TEXT, AT(page), "FOLDER", "the page for browsers (default: where make web or make install put it)"},
    {"script", 0, CLI_TEXT, AT(script), "FILE", "input from a text: keys, mouse, pictures"},
    {"quiet", 'q', CLI_SWITCH, AT(quiet), NULL, "print only errors"},
};
#undef AT
// clang-format on

const CliCommand cmd_view = {
    .name = "view",
    .arguments = "[MODEL] [OPTIONS]",
    .summary = "look at a running model: drag it, go back in time, change it, film it",
    .description =
        "Opens a window on MODEL (MJCF, URDF or MJB; without one, the scene inside the program). F1 lists keys and\n"
        "mouse. The model is loaded again when its file changes. With --frames it runs alone, without a display.",
    .examples =
        "sinew view arm.xml\n"
        "sinew view arm.xml --paused --camera side --watch qpos.elbow\n"
        "sinew view arm.xml --copies 16\n"
        "sinew view --listen                                   # then run a program that calls sn_viewConnect\n"
        "sinew view arm.xml --frames 300 --out shot.png       # after five seconds, without a display\n"
        "sinew view arm.xml --frames 600 --film arm.mp4       # ten seconds of film",
    .options = options,
    .noption = sizeof(options) / sizeof(options[0]),
    .main = viewMain,
};
