// The viewer: a model, its simulation, what was simulated, and the user's hands on it. It knows no window system and
// no files: whoever hosts it passes events in, calls viw_frame and lends the functions of ViwHost.
//
//   sim.c       time: steps, speed, pause, trouble            timeline.c  states of the past: scrub, continue
//   input.c     mouse and keys                                commands.c  what keys and buttons do, one table
//   panels.c    simulation, physics, drawing, camera          hands.c     controls, joints, equalities
//   watch.c     any field by name with a chart                overlay.c   time line, help, messages
//   reload.c    another model, keeping the state by name      script.c    input from a text, for tests and films
//   grid.c      several simulations side by side              live.c      states of a running program
//   hub.c       where programs and pages connect to
#pragma once

#include <stdint.h>

#include "view/events.h"
#include "view/renderer.h"
#include "view/ui.h"

enum { VIW_NAME_SIZE = 100, VIW_PATH_SIZE = 1024, VIW_MAX_WATCH = 4, VIW_WATCH_POINTS = 600 };

//---------------------------------- host ----------------------------------

// What the viewer asks of whoever hosts it. All may be NULL but load.
typedef struct {
  void* context;

  // a model from a file or, with NULL, the host's own; NULL with a message
  mjModel* (*load)(void* context, const char* path, char* error, int size);

  // something that changes when the file or what it includes does; 0: unknown
  double (*modified)(void* context, const char* path);

  // pictures and films: rows of red, green, blue from the top. A film is opened by its first picture. 1, or 0 with a
  // message
  int (*savePicture)(void* context, const char* path, int width, int height, const unsigned char* rgb, char* error);
  int (*filmFrame)(void* context, int width, int height, const unsigned char* rgb, char* error);
  void (*endFilm)(void* context, char* message);

  // states of the simulation, a row at each picture
  int (*startStates)(void* context, const mjModel* m, char* error);
  int (*addState)(void* context, const mjModel* m, const mjData* d);
  void (*endStates)(void* context, char* message);
} ViwHost;

//---------------------------------- parts ----------------------------------

// What contacts of a simulation remember (sinew/contact.h), which is part of its state but not always of the same size.
typedef struct {
  int n, room;  // numbers
  mjtNum* number;
} ViwAnchors;

// States of the past in a ring; the oldest goes when there is no room. What happens after a point that was scrubbed to
// replaces what was there.
typedef struct {
  int size;     // numbers of a state, all simulations together
  int nsim;     // simulations
  int room, n;  // states
  int first;    // where the oldest is
  int at;       // the one that is shown, counted from the oldest; n - 1: now
  mjtNum* state;
  double* time;
  ViwAnchors* anchors;  // nsim for each state; NULL while nothing was remembered
  size_t nanchor;       // numbers for which they have room, all together
} ViwTimeline;

typedef struct {
  char name[VIW_NAME_SIZE];  // as it was typed
  int good;
  float value[VIW_WATCH_POINTS];  // a ring
  double time[VIW_WATCH_POINTS];
  int n, next;
} ViwWatch;

// Simulations beside the one that everything else is about, which is the first: drawn in rows, looked at in the past
// as well. Their states are those of the time line, mjSTATE_INTEGRATION each.
typedef struct {
  int n;                // all simulations; 1: there is no grid
  int size;             // numbers of the state of one
  int columns;          // of the drawing
  double apart;         // metres from one to the next
  mjtNum* state;        // of all but the first
  ViwAnchors* anchors;  // of all but the first
  mjData** d;           // where they are put to be stepped, one for each thread; the first also to be drawn
  int nd;
} ViwGrid;

// A program elsewhere whose states are shown.
typedef struct {
  int on;              // 1: the model came from it
  uint64_t signature;  // of the model
  uint64_t refused;    // of a model that could not be shown: of its states nothing more is said
  uint32_t spec;       // bits of mjtState that its states have
  int states;          // how many came
  double time;         // of the last one
} ViwLive;

typedef struct ViwScript_ ViwScript;

typedef struct {
  int simulation, physics, drawing, groups, camera, watch, record, control, joint, equality;
} ViwOpen;

// How the program begins; zeros are the usual.
typedef struct {
  int paused;
  double speed;      // 1: real time
  double frameTime;  // seconds of a picture; 0: as long as they really take
  const char* key;   // keyframe
  const char* camera;
  int bare;     // no panels
  int soft;     // it is known that the processor draws
  int copies;   // simulations side by side, with velocities that differ a little
  int threads;  // that help the one that calls: islands of a simulation, simulations of a grid. The bits stay the same
} ViwStart;

typedef struct {
  ViwHost host;
  ViwRenderer renderer;
  ViwTarget* target;  // where there is no window
  ViwUi ui;
  ViwInput input;
  int width, height;  // of the window in pixels
  float unit;         // its scale

  // model
  char path[VIW_PATH_SIZE];  // "" : the host's own
  char name[VIW_NAME_SIZE];
  mjModel* m;
  mjData* d;      // the simulation
  mjData* shown;  // what is drawn while the past is looked at
  double modified, checked;
  char error[VIW_PATH_SIZE];        // why the file could not be loaded
  char message[VIW_NAME_SIZE * 4];  // something to tell for a while
  double messageEnd;
  int messageBad;

  // simulation
  int paused, steps, keyframe;
  double speed, frameTime, ahead;  // ahead: simulated time that is still owed
  double liveTime;                 // frameTime before a film
  double now, wall;                // the clock, and seconds since the last frame
  double stepTime, rate;           // of a step, and simulated over real time; both smoothed
  ViwTimeline timeline;
  int pushed;          // 1: the mouse left forces in the data
  int copies;          // of models that are simulated here
  mjThreadPool* pool;  // NULL: one thread does everything
  ViwGrid grid;
  ViwLive live;

  // picture
  mjvScene scene;
  mjvOption option;
  mjvCamera camera;
  mjvPerturb perturb;
  int cameraIndex;              // 0: free, 1: tracking, then those of the model
  int left, right, help, bars;  // panels that are shown
  int leftBefore;               // in the last frame
  float leftScroll, rightScroll, helpScroll;
  ViwOpen open;
  double lastClick, clickX, clickY;  // when and where a button went down
  int clickButton;
  double lastX, lastY;  // the mouse in the last frame
  int dragging;         // 1 + the button that holds the model, 0: none

  ViwWatch watch[VIW_MAX_WATCH];
  int nwatch;
  char watchText[VIW_NAME_SIZE];

  int filming, recording, pictures;  // pictures: taken by key
  char shot[VIW_PATH_SIZE];          // a picture to take of this frame, "" : none
  ViwScript* script;
  int quit;
  int frame;
  int paceFrame;    // when an effect was left out last, or the model came
  double drawTime;  // seconds between pictures, smoothed; 0: not known yet
} ViwApp;

//---------------------------------- the host's side ----------------------------------

// 1, or 0 with a message; a model that cannot be loaded is no reason not to open: the error is shown. OpenGL must be
// current.
int viw_openApp(ViwApp* app, const ViwHost* host, ViwLookup lookup, const ViwStart* start, char error[VIW_ERROR_SIZE]);
void viw_closeApp(ViwApp* app);
int viw_loadPath(ViwApp* app, const char* path);  // 1: loaded; else app->error
void viw_event(ViwApp* app, const ViwEvent* event);

// Simulates and draws one frame into the bound framebuffer; now is a clock in seconds.
void viw_drawFrame(ViwApp* app, int width, int height, float unit, double now);

// Leaves out effects where the processor draws and pictures come too slowly; called with the seconds since the last.
void viw_keepPace(ViwApp* app, double seconds);

// Input from a text: see script.c. 1, or 0 with the line that is wrong.
int viw_startScript(ViwApp* app, const char* text, char error[VIW_ERROR_SIZE]);
int viw_scriptDone(const ViwApp* app);

//---------------------------------- parts of it ----------------------------------

// the state that is drawn: the simulation's or that of the past
mjData* viw_shownData(ViwApp* app);
void viw_say(ViwApp* app, int bad, const char* format, ...) __attribute__((format(printf, 3, 4)));
const char* viw_nameOf(const mjModel* m, int type, int id, char text[VIW_NAME_SIZE]);

// sim.c
void viw_simulate(ViwApp* app);
void viw_step(ViwApp* app, int n);  // n steps at once, also while paused
void viw_reset(ViwApp* app, int key);
void viw_forward(ViwApp* app);  // after the state was changed by hand

// timeline.c
void viw_openTimeline(ViwTimeline* line, const mjModel* m, int nsim);
void viw_closeTimeline(ViwTimeline* line);
void viw_remember(ViwApp* app);
void viw_forget(ViwTimeline* line);   // all of it
void viw_scrub(ViwApp* app, int at);  // shows a state of the past and pauses
void viw_continue(ViwApp* app);       // goes on from what is shown
int viw_isPast(const ViwApp* app);
void viw_keepAnchors(ViwAnchors* a, const mjData* d);  // what d remembers
void viw_giveAnchors(const ViwAnchors* a, const mjModel* m, mjData* d);
void viw_copyAnchors(ViwAnchors* to, const ViwAnchors* from);
const mjtNum* viw_shownStates(const ViwApp* app);  // of the first simulation, behind it those of the grid

// grid.c
void viw_openGrid(ViwApp* app, int n);
void viw_closeGrid(ViwApp* app);
void viw_resetGrid(ViwApp* app);                           // the first simulation's state, with velocities that differ
void viw_stepGrid(ViwApp* app, int n);                     // as the first simulation was, with its controls
void viw_addGrid(ViwApp* app);                             // to the scene
double viw_gridSize(const ViwApp* app, mjtNum centre[2]);  // half of its diagonal; where its middle is

// live.c: a message of a program (live/message.h); what is wrong with it is said on the screen
void viw_liveMessage(ViwApp* app, const unsigned char* bytes, size_t n);
void viw_liveGone(ViwApp* app);   // the program has gone
int viw_refuseLive(ViwApp* app);  // 1: what is shown is not ours to change; says so

// input.c
void viw_handleInput(ViwApp* app);
void viw_endInput(ViwApp* app);

// commands.c
typedef struct {
  int key, shift, control;
  const char *keyName, *text;
  void (*run)(ViwApp* app, int argument);
  int argument;
} ViwCommand;
extern const ViwCommand viw_commands[];  // ended by text NULL
int viw_runKey(ViwApp* app, int key, int shift, int control);
void viw_chooseCamera(ViwApp* app, int index);
void viw_frameModel(ViwApp* app);
double viw_findBox(const mjModel* m, const mjData* d, mjtNum low[3], mjtNum high[3]);  // half of its diagonal, 0: empty

// panels.c, hands.c, watch.c, overlay.c
void viw_drawPanels(ViwApp* app);
void viw_drawHands(ViwApp* app);
int viw_readField(ViwApp* app, const char* name, double* value);  // 1: there is a number of that name
int viw_addWatch(ViwApp* app, const char* name);
void viw_sampleWatches(ViwApp* app);
void viw_watchPanel(ViwApp* app);
void viw_drawCharts(ViwApp* app);
void viw_drawOverlay(ViwApp* app);

// reload.c
void viw_checkFile(ViwApp* app);
void viw_adopt(ViwApp* app, mjModel* m, int nsim, int keep);
void viw_carryOver(const mjModel* from, const mjData* a, const mjModel* to, mjData* b);

// record.c
void viw_toggleFilm(ViwApp* app);
void viw_toggleStates(ViwApp* app);
void viw_captureFrame(ViwApp* app);
void viw_endRecords(ViwApp* app);

// script.c
void viw_playScript(ViwApp* app);
void viw_freeScript(ViwApp* app);
int viw_setSwitch(ViwApp* app, const char* text);  // "shadow=off"; 0: there is none of that name
