// No tunnelling: conservative advancement, and contacts that act before they touch.
//
// Two geoms are moved along with their present velocities, each time by as much as their distance allows, until they
// touch or the step is over (Mirtich 1996). What touches gets a contact with the gap that is left along the normal. Its
// row asks for the velocity −gap/h at least, so that the step ends where the shapes meet: stiffness 1/h² and damping
// 1/h, nearly without softness. Contacts that a fast body has already are made as hard, without stiffness where they
// overlap. A constraint that only takes speed away adds no energy.
#include "collision/continuous.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/stack.h"
#include "collision/ccd.h"
#include "collision/contact.h"
#include "collision/filter.h"
#include "collision/narrow.h"
#include "math/quat.h"
#include "math/vec.h"

enum { ADVANCES = 64 };

// part of its size that a geom must move in a step to be fast, and how much further than its velocity says it is looked
// for
#define FAST  0.1
#define AHEAD 1.1

// softness of the contacts of fast bodies: nearly none
#define HARD 0.9999

//---------------------------------- entry ----------------------------------

static int findEntry(const mjModel* m, const char* name, mjtSize size) {
  const int id = mj_name2id(m, mjOBJ_NUMERIC, name);
  return id >= 0 && m->numeric_size[id] == size ? id : -1;
}

const char* col_continuousCheck(const mjModel* m, char* text) {
  const struct {
    const char *name, *what;
    mjtSize size;
  } entries[] = {
      {COL_CONTINUOUS_ENTRY, "bodies", m->nbody},
      {COL_REDUCE_ENTRY,     "geoms",  m->ngeom}
  };
  for (int k = 0; k < 2; k++) {
    const int id = mj_name2id(m, mjOBJ_NUMERIC, entries[k].name);
    if (id < 0 || m->numeric_size[id] == entries[k].size) continue;
    snprintf(text, 200, "the custom numeric '%s' has %d values, the model has %d %s", entries[k].name,
             m->numeric_size[id], (int)entries[k].size, entries[k].what);
    return text;
  }
  return NULL;
}

size_t col_continuousSize(const mjModel* m) {
  (void)m;
  return sizeof(ColContinuous);
}

void col_continuousInit(const mjModel* m, void* memory) {
  *(ColContinuous*)memory =
      (ColContinuous){(uintptr_t)m->buffer, m->nnumeric, findEntry(m, COL_CONTINUOUS_ENTRY, m->nbody),
                      findEntry(m, COL_REDUCE_ENTRY, m->ngeom)};
}

//---------------------------------- motion ----------------------------------

// a geom and how it moves
typedef struct {
  int geom;
  mjtNum lin[3], ang[3];
  mjtNum speed, turn;  // their sizes
} Mover;

static Mover moverOf(const mjModel* m, mjData* d, int geom) {
  Mover v = {.geom = geom};
  mj_markStack(d);
  mjtNum *jacp = mj_stackAllocNum(d, 3 * (size_t)m->nv), *jacr = mj_stackAllocNum(d, 3 * (size_t)m->nv);
  mj_jac(m, d, jacp, jacr, d->geom_xpos + 3 * geom, m->geom_bodyid[geom]);
  mju_mulMatVec(v.lin, jacp, d->qvel, 3, (int)m->nv);
  mju_mulMatVec(v.ang, jacr, d->qvel, 3, (int)m->nv);
  mj_freeStack(d);
  v.speed = mth_norm3(v.lin);
  v.turn = mth_norm3(v.ang);
  return v;
}

// a geom some time later
typedef struct {
  mjtNum pos[3], mat[9];
} Later;

static void move(const mjData* d, const Mover* v, mjtNum time, Later* later) {
  mth_addScl3(later->pos, d->geom_xpos + 3 * v->geom, v->lin, time);
  if (v->turn < mjMINVAL) {
    mth_copy9(later->mat, d->geom_xmat + 9 * v->geom);
    return;
  }
  mjtNum axis[3], quat[4], turn[9];
  mth_scl3(axis, v->ang, 1 / v->turn);
  mth_axisAngle2Quat(quat, axis, v->turn * time);
  mth_quat2Mat(turn, quat);
  mth_mulMatMat3(later->mat, turn, d->geom_xmat + 9 * v->geom);
}

// distance of two geoms some time later, the points that are nearest and the direction from the first to the second
typedef struct {
  mjtNum dist, point[2][3], normal[3];
} Gap;

static void planeGap(const Later* plane, ColConvex* other, Gap* gap) {
  mjtNum down[3], arm[3];
  mth_col3(gap->normal, plane->mat, 2);
  mth_neg3(down, gap->normal);
  other->support(gap->point[1], other, down);
  mth_addToScl3(gap->point[1], down, other->inflate);
  mth_sub3(arm, gap->point[1], plane->pos);
  gap->dist = mth_dot3(arm, gap->normal);
  mth_addScl3(gap->point[0], gap->point[1], gap->normal, -gap->dist);
}

static int gapLater(const mjModel* m, mjData* d, const Mover v[2], mjtNum time, Gap* gap) {
  Later later[2];
  ColConvex shape[2];
  for (int k = 0; k < 2; k++) {
    move(d, v + k, time, later + k);
    if (m->geom_type[v[k].geom] == mjGEOM_PLANE) continue;
    col_convexGeom(shape + k, m, d, v[k].geom, 0);
    shape[k].pos = later[k].pos;
    shape[k].mat = later[k].mat;
  }
  if (m->geom_type[v[0].geom] == mjGEOM_PLANE) {
    planeGap(later, shape + 1, gap);
    return 1;
  }
  ColQuery q;
  col_queryInit(&q, m, 1, mjMAXVAL);
  gap->dist = col_ccd(d, &q, shape, shape + 1);
  if (q.npoint < 1) return 0;
  mth_copy3(gap->point[0], q.x1);
  mth_copy3(gap->point[1], q.x2);
  mth_sub3(gap->normal, q.x2, q.x1);
  if (gap->dist < 0) mth_neg3(gap->normal, gap->normal);
  return mth_normalize3(gap->normal) > mjMINVAL;
}

//---------------------------------- contacts ----------------------------------

// size of the smaller geom
static mjtNum sizeOf(const mjModel* m, const Mover v[2]) {
  const mjtNum first = m->geom_rbound[v[0].geom], second = m->geom_rbound[v[1].geom];
  return first > 0 ? mth_min(first, second) : second;
}

// two geoms that meet within the step: the time, and how they touch then. 0: they do not
static int meet(const mjModel* m, mjData* d, const Mover v[2], mjtNum* time, Gap* gap) {
  const mjtNum end = AHEAD * m->opt.timestep;
  const mjtNum near = 1e-4 * sizeOf(m, v);
  mjtNum arms = 0, between[3];
  for (int k = 0; k < 2; k++) arms += v[k].turn * m->geom_rbound[v[k].geom];
  mth_sub3(between, v[0].lin, v[1].lin);
  *time = 0;
  for (int i = 0; i < ADVANCES; i++) {
    if (!gapLater(m, d, v, *time, gap)) return 0;

    // overlapping at the start is what contacts are for
    if (gap->dist <= near) return *time > 0;
    const mjtNum closing = mth_dot3(between, gap->normal) + arms;
    if (closing <= mjMINVAL) return 0;
    // not quite all of the way: directions are known only while there is a gap
    *time += (gap->dist - 0.5 * near) / closing;
    if (*time > end) return 0;
  }
  return 1;
}

// solver parameters of a contact of a fast body; gap: what is left to go, 0 where it overlaps
static void harden(const mjModel* m, mjContact* con, mjtNum gap) {
  const mjtNum h = m->opt.timestep, regular = con->solref[0];
  mjtNum stiffness = 1 / (h * h);
  if (gap <= 0) {
    // push out as slowly as it would otherwise
    stiffness = regular > 0 ? 1 / (regular * regular * mth_max(mjMINVAL, con->solref[1] * con->solref[1])) : -regular;
  }
  con->solref[0] = -stiffness * HARD;
  con->solref[1] = -HARD / h;
  const mjtNum imp[mjNIMP] = {HARD, HARD, 0.001, 0.5, 2};
  memcpy(con->solimp, imp, sizeof(imp));
}

// velocity of a body's point
static void pointVelocity(mjtNum res[3], const mjData* d, const Mover* v, const mjtNum point[3]) {
  mjtNum arm[3];
  mth_sub3(arm, point, d->geom_xpos + 3 * v->geom);
  mth_cross3(res, v->ang, arm);
  mth_addTo3(res, v->lin);
}

// 1: a geom moves by a large part of its size in a step
static int isFast(const mjModel* m, const Mover* v) {
  const mjtNum size = m->geom_rbound[v->geom];
  return size > 0 && (v->speed + v->turn * size) * m->opt.timestep > FAST * size;
}

// the contacts that two geoms have are made hard where they close in; returns the deepest of those, ncon where none
// does, -1 where they have none
static int hardenAll(const mjModel* m, mjData* d, const Mover v[2], int ncon) {
  int best = -1;
  for (int i = 0; i < ncon; i++) {
    mjContact* con = d->contact + i;
    if (con->geom[0] != v[0].geom || con->geom[1] != v[1].geom) continue;
    mjtNum a[3], b[3];
    pointVelocity(a, d, v, con->pos);
    pointVelocity(b, d, v + 1, con->pos);
    mth_subFrom3(a, b);
    if (best < 0) best = ncon;
    if (mth_dot3(a, con->frame) <= 0 || con->exclude) continue;
    harden(m, con, 0);
    if (best == ncon || con->dist < d->contact[best].dist) best = i;
  }
  return best;
}

// where a point of a geom that moves is now
static void nowOf(mjtNum res[3], const mjData* d, const Mover* v, const Later* later, const mjtNum point[3]) {
  mjtNum arm[3], local[3];
  mth_sub3(arm, point, later->pos);
  mth_mulMatTVec3(local, later->mat, arm);
  mth_mulMatVec3(arm, d->geom_xmat + 9 * v->geom, local);
  mth_add3(res, d->geom_xpos + 3 * v->geom, arm);
}

// contacts of two geoms as if they were somewhere else; returns how many
static int contactsLater(const mjModel* m, mjData* d, const Mover v[2], const Later later[2], mjContact* con) {
  mjtNum pos[2][3], mat[2][9];
  for (int k = 0; k < 2; k++) {
    mth_copy3(pos[k], d->geom_xpos + 3 * v[k].geom);
    mth_copy9(mat[k], d->geom_xmat + 9 * v[k].geom);
    mth_copy3(d->geom_xpos + 3 * v[k].geom, later[k].pos);
    mth_copy9(d->geom_xmat + 9 * v[k].geom, later[k].mat);
  }
  const mjfCollision collide = mjCOLLISIONFUNC[m->geom_type[v[0].geom]][m->geom_type[v[1].geom]];
  const int n = collide ? collide(m, d, con, v[0].geom, v[1].geom, 0) : 0;
  for (int k = 0; k < 2; k++) {
    mth_copy3(d->geom_xpos + 3 * v[k].geom, pos[k]);
    mth_copy9(d->geom_xmat + 9 * v[k].geom, mat[k]);
  }
  return n;
}

// completes contacts that act before they touch, and adds them to those of the step
static void giveContacts(const mjModel* m, mjData* d, const Mover v[2], mjContact* con, int n) {
  ColParam param;
  col_mixParam(m, &param, (ColSide){v[0].geom, -1}, (ColSide){v[1].geom, -1}, 0);
  const ColIds ids = {
      {v[0].geom, v[1].geom},
      {-1,        -1       },
      {-1,        -1       },
      {-1,        -1       }
  };
  col_completeContacts(con, n, &param, &ids);
  for (int i = 0; i < n; i++) {
    con[i].includemargin = 0;
    con[i].exclude = 0;
    harden(m, con + i, con[i].dist);
  }
  col_closeRoom(d, con, n);
}

// 1: the second geom of the two is at a point, as far as its size lets one say
static int isThere(const mjModel* m, mjData* d, int geom, const mjtNum point[3], mjtNum size) {
  if (m->geom_type[geom] == mjGEOM_PLANE) return 1;
  ColConvex own, other;
  ColQuery q;
  const mjtNum* const points[1] = {point};
  col_convexPoints(&own, m, points, 1, point);
  col_convexGeom(&other, m, d, geom, 0);
  col_queryInit(&q, m, 1, size);
  return col_ccd(d, &q, &own, &other) < 0.1 * size;
}

// A body that is stopped at one place turns about it within the step, which its present velocity does not tell. So the
// places on its sides that would come next, seen along the contact, are held up as well, where the other geom is.
static void addSides(const mjModel* m, mjData* d, const Mover v[2], int first) {
  if (d->ncon <= first) return;
  const mjContact known = d->contact[first];
  const int fast = v[1].speed > v[0].speed, geom = v[fast].geom;
  if (m->geom_type[geom] == mjGEOM_SPHERE) return;
  ColConvex shape;
  mjContact con[4];
  mjtNum towards[3], tip[3];
  int n = 0;
  col_convexGeom(&shape, m, d, geom, 0);
  mth_scl3(towards, known.frame, fast ? -1 : 1);
  mth_addScl3(tip, known.pos, towards, known.dist > 0 ? known.dist : 0);
  for (int k = 0; k < 4; k++) {
    mjtNum dir[3], point[3], arm[3], foot[3];
    mth_addScl3(dir, towards, known.frame + 3 + 3 * (k / 2), k % 2 ? 1 : -1);
    mth_normalize3(dir);
    shape.vertid = shape.hullid = -1;
    shape.support(point, &shape, dir);
    mth_addToScl3(point, dir, shape.inflate);
    mth_sub3(arm, tip, point);
    const mjtNum gap = mth_max(0, mth_dot3(arm, towards));
    mth_addScl3(foot, point, towards, gap);
    if (mth_dist3(point, known.pos) < 0.1 * sizeOf(m, v) || !isThere(m, d, v[!fast].geom, foot, sizeOf(m, v))) continue;
    memset(con + n, 0, sizeof(con[n]));
    mth_copy3(con[n].pos, point);
    mth_copy3(con[n].frame, known.frame);
    con[n++].dist = mth_max(1e-9, gap);
  }
  giveContacts(m, d, v, con, n);
}

// adds the contacts that two geoms have some time later, where they do not touch yet
static void addLater(const mjModel* m, mjData* d, const Mover v[2], mjtNum time) {
  mjContact con[mjMAXCONPAIR];
  Later later[2];
  for (int k = 0; k < 2; k++) move(d, v + k, time, later + k);
  const int n = contactsLater(m, d, v, later, con);
  int kept = 0;
  for (int i = 0; i < n; i++) {
    mjtNum now[2][3], apart[3], end[3];
    for (int k = 0; k < 2; k++) {
      mth_addScl3(end, con[i].pos, con[i].frame, (k ? 0.5 : -0.5) * con[i].dist);
      nowOf(now[k], d, v + k, later + k, end);
    }
    mth_sub3(apart, now[1], now[0]);
    con[i].dist = mth_dot3(apart, con[i].frame);
    mth_copy3(con[i].pos, now[v[1].speed > v[0].speed]);
    if (con[i].dist > 0) con[kept++] = con[i];
  }
  giveContacts(m, d, v, con, kept);
}

// the contacts of two geoms that will meet: those of a moment when they overlap a little
static void addContacts(const mjModel* m, mjData* d, const Mover v[2], mjtNum time, const Gap* gap) {
  mjtNum between[3];
  mth_sub3(between, v[0].lin, v[1].lin);
  const mjtNum closing = mth_max(mth_dot3(between, gap->normal), FAST * mth_norm3(between));
  addLater(m, d, v, time + (gap->dist + 1e-3 * sizeOf(m, v)) / mth_max(mjMINVAL, closing));
}

//---------------------------------- pairs ----------------------------------

static int canTouch(const mjModel* m, int g1, int g2) {
  const int b1 = m->geom_bodyid[g1], b2 = m->geom_bodyid[g2], w1 = m->body_weldid[b1], w2 = m->body_weldid[b2];
  const int type = m->geom_type[g2];
  if (w1 == w2 || type == mjGEOM_HFIELD || type == mjGEOM_SDF) return 0;
  if (!(m->opt.disableflags & mjDSBL_FILTERPARENT)) {
    const int p1 = m->body_weldid[m->body_parentid[w1]], p2 = m->body_weldid[m->body_parentid[w2]];
    if ((w2 && p1 == w2) || (w1 && p2 == w1)) return 0;
  }
  const unsigned low = (unsigned)(b1 < b2 ? b1 : b2), high = (unsigned)(b1 < b2 ? b2 : b1);
  for (int i = 0; i < m->nexclude; i++) {
    if ((unsigned)m->exclude_signature[i] == (low << 16 | high)) return 0;
  }
  return col_bitsMatch(col_geomBits(m, g1), col_geomBits(m, g2));
}

// a fast geom and another one
static void tryPair(const mjModel* m, mjData* d, const Mover* fast, int other, int ncon) {
  if (!canTouch(m, fast->geom, other)) return;
  Mover v[2] = {*fast, moverOf(m, d, other)};
  const mjtNum reach = AHEAD * m->opt.timestep * (v[0].speed + v[1].speed), rbound = m->geom_rbound[other];
  mjtNum apart[3];
  mth_sub3(apart, d->geom_xpos + 3 * other, d->geom_xpos + 3 * fast->geom);
  if (rbound > 0 && mth_norm3(apart) > reach + rbound + m->geom_rbound[fast->geom]) return;
  if (m->geom_type[other] < m->geom_type[fast->geom] ||
      (other < fast->geom && m->geom_type[other] == m->geom_type[fast->geom])) {
    const Mover first = v[0];
    v[0] = v[1];
    v[1] = first;
  }
  mjtNum time;
  Gap gap;
  const int touching = hardenAll(m, d, v, ncon);
  if (touching >= 0) {
    if (touching < ncon) addSides(m, d, v, touching);
    return;
  }
  const int first = d->ncon;
  if (!meet(m, d, v, &time, &gap)) return;
  addContacts(m, d, v, time, &gap);
  addSides(m, d, v, first);
}

void col_continuous(const mjModel* m, mjData* d) {
  const ColContinuous* s = mdl_section(d, MDL_CONTINUOUS);
  const mjtNum* chosen = m->numeric_data + m->numeric_adr[s->entry];
  const int ncon = d->ncon;
  for (int g = 0; g < m->ngeom; g++) {
    const int body = m->geom_bodyid[g], type = m->geom_type[g];
    if (!chosen[body] || type == mjGEOM_PLANE || type == mjGEOM_HFIELD || type == mjGEOM_SDF) continue;
    const Mover fast = moverOf(m, d, g);
    if (!isFast(m, &fast)) continue;
    for (int other = 0; other < m->ngeom; other++) {
      // two fast ones are a pair once
      if (other == g || (other < g && chosen[m->geom_bodyid[other]])) continue;
      tryPair(m, d, &fast, other, ncon);
    }
  }
}
