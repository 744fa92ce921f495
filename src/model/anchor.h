// What a simulation remembers of contacts that stick: a section of the private block. Unlike the others it is part of
// the state of a simulation, so what sets positions forgets it and what copies states copies it.
#pragma once

#include "model/private.h"

// One contact that persists: numbers only, so that a list of them is a state as users save it. Vectors are kept in the
// frames of both bodies; the mean of the two, turned along, is what they are later.
typedef struct {
  mjtNum geom[2];      // the pair
  mjtNum point[2][3];  // where it was
  mjtNum slide[2][3];  // how far the second surface has moved against the first, tangentially
  mjtNum turn[2][3];   // how far the second body has turned against the first
  mjtNum quat[4];      // orientation of the second body seen from the first
  mjtNum normal;       // force in the last step, negative: its turning slipped; 0: it is new
} MdlAnchor;

// start of the section; anchors, those that the present contacts would leave, and the numbers of these contacts follow
typedef struct {
  uintptr_t buffer;  // of the mjModel whose entries were looked up
  mjtSize nnumeric;
  int entry[2];  // numeric entries of geoms and pairs, -1: none
  int count;     // anchors
  int npending;  // contacts of this step
  int capacity;
  int pad;
} MdlAnchors;

static inline MdlAnchor* mdl_anchor(MdlAnchors* s) {
  return (MdlAnchor*)(void*)(s + 1);
}
static inline MdlAnchor* mdl_pendingAnchor(MdlAnchors* s) {
  return mdl_anchor(s) + s->capacity;
}
static inline int* mdl_pendingContact(MdlAnchors* s) {
  return (int*)(void*)(mdl_pendingAnchor(s) + s->capacity);
}

// bytes of a section with room for n contacts
size_t mdl_anchorBytes(int n);

// the section with room for n contacts, which keeps what it holds but the pending ones; raises an error without memory
MdlAnchors* mdl_reserveAnchors(mjData* d, int n);

// forgets everything
static inline void mdl_clearAnchors(const mjData* d) {
  MdlAnchors* const s = mdl_section(d, MDL_ANCHORS);
  s->count = s->npending = 0;
}

// takes over a list of anchors
void mdl_setAnchors(mjData* d, const MdlAnchor* anchor, int n);
