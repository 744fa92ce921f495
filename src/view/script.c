// Input from a text, line after line, a frame each: for tests, for films and for trying something again.
//
//   wait N                                   so many frames
//   await N                                  until N states of a running program have come
//   key NAME [shift] [ctrl]                  space, left, f1, p ...
//   text WORDS                               typed
//   move X Y | click X Y [right]             the mouse, in pixels from the upper left corner
//   drag X Y X2 Y2 [right] [ctrl] [shift] [over N] [shot FILE]   a picture before the button is released
//   wheel N
//   drop FILE                                as if dropped on the window
//   show NAME=on|off | camera NAME | speed N | watch FIELD | open LEFT... : see the table
//   shot FILE                                a picture of the frame that follows
//   print FIELD...                           values to standard output: of watches, and paused, past, speed, camera,
//                                            selected, error, message
//   quit
// Empty lines and those that begin with # are left out.
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#include "view/app.h"
#include "view/keys.h"

struct ViwScript_ {
  char* text;
  char* at;   // the next line
  int wait;   // frames
  int await;  // states of a running program
  // a drag on its way
  int dragged, dragFrames, button, control, shift;
  float from[2], to[2];
  char dragShot[VIW_PATH_SIZE];
};

//---------------------------------- words ----------------------------------

enum { MOST_WORDS = 12 };

static int split(char* line, char* word[MOST_WORDS]) {
  int n = 0;
  char* rest = NULL;
  for (char* w = strtok_r(line, " \t\r", &rest); w && n < MOST_WORDS; w = strtok_r(NULL, " \t\r", &rest)) word[n++] = w;
  return n;
}

// the index of a word after the first ones; 0: it is not there
static int find(char* const* word, int n, const char* wanted) {
  for (int i = 1; i < n; i++) {
    if (strcasecmp(word[i], wanted) == 0) return i;
  }
  return 0;
}

static float number(const char* text) {
  return (float)strtod(text, NULL);
}

//---------------------------------- mouse ----------------------------------

static void mouse(ViwApp* app, ViwEventKind kind, const float at[2], int button, int down) {
  const ViwScript* const s = app->script;
  viw_event(
      app,
      &(ViwEvent){
          .kind = kind, .key = button, .down = down, .x = at[0], .y = at[1], .control = s->control, .shift = s->shift});
}

// one frame of a drag
static void dragOn(ViwApp* app) {
  ViwScript* const s = app->script;
  const float t = (float)s->dragged / (float)s->dragFrames;
  const float at[2] = {s->from[0] + t * (s->to[0] - s->from[0]), s->from[1] + t * (s->to[1] - s->from[1])};
  if (s->dragged == 0) {
    mouse(app, VIW_EVENT_BUTTON, s->from, s->button, 1);
  } else if (s->dragged > s->dragFrames) {
    mouse(app, VIW_EVENT_BUTTON, s->to, s->button, 0);
    s->dragFrames = s->control = s->shift = 0;
    return;
  } else {
    mouse(app, VIW_EVENT_MOVE, at, 0, 0);
  }
  if (s->dragged == s->dragFrames && s->dragShot[0]) snprintf(app->shot, sizeof(app->shot), "%s", s->dragShot);
  s->dragged++;
}

static void beginDrag(ViwApp* app, char* const* word, int n, const float to[2], int frames) {
  ViwScript* const s = app->script;
  const int over = find(word, n, "over"), shot = find(word, n, "shot");
  snprintf(s->dragShot, sizeof(s->dragShot), "%s", shot && shot + 1 < n ? word[shot + 1] : "");
  s->from[0] = number(word[1]);
  s->from[1] = number(word[2]);
  memcpy(s->to, to, sizeof(s->to));
  s->dragged = 0;
  s->dragFrames = over && over + 1 < n ? atoi(word[over + 1]) : frames;
  if (s->dragFrames < 1) s->dragFrames = 1;
  s->button = find(word, n, "right") != 0;
  s->control = find(word, n, "ctrl") != 0;
  s->shift = find(word, n, "shift") != 0;
}

//---------------------------------- values ----------------------------------

static void print(ViwApp* app, const char* name) {
  double value = 0;
  char text[VIW_NAME_SIZE];
  if (strcmp(name, "paused") == 0) {
    printf("paused=%d\n", app->paused);
  } else if (strcmp(name, "past") == 0) {
    printf("past=%d\n", viw_isPast(app));
  } else if (strcmp(name, "states") == 0) {
    printf("states=%d\n", app->timeline.n);
  } else if (strcmp(name, "speed") == 0) {
    printf("speed=%.17g\n", app->speed);
  } else if (strcmp(name, "camera") == 0) {
    printf("camera=%d\n", app->cameraIndex);
  } else if (strcmp(name, "live") == 0) {
    printf("live=%d\n", app->live.states);
  } else if (strcmp(name, "simulations") == 0) {
    printf("simulations=%d\n", app->grid.n);
  } else if (strcmp(name, "calls") == 0) {
    printf("calls=%d\n", app->renderer.calls);
  } else if (strcmp(name, "error") == 0) {
    printf("error=%s\n", app->error);
  } else if (strcmp(name, "message") == 0) {
    printf("message=%s\n", app->message);
  } else if (strcmp(name, "selected") == 0) {
    printf("selected=%s\n",
           app->m && app->perturb.select > 0 ? viw_nameOf(app->m, mjOBJ_BODY, app->perturb.select, text) : "");
  } else if (viw_readField(app, name, &value)) {
    printf("%s=%.17g\n", name, value);
  } else {
    printf("%s=?\n", name);
  }
}

// "Contact point" is contact-point
static int sameFlag(const char* name, const char* text, size_t length) {
  if (strlen(name) != length) return 0;
  for (size_t i = 0; i < length; i++) {
    const char c = name[i] == ' ' ? '-' : name[i];
    if (strncasecmp(&c, text + i, 1) != 0) return 0;
  }
  return 1;
}

int viw_setSwitch(ViwApp* app, const char* text) {
  const size_t length = strcspn(text, "=");
  const mjtByte on = strcasecmp(text + length, "=off") != 0;
  for (int i = 0; i < mjNVISFLAG; i++) {
    if (sameFlag(mjVISSTRING[i][0], text, length)) return app->option.flags[i] = on, 1;
  }
  for (int i = 0; i < mjNRNDFLAG; i++) {
    if (sameFlag(mjRNDSTRING[i][0], text, length)) return app->scene.flags[i] = on, 1;
  }
  int* const parts[] = {&app->left, &app->right, &app->help, &app->bars};
  static const char* const NAMES[] = {"left", "right", "help", "bars"};
  for (int i = 0; i < 4; i++) {
    if (sameFlag(NAMES[i], text, length)) return *parts[i] = on, 1;
  }
  return 0;
}

static void setCamera(ViwApp* app, const char* name) {
  if (!app->m) return;
  const int id = mj_name2id(app->m, mjOBJ_CAMERA, name);
  viw_chooseCamera(app, id >= 0 ? 2 + id : atoi(name));
}

//---------------------------------- lines ----------------------------------

typedef struct {
  const char* word;
  int needs;  // words after it, at least
  void (*run)(ViwApp* app, char** word, int n);
} Verb;

static void doWait(ViwApp* app, char** word, int n) {
  (void)n;
  app->script->wait = atoi(word[1]);
}

static void doAwait(ViwApp* app, char** word, int n) {
  (void)n;
  app->script->await = atoi(word[1]);
}

static void doKey(ViwApp* app, char** word, int n) {
  viw_event(app, &(ViwEvent){.kind = VIW_EVENT_KEY,
                             .key = viw_keyNamed(word[1]),
                             .down = 1,
                             .shift = find(word, n, "shift") != 0,
                             .control = find(word, n, "ctrl") != 0});
}

static void doText(ViwApp* app, char** word, int n) {
  for (int i = 1; i < n; i++) {
    for (const char* c = word[i]; *c; c++) viw_event(app, &(ViwEvent){.kind = VIW_EVENT_TEXT, .key = *c});
  }
}

static void doMove(ViwApp* app, char** word, int n) {
  (void)n;
  mouse(app, VIW_EVENT_MOVE, (float[2]){number(word[1]), number(word[2])}, 0, 0);
}

static void doClick(ViwApp* app, char** word, int n) {
  beginDrag(app, word, n, (float[2]){number(word[1]), number(word[2])}, 1);
}

static void doDrag(ViwApp* app, char** word, int n) {
  beginDrag(app, word, n, (float[2]){number(word[3]), number(word[4])}, 10);
}

static void doWheel(ViwApp* app, char** word, int n) {
  (void)n;
  viw_event(app, &(ViwEvent){.kind = VIW_EVENT_WHEEL, .y = number(word[1])});
}

static void doDrop(ViwApp* app, char** word, int n) {
  (void)n;
  viw_event(app, &(ViwEvent){.kind = VIW_EVENT_DROP, .path = word[1]});
}

static void doShow(ViwApp* app, char** word, int n) {
  (void)n;
  if (!viw_setSwitch(app, word[1])) viw_say(app, 1, "script: nothing is called '%s'", word[1]);
}

static void doCamera(ViwApp* app, char** word, int n) {
  (void)n;
  setCamera(app, word[1]);
}

static void doSpeed(ViwApp* app, char** word, int n) {
  (void)n;
  const float speed = number(word[1]);
  if (speed > 0) app->speed = speed;
}

static void doWatch(ViwApp* app, char** word, int n) {
  (void)n;
  viw_addWatch(app, word[1]);
}

static void doShot(ViwApp* app, char** word, int n) {
  (void)n;
  snprintf(app->shot, sizeof(app->shot), "%s", word[1]);
}

static void doPrint(ViwApp* app, char** word, int n) {
  for (int i = 1; i < n; i++) print(app, word[i]);
  fflush(stdout);
}

static void doQuit(ViwApp* app, char** word, int n) {
  (void)word, (void)n;
  app->quit = 1;
}

static const Verb VERBS[] = {
    {"wait",   1, doWait  },
    {"await",  1, doAwait },
    {"key",    1, doKey   },
    {"text",   1, doText  },
    {"move",   2, doMove  },
    {"click",  2, doClick },
    {"drag",   4, doDrag  },
    {"wheel",  1, doWheel },
    {"drop",   1, doDrop  },
    {"show",   1, doShow  },
    {"camera", 1, doCamera},
    {"speed",  1, doSpeed },
    {"watch",  1, doWatch },
    {"shot",   1, doShot  },
    {"print",  1, doPrint },
    {"quit",   0, doQuit  }
};

static const Verb* findVerb(const char* word) {
  for (size_t i = 0; i < sizeof(VERBS) / sizeof(VERBS[0]); i++) {
    if (strcmp(word, VERBS[i].word) == 0) return VERBS + i;
  }
  return NULL;
}

// NULL: the line is good or empty, else what is wrong with it
static const char* wrongWith(const char* line, size_t length, char text[VIW_ERROR_SIZE]) {
  char copy[VIW_PATH_SIZE], *word[MOST_WORDS];
  snprintf(copy, sizeof(copy), "%.*s", (int)length, line);
  const int n = split(copy, word);
  if (!n || word[0][0] == '#') return NULL;
  const Verb* const verb = findVerb(word[0]);
  if (!verb) {
    snprintf(text, VIW_ERROR_SIZE, "'%.100s' is no command of scripts", word[0]);
  } else if (n - 1 < verb->needs) {
    snprintf(text, VIW_ERROR_SIZE, "'%s' needs %d words after it", verb->word, verb->needs);
  } else if (verb->run == doKey && !viw_keyNamed(word[1])) {
    snprintf(text, VIW_ERROR_SIZE, "there is no key '%.100s'", word[1]);
  } else {
    return NULL;
  }
  return text;
}

int viw_startScript(ViwApp* app, const char* text, char error[VIW_ERROR_SIZE]) {
  int number_ = 1;
  for (const char* line = text; *line; number_++) {
    const size_t length = strcspn(line, "\n");
    char reason[VIW_ERROR_SIZE];
    if (wrongWith(line, length, reason)) {
      snprintf(error, VIW_ERROR_SIZE, "line %d: %.500s", number_, reason);
      return 0;
    }
    line += length + (line[length] == '\n');
  }
  viw_freeScript(app);
  app->script = calloc(1, sizeof(*app->script));
  if (app->script) app->script->text = strdup(text);
  if (!app->script || !app->script->text) mju_error("view: no memory for a script");
  app->script->at = app->script->text;
  return 1;
}

void viw_freeScript(ViwApp* app) {
  if (app->script) free(app->script->text);
  free(app->script);
  app->script = NULL;
}

int viw_scriptDone(const ViwApp* app) {
  const ViwScript* const s = app->script;
  return !s || (!*s->at && !s->wait && !s->dragFrames);
}

void viw_playScript(ViwApp* app) {
  ViwScript* const s = app->script;
  if (!s) return;
  if (s->dragFrames) {
    dragOn(app);
    return;
  }
  if (s->wait > 0) {
    s->wait--;
    return;
  }
  if (app->live.states < s->await) return;
  // the next line that says something
  while (*s->at) {
    char* const line = s->at;
    const size_t length = strcspn(line, "\n");
    s->at += length + (line[length] == '\n');
    line[length] = 0;
    char* word[MOST_WORDS];
    const int n = split(line, word);
    if (!n || word[0][0] == '#') continue;
    findVerb(word[0])->run(app, word, n);
    return;
  }
}
