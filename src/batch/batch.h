// The inside of a batch.
//
//   Bat          all simulations: which model each has, status, threads, the queue of a call
//    └ BatGroup  the simulations of one model: arrays over them (state, bound, expanded)
//       └ BatSlot  what a thread computes in: an mjData, and the model as one simulation sees it
//
// A simulation exists as one row of each state array. A thread that takes it copies the row into the mjData of a slot,
// points the expanded fields of the slot's model at the simulation's values, runs, and copies the row and the bound
// fields back. There are at most as many slots as threads, so memory grows with simulations by their state only. Models
// whose mjData holds more than its state (sleeping trees, plugins) have an mjData per simulation besides; then a slot
// keeps what a simulation that fails returns to: which trees slept and what plugins hold, and from when sleeping trees
// are first disturbed, the arrays that they alone keep.
#pragma once

#include <sinew/batch.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/error.h"
#include "model/fields.h"

// where a field is in mjData or mjModel
typedef enum {
  BAT_POINTER,  // the struct holds the address of the array
  BAT_MEMBER,   // the struct holds the values
  BAT_LIST,     // an array in the arena: its length changes
  BAT_DONE,     // of the batch itself: whether the episode has ended
  BAT_RAYS      // distances along rays
} BatKind;

// A field, and its values over the simulations of a group once it has memory.
typedef struct {
  const char* name;
  char* data;         // NULL: only a description
  size_t bytes;       // of one simulation
  size_t offset;      // in mjData or mjModel
  BatKind kind;       //
  snType type;        // of an element
  int itemsize;       // bytes of an element
  int ndim;           // dimensions of one simulation's values
  int64_t shape[3];   //
  const MdlField* f;  // BAT_LIST: row of the table
  size_t inner;       // BAT_LIST: offset of a member of mjContact
  snRays* rays;       // BAT_RAYS: what is cast
  int writable;       // 1: input
  int given;          // 1: only users change it, not the step
  int lane;           // its place among the arrays of lanes (model/lane_plan.h), counted from 1; 0: none
} BatArray;

// parts of the state: those of mjtState, then energy and the flag that it is known, which a sensor of kinetic energy
// reads before the step computes them anew
enum { BAT_QPOS = 1, BAT_ENERGY = mjNSTATE, BAT_FLAG, BAT_NSTATE, BAT_NMESSAGE = 300 };

// when sensors are computed: BatGroup.sensors
enum { BAT_SENSORS_ALWAYS, BAT_SENSORS_LAST, BAT_SENSORS_NEVER };

// what a step leaves out unless a sensor asks for it: bits of BatGroup.late
enum { BAT_RNE = 1, BAT_SUBTREE = 2, BAT_EXTERNAL = 4 };

typedef struct {
  mjData* d;
  mjModel* m;        // shallow: its arrays are the group's model's or rows of expanded fields
  void* lanes;       // arrays for several simulations side by side, NULL: none
  int* asleep;       // with an mjData per simulation: tree_asleep before the call
  atomic_int taken;  // 1: a thread works in it

  // whether lanes still pay, as simulations come to states in which more of them need the solver
  int alone;        // 1: groups run one by one
  int count;        // of groups
  double spent[2];  // seconds of a group and step, side by side and one by one
  char pad[128 - 4 * sizeof(void*) - sizeof(atomic_int) - 3 * sizeof(int) - 2 * sizeof(double)];
} BatSlot;

// a part of the state on its way between a row and an mjData: what a step needs of a BatArray
typedef struct {
  char* data;
  size_t bytes, offset;
  int member;
} BatMove;

typedef struct {
  mjModel* m;  // our own copy
  int n;       // simulations
  int nslot;   //
  BatSlot* slot;
  mjData** persistent;  // n, or NULL
  int sticks;           // 1: contacts remember, which is part of the state
  int dropped;          // what a GPU does without of opt.enableflags: sleeping
  int* asleep;       // n x ntree: tree_asleep of simulations of which nothing sleeps, which run in slots; NULL: none do
  mjtByte* resting;  // n: 1: something sleeps: its own mjData holds what is kept for it
  mjData* start;     // as mj_resetData leaves it: resets are copies of what sleeps there; NULL: they are not
  mjtByte* still;    // n: 1: the last step has looked at what sleeps in the simulation's own mjData
  mjtByte* intact;   // n: 1: what sleeps in start has slept on in the simulation's own mjData ever since
  int sensors;       // what the present call wants of them

  BatArray state[BAT_NSTATE];  // in the order of mjtState, then the two above
  int nlive;                   // those that are not empty
  int live[BAT_NSTATE];
  BatMove move[BAT_NSTATE];   // the same, those that a step changes first
  int nmove, nchanged;        // how many there are, and that a step changes
  char* initial[BAT_NSTATE];  // values after mj_resetData
  int resets;                 // 1: expanded fields change what a reset gives
  int late;                   // BAT_RNE …: what requested fields need beyond a step
  int recorded_late;          // the same for the fields that the rollout records

  struct MdlLanePlan_* plan;      // NULL: simulations of this model run one by one
  const struct BatLanes_* lanes;  // how they run side by side, NULL: not at all
  int narrow;                     // 1: a field is expanded that lanes need to be the same for all

  int nbound, nexpanded;
  BatArray* bound;
  BatArray* expanded;
  BatArray record[SN_MAXRECORD];  // of the rollout that runs
} BatGroup;

// what each thread notes while it works; a cache line of its own
typedef struct {
  _Alignas(64) int sim;  // -1: none
  BatSlot* slot;         // NULL: none
  const BatGroup* of;    // the model that it is of
  int nfailed, nwarned;
  int failed;                  // 1: a hook gave this simulation up; failure says why
  int spoke;                   // 1: text holds the first warning of this simulation
  char text[BAT_NMESSAGE];     // of that warning
  char failure[BAT_NMESSAGE];  // of the error that ended this simulation's work
} BatThread;

typedef enum { BAT_STEP, BAT_FORWARD, BAT_RESET, BAT_RESETSTATE, BAT_ROLLOUT, BAT_CONST } BatOp;

// what a call wants from each selected simulation
typedef struct {
  BatOp op;
  int substeps, key, sig, stride;  // stride: numbers between rows of state
  const mjtNum* state;
  const snRollout* rollout;
  mjModel** models;  // BAT_CONST: a model per thread and group to compute constants in
} BatJob;

struct snBatch_ {
  snBatchOptions options;
  struct BatCuda_* cuda;  // what lies on a GPU, NULL: nothing
  snHooks hooks;
  int n, ngroup, nthread;
  pid_t process;  // threads do not survive fork
  BatGroup* group;
  int* which;  // group of each simulation
  int* row;    // its row in the group's arrays
  int* status;
  int* episode;
  int* warning;  // n x mjNWARNING
  mjtByte* done;
  char** message;  // NULL: none
  int* index;      // selection of the present call
  int* stamp;      // last call that selected a simulation
  int call;        // number of calls
  char complaint[BAT_NMESSAGE];

  // the present call
  BatJob job;
  const int* list;  // NULL: all
  int count;        //
  int unit;         // as many of them are taken together, or a multiple
  int foreign;      // 1: hooks or callbacks may write inputs
  atomic_int busy;  // 1: a call is in progress
  mjThreadPool* pool;
  BatThread* thread;
  _Alignas(64) atomic_int next;  // the queue: first position that nobody has taken
};

//---------------------------------- fields ----------------------------------

// describes a part of the state
void bat_describeState(const mjModel* m, int part, BatArray* a);

// describes a field of mjData of one model; capacity > 0: a list. 0: there is none such, and why is in text
int bat_describe(const mjModel* m, const char* name, int capacity, BatArray* a, char text[BAT_NMESSAGE]);

// describes a field of mjModel that may differ between simulations
int bat_describeModel(const mjModel* m, const char* name, BatArray* a, char text[BAT_NMESSAGE]);

// gives a described field memory for n simulations, zeroed; raises an error without memory
void bat_allocate(BatArray* a, int n);

// what a user sees of it
void bat_show(const BatArray* a, int n, snField* field);

// writes what d holds to where; returns 0 when a list had more rows than there is room for
int bat_fetch(const BatArray* a, const mjModel* m, const mjData* d, char* where);

// adds a described field with memory for n simulations to a list; nothing changes when memory is missing
BatArray* bat_append(BatArray** list, int* n, BatArray* a, int nsim);

// distances along the rays of a simulation
void bat_castRays(const snRays* r, const mjModel* m, const mjData* d, mjtNum* dist);

// place of a field among the arrays of lanes, counted from 1; 0: lanes do not have all of it
int bat_laneOf(const char* name);

// place of a field of mjModel among the parameters of lanes, counted from 1; 0: lanes do not read it; -1: they need it
// to be the same for all
int bat_laneParam(const char* name);

// what a field needs beyond a step: BAT_RNE and BAT_EXTERNAL for forces on bodies, BAT_SUBTREE for momenta of subtrees,
// 0 for nothing
int bat_late(const char* name);

// makes sure that all that mj_setConst writes is expanded
void bat_expandConstants(BatGroup* g);

//---------------------------------- running ----------------------------------

// all selected simulations by all threads
void bat_runAll(snBatch* b);

// 1: somebody outside the engine may write inputs during a step
int bat_isForeign(const snBatch* b);

// runs work(argument) so that mju_error comes back here; 0: it was raised, text has the message
int bat_guard(void (*work)(void*), void* argument, char text[BAT_NMESSAGE]);

// zeroed memory that starts a cache line; raises an error when there is none
void* bat_zeroed(size_t bytes);

// raises an error where something needs more than this machine has: such memory is promised, and ends the program when
// it is used
void bat_checkMemory(const char* what, double bytes);

// mj_makeData and mj_copyModel; without memory they raise an error and leave nothing behind
mjData* bat_makeData(const mjModel* m);
mjModel* bat_copyModel(const mjModel* m);

// gives a model the values of one simulation: it points at them, or where it is deep, holds copies
void bat_see(const BatGroup* g, mjModel* m, int row, int deep);

// writes the state of a row into d
void bat_load(const BatGroup* g, mjData* d, int row);
