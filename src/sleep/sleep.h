// Which kinematic trees are awake, and what follows from it for bodies, dofs and other objects.
//
// d->tree_asleep is the truth: a negative value counts the steps a tree still has to stay awake (−1: ready to
// sleep); otherwise it is the next tree of the group that fell asleep together, so that each group is a cycle.
// Everything else here (tree_awake, body_awake, the *_awake_ind lists and their lengths) is derived from it by
// slp_update. The lists let the stages loop over what is awake only:
//   body_awake_ind    bodies that are awake or static
//   parent_awake_ind  bodies (not the world) whose parent is awake or static
//   dof_awake_ind     dofs of awake trees
#pragma once

#include <mujoco/mujoco.h>

// 1: sleeping is enabled in this model
static inline int slp_enabled(const mjModel* m) {
  return (m->opt.enableflags & mjENBL_SLEEP) != 0;
}

// Loop over i = list ? list[k] : k for k from first to n; the list is NULL when nothing sleeps. Parts begin later
// (parts.h). Passes get it by address: passed by value it is read in pieces of eight bytes, which wait for members of
// four that were just written (0.4 of the 4.9 microseconds of a pendulum's step).
typedef struct {
  int first, n;
  const int* list;
} SlpRange;

static inline int slp_at(SlpRange range, int k) {
  return range.list ? range.list[k] : k;
}

// bodies to process: all, or those that are not asleep
static inline SlpRange slp_bodies(const mjModel* m, const mjData* d) {
  const int filter = slp_enabled(m) && d->nbody_awake < m->nbody;
  return filter ? (SlpRange){0, d->nbody_awake, d->body_awake_ind} : (SlpRange){0, (int)m->nbody, NULL};
}

// dofs to process: all, or those of awake trees
static inline SlpRange slp_dofs(const mjModel* m, const mjData* d) {
  const int filter = slp_enabled(m) && d->nv_awake < m->nv;
  return filter ? (SlpRange){0, d->nv_awake, d->dof_awake_ind} : (SlpRange){0, (int)m->nv, NULL};
}

// Actuators and joints to process: all, or those that are not asleep. The lists are made when the set of awake trees
// has changed since the last call; they hold until it changes again.
SlpRange slp_actuators(const mjModel* m, const mjData* d);
SlpRange slp_joints(const mjModel* m, const mjData* d);
void slp_dropLists(const mjData* d);

// drops the lists when actuators act on something else than when they were made; once per step, before their first use
void slp_checkTransmission(const mjModel* m, const mjData* d);

// private memory of these lists (see model/private.h)
size_t slp_sectionSize(const mjModel* m);
void slp_sectionInit(const mjModel* m, void* memory);

// derives all awake arrays from tree_asleep; with staticawake bodies that never move count as awake, so that the
// next kinematics computes them once
void slp_update(const mjModel* m, mjData* d, int staticawake);

// invariants of what slp_update derives (base/assert.h)
void slp_assertLists(const mjModel* m, const mjData* d);

// state of an object that belongs to one or more bodies
mjtSleepState slp_state(const mjModel* m, const mjData* d, int objtype, int id);

// wakes trees that the user has touched, or all of them when sleeping was switched off; returns how many woke.
// After any of these returns more than zero the caller runs slp_update.
int slp_wake(const mjModel* m, mjData* d);

// wakes trees that an awake tree touches, pulls by a tendon at its limit, or holds by an equality
int slp_wakeCollision(const mjModel* m, mjData* d);
int slp_wakeTendon(const mjModel* m, mjData* d);
int slp_wakeEquality(const mjModel* m, mjData* d);

// Somebody who wants to know when sleeping trees are about to lose what is kept for them while they sleep: one wakes,
// its pose was changed, or everything is reset. One listener per thread, NULL: none; returns the one before.
typedef void (*SlpListener)(mjData* d);
SlpListener slp_setListener(SlpListener listener);
void slp_tell(mjData* d);

// the pose of a sleeping tree is not what it was: marks it for slp_wake, before the new pose is stored
void slp_markMoved(mjData* d, int tree);

// Sleepers are looked at in every step: somebody may have changed their coordinates, or the model. Who knows that
// nobody has since the last look says so here, for the next pass over the poses only.
void slp_setStill(const mjData* d, int still);
int slp_isStill(const mjData* d);
int slp_takeStill(const mjData* d);

// The world's centre of mass when everything else sleeps: 1: it is in its place, 0: it has to be computed, and
// slp_keepCentre is told.
int slp_hasCentre(const mjModel* m, const mjData* d);
void slp_keepCentre(const mjModel* m, const mjData* d);

// wakes one tree and those that sleep with it, or keeps an awake one awake for longer; returns how many woke
int slp_wakeTree(const mjModel* m, mjData* d, int tree, int wakeval);

// the same on an array like mjData.tree_asleep
int slp_wakeCycle(int* tree_asleep, int ntree, int tree, int wakeval);

// Zeros for all dofs. While trees sleep most numbers are what they were, and what is only read costs less memory
// traffic than what is written, so that only blocks that differ are written.
void slp_zeroDofs(const mjModel* m, const mjData* d, mjtNum* dest);

// Velocities of all dofs at the start of a step, looked at once: 0 when one is not within ±max. Otherwise the next
// slp_wake knows which of them are zero.
int slp_lookAtVelocities(const mjModel* m, const mjData* d, mjtNum max);

// Accelerations of what sleeps are looked at once in a step, too. slp_openOutputs says whether from the solver to the
// end of the step nobody else writes qacc, qacc_smooth and qacc_warmstart. Then slp_startAccelerations, which copies
// qacc_smooth to qacc, remembers where all three are the same usable numbers, and the others leave that out:
// slp_settledWithin says that all of qacc is within ±max (0: it does not know), slp_keepAccelerations copies qacc to
// qacc_warmstart.
void slp_openOutputs(const mjData* d, int owned);
void slp_startAccelerations(const mjModel* m, const mjData* d);
int slp_settledWithin(const mjModel* m, const mjData* d, mjtNum max);
void slp_keepAccelerations(const mjModel* m, const mjData* d);

// puts still trees to sleep, island by island; returns how many fell asleep
int slp_sleep(const mjModel* m, mjData* d);
