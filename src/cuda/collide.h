// Collision: the pairs of geoms that the model allows, by bounding spheres, then by their shapes.
//
// Pairs are ordered by shape, so that the lanes of a group do the same most of the time. Contacts get their places by a
// sum over the lanes: in the order of the pairs, whatever the number of lanes.
#pragma once

#include "cuda/kinematics.h"
#include "cuda/pool.h"
#include "cuda/shapes.h"

#if CU_SOLIDS
#include "cuda/convex.h"
#endif

CU_FN void cu_geomPoses(const Cu* c) {
  const CudModel* m = c->m;
  Real *xpos = CU_W(c, geom_xpos), *xmat = CU_W(c, geom_xmat);
  CU_FOR(g, m->ngeom) {
    cu_fixedPose(c, m->geom_bodyid[g], m->geom_pos + 3 * g, m->geom_quat + 4 * g, xpos + 3 * g, xmat + 9 * g);
  }
  cu_sync();
  CU_OUT(c, geom_xpos, xpos, 3 * m->ngeom);
  CU_OUT(c, geom_xmat, xmat, 9 * m->ngeom);
}

// 1: bounding spheres farther apart than the margin; a plane has a side instead
CU_FN int cu_apart(const Cu* c, int g1, int g2, Real margin) {
  const CudModel* m = c->m;
  const Real *p1 = CU_W(c, geom_xpos) + 3 * g1, *p2 = CU_W(c, geom_xpos) + 3 * g2;
  Real to[3];
  cu_sub3(to, p2, p1);
  if (m->geom_type[g1] == mjGEOM_PLANE) {
    Real normal[3];
    cu_col3(normal, CU_W(c, geom_xmat) + 9 * g1, 2);
    return cu_dot3(to, normal) > margin + m->geom_rbound[g2];
  }
  const Real reach = m->geom_rbound[g1] + m->geom_rbound[g2] + margin;
  return cu_dot3(to, to) > reach * reach;
}

// rows that a contact of this dimension has
CU_FN int cu_rowsOf(const CudModel* m, int dim) {
  return dim == 1 ? 1 : m->cone == mjCONE_ELLIPTIC ? dim : 2 * (dim - 1);
}

// normal of length 1, tangent across it
CU_FN void cu_writeContact(const CudModel* m, Real* con, const CuHit* hit, int pair, int row) {
  Real tangent[3];
  con[CUD_DIST] = hit->dist;
  cu_copy3(con + CUD_POS, hit->pos);
  Real* normal = con + CUD_NORMAL;
  cu_copy3(normal, hit->normal);
  cu_unit3(normal);
  cu_copy3(tangent, hit->tangent);
  if (cu_dot3(tangent, tangent) < R_(0.25)) {
    const int y = normal[1] < R_(0.5) && normal[1] > R_(-0.5);
    cu_set3(tangent, 0, y, !y);
  }
  cu_addScl3(tangent, tangent, normal, -cu_dot3(normal, tangent));
  cu_unit3(tangent);
  cu_copy3(normal + 3, tangent);
  const int param = m->pair_param[pair];
  con[CUD_FIRSTROW] = (Real)row;
  con[CUD_PARAM] = (Real)param;
  con[CUD_DIM] = (Real)m->param_dim[param];
  con[CUD_BODY] = CU_FAR && pair >= m->npair ? 0 : (Real)m->geom_bodyid[m->pair_geom[2 * pair]];
  con[CUD_BODY + 1] = CU_FAR && pair >= m->npair ? 0 : (Real)m->geom_bodyid[m->pair_geom[2 * pair + 1]];
  con[CUD_PAIR] = (Real)pair;
}

// contacts and their rows so far
typedef struct {
  int ncon, nrow;
#if CU_FAR
  int body[2];  // of contacts with flexes: what CUD_BODY says
  int still;    // 1: its contacts have no rows
#endif
} CuFound;

// Every lane adds the n contacts of its pair; contacts and rows get their places by a sum over the lanes. 0: no room
CU_FN int cu_addContacts(Cu* c, CuFound* found, int p, int n, const CuHit* hit) {
  const CudModel* m = c->m;

  // only contacts within their margin have rows
  const int param = n ? m->pair_param[p] : 0, each = n ? cu_rowsOf(m, m->param_dim[param]) : 0;
  int rows = 0, both;
  for (int k = 0; k < n; k++) rows += hit[k].dist < m->param_include[param] ? each : 0;
#if CU_FAR
  const int flex = p >= m->npair;
  if (flex && found->still) rows = 0;
#endif

  // contacts and rows of the lanes before, in one sum
  const int before = cu_before(n + (rows << 16), &both), at = found->ncon + (before & 0xffff);
  int row = found->nrow + (before >> 16);
  found->ncon += both & 0xffff;
  found->nrow += both >> 16;
  if (!cu_roomForContacts(c, found->ncon)) return 0;
  for (int k = 0; k < n; k++) {
#if CU_FAR
    const int acts = hit[k].dist < m->param_include[param] && !(flex && found->still);
#else
    const int acts = hit[k].dist < m->param_include[param];
#endif
    cu_writeContact(m, cu_contact(c, at + k), hit + k, p, acts ? row : -1);
#if CU_FAR
    for (int side = 0; flex && side < 2; side++) cu_contact(c, at + k)[CUD_BODY + side] = (Real)found->body[side];
#endif
    row += acts ? each : 0;
  }
  return 1;
}

// Place of a contact in the order of the CPU, and how many rows the contacts before it have. Contacts of one pair are
// in that order already.
CU_FN int cu_placeOf(const Cu* c, int i, int* row) {
  const CudModel* m = c->m;
  const int rank = m->pair_rank[(int)cu_contact(c, i)[CUD_PAIR]];
  int place = 0, rows = 0;
  for (int k = 0; k < c->ncon; k++) {
    const Real* con = cu_contact(c, k);
    const int other = m->pair_rank[(int)con[CUD_PAIR]];
    if (other > rank || (other == rank && k >= i)) continue;
    place++;
#if CU_FAR
    if (con[CUD_FIRSTROW] >= 0) rows += cu_rowsOf(m, (int)con[CUD_DIM]);
#else
    if (con[CUD_DIST] < m->param_include[(int)con[CUD_PARAM]]) rows += cu_rowsOf(m, (int)con[CUD_DIM]);
#endif
  }
  *row = rows;
  return place;
}

// 1: the bounding spheres of a pair meet
CU_FN int cu_isNear(const Cu* c, int p) {
  const CudModel* m = c->m;
  return !cu_apart(c, m->pair_geom[2 * p], m->pair_geom[2 * p + 1], m->param_margin[m->pair_param[p]]);
}

// contacts of one pair
CU_FN int cu_collidePair(const Cu* c, int p, CuHit* hit) {
  const CudModel* m = c->m;
  const int g1 = m->pair_geom[2 * p], g2 = m->pair_geom[2 * p + 1];
  const Real margin = m->param_margin[m->pair_param[p]], *xpos = CU_W(c, geom_xpos), *xmat = CU_W(c, geom_xmat);
  if (!cu_isNear(c, p)) return 0;
  const CuShape s[2] = {
      {xpos + 3 * g1, xmat + 9 * g1, m->geom_size + 3 * g1},
      {xpos + 3 * g2, xmat + 9 * g2, m->geom_size + 3 * g2},
  };
  return cu_collideShapes(hit, margin, m->pair_shape[p], s);
}

CU_FN void cu_collidePlain(Cu* c, CuFound* found) {
  CU_FOR_ALL(p, valid, c->m->nplain) {
    CuHit hit[CU_MAXHIT];
    const int n = valid ? cu_collidePair(c, p, hit) : 0;
    if (cu_any(n) && !cu_addContacts(c, found, p, n, hit)) break;
  }
}

//---------------------------------- solids ----------------------------------

#if CU_SOLIDS

// half the size of a geom along a direction given in its frame; of most shapes that of their box
CU_FN Real cu_halfAlong(const CudModel* m, int g, const Real dir[3]) {
  const Real *half = m->geom_aabb + 6 * g + 3, x = half[0] * dir[0], y = half[1] * dir[1], z = half[2] * dir[2];
  if (m->geom_type[g] == mjGEOM_ELLIPSOID) return cu_sqrt(x * x + y * y + z * z);
  return cu_abs(x) + cu_abs(y) + cu_abs(z);
}

// 1: an axis of one of the boxes around two geoms separates them, clearly
CU_FN int cu_boxesApart(const Cu* c, int g1, int g2, Real margin) {
  const CudModel* m = c->m;
  const int geom[2] = {g1, g2};
  Real centre[2][3], to[3], axis[3], local[3], size = margin;
  for (int k = 0; k < 2; k++) {
    const Real* aabb = m->geom_aabb + 6 * geom[k];
    cu_mulMat3(centre[k], CU_W(c, geom_xmat) + 9 * geom[k], aabb);
    cu_add3(centre[k], centre[k], CU_W(c, geom_xpos) + 3 * geom[k]);
    size += aabb[3] + aabb[4] + aabb[5];
  }
  cu_sub3(to, centre[1], centre[0]);
  CU_LOOP for (int k = 0; k < 6; k++) {
    const int own = k >= 3;
    cu_col3(axis, CU_W(c, geom_xmat) + 9 * geom[own], k % 3);
    cu_mulMatT3(local, CU_W(c, geom_xmat) + 9 * geom[!own], axis);
    const Real reach = m->geom_aabb[6 * geom[own] + 3 + k % 3] + cu_halfAlong(m, geom[!own], local);
    if (cu_abs(cu_dot3(to, axis)) > reach + margin + R_(1e-5) * size) return 1;
  }
  return 0;
}

// 1: boxes around the geoms of a pair do not keep them apart
CU_FN int cu_mayTouch(const Cu* c, int p) {
  const CudModel* m = c->m;
  const int g1 = m->pair_geom[2 * p], g2 = m->pair_geom[2 * p + 1];
  return m->geom_type[g1] == mjGEOM_PLANE || !cu_boxesApart(c, g1, g2, m->param_margin[m->pair_param[p]]);
}

// Adds pairs that may touch to a list until every lane has one: spheres sort out most of them, boxes some of the
// others. base: the next pair to look at. Returns how many are in the list.
CU_FN int cu_listPairs(const Cu* c, Real* list, int listed, int* base) {
  const CudModel* m = c->m;
  CU_LOOP while (*base < m->nsolid && listed < CU_WIDTH) {
    const int start = listed;
    int added;
    CU_LOOP while (*base < m->nsolid && listed < CU_WIDTH) {
      const int p = *base + cu_lane(), near = p < m->nsolid && cu_isNear(c, p);
      const int at = listed + cu_haveBefore(near, &added);
      if (near) list[at] = (Real)p;
      listed += added;
      *base += CU_WIDTH;
    }
    cu_sync();
    const int end = listed;
    listed = start;
    CU_LOOP for (int i = start; i < end; i += CU_WIDTH) {
      const int mine = i + cu_lane() < end, p = mine ? (int)list[i + cu_lane()] : 0;
      const int near = mine && cu_mayTouch(c, p), at = listed + cu_haveBefore(near, &added);
      cu_sync();
      if (near) list[at] = (Real)p;
      listed += added;
      cu_sync();
    }
  }
  return listed;
}

// pairs that may touch are listed until every lane has one
CU_FN void cu_collideSolids(Cu* c, CuFound* found) {
  Real* list = CU_W(c, near);
  int listed = 0, base = c->m->nplain;
  CU_LOOP for (;;) {
    listed = cu_listPairs(c, list, listed, &base);
    if (!listed) return;
    const int mine = cu_lane() < listed, p = mine ? (int)list[cu_lane()] : -1;
    CuHit hit[CU_MAXSOLID];
    const int n = cu_solidPair(c, p, hit);
    if (cu_any(n) && !cu_addContacts(c, found, p, n, hit)) return;

    // the rest of the list moves to its beginning
    const int rest = listed > CU_WIDTH ? listed - CU_WIDTH : 0;
    const Real next = cu_lane() < rest ? list[CU_WIDTH + cu_lane()] : 0;
    cu_sync();
    if (cu_lane() < rest) list[cu_lane()] = next;
    listed = rest;
    cu_sync();
  }
}

// prisms of height fields one after the other
CU_FN void cu_collideFields(Cu* c, CuFound* found) {
  const CudModel* m = c->m;
  CU_LOOP for (int p = m->nsolid; p < m->npair; p++) {
    CuOver over;
    over.n = 0;
    if (cu_isNear(c, p)) cu_openField(c, p, &over);
    int count = 0;
    CU_LOOP for (int k = 0; k < over.n && count < mjMAXCONPAIR; k++) {
      CuHit hit[1];
      const int n = cu_prismPair(c, p, &over, k, hit), any = cu_any(n);
      if (any && !cu_addContacts(c, found, p, n, hit)) return;
      count += any;
    }
  }
}

#endif

#if CU_FAR
#include "cuda/flex_contact.h"
#endif

// all contacts; each knows its first row, counted from the first row of contacts. Returns the number of these rows.
CU_FN int cu_collide(Cu* c) {
  CuFound found;
  found.ncon = found.nrow = 0;
  cu_geomPoses(c);
  cu_collidePlain(c, &found);
#if CU_SOLIDS
  if (!(c->status & CUD_FULL)) cu_collideSolids(c, &found);
  if (!(c->status & CUD_FULL)) cu_collideFields(c, &found);
#endif
#if CU_FAR
  if (!(c->status & CUD_FULL)) cu_collideFlexes(c, &found);
#endif
  c->ncon = c->status & CUD_FULL ? 0 : found.ncon;
  cu_sync();
  return c->status & CUD_FULL ? 0 : found.nrow;
}
