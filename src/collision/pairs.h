// Collision by pairs that a caller finds: which there can be in a model, and the contacts of one.
#pragma once

#include "model/lane_plan.h"

// Writes the pairs of geoms that may touch, in the order in which mj_collision finds contacts, for models without
// flexes and user filters; at most so many. Returns how many there are.
int col_listPairs(const mjModel* m, MdlLanePair* pair, int most);

// no contacts, no rows
void col_startPairs(mjData* d);

// adds the contacts of a pair, whose geoms' poses are in d and whose boxes are not apart
void col_collidePair(const mjModel* m, mjData* d, const MdlLanePair* pair);
