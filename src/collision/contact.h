// Contacts: their parameters from the two sides, the fields that every contact has, and their place in the arena.
#pragma once

#include <mujoco/mujoco.h>
#include <stdbool.h>

// one side of a contact: a geom (flex = -1) or a flex (geom = -1)
typedef struct {
  int geom;
  int flex;
} ColSide;

// what all contacts of a pair share
typedef struct {
  int dim;
  mjtNum includemargin;
  mjtNum friction[5];
  mjtNum solref[mjNREF];
  mjtNum solreffriction[mjNREF];
  mjtNum solimp[mjNIMP];
} ColParam;

// ids of what touches; -1 where a side has none
typedef struct {
  int geom[2], flex[2], elem[2], vert[2];
} ColIds;

// the global override of the margin, or the margin itself
static inline mjtNum col_margin(const mjModel* m, mjtNum margin) {
  return m->opt.enableflags & mjENBL_OVERRIDE ? m->opt.o_margin : margin;
}

// margin of the pair of geoms; ipair >= 0 for a pair that the model lists
static inline mjtNum col_geomMargin(const mjModel* m, int g1, int g2, int ipair) {
  return col_margin(m, ipair >= 0 ? m->pair_margin[ipair] : m->geom_margin[g1] + m->geom_margin[g2]);
}

// parameters mixed from two sides, for a contact margin (overrides applied)
void col_mixParam(const mjModel* m, ColParam* param, ColSide side1, ColSide side2, mjtNum margin);

// parameters of a pair that the model lists, overrides applied
void col_pairParam(const mjModel* m, ColParam* param, int ipair, mjtNum margin);

// completes n contacts whose dist, pos, normal and maybe first tangent the narrow phase wrote
void col_completeContacts(mjContact* con, int n, const ColParam* param, const ColIds* ids);

// invariants of the contacts that mj_collision has found (base/assert.h)
void col_assertContacts(const mjModel* m, const mjData* d);

// Opens room for mjMAXCONPAIR contacts behind the existing ones, where the narrow phase writes; NULL when the arena is
// too full for that. col_closeRoom must follow before anything else is put into the arena.
mjContact* col_openRoom(mjData* d);

// Keeps the first n contacts of the room, or of an array elsewhere. False, with a warning, when they do not fit.
bool col_closeRoom(mjData* d, const mjContact* room, int n);
