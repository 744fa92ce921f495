// Two boxes. The axis of least penetration is found among the 6 face normals and the 9 edge products; a face gives the
// clipped outline of the other box's nearest face (face contacts), an edge product the crossing of the two faces that
// share the edges (edge contacts). The driver then removes contacts that lie outside, and repeated ones, with
// col_cleanBoxes: the table's function alone reports them all.
//
// Frames: "local" is box 1's. In the contact routines a face is turned up: its normal becomes +z and its centre the
// origin, so that the face is |x| <= lx, |y| <= ly at z = 0 and depth is the z coordinate.
#pragma once

#include <stdbool.h>
#include <string.h>

#include "collision/narrow.h"
#include "math/vec.h"

// a turn that makes one of the six faces the upper one: row k of the turned thing is sign[k] * row from[k]
typedef struct {
  int from[3];
  mjtNum sign[3];
} Turn;

// faces +x, +y, +z, -x, -y, -z
COL_TABLE Turn TURN[6] = {
    {{2, 1, 0}, {-1, 1, 1} },
    {{0, 2, 1}, {1, -1, 1} },
    {{0, 1, 2}, {1, 1, 1}  },
    {{2, 1, 0}, {1, 1, -1} },
    {{0, 2, 1}, {1, 1, -1} },
    {{0, 1, 2}, {-1, 1, -1}},
};

// the pair in each other's frames
typedef struct {
  const ColShape* box[2];
  mjtNum offset[2][3];  // centre of the other box in box i's frame
  mjtNum rot[9];        // axes of box 2 in box 1's frame, as columns
  mjtNum rotT[9];
  mjtNum rotAbs[9];
  mjtNum margin;
  mjtNum slack;  // above the rounding error of a depth
} Pair;

enum { NO_AXIS, FACE_AXIS, EDGE_AXIS };

// the axis of least penetration
typedef struct {
  int kind;
  mjtNum depth;
  int owner, face;       // FACE_AXIS: which box and which of its faces
  int edge1, edge2;      // EDGE_AXIS: directions of the two edges
  int corner1, corner2;  // EDGE_AXIS: sign bits of the edges' positions
  bool flip;             // EDGE_AXIS: the normal points from box 2 to box 1
  mjtNum normal[3];      // EDGE_AXIS: in box 1's frame
} Axis;

// sixteen crossings of sides and outlines, four corners of each face
enum { COL_BOX_POINTS = 24 };

// contact points in the turned frame
typedef struct {
  int n;
  mjtNum pos[COL_BOX_POINTS][3];
  mjtNum depth[COL_BOX_POINTS];
} Points;

// a parallelogram in the turned frame: a corner, two edges from it, and how many edges there are
typedef struct {
  mjtNum corner[3];
  mjtNum edge[2][3];
  int nedge;
} Patch;

// a side of a parallelogram: from start over the whole of dir
typedef struct {
  mjtNum start[3];
  mjtNum dir[3];
} Side;

COL_FN void turnVec(mjtNum res[3], const Turn* turn, const mjtNum vec[3]) {
  for (int k = 0; k < 3; k++) res[k] = vec[turn->from[k]] * turn->sign[k];
}

COL_FN void turnRows(mjtNum res[9], const Turn* turn, const mjtNum mat[9]) {
  for (int k = 0; k < 3; k++) mth_scl3(res + 3 * k, mat + 3 * turn->from[k], turn->sign[k]);
}

// mat * turn': takes turned coordinates to the frame of mat's rows
COL_FN void turnBack(mjtNum res[9], const Turn* turn, const mjtNum mat[9]) {
  for (int r = 0; r < 3; r++) turnVec(res + 3 * r, turn, mat + 3 * r);
}

COL_FN void initPair(Pair* p, const ColShape* a, const ColShape* b, mjtNum margin) {
  p->box[0] = a;
  p->box[1] = b;
  p->margin = margin;
  mjtNum tmp[3];
  mth_sub3(tmp, b->pos, a->pos);
  mth_mulMatTVec3(p->offset[0], a->mat, tmp);
  mth_sub3(tmp, a->pos, b->pos);
  mth_mulMatTVec3(p->offset[1], b->mat, tmp);
  mth_mulMatTMat3(p->rot, a->mat, b->mat);
  mth_transpose3(p->rotT, p->rot);
  for (int i = 0; i < 9; i++) p->rotAbs[i] = fabs(p->rot[i]);
  p->slack = 0;
  for (int i = 0; i < 3; i++) p->slack += a->size[i] + b->size[i];
  p->slack *= 1e-9;
}

//---------------------------------- the separating axis ----------------------------------

// the six face normals; false when one of them separates the boxes
COL_FN bool testFaces(Axis* best, const Pair* p) {
  const mjtNum *size1 = p->box[0]->size, *size2 = p->box[1]->size;
  mjtNum extent[2][3];
  mth_mulMatVec3(extent[0], p->rotAbs, size2);
  mth_mulMatTVec3(extent[1], p->rotAbs, size1);

  for (int i = 0; i < 3; i++) {
    mjtNum depth[2];
    for (int k = 0; k < 2; k++) depth[k] = -fabs(p->offset[k][i]) + p->box[k]->size[i] + extent[k][i];
    if (depth[0] < -p->margin || depth[1] < -p->margin) return false;
    for (int k = 0; k < 2; k++) {
      if (depth[k] < best->depth) {
        best->kind = FACE_AXIS;
        best->depth = depth[k];
        best->owner = k;
        best->face = i + 3 * (p->offset[k][i] < 0);
      }
    }
  }
  return true;
}

// sign bits of the positions of the two edges that touch along the axis e_i × f_j
COL_FN void edgePositions(Axis* best, const Pair* p, int i, int j) {
  best->corner1 = best->corner2 = 0;
  for (int k = 0; k < 3; k++) {
    if (k != i && (best->normal[k] > 0) != best->flip) best->corner1 |= 1 << k;
    const bool positive = k != j && p->rot[3 * i + 3 - k - j] > 0;
    if (k != j && positive ^ best->flip ^ ((k - j + 3) % 3 == 1)) best->corner2 |= 1 << k;
  }
}

// overlap of the projections on the product of edge directions i and j, times the product's length
COL_FN mjtNum scaledDepth(const Pair* p, const mjtNum axis[3], int i, int j) {
  const mjtNum *size1 = p->box[0]->size, *size2 = p->box[1]->size;
  const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
  const mjtNum* row = p->rotAbs + 3 * i;
  const mjtNum reach =
      size1[i1] * fabs(axis[i1]) + size1[i2] * fabs(axis[i2]) + size2[j1] * row[j2] + size2[j2] * row[j1];
  return reach - fabs(p->offset[0][i1] * axis[i1] + p->offset[0][i2] * axis[i2]);
}

// the product of edge directions i of box 1 and j of box 2; false when it separates the boxes
COL_FN bool testEdges(Axis* best, const Pair* p, int i, int j) {
  const mjtNum *size1 = p->box[0]->size, *size2 = p->box[1]->size;

  // e_i × f_j in box 1's frame, at most of length 1
  mjtNum axis[3] = {0, 0, 0};
  const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
  axis[i1] = -p->rotT[3 * j + i2];
  axis[i2] = p->rotT[3 * j + i1];

  // most products are clearly deeper than the best axis; scaling can only deepen them
  const mjtNum scaled = scaledDepth(p, axis, i, j);
  if (scaled > p->slack && scaled > best->depth + p->slack) return true;

  // parallel edges have no product
  const mjtNum length = mth_normalize3(axis);
  if (length < mjMINVAL) return true;

  // overlap of the projections
  const mjtNum offset = mth_dot3(p->offset[0], axis);
  mjtNum depth = 0;
  for (int k = 0; k < 3; k++) {
    if (k != i) depth += size1[k] * fabs(axis[k]);
  }
  for (int k = 0; k < 3; k++) {
    if (k != j) depth += size2[k] * p->rotAbs[3 * i + 3 - k - j] / length;
  }
  depth -= fabs(offset);
  if (depth < -p->margin) return false;

  // an edge product must beat the faces by more than rounding
  if (depth < best->depth * (1 - 1e-12)) {
    best->kind = EDGE_AXIS;
    best->depth = depth;
    best->edge1 = i;
    best->edge2 = j;
    best->flip = offset < 0;
    mth_copy3(best->normal, axis);
    edgePositions(best, p, i, j);
  }
  return true;
}

// finds the axis of least penetration; false when the boxes are apart
COL_FN bool leastPenetration(Axis* best, const Pair* p) {
  best->kind = NO_AXIS;
  best->depth = p->margin;
  for (int i = 0; i < 3; i++) best->depth += p->box[0]->size[i] * 3 + p->box[1]->size[i] * 3;

  if (!testFaces(best, p)) return false;
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      if (!testEdges(best, p, i, j)) return false;
    }
  }
  return true;
}

//---------------------------------- face contacts ----------------------------------

// the other box's corner nearest to the upper face, and the edges that leave it at a shallow angle
COL_FN void nearestPatch(Patch* patch, const mjtNum centre[3], const mjtNum rot[9], const mjtNum size[3]) {
  patch->nedge = 0;
  mth_copy3(patch->corner, centre);
  for (int i = 0; i < 3; i++) {
    const mjtNum axis[3] = {rot[i], rot[3 + i], rot[6 + i]};
    mth_addToScl3(patch->corner, axis, size[i] * (axis[2] < 0 ? 1 : -1));
    if (fabs(axis[2]) < 0.5 && patch->nedge < 2) {
      mth_scl3(patch->edge[patch->nedge++], axis, size[i] * (axis[2] < 0 ? -2 : 2));
    }
  }
}

// sides of a patch: none, its one edge, or all four
COL_FN int patchSides(Side side[4], const Patch* patch) {
  if (patch->nedge < 1) return 0;
  mth_copy3(side[0].start, patch->corner);
  mth_copy3(side[0].dir, patch->edge[0]);
  if (patch->nedge < 2) return 1;
  mth_copy3(side[1].start, patch->corner);
  mth_copy3(side[1].dir, patch->edge[1]);
  mth_add3(side[2].start, patch->corner, patch->edge[0]);
  mth_copy3(side[2].dir, patch->edge[1]);
  mth_add3(side[3].start, patch->corner, patch->edge[1]);
  mth_copy3(side[3].dir, patch->edge[0]);
  return 4;
}

// Crossing of a side, seen from above, with the line x_q = sign * size[q] inside the other size. Returns its coordinate
// along the side and the other coordinate; inv = 1 / dir[q].
COL_FN bool crossOutline(mjtNum out[2], const Side* side, int q, mjtNum inv, int sign, const mjtNum size[3]) {
  out[0] = (sign * size[q] - side->start[q]) * inv;
  if (out[0] < 0 || out[0] > 1) return false;
  out[1] = side->start[1 - q] + side->dir[1 - q] * out[0];
  return !(fabs(out[1]) > size[1 - q]);
}

// where the patch's sides leave the face's outline
COL_FN void addCrossings(Points* out, const Side side[4], int nside, const mjtNum face[3]) {
  for (int i = 0; i < nside; i++) {
    for (int q = 0; q < 2; q++) {
      if (!(fabs(side[i].dir[q]) > mjMINVAL)) continue;
      const mjtNum inv = 1 / side[i].dir[q];
      for (int sign = -1; sign <= 1; sign += 2) {
        mjtNum at[2];
        if (crossOutline(at, side + i, q, inv, sign, face)) {
          mth_addScl3(out->pos[out->n++], side[i].start, side[i].dir, at[0]);
        }
      }
    }
  }
}

// corners of the face under the patch, projected on it
COL_FN void addFaceCorners(Points* out, const Patch* patch, const mjtNum face[3]) {
  const mjtNum *e0 = patch->edge[0], *e1 = patch->edge[1];
  const mjtNum inv = 1 / (e0[0] * e1[1] - e1[0] * e0[1]);
  for (int i = 0; i < 4; i++) {
    const mjtNum cx = i / 2 ? face[0] : -face[0];
    const mjtNum cy = i % 2 ? face[1] : -face[1];
    const mjtNum x = cx - patch->corner[0], y = cy - patch->corner[1];
    const mjtNum u = (x * e1[1] - y * e1[0]) * inv;
    const mjtNum v = (y * e0[0] - x * e0[1]) * inv;
    if (u <= 0 || v <= 0 || u >= 1 || v >= 1) continue;
    mth_set3(out->pos[out->n++], cx, cy, patch->corner[2] + u * e0[2] + v * e1[2]);
  }
}

// corners of the patch over the face; the deepest one is taken wherever it is
COL_FN void addPatchCorners(Points* out, const Patch* patch, const mjtNum face[3]) {
  for (int i = 0; i < 1 << patch->nedge; i++) {
    mjtNum p[3];
    mth_copy3(p, patch->corner);
    if (i & 1) mth_addTo3(p, patch->edge[0]);
    if (i & 2) mth_addTo3(p, patch->edge[1]);
    if (i && (p[0] <= -face[0] || p[0] >= face[0] || p[1] <= -face[1] || p[1] >= face[1])) continue;
    mth_copy3(out->pos[out->n++], p);
  }
}

COL_FN int faceContacts(ColContact* con, const Pair* p, const Axis* axis) {
  const Turn* turn = TURN + axis->face;
  const ColShape* owner = p->box[axis->owner];
  const ColShape* other = p->box[1 - axis->owner];
  mjtNum centre[3], rot[9], face[3];

  // the other box with the owner's face turned up
  turnRows(rot, turn, axis->owner ? p->rotT : p->rot);
  turnVec(centre, turn, p->offset[axis->owner]);
  turnVec(face, turn, owner->size);
  for (int i = 0; i < 3; i++) face[i] = fabs(face[i]);
  centre[2] -= face[2];

  // outline of the overlap
  Points out;
  out.n = 0;
  Side side[4];
  Patch patch;
  nearestPatch(&patch, centre, rot, other->size);
  addCrossings(&out, side, patchSides(side, &patch), face);
  if (patch.nedge == 2) addFaceCorners(&out, &patch, face);
  addPatchCorners(&out, &patch, face);

  // those within the margin, halfway between the boxes, back in the world
  mjtNum back[9];
  turnBack(back, turn, owner->mat);
  const mjtNum sign = axis->owner ? -1 : 1;
  int n = 0;
  for (int i = 0; i < out.n; i++) {
    if (out.pos[i][2] > p->margin) continue;
    con[n].dist = out.pos[i][2];
    const mjtNum mid[3] = {out.pos[i][0], out.pos[i][1], out.pos[i][2] * 0.5 + face[2]};
    mth_mulMatVec3(con[n].pos, back, mid);
    mth_addTo3(con[n].pos, owner->pos);
    mth_set3(con[n].frame, sign * back[2], sign * back[5], sign * back[8]);
    mth_zero3(con[n].frame + 3);
    n++;
  }
  return n;
}

//---------------------------------- edge contacts ----------------------------------

// The face of box 2 that shares the touching edge, in box 1's turned frame, both as it is and projected along the
// normal on the upper face of box 1.
typedef struct {
  mjtNum corner[4][3];  // corners: edge ends, then the opposite side
  mjtNum projected[4][2];
  mjtNum normal[3];  // contact normal
  mjtNum invNormal;  // 1 / (height of the normal), signed towards box 2
  mjtNum size[3];    // turned half-sizes of box 1
  mjtNum margin;
} Crossing;

// of the two directions other than `edge`, the one on which row[] is larger (the first of equals)
COL_FN int largerOf(const mjtNum row[3], int edge) {
  const int first = edge == 1 ? 0 : 1;
  const int second = 3 - edge - first;
  return row[first] < row[second] ? second : first;
}

// corners of the face of box 2 spanned by the edge and direction ax1
COL_FN void crossingCorners(Crossing* c, const Pair* p, const Axis* axis, const mjtNum centre[3], const mjtNum rot[9]) {
  const mjtNum* size = p->box[1]->size;
  const int edge = axis->edge2;
  const int ax1 = largerOf(p->rotAbs + 3 * axis->edge1, edge);
  const int ax2 = 3 - edge - ax1;
  const mjtNum dir[3][3] = {
      {rot[0], rot[3], rot[6]},
      {rot[1], rot[4], rot[7]},
      {rot[2], rot[5], rot[8]}
  };
  const int sign1 = axis->corner2 & (1 << ax1) ? 1 : -1;
  const int sign2 = axis->corner2 & (1 << ax2) ? 1 : -1;

  for (int i = 0; i < 4; i++) {
    mth_addScl3(c->corner[i], centre, dir[ax1], size[ax1] * (i < 2 ? sign1 : -sign1));
    mth_addToScl3(c->corner[i], dir[ax2], size[ax2] * sign2);
    mth_addToScl3(c->corner[i], dir[edge], i % 2 ? -size[edge] : size[edge]);
  }
}

// where the sides of the projected face of box 2 cross the outline of the face of box 1
COL_FN void addEdgeCrossings(Points* out, const Crossing* c, const Patch* flat, const Patch* solid) {
  Side flatSide[4], solidSide[4];
  const int nflat = patchSides(flatSide, flat), nside = mth_minInt(nflat, patchSides(solidSide, solid));

  // all four, except of boxes whose orientation is no number
  for (int i = 0; i < nside; i++) {
    for (int q = 0; q < 2; q++) {
      if (!(fabs(flatSide[i].dir[q]) > mjMINVAL)) continue;
      const mjtNum inv = 1 / flatSide[i].dir[q];
      for (int sign = -1; sign <= 1; sign += 2) {
        mjtNum at[2];
        if (!crossOutline(at, flatSide + i, q, inv, sign, c->size)) continue;
        if ((solidSide[i].start[2] + solidSide[i].dir[2] * at[0]) * c->invNormal > c->margin) continue;

        // halfway between the outline and the point of box 2 above or below it
        mjtNum* pos = out->pos[out->n];
        mth_scl3(pos, solidSide[i].start, 0.5);
        mth_addToScl3(pos, solidSide[i].dir, 0.5 * at[0]);
        pos[q] += 0.5 * (c->size[q] * sign);
        pos[1 - q] += 0.5 * at[1];
        out->depth[out->n++] = pos[2] * c->invNormal * 2;
      }
    }
  }
}

// corners of the face of box 1 under the face of box 2; without any crossing also those beside it
COL_FN void addCornersOf1(Points* out, const Crossing* c, const Patch* flat, bool crossed) {
  const mjtNum *e0 = flat->edge[0], *e1 = flat->edge[1];
  mjtNum det = e0[0] * e1[1] - e1[0] * e0[1];

  for (int i = 0; i < 4; i++) {
    const mjtNum p[3] = {i / 2 ? c->size[0] : -c->size[0], i % 2 ? c->size[1] : -c->size[1], 0};
    const mjtNum x = p[0] - flat->corner[0], y = p[1] - flat->corner[1];
    mjtNum u = (x * e1[1] - y * e1[0]) * (1 / det);
    mjtNum v = (y * e0[0] - x * e0[1]) * (1 / det);
    const bool uOut = u < 0 || u > 1, vOut = v < 0 || v > 1;
    if (crossed ? uOut || vOut : uOut && vOut) continue;
    u = mth_clip(u, 0, 1);
    v = mth_clip(v, 0, 1);

    // the point of box 2 with the same coordinates
    mjtNum q[3], gap[3];
    mth_scl3(q, c->corner[0], 1 - u - v);
    mth_addToScl3(q, c->corner[1], u);
    mth_addToScl3(q, c->corner[2], v);
    mth_sub3(gap, p, q);
    const mjtNum distSqr = mth_dot3(gap, gap);

    // a corner that was looked at leaves its squared distance as the next one's determinant: an oddity that decides
    // which contacts conforming engines report
    det = distSqr;
    if (q[2] > 0 && distSqr > c->margin * c->margin) continue;

    mth_add3(out->pos[out->n], p, q);
    mth_scl3(out->pos[out->n], out->pos[out->n], 0.5);
    out->depth[out->n++] = sqrt(distSqr) * (q[2] < 0 ? -1 : 1);
  }
}

// corners of the face of box 2 over the face of box 1; without any crossing also those beside it
COL_FN void addCornersOf2(Points* out, const Crossing* c, bool crossed) {
  const bool any = out->n > 0;
  for (int i = 0; i < 4; i++) {
    const mjtNum* flat = c->projected[i];
    const bool xOut = flat[0] < -c->size[0] || flat[0] > c->size[0];
    const bool yOut = flat[1] < -c->size[1] || flat[1] > c->size[1];
    if (crossed ? xOut || yOut : any && xOut && yOut) continue;

    // nearest point of the face of box 1 and squared distance to it
    mjtNum nearest[3] = {0, 0, 0}, distSqr = 0;
    for (int j = 0; j < 2; j++) {
      nearest[j] = mth_clip(flat[j], -c->size[j], c->size[j]);
      distSqr += (flat[j] - nearest[j]) * (flat[j] - nearest[j]);
    }
    const mjtNum height = c->corner[i][2];
    distSqr += height * c->invNormal * height * c->invNormal;
    if (height > 0 && distSqr > c->margin * c->margin) continue;

    mjtNum* pos = out->pos[out->n];
    mth_scl3(pos, nearest, 0.5);
    mth_addToScl3(pos, c->corner[i], 0.5);
    out->depth[out->n++] = sqrt(distSqr) * (height < 0 ? -1 : 1);
  }
}

COL_FN int edgeContacts(ColContact* con, const Pair* p, const Axis* axis) {
  // the face of box 1 that shares the edge and faces box 2 best
  const mjtNum rotTAbs[3] = {p->rotAbs[axis->edge2], p->rotAbs[3 + axis->edge2], p->rotAbs[6 + axis->edge2]};
  const int across = 3 - axis->edge1 - largerOf(rotTAbs, axis->edge1);
  const Turn* turn = TURN + (axis->corner1 & (1 << across) ? across : across + 3);

  // box 2 with that face turned up
  Crossing c = {.margin = p->margin};
  mjtNum centre[3], rot[9];
  turnVec(centre, turn, p->offset[0]);
  turnVec(c.normal, turn, axis->normal);
  turnRows(rot, turn, p->rot);
  turnVec(c.size, turn, p->box[0]->size);
  for (int i = 0; i < 3; i++) c.size[i] = fabs(c.size[i]);
  centre[2] -= c.size[2];
  if (fabs(c.normal[2]) < mjMINVAL) return 0;
  const mjtNum inv = 1 / c.normal[2];
  c.invNormal = inv * (axis->flip ? -1 : 1);
  crossingCorners(&c, p, axis, centre, rot);

  // project along the normal; parallelograms of both
  mjtNum flatCorner[4][3];
  for (int i = 0; i < 4; i++) {
    mth_addScl3(flatCorner[i], c.corner[i], c.normal, -c.corner[i][2] * inv);
    c.projected[i][0] = flatCorner[i][0];
    c.projected[i][1] = flatCorner[i][1];
  }
  Patch flat = {.nedge = 2}, solid = {.nedge = 2};
  mth_copy3(flat.corner, flatCorner[0]);
  mth_copy3(solid.corner, c.corner[0]);
  for (int i = 0; i < 2; i++) {
    mth_sub3(flat.edge[i], flatCorner[i + 1], flatCorner[0]);
    mth_sub3(solid.edge[i], c.corner[i + 1], c.corner[0]);
  }

  Points out;
  out.n = 0;
  addEdgeCrossings(&out, &c, &flat, &solid);
  const bool crossed = out.n > 0;
  addCornersOf1(&out, &c, &flat, crossed);
  addCornersOf2(&out, &c, crossed);

  // back to the world
  mjtNum back[9], normal[3];
  turnBack(back, turn, p->box[0]->mat);
  mth_mulMatVec3(normal, back, c.normal);
  mth_scl3(normal, normal, axis->flip ? -1 : 1);
  for (int i = 0; i < out.n; i++) {
    con[i].dist = out.depth[i];
    out.pos[i][2] += c.size[2];
    mth_mulMatVec3(con[i].pos, back, out.pos[i]);
    mth_addTo3(con[i].pos, p->box[0]->pos);
    mth_copy3(con[i].frame, normal);
    mth_zero3(con[i].frame + 3);
  }
  return out.n;
}

//---------------------------------- clean-up ----------------------------------

// a contact this much (relative) off a box's surface counts as outside or inside, what is between as on it
#define COL_BOX_SURFACE 1.01

// a box grown by the margin, with the limits of its surface
typedef struct {
  const ColShape* box;
  mjtNum outer[3], inner[3];
} Surface;

COL_FN Surface surfaceOf(const ColShape* box, mjtNum margin) {
  Surface s = {.box = box};
  for (int i = 0; i < 3; i++) {
    s.outer[i] = (box->size[i] + margin) * COL_BOX_SURFACE;
    s.inner[i] = (box->size[i] + margin) / COL_BOX_SURFACE;
  }
  return s;
}

// 1: outside, -1: inside, 0: on the surface
COL_FN int sideOf(const Surface* s, const mjtNum point[3]) {
  mjtNum offset[3], local[3];
  mth_sub3(offset, point, s->box->pos);
  mth_mulMatTVec3(local, s->box->mat, offset);
  bool inside = true;
  for (int i = 0; i < 3; i++) {
    if (fabs(local[i]) > s->outer[i]) return 1;
    inside &= fabs(local[i]) < s->inner[i];
  }
  return inside ? -1 : 0;
}

COL_API int col_cleanBoxes(ColContact* con, int n, mjtNum margin, const ColShape* a, const ColShape* b) {
  // outside one box and not inside the other
  const Surface s1 = surfaceOf(a, margin), s2 = surfaceOf(b, margin);
  bool bad[COL_BOX_POINTS];
  for (int i = 0; i < n; i++) {
    const int side1 = sideOf(&s1, con[i].pos), side2 = sideOf(&s2, con[i].pos);
    bad[i] = (side1 == 1 && side2 != -1) || (side2 == 1 && side1 != -1);
  }

  // of contacts at one position the last stays
  for (int i = 0; i < n; i++) {
    for (int j = i + 1; j < n && !bad[i]; j++) bad[i] = !bad[j] && mth_equal3(con[i].pos, con[j].pos);
  }

  int kept = 0;
  for (int i = 0; i < n; i++) {
    if (bad[i]) continue;
    if (kept < i) memcpy(con + kept, con + i, COL_GEOMETRY);
    kept++;
  }
  return kept;
}

// all contacts of two boxes
COL_FN int col_rawBoxBox(ColContact* con, mjtNum margin, const ColShape* a, const ColShape* b) {
  Pair p;
  Axis axis;
  initPair(&p, a, b, margin);
  if (!leastPenetration(&axis, &p)) return 0;
  if (axis.kind == FACE_AXIS) return faceContacts(con, &p, &axis);
  if (axis.kind == EDGE_AXIS) return edgeContacts(con, &p, &axis);
  return 0;
}
