// Which contacts stick: numbers of geoms and pairs, kept in two numeric entries of mjModel.
#pragma once

#include "model/anchor.h"

extern const char* const phy_stickEntries[2];  // names of the entries of geoms and of pairs

// NULL, or what is wrong with the entries
const char* phy_checkStick(const mjModel* m);

// 1: the model has such an entry
int phy_hasStick(const mjModel* m);

// section of the private block
size_t phy_stickSize(const mjModel* m);
void phy_stickInit(const mjModel* m, void* memory);

// looks the entries up in another model than last time
void phy_findStick(const mjModel* m, MdlAnchors* s);

// the section where a model has entries, NULL: nothing sticks
static inline MdlAnchors* phy_stick(const mjModel* m, const mjData* d) {
  MdlAnchors* const s = mdl_section(d, MDL_ANCHORS);
  if (s->buffer != (uintptr_t)m->buffer || s->nnumeric != m->nnumeric) phy_findStick(m, s);
  return s->entry[0] >= 0 || s->entry[1] >= 0 ? s : NULL;
}

// stick of a contact between two geoms
mjtNum phy_stickOf(const mjModel* m, const MdlAnchors* s, const int geom[2]);
