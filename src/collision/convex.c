// Contacts of general convex pairs: by our own GJK and EPA, or by libccd when the model disables them.
//
// One query gives one contact. More come from the clipping of the touching faces (polytopes without margin), or, with
// multiccd enabled and between geoms that stick, from turning both geoms by a small angle about the tangents and asking
// again.
#include "collision/convex.h"

#include <ccd/ccd.h>
#include <math.h>
#include <stddef.h>

#include "collision/ccd.h"
#include "collision/convex_body.h"
#include "collision/frame.h"
#include "collision/narrow.h"
#include "collision/round_body.h"
#include "collision/section.h"
#include "math/quat.h"
#include "math/vec.h"
#include "physics/stick.h"

// multiccd: angle of the perturbation, and how far apart contacts must be relative to the smaller geom
static const mjtNum COL_TILT = 1e-3;
static const mjtNum COL_DISTINCT = 1e-3;

static int isNative(const mjModel* m) {
  return !(m->opt.disableflags & mjDSBL_NATIVECCD);
}

// 1: several contacts are wanted, by the flag or because friction remembers them: one alone jumps along what touches,
// and nothing is remembered
static int isMulti(const mjModel* m, const mjData* d, const int geom[2]) {
  if (m->opt.enableflags & mjENBL_MULTICCD) return 1;
  const MdlAnchors* const sticks = phy_stick(m, d);
  return sticks && phy_stickOf(m, sticks, geom) > 0;
}

//---------------------------------- libccd --------------------------------------------------------

static void libSupport(const void* shape, const ccd_vec3_t* dir, ccd_vec3_t* res) {
  col_supportCentred(res->v, (ColConvex*)shape, dir->v);
}

static void libCenter(const void* shape, ccd_vec3_t* res) {
  col_convexCenter(res->v, shape);
}

static void libUpwards(const void* a, const void* b, ccd_vec3_t* dir) {
  (void)a;
  (void)b;
  ccdVec3Set(dir, 0, 0, 1);
}

static int libOverlap(const mjModel* m, ColOverlap* res, const ColConvex* a, const ColConvex* b) {
  ccd_t ccd;
  CCD_INIT(&ccd);
  ccd.mpr_tolerance = m->opt.ccd_tolerance;
  ccd.epa_tolerance = m->opt.ccd_tolerance;
  ccd.max_iterations = (unsigned long)m->opt.ccd_iterations;
  ccd.first_dir = a->type == mjGEOM_HFIELD ? libUpwards : ccdFirstDirDefault;
  ccd.center1 = ccd.center2 = libCenter;
  ccd.support1 = ccd.support2 = libSupport;

  ccd_real_t depth;
  ccd_vec3_t dir, pos;
  if (ccdMPRPenetration(a, b, &ccd, &depth, &dir, &pos) != 0) return 0;
  if (ccdVec3Eq(&dir, ccd_vec3_origin)) return 0;
  res->depth = depth;
  mth_copy3(res->normal, dir.v);
  mth_copy3(res->pos, pos.v);
  return 1;
}

//---------------------------------- one query -----------------------------------------------------

int col_overlap(const mjModel* m, mjData* d, ColOverlap* res, ColConvex* a, ColConvex* b) {
  if (!isNative(m)) return libOverlap(m, res, a, b);
  ColQuery q;
  col_queryInit(&q, m, 1, 0);
  if (!(col_ccd(d, &q, a, b) < 0)) return 0;
  res->depth = -q.dist;
  pairToContact(res->normal, res->pos, &q, 0);
  return 1;
}

// contacts of one query, maxcon at most; sep, if given, gets the direction along which the shapes are apart
static int queryContacts(const mjModel* m, mjData* d, mjContact* con, ColConvex* a, ColConvex* b, int maxcon,
                         ColSeparation* sep) {
  const mjtNum margin = a->margin;
  if (isNative(m)) {
    ColQuery q;
    col_queryInit(&q, m, maxcon, 0);
    if (!(col_ccd(d, &q, a, b) < 0)) {
      for (int i = 0; sep && q.separate && i < 3; i++) sep->axis[i] = (float)q.axis[i];
      return 0;
    }
    for (int i = 0; i < q.npoint; i++) {
      mjtNum normal[3], pos[3];
      pairToContact(normal, pos, &q, i);
      setContact(con + i, margin + q.dist, normal, pos);
    }
    return q.npoint;
  }

  ColOverlap o;
  if (!libOverlap(m, &o, a, b)) return 0;
  setContact(con, margin - o.depth, o.normal, o.pos);
  if (a->type != mjGEOM_FLEX && b->type != mjGEOM_FLEX) col_fixNormal(con, a, b);
  return 1;
}

//---------------------------------- two geoms -----------------------------------------------------

// contacts that the clipping of faces can give
static int patchSize(const mjModel* m, const mjData* d, const ColConvex* a, const ColConvex* b, const int geom[2]) {
  const int box1 = a->type == mjGEOM_BOX, box2 = b->type == mjGEOM_BOX;
  if (a->margin > 0) return 1;
  if (box1 && box2) return 8;
  if ((box1 || a->type == mjGEOM_MESH) && (box2 || b->type == mjGEOM_MESH)) return isMulti(m, d, geom) ? 4 : 1;
  return 1;
}

// Threads share the places of separations. A place that is half one pair's and half another's does no harm, because its
// axis is tried and not believed, but it has to be read and written number by number.
static ColSeparation readPlace(ColSeparation* place) {
  ColSeparation s;
  s.g1 = __atomic_load_n(&place->g1, __ATOMIC_RELAXED);
  s.g2 = __atomic_load_n(&place->g2, __ATOMIC_RELAXED);
  for (int i = 0; i < 3; i++) __atomic_load(place->axis + i, s.axis + i, __ATOMIC_RELAXED);
  return s;
}

static void writePlace(ColSeparation* place, ColSeparation* s) {
  __atomic_store_n(&place->g1, s->g1, __ATOMIC_RELAXED);
  __atomic_store_n(&place->g2, s->g2, __ATOMIC_RELAXED);
  for (int i = 0; i < 3; i++) __atomic_store(place->axis + i, s->axis + i, __ATOMIC_RELAXED);
}

// contacts of two geoms; quick for pairs that stay apart, where what is found along the axis can be relied on
static int pairContacts(const mjModel* m, mjData* d, mjContact* con, ColConvex* a, ColConvex* b, const int geom[2]) {
  const int patch = patchSize(m, d, a, b, geom);
  ColSeparation* sep = isNative(m) && a->sure && b->sure ? col_separation(m, d, geom[0], geom[1]) : NULL;
  if (!sep) return queryContacts(m, d, con, a, b, patch, NULL);
  ColSeparation last = readPlace(sep);
  const int known = last.g1 == geom[0] && last.g2 == geom[1];
  if (known) {
    if (stillSeparate(last.axis, a, b, m->opt.ccd_tolerance)) return 0;
    a->hullid = a->vertid = b->hullid = b->vertid = -1;
  }

  // the place is kept for pairs that are apart
  ColSeparation found = {
      geom[0], geom[1], {0, 0, 0}
  };
  const int ncon = queryContacts(m, d, con, a, b, patch, &found);
  if (!ncon) {
    writePlace(sep, &found);
  } else if (known) {
    last.g1 = -1;
    writePlace(sep, &last);
  }
  return ncon;
}

// pose turned about a point
static void turnAbout(mjtNum pos[3], mjtNum mat[9], const ColConvex* s, const mjtNum origin[3], const mjtNum rot[9]) {
  mjtNum arm[3], moved[3];
  mth_mulMatMat3(mat, rot, s->mat);
  mth_sub3(arm, origin, s->pos);
  mth_mulMatVec3(moved, rot, arm);
  mth_subFrom3(moved, arm);
  mth_sub3(pos, s->pos, moved);
}

// contact i is far from those before it
static int isDistinct(const mjContact* con, int i, mjtNum tolerance) {
  for (int j = 0; j < i; j++) {
    if (mth_dist3(con[j].pos, con[i].pos) <= tolerance) return 0;
  }
  return 1;
}

// further contacts with the geoms turned against each other about the tangents; they get the depth of the first
static int tiltedContacts(const mjModel* m, mjData* d, mjContact* con, ColConvex* a, ColConvex* b, mjtNum tolerance) {
  mjtNum frame[9];
  mth_copy9(frame, con->frame);
  col_makeFrame(frame);

  const ColConvex home1 = *a, home2 = *b;
  int ncon = 1;
  for (int i = 0; i < 4; i++) {
    const mjtNum angle = i % 2 ? COL_TILT : -COL_TILT;
    mjtNum quat[4], rot[9], back[9], pos1[3], mat1[9], pos2[3], mat2[9];
    mth_axisAngle2Quat(quat, frame + 3 + 3 * (i / 2), angle);
    mth_quat2Mat(rot, quat);
    mth_transpose3(back, rot);
    turnAbout(pos1, mat1, &home1, con[0].pos, rot);
    turnAbout(pos2, mat2, &home2, con[0].pos, back);

    // the search state stays warm
    a->pos = pos1;
    a->mat = mat1;
    b->pos = pos2;
    b->mat = mat2;
    if (queryContacts(m, d, con + ncon, a, b, 1, NULL) && isDistinct(con, ncon, tolerance)) {
      con[ncon++].dist = con[0].dist;
    }
  }
  return ncon;
}

int col_convex(const mjModel* m, const mjData* d, mjContact* con, int g1, int g2, mjtNum margin) {
  ColConvex a, b;
  col_convexGeom(&a, m, d, g1, margin);
  col_convexGeom(&b, m, d, g2, margin);
  const int geom[2] = {g1, g2};
  const int ncon = pairContacts(m, (mjData*)d, con, &a, &b, geom);
  if (ncon != 1 || !isMulti(m, d, geom) || (isNative(m) && patchSize(m, d, &a, &b, geom) > 1)) return ncon;

  // surfaces that are curved everywhere touch in one point
  if (a.type == mjGEOM_ELLIPSOID || a.type == mjGEOM_SPHERE) return ncon;
  if (b.type == mjGEOM_ELLIPSOID || b.type == mjGEOM_SPHERE) return ncon;
  const mjtNum tolerance = COL_DISTINCT * mth_min(m->geom_rbound[g1], m->geom_rbound[g2]);
  return tiltedContacts(m, (mjData*)d, con, &a, &b, tolerance);
}

int col_convexElem(const mjModel* m, const mjData* d, mjContact* con, const ColObject* o1, const ColObject* o2,
                   mjtNum margin) {
  ColConvex a, b;
  col_convexObject(&a, m, d, o1, margin);
  col_convexObject(&b, m, d, o2, margin);
  const int ncon = queryContacts(m, (mjData*)d, con, &a, &b, 1, NULL);

  // against a triangle a round geom's own normal is taken
  if (ncon && isNative(m) && o1->geom >= 0 && m->flex_dim[o2->flex] == 2) col_fixNormal(con, &a, NULL);
  return ncon;
}

//---------------------------------- normals of round surfaces ----------------------------------

void col_fixNormal(mjContact* con, const ColConvex* a, const ColConvex* b) {
  mjtNum n1[3], n2[3];
  mth_copy3(n1, con->frame);
  mth_neg3(n2, con->frame);
  const int ok1 = roundNormal(n1, a, con->pos);
  const int ok2 = roundNormal(n2, b, con->pos);

  // between the two, or the one there is
  if (ok1 && ok2) {
    mth_sub3(con->frame, n1, n2);
    mth_normalize3(con->frame);
  } else if (ok1) {
    mth_copy3(con->frame, n1);
  } else if (ok2) {
    mth_neg3(con->frame, n2);
  }
}
