// What sleeping keeps in mjData's private block.
#pragma once

#include "model/private.h"
#include "sleep/sleep.h"

// dofs of a block that is looked at together: a page of numbers, still in the nearest cache at the second look
enum { SLP_BLOCK = 512 };

// marks of a block of dofs, each as long as the member that says whether they hold
enum {
  SLP_RESTS = 1,   // (resting) all velocities are zero
  SLP_SETTLED = 2  // (settled) qacc, qacc_smooth and qacc_warmstart are the same usable numbers
};

// Behind the header: copies of tree_awake, actuator_trntype and actuator_trnid, both lists, the marks of blocks, then
// copies of body_subtreemass
typedef struct {
  int valid;    // of the lists
  int still;    // 1: somebody vouches for the poses of what sleeps
  int resting;  // 1: marks SLP_RESTS hold, until waking has looked at them
  int owned;    // 1: inside of a step in which nobody else writes accelerations
  int settled;  // 1: marks SLP_SETTLED hold for what sleeps, until the end of such a step
  int centred;  // 1: nothing is awake but the world, and its centre of mass belongs to the present poses and the copies
  int nactuator, njoint;
  int data[];
} SlpPrivate;

static inline SlpPrivate* slp_private(const mjData* d) {
  return mdl_section(d, MDL_SLEEP);
}

unsigned char* slp_marks(const mjModel* m, SlpPrivate* own);

// 1: every bit zero: a negative zero is a user's input too
int slp_allZero(const mjtNum* vec, int n);

// 1: these dofs have no velocity
int slp_atRest(const mjModel* m, const mjData* d, int dof, int n);
