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
#include "collision/exact.h"
#include "collision/filter.h"
#include "collision/narrow.h"
#include "math/quat.h"
#include "math/vec.h"

enum { ADVANCES = 64 };

// part of its size, or of the other geom's thickness, that a geom must move in a step to be fast, and how much further
// than its velocity says it is looked for
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

// a geom and how it moves: with the centre of mass of its body, about which it turns
typedef struct {
  int geom;
  const mjtNum* centre;
  mjtNum lin[3], ang[3];
  mjtNum speed, turn;  // their sizes
  mjtNum reach;        // of the geom, seen from the centre
} Mover;

static Mover moverOf(const mjModel* m, mjData* d, int geom) {
  const int body = m->geom_bodyid[geom];
  Mover v = {.geom = geom, .centre = d->xipos + 3 * body};
  mj_markStack(d);
  mjtNum *jacp = mj_stackAllocNum(d, 3 * (size_t)m->nv), *jacr = mj_stackAllocNum(d, 3 * (size_t)m->nv);
  mj_jac(m, d, jacp, jacr, v.centre, body);
  mju_mulMatVec(v.lin, jacp, d->qvel, 3, (int)m->nv);
  mju_mulMatVec(v.ang, jacr, d->qvel, 3, (int)m->nv);
  mj_freeStack(d);
  v.speed = mth_norm3(v.lin);
  v.turn = mth_norm3(v.ang);
  v.reach = m->geom_rbound[geom] + mth_dist3(d->geom_xpos + 3 * geom, v.centre);
  return v;
}

// how fast a geom is at most
static mjtNum fastest(const Mover* v) {
  return v->speed + v->turn * v->reach;
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
  mjtNum axis[3], quat[4], turn[9], arm[3], turned[3];
  mth_scl3(axis, v->ang, 1 / v->turn);
  mth_axisAngle2Quat(quat, axis, v->turn * time);
  mth_quat2Mat(turn, quat);
  mth_mulMatMat3(later->mat, turn, d->geom_xmat + 9 * v->geom);
  mth_sub3(arm, d->geom_xpos + 3 * v->geom, v->centre);
  mth_mulMatVec3(turned, turn, arm);
  mth_subFrom3(turned, arm);
  mth_addTo3(later->pos, turned);
}

// velocity of a point of a geom some time later
static void velocityAt(mjtNum res[3], const Mover* v, mjtNum time, const mjtNum point[3]) {
  mjtNum arm[3];
  mth_sub3(arm, point, v->centre);
  mth_addToScl3(arm, v->lin, -time);
  mth_cross3(res, v->ang, arm);
  mth_addTo3(res, v->lin);
}

// how fast two geoms come together at a point along a direction from the first to the second
static mjtNum closingAt(const Mover v[2], mjtNum time, const mjtNum point[3], const mjtNum normal[3]) {
  mjtNum a[3], b[3];
  velocityAt(a, v, time, point);
  velocityAt(b, v + 1, time, point);
  return mth_dot3(a, normal) - mth_dot3(b, normal);
}

// one of two geoms that may meet: a convex shape, or a surface, where it is some time later
typedef struct {
  int type, exact;  // exact: a surface
  mjtNum size;      // radius around it
  Later later;
  ColConvex convex;
  ColExact surface;
} Side;

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

// a geom; far: how far the other one is looked for around it
static int openSide(const mjModel* m, mjData* d, const Mover v[2], int which, mjtNum far, Side* side) {
  const int geom = v[which].geom, other = v[!which].geom;
  *side = (Side){.type = m->geom_type[geom], .size = m->geom_rbound[geom]};
  move(d, v + which, 0, &side->later);
  if (side->type == mjGEOM_HFIELD) {
    // what is under the way of the other one
    ColConvex shape;
    mjtNum box[6];
    const ColExact frame = {.pos = side->later.pos, .mat = side->later.mat};
    col_convexGeom(&shape, m, d, other, 0);
    col_exactBounds(&frame, &shape, far, box);
    side->exact = col_openField(m, d, geom, box, &side->surface);
    if (!side->exact) return 0;
  } else if (side->type != mjGEOM_PLANE) {
    side->exact = col_openExact(m, d, geom, 0, &side->surface);
    col_convexGeom(&side->convex, m, d, geom, 0);
    side->convex.pos = side->later.pos;
    side->convex.mat = side->later.mat;
  }
  side->surface.pos = side->later.pos;
  side->surface.mat = side->later.mat;
  return 1;
}

// surfaces: the nearest points of the surface itself
static int surfaceGap(mjData* d, Side side[2], Gap* gap) {
  ColGap g;
  const int own = side[1].exact, met = side[0].exact && side[1].exact
                                           ? col_exactGaps(d, &side[1].surface, &side[0].surface, mjMAXVAL, &g)
                                           : col_exactGap(d, &side[own].surface, &side[!own].convex, mjMAXVAL, &g);
  if (!met) return 0;
  gap->dist = g.dist;
  mth_copy3(gap->point[own], g.point[0]);
  mth_copy3(gap->point[!own], g.point[1]);
  mth_scl3(gap->normal, g.normal, own ? -1 : 1);
  return 1;
}

// keeps a direction where two convex shapes are farther apart along it, with the points that are nearest then
static void tryAxis(Side side[2], const mjtNum axis[3], Gap* gap) {
  mjtNum point[2][3], apart[3];
  for (int k = 0; k < 2; k++) {
    mjtNum dir[3];
    ColConvex* const shape = &side[k].convex;
    mth_scl3(dir, axis, k ? -1 : 1);
    shape->vertid = shape->hullid = -1;
    shape->support(point[k], shape, dir);
    mth_addToScl3(point[k], dir, shape->inflate);
  }
  mth_sub3(apart, point[1], point[0]);
  const mjtNum dist = mth_dot3(apart, axis);
  if (!(dist > gap->dist)) return;
  gap->dist = dist;
  mth_copy3(gap->normal, axis);

  // the point of the smaller one says where
  const int small = side[1].size < side[0].size;
  mth_copy3(gap->point[small], point[small]);
  mth_addScl3(gap->point[!small], point[small], axis, small ? -dist : dist);
}

// Two convex shapes: the largest of the distances along the axes of both and along what GJK says. Each is a bound of
// the distance from below, which is all that moving ahead needs; plates that are large and thin are where GJK goes
// wrong.
static void convexGap(const mjModel* m, mjData* d, Side side[2], Gap* gap) {
  mjtNum between[3], axis[3];
  mth_sub3(between, side[1].later.pos, side[0].later.pos);
  gap->dist = -mjMAXVAL;
  for (int k = 0; k < 6; k++) {
    mth_col3(axis, side[k / 3].later.mat, k % 3);
    if (mth_dot3(axis, between) < 0) mth_neg3(axis, axis);
    tryAxis(side, axis, gap);
  }
  ColQuery q;
  col_queryInit(&q, m, 1, mjMAXVAL);
  const mjtNum dist = col_ccd(d, &q, &side[0].convex, &side[1].convex);
  if (q.npoint < 1) return;
  mth_sub3(axis, q.x2, q.x1);
  if (dist < 0) mth_neg3(axis, axis);
  const mjtNum before = gap->dist;
  if (mth_normalize3(axis) < mjMINVAL) return;
  tryAxis(side, axis, gap);

  // its own points where they belong to that distance
  if (gap->dist <= before || fabs(dist - gap->dist) > 1e-6 * fabs(dist)) return;
  mth_copy3(gap->point[0], q.x1);
  mth_copy3(gap->point[1], q.x2);
}

static int gapLater(const mjModel* m, mjData* d, const Mover v[2], Side side[2], mjtNum time, Gap* gap) {
  for (int k = 0; k < 2; k++) move(d, v + k, time, &side[k].later);
  if (side[0].type == mjGEOM_PLANE) {
    planeGap(&side[0].later, &side[1].convex, gap);
    gap->dist -= side[1].exact ? side[1].surface.half : 0;
    return 1;
  }
  if (side[0].exact || side[1].exact) return surfaceGap(d, side, gap);
  convexGap(m, d, side, gap);
  return 1;
}

//---------------------------------- contacts ----------------------------------

// size of the smaller geom
static mjtNum sizeOf(const mjModel* m, const Mover v[2]) {
  const mjtNum first = m->geom_rbound[v[0].geom], second = m->geom_rbound[v[1].geom];
  return first > 0 ? mth_min(first, second) : second;
}

// moves two geoms ahead until they touch; 0: they do not within the step
static int advance(const mjModel* m, mjData* d, const Mover v[2], Side side[2], mjtNum* time, Gap* gap) {
  const mjtNum end = AHEAD * m->opt.timestep, near = 1e-4 * sizeOf(m, v);
  const mjtNum arms = v[0].turn * v[0].reach + v[1].turn * v[1].reach;
  mjtNum between[3];
  mth_sub3(between, v[0].lin, v[1].lin);
  const int surface = side[0].exact || side[1].exact;
  *time = 0;
  for (int i = 0; i < (surface ? 4 : 1) * ADVANCES; i++) {
    if (!gapLater(m, d, v, side, *time, gap)) return 0;

    // surfaces that cross at the start have no direction
    if (gap->dist <= near) return *time > 0 || !surface;
    // what leaves a convex shape does not come back; a surface may have more ahead
    const mjtNum closing = (surface ? mth_norm3(between) : mth_dot3(between, gap->normal)) + arms;
    if (closing <= mjMINVAL) return 0;

    // not quite all of the way: directions are known only while there is a gap
    *time += (gap->dist - 0.5 * near) / closing;
    if (*time > end) return 0;
  }
  return 1;
}

// two geoms that meet within the step: the time, and how they touch then. 0: they do not
static int meet(const mjModel* m, mjData* d, const Mover v[2], mjtNum* time, Gap* gap) {
  const mjtNum far = AHEAD * m->opt.timestep * (fastest(v) + fastest(v + 1));
  Side side[2];
  mj_markStack(d);
  const int open = openSide(m, d, v, 0, far, side) && openSide(m, d, v, 1, far, side + 1);
  const int met = open && advance(m, d, v, side, time, gap);
  mj_freeStack(d);
  return met;
}

// smallest distance from the middle of a shape to its surface, as far as some directions tell
static mjtNum innerRadius(ColConvex* shape) {
  mjtNum least = mjMAXVAL;
  for (int i = 0; i < 27; i++) {
    mjtNum dir[3] = {i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1}, point[3];
    if (mth_normalize3(dir) < mjMINVAL || i == 13) continue;
    shape->vertid = shape->hullid = -1;
    shape->support(point, shape, dir);
    mth_subFrom3(point, shape->pos);
    least = mth_min(least, mth_dot3(point, dir) + shape->inflate);
  }
  return mth_max(0, least);
}

// how thick a geom is that another one may pass
static mjtNum thicknessOf(const mjModel* m, mjData* d, int geom) {
  const int type = m->geom_type[geom];
  const mjtNum* size = m->geom_size + 3 * geom;
  ColExact x;
  if (type == mjGEOM_PLANE || type == mjGEOM_HFIELD) return mjMAXVAL;
  if (type == mjGEOM_SPHERE || type == mjGEOM_CAPSULE) return size[0];
  if (type == mjGEOM_BOX) return mth_min(size[0], mth_min(size[1], size[2]));
  if (col_openExact(m, d, geom, 0, &x)) return x.shell ? x.half : mjMAXVAL;
  ColConvex shape;
  col_convexGeom(&shape, m, d, geom, 0);
  return innerRadius(&shape);
}

// 1: in a step a geom moves by a large part of its size, or of how thick the other one is
static int isFast(const mjModel* m, mjData* d, const Mover* v, int other) {
  const mjtNum way = fastest(v) * m->opt.timestep, size = m->geom_rbound[v->geom];
  return size > 0 && (way > FAST * size || way > FAST * thicknessOf(m, d, other));
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

// the contacts that two geoms have are made hard where they close in; returns the deepest, -1 where there is none
static int hardenAll(const mjModel* m, mjData* d, const Mover v[2], int ncon) {
  int best = -1;
  for (int i = 0; i < ncon; i++) {
    mjContact* con = d->contact + i;
    if (con->geom[0] != v[0].geom || con->geom[1] != v[1].geom || con->exclude) continue;
    if (best < 0 || con->dist < d->contact[best].dist) best = i;
    if (closingAt(v, 0, con->pos, con->frame) > 0) harden(m, con, 0);
  }
  return best;
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
  int n = col_exactHead(m, d) ? col_exactPair(m, d, con, v[0].geom, v[1].geom, 0) : -1;
  if (n < 0) n = collide ? collide(m, d, con, v[0].geom, v[1].geom, 0) : 0;
  for (int k = 0; k < 2; k++) {
    mth_copy3(d->geom_xpos + 3 * v[k].geom, pos[k]);
    mth_copy9(d->geom_xmat + 9 * v[k].geom, mat[k]);
  }
  return n;
}

// completes contacts that act before they touch, and adds them to those of the step; the last plain ones are without
// friction
static void giveContacts(const mjModel* m, mjData* d, const Mover v[2], mjContact* con, int n, int plain) {
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
    if (i >= n - plain) con[i].dim = 1;
    harden(m, con + i, con[i].dist);
  }
  col_closeRoom(d, con, n);
}

// 1: the second geom of the two is at a point, as far as its size lets one say
static int isThere(const mjModel* m, mjData* d, int geom, const mjtNum point[3], mjtNum size) {
  if (m->geom_type[geom] == mjGEOM_PLANE || m->geom_type[geom] == mjGEOM_HFIELD) return 1;
  ColExact x;
  if (col_openExact(m, d, geom, 0, &x)) {
    mjtNum local[3];
    col_exactLocal(local, &x, point);
    return col_exactNearest(&x, local, 0.1 * size + x.half).face >= 0;
  }
  if (m->geom_type[geom] == mjGEOM_BOX) {
    mjtNum arm[3], local[3];
    mth_sub3(arm, point, d->geom_xpos + 3 * geom);
    mth_mulMatTVec3(local, d->geom_xmat + 9 * geom, arm);
    for (int k = 0; k < 3; k++) {
      if (fabs(local[k]) > m->geom_size[3 * geom + k] + 0.1 * size) return 0;
    }
    return 1;
  }
  ColConvex own, other;
  ColQuery q;
  const mjtNum* const points[1] = {point};
  col_convexPoints(&own, m, points, 1, point);
  col_convexGeom(&other, m, d, geom, 0);
  col_queryInit(&q, m, 1, size);
  return col_ccd(d, &q, &own, &other) < 0.1 * size;
}

// a fast geom and the contact by which it is stopped
typedef struct {
  const Mover* v;  // of both
  int fast;
  ColConvex shape;
  mjtNum towards[3], tip[3];  // direction to the other geom, and a point on its surface
} Stop;

// a point of the fast geom that must not pass the other one; ahead: how much of the geom is before it. 1: it may
static int addAhead(const mjModel* m, mjData* d, const Stop* s, const mjtNum point[3], mjtNum ahead, mjContact* con) {
  mjtNum arm[3], foot[3];
  mth_sub3(arm, s->tip, point);
  const mjtNum way = mth_max(0, mth_dot3(arm, s->towards));
  mth_addScl3(foot, point, s->towards, way);
  if (!isThere(m, d, s->v[!s->fast].geom, foot, sizeOf(m, s->v))) return 0;
  memset(con, 0, sizeof(*con));
  mth_copy3(con->pos, point);
  mth_scl3(con->frame, s->towards, s->fast ? -1 : 1);
  con->dist = mth_max(1e-9, way - ahead);
  return 1;
}

// A body that is stopped at one place turns about it within the step, which its present velocity does not tell. So the
// places on its sides that would come next, seen along the contact, are held up as well, where the other geom is; and
// its middle, which no turn moves: it stays in front by as much as the shape is thick.
static void addSides(const mjModel* m, mjData* d, const Mover v[2], const mjContact* stops, const mjtNum tip[3]) {
  const mjContact known = *stops;
  Stop s = {.v = v, .fast = fastest(v + 1) > fastest(v)};
  const int geom = v[s.fast].geom;
  if (m->geom_type[geom] == mjGEOM_SPHERE || m->geom_type[geom] == mjGEOM_HFIELD) return;
  mjContact con[5];
  int n = 0;
  col_convexGeom(&s.shape, m, d, geom, 0);
  mth_scl3(s.towards, known.frame, s.fast ? -1 : 1);
  mth_copy3(s.tip, tip);
  for (int k = 0; k < 4; k++) {
    mjtNum dir[3], point[3];
    mth_addScl3(dir, s.towards, known.frame + 3 + 3 * (k / 2), k % 2 ? 1 : -1);
    mth_normalize3(dir);
    s.shape.vertid = s.shape.hullid = -1;
    s.shape.support(point, &s.shape, dir);
    mth_addToScl3(point, dir, s.shape.inflate);
    if (mth_dist3(point, known.pos) >= 0.1 * sizeOf(m, v)) n += addAhead(m, d, &s, point, 0, con + n);
  }
  const int middle = addAhead(m, d, &s, s.shape.pos, 0.9 * innerRadius(&s.shape), con + n);
  giveContacts(m, d, v, con, n + middle, middle);
}

// Adds contacts that two geoms have some time later, where they do not touch yet. Each stands where the point is then,
// less the way that the faster geom has gone: so the row sees the arm that turns the point into the other geom. Its gap
// is what closes until then at the speed of the point, so that a motion that is slowed down as a whole ends there.
// Returns how many there were.
static int addLater(const mjModel* m, mjData* d, const Mover v[2], mjtNum time, mjContact* con, int n) {
  int kept = 0;
  for (int i = 0; i < n; i++) {
    con[i].dist += time * closingAt(v, time, con[i].pos, con[i].frame);
    mth_addToScl3(con[i].pos, v[fastest(v + 1) > fastest(v)].lin, -time);
    if (con[i].dist > 0 || time <= 0) con[kept++] = con[i];
  }
  giveContacts(m, d, v, con, kept, 0);
  return kept;
}

// The contacts of two geoms that will meet: those of a moment when they overlap a little. Where there are none, as thin
// boxes have none of the reference's, the place where they meet is one.
static void addContacts(const mjModel* m, mjData* d, const Mover v[2], mjtNum time, const Gap* gap) {
  const mjtNum closing = mth_max(closingAt(v, time, gap->point[0], gap->normal), FAST * (fastest(v) + fastest(v + 1)));
  const mjtNum later = time + (gap->dist + 1e-3 * sizeOf(m, v)) / mth_max(mjMINVAL, closing);
  mjContact con[mjMAXCONPAIR];
  if (time > 0) {
    Later there[2];
    for (int k = 0; k < 2; k++) move(d, v + k, later, there + k);
    if (addLater(m, d, v, later, con, contactsLater(m, d, v, there, con))) return;
  }
  memset(con, 0, sizeof(con[0]));
  con->dist = gap->dist;
  mth_copy3(con->frame, gap->normal);
  mth_add3(con->pos, gap->point[0], gap->point[1]);
  mth_scl3(con->pos, con->pos, 0.5);
  addLater(m, d, v, time, con, 1);
}

//---------------------------------- pairs ----------------------------------

static int canTouch(const mjModel* m, int g1, int g2) {
  const int b1 = m->geom_bodyid[g1], b2 = m->geom_bodyid[g2], w1 = m->body_weldid[b1], w2 = m->body_weldid[b2];
  const int type = m->geom_type[g2];
  if (w1 == w2 || type == mjGEOM_SDF) return 0;
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
  const mjtNum reach = AHEAD * m->opt.timestep * (fastest(v) + fastest(v + 1)), rbound = m->geom_rbound[other];
  mjtNum apart[3];
  mth_sub3(apart, d->geom_xpos + 3 * other, d->geom_xpos + 3 * fast->geom);
  if (rbound > 0 && mth_norm3(apart) > reach + rbound + m->geom_rbound[fast->geom]) return;
  if (!isFast(m, d, fast, other)) return;
  if (m->geom_type[other] < m->geom_type[fast->geom] ||
      (other < fast->geom && m->geom_type[other] == m->geom_type[fast->geom])) {
    const Mover first = v[0];
    v[0] = v[1];
    v[1] = first;
  }
  mjtNum time;
  Gap gap;
  const int touching = hardenAll(m, d, v, ncon);
  const int first = d->ncon, slow = fastest(v) > fastest(v + 1);
  if (touching >= 0) {
    mjContact* const con = d->contact + touching;
    mjtNum tip[3], arm[3];
    mth_addScl3(tip, con->pos, con->frame, (slow ? 0.5 : -0.5) * con->dist);
    mth_sub3(arm, tip, d->geom_xpos + 3 * v[!slow].geom);
    if ((slow ? 1 : -1) * mth_dot3(arm, con->frame) >= 0 || !meet(m, d, v, &time, &gap) || time > 0) {
      addSides(m, d, v, con, tip);
      return;
    }

    // it would push the middle of the fast one through the other: the side that this is on counts
    con->exclude = 1;
  } else if (!meet(m, d, v, &time, &gap)) {
    return;
  }
  addContacts(m, d, v, time, &gap);
  mth_addToScl3(gap.point[slow], v[slow].lin, -time);
  if (d->ncon > first) addSides(m, d, v, d->contact + first, gap.point[slow]);
}

void col_continuous(const mjModel* m, mjData* d) {
  const ColContinuous* s = mdl_section(d, MDL_CONTINUOUS);
  const mjtNum* chosen = m->numeric_data + m->numeric_adr[s->entry];
  const int ncon = d->ncon;
  for (int g = 0; g < m->ngeom; g++) {
    const int body = m->geom_bodyid[g], type = m->geom_type[g];
    if (!chosen[body] || type == mjGEOM_PLANE || type == mjGEOM_HFIELD || type == mjGEOM_SDF) continue;
    const Mover fast = moverOf(m, d, g);
    for (int other = 0; other < m->ngeom; other++) {
      // two fast ones are a pair once
      if (other == g || (other < g && chosen[m->geom_bodyid[other]])) continue;
      tryPair(m, d, &fast, other, ncon);
    }
  }
}
