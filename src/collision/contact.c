// Contact parameters and storage. Contacts are the first thing in the arena, without gaps: contact i is at
// d->contact + i, and the arena ends behind the last one until the constraint stage adds its rows.
#include "collision/contact.h"

#include <mujoco/mjxmacro.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/memory.h"
#include "base/stack.h"
#include "collision/frame.h"
#include "math/vec.h"
#include "model/arena.h"
#include "base/assert.h"

//---------------------------------- parameters ----------------------------------

// one side's parameters
typedef struct {
  int priority, dim;
  mjtNum solmix, gap;
  const mjtNum *solref, *solimp, *friction;
} Side;

static Side sideOf(const mjModel* m, ColSide s) {
  if (s.flex < 0) {
    const int g = s.geom;
    return (Side){m->geom_priority[g],         m->geom_condim[g],           m->geom_solmix[g],       m->geom_gap[g],
                  m->geom_solref + mjNREF * g, m->geom_solimp + mjNIMP * g, m->geom_friction + 3 * g};
  }
  const int f = s.flex;
  return (Side){m->flex_priority[f],         m->flex_condim[f],           m->flex_solmix[f],       m->flex_gap[f],
                m->flex_solref + mjNREF * f, m->flex_solimp + mjNIMP * f, m->flex_friction + 3 * f};
}

// weight of the first side; a side without weight yields to the other
static mjtNum mixWeight(mjtNum solmix1, mjtNum solmix2) {
  if (solmix1 >= mjMINVAL && solmix2 >= mjMINVAL) return solmix1 / (solmix1 + solmix2);
  if (solmix1 < mjMINVAL && solmix2 < mjMINVAL) return 0.5;
  return solmix1 < mjMINVAL ? 0 : 1;
}

// global overrides, and friction coefficients that are never zero
static void applyOverride(const mjModel* m, ColParam* param) {
  const mjOption* opt = &m->opt;
  if (opt->enableflags & mjENBL_OVERRIDE) {
    memcpy(param->solref, opt->o_solref, sizeof(param->solref));
    memcpy(param->solreffriction, opt->o_solref, sizeof(param->solreffriction));
    memcpy(param->solimp, opt->o_solimp, sizeof(param->solimp));
    memcpy(param->friction, opt->o_friction, sizeof(param->friction));
  }
  for (int i = 0; i < 5; i++) param->friction[i] = mth_max(mjMINMU, param->friction[i]);
}

void col_mixParam(const mjModel* m, ColParam* param, ColSide side1, ColSide side2, mjtNum margin) {
  const Side s1 = sideOf(m, side1);
  const Side s2 = sideOf(m, side2);
  mjtNum friction[3];
  memset(param->solreffriction, 0, sizeof(param->solreffriction));
  param->includemargin = margin - (s1.gap + s2.gap);

  if (s1.priority != s2.priority) {
    // the side of higher priority decides alone
    const Side* s = s1.priority > s2.priority ? &s1 : &s2;
    param->dim = s->dim;
    memcpy(param->solref, s->solref, sizeof(param->solref));
    memcpy(param->solimp, s->solimp, sizeof(param->solimp));
    mth_copy3(friction, s->friction);
  } else {
    // largest dimension and friction, weighted solver parameters; a direct solref wins by being the smaller
    const mjtNum mix = mixWeight(s1.solmix, s2.solmix);
    const bool standard = s1.solref[0] > 0 && s2.solref[0] > 0;
    param->dim = mth_maxInt(s1.dim, s2.dim);
    for (int i = 0; i < mjNREF; i++) {
      param->solref[i] = standard ? mix * s1.solref[i] + (1 - mix) * s2.solref[i] : mth_min(s1.solref[i], s2.solref[i]);
    }
    for (int i = 0; i < mjNIMP; i++) param->solimp[i] = mix * s1.solimp[i] + (1 - mix) * s2.solimp[i];
    for (int i = 0; i < 3; i++) friction[i] = mth_max(s1.friction[i], s2.friction[i]);
  }

  // sliding, torsional and rolling friction, isotropic
  param->friction[0] = param->friction[1] = friction[0];
  param->friction[2] = friction[1];
  param->friction[3] = param->friction[4] = friction[2];
  if (param->dim > 6 || param->dim < 1) mju_error("mj_collision: Invalid condim value: %d", param->dim);
  applyOverride(m, param);
}

void col_pairParam(const mjModel* m, ColParam* param, int ipair, mjtNum margin) {
  param->dim = m->pair_dim[ipair];
  param->includemargin = margin - m->pair_gap[ipair];
  memcpy(param->solref, m->pair_solref + mjNREF * ipair, sizeof(param->solref));
  memcpy(param->solreffriction, m->pair_solreffriction + mjNREF * ipair, sizeof(param->solreffriction));
  memcpy(param->solimp, m->pair_solimp + mjNIMP * ipair, sizeof(param->solimp));
  memcpy(param->friction, m->pair_friction + 5 * ipair, sizeof(param->friction));
  applyOverride(m, param);
}

//---------------------------------- completion ----------------------------------

// hides a size from the compiler: of a known one gcc makes a string instruction, which is slower than the library's
// copy
#define HIDE(x) __asm__("" : "+r"(x))

// everything but the geometry
static void fillFields(mjContact* c, const ColParam* param, const ColIds* ids) {
  c->includemargin = param->includemargin;
  memcpy(c->friction, param->friction, sizeof(c->friction));
  memcpy(c->solref, param->solref, sizeof(c->solref));
  memcpy(c->solreffriction, param->solreffriction, sizeof(c->solreffriction));
  memcpy(c->solimp, param->solimp, sizeof(c->solimp));
  c->dim = param->dim;

  // what later stages fill in
  c->mu = 0;
  memset(c->H, 0, sizeof(c->H));
  c->efc_address = -1;

  memcpy(c->geom, ids->geom, sizeof(c->geom));
  memcpy(c->flex, ids->flex, sizeof(c->flex));
  memcpy(c->elem, ids->elem, sizeof(c->elem));
  memcpy(c->vert, ids->vert, sizeof(c->vert));
  c->geom1 = ids->geom[0];
  c->geom2 = ids->geom[1];
}

void col_completeContacts(mjContact* con, int n, const ColParam* param, const ColIds* ids) {
  for (int side = 0; side < 2; side++) {
    BAS_ASSERT((ids->geom[side] < 0) != (ids->flex[side] < 0));
    BAS_ASSERT(ids->flex[side] >= 0 || (ids->elem[side] < 0 && ids->vert[side] < 0));
  }

  // contacts of one pair differ in their geometry only, and often not even in their normal
  const size_t common = offsetof(mjContact, includemargin);
  size_t bytes = sizeof(mjContact) - common;
  HIDE(bytes);
  mjtNum axes[6] = {0};
  for (int i = 0; i < n; i++) {
    mjContact* c = con + i;
    if (i == 0) {
      fillFields(c, param, ids);
    } else {
      memcpy((char*)c + common, (const char*)con + common, bytes);
    }
    c->exclude = c->dist >= param->includemargin;

    if (i > 0 && mth_equal3(c->frame, axes) && mth_equal3(c->frame + 3, axes + 3)) {
      memcpy(c->frame, c[-1].frame, sizeof(c->frame));
    } else {
      memcpy(axes, c->frame, sizeof(axes));
      col_makeFrame(c->frame);
    }
  }
}

//---------------------------------- storage ----------------------------------

mjContact* col_openRoom(mjData* d) {
  return mj_arenaAllocByte(d, mjMAXCONPAIR * sizeof(mjContact), _Alignof(mjContact));
}

bool col_closeRoom(mjData* d, const mjContact* room, int n) {
  BAS_ASSERT(n >= 0 && d->contact == d->arena);

  // written in place
  if (room == d->contact + d->ncon) {
    d->ncon += n;
    mdl_shrinkArena(d);
    return true;
  }

  // written elsewhere: the arena may still have room for this many
  if (n == 0) return true;
  mjContact* dest = mj_arenaAllocByte(d, (size_t)n * sizeof(mjContact), _Alignof(mjContact));
  BAS_ASSERT(!dest || dest == d->contact + d->ncon);
  if (!dest) {
    mj_warning(d, mjWARN_CONTACTFULL, d->ncon);
    return false;
  }
  memcpy(dest, room, (size_t)n * sizeof(mjContact));
  d->ncon += n;
  return true;
}

int mj_addContact(const mjModel* m, mjData* d, const mjContact* con) {
  (void)m;
  const mjContact copy = *con;
  mdl_dropRows(d);
  return col_closeRoom(d, &copy, 1) ? 0 : 1;
}

//---------------------------------- invariants ----------------------------------

static void assertSide(const mjModel* m, const mjContact* con, int side) {
  const int geom = con->geom[side], flex = con->flex[side], elem = con->elem[side], vert = con->vert[side];
  BAS_ASSERT((geom >= 0) != (flex >= 0));
  BAS_ASSERT(geom < m->ngeom && flex < m->nflex);
  if (flex < 0) return;
  BAS_ASSERT(elem < m->flex_elemnum[flex] && vert < m->flex_vertnum[flex]);
  BAS_ASSERT((elem >= 0) != (vert >= 0));
}

void col_assertContacts(const mjModel* m, const mjData* d) {
  BAS_ASSERT(d->contact == d->arena);
  BAS_ASSERT(d->ncon >= 0 && d->parena == (size_t)d->ncon * sizeof(mjContact));
  BAS_ASSERT(d->nefc == 0 && d->nisland == 0 && d->efc_J == NULL);
  for (int i = 0; i < d->ncon; i++) {
    const mjContact* con = d->contact + i;
    BAS_ASSERT(con->efc_address == -1);
    BAS_ASSERT(con->geom1 == con->geom[0] && con->geom2 == con->geom[1]);
    BAS_ASSERT(con->exclude == 0 || con->exclude == 1);
    assertSide(m, con, 0);
    assertSide(m, con, 1);
  }
}
