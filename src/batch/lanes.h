// Simulations of one model side by side: what a step of them is, per width of registers, and whether it is taken.
//
// A group of as many neighbours as there are lanes is loaded, stepped by the lane code of every stage (…/lane_*.h), and
// stored. Contacts, rows and the solver run one by one in the mjData of a slot, for the simulations that need them.
// Whatever is out of the ordinary (numbers that are no use, warnings, errors) ends the attempt with nothing stored, and
// the simulations are stepped one by one.
#pragma once

#include "batch/batch.h"
#include "model/lane_plan.h"

// how a call can be done by lanes
typedef enum {
  BAT_LANES_NONE,   //
  BAT_LANES_ALL,    // as a whole
  BAT_LANES_AHEAD,  // all substeps but the last, which fills mjData for those who read it
} BatLaneMode;

// rows of the group's arrays that are stepped together
typedef struct {
  const BatGroup* g;
  mjModel* m;    // of a slot
  mjData* d;     // of a slot
  void* memory;  // of a slot, for the lanes
  int row[8];    // first ones: as many as there are lanes
  int substeps;
  int keep;                  // 1: the states and the bound fields are stored
  const snRollout* rollout;  // NULL: none
  int position[8];           // where its controls and records are
  int done;                  // 1: all went well
} BatLaneTask;

typedef struct BatLanes_ {
  int width;
  size_t (*bytes)(const MdlLanePlan* plan);
  void (*start)(const MdlLanePlan* plan, void* memory);  // zeros, and what never changes
  void (*step)(BatLaneTask* task);
  void (*take)(const BatLaneTask* task, int lane, mjData* d);  // state of one lane after step
} BatLanes;

extern const BatLanes bat_lanesBase;
#if defined(__x86_64__)
extern const BatLanes bat_lanesV3, bat_lanesV4;
#endif

// Plans and measures: g->lanes is what is quickest for the group, NULL: one by one. force > 0: the widest that the
// machine and the model allow; < 0: none.
void bat_makeLanes(BatGroup* g, int force);
void bat_freeLanes(BatGroup* g);

// what lanes can do of the present call
BatLaneMode bat_laneMode(const snBatch* b, const BatGroup* g);

// 1: lanes have all of the fields; none of these depends on sensors
int bat_inLanes(const BatArray* list, int n);

// Whether the next group of a slot is stepped both ways, and what that took, in seconds of a step: side by side, one by
// one. Which of both is quicker changes with the states, and so does slot->alone.
int bat_laneCompared(const snBatch* b, BatSlot* slot);
void bat_laneCompare(BatSlot* slot, const double spent[2]);

// seconds of this thread
double bat_now(void);

// steps the simulations of a task; 0: they are as they were
int bat_stepLanes(BatLaneTask* task);
