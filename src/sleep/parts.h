// Passes over trees in parts, on the threads of the pool that is bound to an mjData.
//
// A part is a range of bodies made of whole subtrees of the world, and the dofs of these bodies. Passes up and down the
// trees write nothing that two parts have in common but the world's numbers, which are left to the caller or to the
// first part. Nothing is cut while trees sleep.
#pragma once

#include "base/share.h"
#include "sleep/sleep.h"

// loops go from first to n; the world is in no part
typedef struct {
  SlpRange bodies, dofs;
} SlpPart;

typedef void (*SlpPass)(const mjModel* m, mjData* d, const SlpPart* part, void* arg);

// into how many parts the bodies are cut; 1: not at all
int slp_countParts(const mjModel* m, const mjData* d);

void slp_shareParts(const mjModel* m, mjData* d, SlpPass pass, void* arg, int nparts);

// does the pass over all bodies, part by part
static BAS_DIRECT void slp_share(const mjModel* m, mjData* d, SlpPass pass, void* arg) {
  const int nparts = d->threadpool ? slp_countParts(m, d) : 1;
  if (nparts > 1) {
    slp_shareParts(m, d, pass, arg, nparts);
    return;
  }
  SlpPart all = {slp_bodies(m, d), slp_dofs(m, d)};
  all.bodies.first = 1;
  pass(m, d, &all, arg);
}
