// Capsule and box: spheres on the capsule's segment against the box. The first sphere is centred on the point of the
// segment nearest to the box. A second one follows when the segment runs along the box there: from the first point
// the segment is followed to where it leaves the box's outline, so that a capsule lying on a box gets two contacts.
//
// Everything is in the box's frame. Points of the segment are pos + x*half with -1 <= x <= 1; a corner of the box is
// a bit mask of the signs of its coordinates, and so is the direction of the segment.
#pragma once

#include "collision/narrow.h"
#include "math/vec.h"

// the capsule's segment in the box's frame
typedef struct {
  mjtNum pos[3];      // centre
  mjtNum axis[3];     // unit direction
  mjtNum half[3];     // half-axis
  mjtNum halfLength;  // length of half
  int direction;      // signs of half
} Segment;

enum { COL_NOTHING, COL_FACE, COL_EDGE, COL_CORNER };

// the feature of the box nearest to the segment
typedef struct {
  int feature;
  int axis;        // face: its normal's axis, -1 when the end is inside the box; edge, corner: the edge's axis
  int corner;      // edge: its lower corner; corner: itself
  mjtNum x;        // coordinate on the segment
  mjtNum edgeX;    // edge: coordinate on it
  mjtNum distSqr;  // squared distance
} Nearest;

COL_FN int bit(int mask, int i) {
  return (mask >> i) & 1;
}

// an end of the segment over a face, or inside
COL_FN void testEnds(Nearest* best, const Segment* seg, const mjtNum size[3]) {
  for (int end = -1; end <= 1; end += 2) {
    // offset to the nearest point of the box and how many coordinates are outside
    mjtNum distSqr = 0;
    int outside = 0, axis = -1;
    mjtNum offset[3] = {0, 0, 0};
    for (int j = 0; j < 3; j++) {
      const mjtNum p = seg->pos[j] + end * seg->half[j];
      const mjtNum nearest = p < -size[j] ? -size[j] : p > size[j] ? size[j] : p;
      if (p < -size[j] || p > size[j]) {
        outside++;
        axis = j;
      }
      offset[j] = nearest - p;
    }
    distSqr = mth_dot3(offset, offset);

    // beyond an edge or a corner: left to the edges
    if (outside > 1 || !(distSqr < best->distSqr)) continue;
    const Nearest face = {.feature = COL_FACE, .axis = axis, .x = (mjtNum)end, .distSqr = distSqr};
    *best = face;
  }
}

// nearest points of the segment and the edge along `axis` whose other signs are in `corner`
COL_FN void testEdge(Nearest* best, const Segment* seg, const mjtNum size[3], int axis, int corner) {
  // vector from the segment's centre to the edge's
  mjtNum offset[3];
  for (int j = 0; j < 3; j++) offset[j] = (j == axis ? 0 : (bit(corner, j) ? 1 : -1) * size[j]) - seg->pos[j];

  // normal equations of the two lines
  const mjtNum ma = size[axis] * size[axis];
  const mjtNum mb = -size[axis] * seg->half[axis];
  const mjtNum mc = seg->halfLength * seg->halfLength;
  const mjtNum u = -size[axis] * offset[axis];
  const mjtNum v = mth_dot3(seg->half, offset);
  const mjtNum det = ma * mc - mb * mb;
  if (fabs(det) < mjMINVAL) return;
  const mjtNum invDet = 1 / det;
  mjtNum edgeX = (mc * u - mb * v) * invDet;
  mjtNum x = (ma * v - mb * u) * invDet;

  // clip to the edge, then to the segment, then to the edge again; `end` remembers the last end of the edge that was
  // hit
  int end = 0;
  if (edgeX > 1 || edgeX < -1) {
    end = edgeX > 1 ? 1 : -1;
    edgeX = end;
    x = (v - end * mb) * (1 / mc);
  }
  if (x > 1 || x < -1) {
    x = x > 1 ? 1 : -1;
    edgeX = (u - x * mb) * (1 / ma);
    if (edgeX > 1 || edgeX < -1) {
      end = edgeX > 1 ? 1 : -1;
      edgeX = end;
    }
  }

  // an edge must win by more than rounding: a segment parallel to the box sees several at one distance
  mth_addToScl3(offset, seg->half, -x);
  offset[axis] += size[axis] * edgeX;
  const mjtNum distSqr = mth_dot3(offset, offset);
  if (!(distSqr < best->distSqr - mjMINVAL)) return;

  const Nearest edge = {
      .feature = end ? COL_CORNER : COL_EDGE,
      .axis = axis,
      .corner = corner + (end > 0 ? 1 << axis : 0),
      .x = x,
      .edgeX = edgeX,
      .distSqr = distSqr,
  };
  *best = edge;
}

COL_FN Nearest findNearest(const Segment* seg, const mjtNum size[3], mjtNum reach) {
  Nearest best = {.feature = COL_NOTHING, .distSqr = reach};
  testEnds(&best, seg, size);
  for (int axis = 0; axis < 3; axis++) {
    for (int corner = 0; corner < 8; corner++) {
      if (!bit(corner, axis)) testEdge(&best, seg, size, axis, corner);
    }
  }
  return best;
}

// how far along the segment (in units of half) until coordinate i has moved by `distance`, at most `limit`
COL_FN mjtNum travel(mjtNum limit, mjtNum distance, const Segment* seg, int i) {
  const mjtNum x = distance / fabs(seg->half[i]);
  return x < limit ? x : limit;
}

// from a corner: along the edge or across the face that the segment follows. Returns 0 when there is no second point.
COL_FN int followFromCorner(mjtNum* step, const Nearest* first, const Segment* seg, const mjtNum size[3]) {
  // a segment through the corner towards the box's centre, or straight away from it, touches only there
  int differ = seg->direction ^ first->corner;
  if (differ == 0 || differ == 7) return 0;

  // make one axis stand out: the two ways along the segment differ in one sign from the corner, or in two
  int way = 1;
  if (differ == 3 || differ == 5 || differ == 6) {
    differ = 7 - differ;
    way = -1;
  }
  const int axis = differ == 1 ? 0 : differ == 2 ? 1 : 2;

  if (seg->axis[axis] * seg->axis[axis] > 0.5) {
    // along the edge, up to its other corner
    *step = way * travel(1 - way * first->x, 2 * size[axis], seg, axis);
  } else {
    // across the face, up to either of its far sides
    mjtNum limit = travel(1 + way * first->x, 2 * size[(axis + 1) % 3], seg, (axis + 1) % 3);
    limit = travel(limit, 2 * size[(axis + 2) % 3], seg, (axis + 2) % 3);
    *step = -way * limit;
  }
  return 1;
}

// from a point on an edge: across the face that makes the smaller angle with the segment
COL_FN int followFromEdge(mjtNum* step, const Nearest* first, const Segment* seg, const mjtNum size[3]) {
  // one of the two other signs must differ, else the segment only crosses the edge
  const int differ = (seg->direction ^ first->corner) & (7 - (1 << first->axis));
  if (differ != 1 && differ != 2 && differ != 4) return 0;

  // axis across the face: the steeper one of the two is the face's normal
  const int edge = first->axis;
  const int next = (edge + 1) % 3, after = (edge + 2) % 3;
  const int across = fabs(seg->axis[next]) > fabs(seg->axis[after]) ? next : after;
  const int way = differ & (1 << across) ? 1 : -1;

  // up to the segment's end, the face's far side, or the edge's end
  mjtNum limit = travel(1 - way * first->x, 2 * size[across], seg, across);
  const int towardsUpper = bit(seg->direction, edge) == (way > 0);
  const mjtNum left = towardsUpper ? 1 - first->edgeX : 1 + first->edgeX;
  limit = travel(limit, size[edge] * left, seg, edge);
  *step = way * limit;
  return 1;
}

// from an end over a face: towards the other end, up to where the segment leaves the face's outline
COL_FN int followFromFace(mjtNum* step, const Nearest* first, const Segment* seg, const mjtNum size[3]) {
  if (first->axis < 0) return 0;
  const mjtNum way = -first->x;
  mjtNum limit = 2;
  for (int i = 0; i < 3; i++) {
    if (i == first->axis) continue;
    const mjtNum start = seg->pos[i] - way * seg->half[i];
    for (int side = 1; side >= -1; side -= 2) {
      const mjtNum x = (side * size[i] - start) / seg->half[i] * way;
      if (x > 0 && x < limit) limit = x;
    }
  }
  *step = way * limit;
  return 1;
}

// the sphere around the segment's point x
COL_FN int collideAt(ColContact* con, mjtNum margin, const Segment* seg, mjtNum x, const ColShape* shape[2]) {
  mjtNum local[3], pos[3];
  mth_addScl3(local, seg->pos, seg->half, x);
  mth_mulMatVec3(pos, shape[1]->mat, local);
  mth_addTo3(pos, shape[1]->pos);
  const ColShape ball = {pos, shape[0]->mat, shape[0]->size};
  return col_rawSphereBox(con, margin, &ball, shape[1]);
}

COL_API int col_rawCapsuleBox(ColContact* con, mjtNum margin, const ColShape* capsule, const ColShape* box) {
  const mjtNum* size = box->size;
  Segment seg = {.halfLength = capsule->size[1]};

  // the segment in the box's frame
  mjtNum tmp[3];
  mth_sub3(tmp, capsule->pos, box->pos);
  mth_mulMatTVec3(seg.pos, box->mat, tmp);
  mth_col3(tmp, capsule->mat, 2);
  mth_mulMatTVec3(seg.axis, box->mat, tmp);
  mth_scl3(seg.half, seg.axis, seg.halfLength);
  for (int i = 0; i < 3; i++) seg.direction |= (seg.half[i] > 0) << i;

  // first point
  const mjtNum reach = margin + 2 * (capsule->size[0] + seg.halfLength + size[0] + size[1] + size[2]);
  const Nearest first = findNearest(&seg, size, reach);
  if (first.feature == COL_NOTHING) return 0;

  // second point
  mjtNum step = 0;
  int two = 0;
  if (first.feature == COL_CORNER) two = followFromCorner(&step, &first, &seg, size);
  if (first.feature == COL_EDGE) two = followFromEdge(&step, &first, &seg, size);
  if (first.feature == COL_FACE) two = followFromFace(&step, &first, &seg, size);

  const ColShape* shape[2] = {capsule, box};
  int n = collideAt(con, margin, &seg, first.x, shape);
  if (two) n += collideAt(con + n, margin, &seg, step + first.x, shape);
  return n;
}
