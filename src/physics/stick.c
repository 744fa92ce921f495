// Which contacts stick: the entries, the section of the private block, and the functions of users.
#include "physics/stick.h"

#include <math.h>
#include <sinew/contact.h>
#include <string.h>

#include "math/vec.h"
#include "physics/physics.h"

_Static_assert(sizeof(MdlAnchor) == SN_NANCHOR * sizeof(mjtNum), "users see anchors as numbers");

const char* const phy_stickEntries[2] = {PHY_PREFIX "stick:geoms", PHY_PREFIX "stick:pairs"};

static int countOf(const mjModel* m, int k) {
  return (int)(k ? m->npair : m->ngeom);
}

static int findEntry(const mjModel* m, int k) {
  const int id = mj_name2id(m, mjOBJ_NUMERIC, phy_stickEntries[k]);
  return id >= 0 && m->numeric_size[id] == countOf(m, k) ? id : -1;
}

//---------------------------------- checks ----------------------------------

// NULL, or what is wrong with a number
static const char* wrongStick(int k, mjtNum stick) {
  if ((stick >= 0 && stick <= SN_MAXSTICK) || (k && stick == -1)) return NULL;
  return phy_fail("stick is %g, must be in [0, %d]%s", stick, SN_MAXSTICK, k ? " or -1" : "");
}

const char* phy_checkStick(const mjModel* m) {
  for (int k = 0; k < 2; k++) {
    const int id = mj_name2id(m, mjOBJ_NUMERIC, phy_stickEntries[k]);
    if (id < 0) continue;
    const int n = countOf(m, k);
    if (m->numeric_size[id] != n) {
      return phy_fail("the custom numeric '%s' has %d values, the model has %d %ss", phy_stickEntries[k],
                      m->numeric_size[id], n, k ? "pair" : "geom");
    }
    for (int i = 0; i < n; i++) {
      const char* wrong = wrongStick(k, m->numeric_data[m->numeric_adr[id] + i]);
      if (wrong) return phy_fail("the custom numeric '%s': %.200s", phy_stickEntries[k], wrong);
    }
    const snInfo* contact = sn_getModel(m, SN_CONTACT, 0, NULL);
    if (contact && contact != sn_modelAt(SN_CONTACT, 0)) {
      return phy_fail("contact model '%s' has no friction with memory (sinew:stick)", contact->name);
    }
  }
  return NULL;
}

int phy_hasStick(const mjModel* m) {
  return findEntry(m, 0) >= 0 || findEntry(m, 1) >= 0;
}

//---------------------------------- section ----------------------------------

size_t phy_stickSize(const mjModel* m) {
  // a face touches with four contacts or eight; more room is taken when it is needed
  return mdl_anchorBytes(phy_hasStick(m) ? 8 * (int)m->ngeom : 0);
}

void phy_stickInit(const mjModel* m, void* memory) {
  MdlAnchors* const s = memory;
  s->capacity = phy_hasStick(m) ? 8 * (int)m->ngeom : 0;
  phy_findStick(m, s);
}

void phy_findStick(const mjModel* m, MdlAnchors* s) {
  s->buffer = (uintptr_t)m->buffer;
  s->nnumeric = m->nnumeric;
  for (int k = 0; k < 2; k++) s->entry[k] = findEntry(m, k);
}

static const mjtNum* valuesOf(const mjModel* m, int entry) {
  return m->numeric_data + m->numeric_adr[entry];
}

mjtNum phy_stickOf(const mjModel* m, const MdlAnchors* s, const int geom[2]) {
  // a pair that the model lists has its own, if it is given
  if (s->entry[1] >= 0) {
    const mjtNum* value = valuesOf(m, s->entry[1]);
    for (int i = 0; i < m->npair; i++) {
      const int g1 = m->pair_geom1[i], g2 = m->pair_geom2[i];
      const int same = (g1 == geom[0] && g2 == geom[1]) || (g1 == geom[1] && g2 == geom[0]);
      if (same && value[i] >= 0) return value[i];
    }
  }
  if (s->entry[0] < 0) return 0;

  // as friction: the geom of higher priority, or the larger of the two
  const mjtNum *value = valuesOf(m, s->entry[0]), a = value[geom[0]], b = value[geom[1]];
  const int pa = m->geom_priority[geom[0]], pb = m->geom_priority[geom[1]];
  return pa > pb ? a : pb > pa ? b : mth_max(a, b);
}

//---------------------------------- choices ----------------------------------

const char* sn_setStick(mjModel* m, mjtObj type, int id, mjtNum stick) {
  if (!m) return phy_fail("m is NULL");
  if (type != mjOBJ_GEOM && type != mjOBJ_PAIR) return phy_fail("stick is of geoms and pairs");
  const int k = type == mjOBJ_PAIR, n = countOf(m, k);
  if (id < 0 || id >= n) return phy_fail("there is no %s %d", k ? "pair" : "geom", id);
  const char* wrong = wrongStick(k, stick);
  if (wrong) return wrong;

  // a model without such numbers gets them for all
  int entry = findEntry(m, k);
  if (entry < 0) {
    const snInfo* contact = sn_getModel(m, SN_CONTACT, 0, NULL);
    if (contact && contact != sn_modelAt(SN_CONTACT, 0)) {
      return phy_fail("contact model '%s' has no friction with memory (sinew:stick)", contact->name);
    }
    mjtNum* all = mju_malloc((size_t)n * sizeof(mjtNum));
    if (!all) return "out of memory";
    for (int i = 0; i < n; i++) all[i] = k ? -1 : 0;
    const int done = phy_setEntry(m, &(PhyEntry){phy_stickEntries[k], NULL, all, n});
    mju_free(all);
    if (!done) return "out of memory";
    entry = findEntry(m, k);
  }
  m->numeric_data[m->numeric_adr[entry] + id] = stick;
  return NULL;
}

mjtNum sn_getStick(const mjModel* m, mjtObj type, int id) {
  const int k = type == mjOBJ_PAIR;
  if (!m || (type != mjOBJ_GEOM && !k) || id < 0 || id >= countOf(m, k)) return 0;
  const int entry = findEntry(m, k);
  return entry >= 0 ? valuesOf(m, entry)[id] : k ? -1 : 0;
}

//---------------------------------- memory as a state ----------------------------------

int sn_anchorSize(const mjData* d) {
  return d ? SN_NANCHOR * ((const MdlAnchors*)mdl_section(d, MDL_ANCHORS))->count : 0;
}

void sn_getAnchors(const mjData* d, mjtNum* anchors) {
  if (!d || !anchors) return;
  MdlAnchors* const s = mdl_section(d, MDL_ANCHORS);
  memcpy(anchors, mdl_anchor(s), (size_t)s->count * sizeof(MdlAnchor));
}

// NULL, or what is wrong with an anchor
static const char* wrongAnchor(const mjModel* m, int i, const mjtNum* anchor) {
  for (int k = 0; k < SN_NANCHOR; k++) {
    if (!(fabs(anchor[k]) <= mjMAXVAL)) return phy_fail("number %d of anchor %d is not usable", k, i);
  }
  for (int k = 0; k < 2; k++) {
    const int geom = (int)anchor[k];
    if (geom != anchor[k] || geom < 0 || geom >= m->ngeom)
      return phy_fail("anchor %d: there is no geom %g", i, anchor[k]);
  }
  const mjtNum* quat = ((const MdlAnchor*)(const void*)anchor)->quat;
  if (fabs(mth_dot4(quat, quat) - 1) > 1e-6) return phy_fail("anchor %d: its orientation is no unit quaternion", i);
  return NULL;
}

const char* sn_setAnchors(const mjModel* m, mjData* d, const mjtNum* anchors, int n) {
  if (!m || !d) return phy_fail("%s is NULL", m ? "d" : "m");
  if (n < 0 || n % SN_NANCHOR) return phy_fail("%d numbers are not a multiple of %d", n, SN_NANCHOR);
  if (n && !anchors) return phy_fail("anchors is NULL");
  for (int i = 0; i < n / SN_NANCHOR; i++) {
    const char* wrong = wrongAnchor(m, i, anchors + SN_NANCHOR * i);
    if (wrong) return wrong;
  }
  mdl_setAnchors(d, (const MdlAnchor*)(const void*)anchors, n / SN_NANCHOR);
  return NULL;
}
