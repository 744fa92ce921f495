// Fewer contacts of a pair. Height fields and fine meshes give one for every triangle that is touched: more than a body
// needs to rest, and each costs rows.
#include "collision/reduce.h"

#include <math.h>

#include "math/vec.h"

// places that are one, as a part of the size
#define SAME 1e-3

// a lean of normals that is none
#define UPRIGHT 0.002

// how different two touches are: distance, and the turn of the normal as one
static mjtNum difference(const ColTouch* a, const ColTouch* b, mjtNum size) {
  const mjtNum turn = size * (1 - mth_dot3(a->normal, b->normal));
  return mth_distSqr3(a->pos, b->pos) + turn * turn;
}

int col_spread(const ColTouch* touch, int n, int most, mjtNum size, int* index) {
  mjtNum apart[COL_TOUCHES];
  int count = 0;
  for (int i = 0; i < n; i++) apart[i] = mjMAXVAL;
  while (count < most && count < n) {
    int best = 0;
    for (int i = 1; i < n; i++) {
      if (count ? apart[i] > apart[best] : touch[i].dist < touch[best].dist) best = i;
    }
    if (apart[best] < SAME * SAME * size * size) break;
    for (int i = 0; i < n; i++) apart[i] = mth_min(apart[i], difference(touch + i, touch + best, size));
    index[count++] = best;
  }
  return count;
}

//---------------------------------- interior ----------------------------------

// The surface of a height field, in its frame: two triangles a cell, parted from the grid point of the lower row and
// column to that of the upper ones.
typedef struct {
  const mjtNum *size, *pos, *mat;
  const float* data;
  int nrow, ncol;
  mjtNum cell[2];  // extent of a cell
} Ground;

static Ground groundOf(const mjModel* m, const mjData* d, int g) {
  const int h = m->geom_dataid[g];
  const mjtNum* const size = m->hfield_size + 4 * h;
  const int nrow = m->hfield_nrow[h], ncol = m->hfield_ncol[h];
  return (Ground){
      .size = size,
      .pos = d->geom_xpos + 3 * g,
      .mat = d->geom_xmat + 9 * g,
      .data = m->hfield_data + m->hfield_adr[h],
      .nrow = nrow,
      .ncol = ncol,
      .cell = {2 * size[0] / (ncol - 1), 2 * size[1] / (nrow - 1)}
  };
}

// height over a point, and the slopes along x and y; 0: there is no ground
static int heightAt(const Ground* g, mjtNum x, mjtNum y, mjtNum* z, mjtNum slope[2]) {
  const mjtNum u = (x + g->size[0]) / g->cell[0], v = (y + g->size[1]) / g->cell[1];
  if (!(u >= 0 && v >= 0 && u <= g->ncol - 1 && v <= g->nrow - 1)) return 0;
  const int c = (int)mth_min(u, g->ncol - 2), r = (int)mth_min(v, g->nrow - 2);
  const float *low = g->data + r * g->ncol + c, *high = low + g->ncol;
  const mjtNum a = u - c, b = v - r;
  const int right = a > b;
  const mjtNum du = right ? low[1] - low[0] : high[1] - high[0], dv = right ? high[1] - low[1] : high[0] - low[0];
  *z = g->size[2] * (low[0] + a * du + b * dv);
  slope[0] = g->size[2] * du / g->cell[0];
  slope[1] = g->size[2] * dv / g->cell[1];
  return 1;
}

// How far the normal of a contact with the ground leans to where the ground goes on in front of it, as the sine of the
// angle. It is then that of a side between two of the prisms which the field is made of, of an edge that is none on the
// surface, or of the other geom; 0: it belongs to the surface.
static mjtNum leanOf(const Ground* g, const mjContact* con) {
  mjtNum n[3], q[3], world[3], z, slope[2];
  mth_mulMatTVec3(n, g->mat, con->frame);

  // the point of the field that is deepest in the other geom
  mth_addScl3(world, con->pos, con->frame, -0.5 * con->dist);
  mth_subFrom3(world, g->pos);
  mth_mulMatTVec3(q, g->mat, world);
  if (!heightAt(g, q[0], q[1], &z, slope)) return 0;

  // what the normal has along the face
  mjtNum face[3] = {-slope[0], -slope[1], 1};
  mth_normalize3(face);
  mjtNum lean[3];
  mth_addScl3(lean, n, face, -mth_dot3(n, face));
  const mjtNum flat = sqrt(lean[0] * lean[0] + lean[1] * lean[1]);
  if (flat < mjMINVAL) return 0;

  // a little way on in that direction, an edge of the surface falls off, seen along the normal
  const mjtNum step = 0.1 * mth_min(g->cell[0], g->cell[1]);
  const mjtNum dx = step * lean[0] / flat, dy = step * lean[1] / flat;
  mjtNum there;
  if (!heightAt(g, q[0] + dx, q[1] + dy, &there, slope)) return 0;
  return n[0] * dx + n[1] * dy + n[2] * (there - z) > 1e-4 * step ? mth_norm3(lean) : 0;
}

// leaves out contacts within the ground: those that lean much more than another one near by; returns how many are left
static int dropInterior(const Ground* ground, mjContact* con, int n) {
  const mjtNum near = mth_max(ground->cell[0], ground->cell[1]);
  mjtNum lean[mjMAXCONPAIR];
  int inside[mjMAXCONPAIR] = {0}, kept = 0;
  for (int i = 0; i < n; i++) lean[i] = leanOf(ground, con + i);
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < n && lean[i] > UPRIGHT && !inside[i]; k++) {
      inside[i] = lean[i] > 2 * lean[k] && mth_distSqr3(con[i].pos, con[k].pos) < near * near;
    }
  }
  for (int i = 0; i < n; i++) {
    if (!inside[i]) con[kept++] = con[i];
  }
  return kept;
}

//---------------------------------- all ----------------------------------

int col_reduce(const mjModel* m, const mjData* d, mjContact* con, int n, int g1, int g2) {
  const ColContinuous* s = mdl_section(d, MDL_CONTINUOUS);
  const mjtNum *limit = m->numeric_data + m->numeric_adr[s->reduce], a = limit[g1], b = limit[g2];
  const int most = (int)(a > 0 && b > 0 ? mth_min(a, b) : mth_max(a, b));
  if (most <= 0) return n;
  if (m->geom_type[g1] == mjGEOM_HFIELD) {
    const Ground ground = groundOf(m, d, g1);
    n = dropInterior(&ground, con, n);
  }

  // in the order in which they were found
  const mjtNum r1 = m->geom_rbound[g1], r2 = m->geom_rbound[g2];
  ColTouch touch[mjMAXCONPAIR];
  int index[mjMAXCONPAIR], taken[mjMAXCONPAIR] = {0}, kept = 0;
  for (int i = 0; i < n; i++) {
    mth_copy3(touch[i].pos, con[i].pos);
    mth_copy3(touch[i].normal, con[i].frame);
    touch[i].dist = con[i].dist;
  }
  const int count = col_spread(touch, n, most, r1 > 0 && r2 > 0 ? mth_min(r1, r2) : mth_max(r1, r2), index);
  for (int i = 0; i < count; i++) taken[index[i]] = 1;
  for (int i = 0; i < n; i++) {
    if (taken[i]) con[kept++] = con[i];
  }
  return kept;
}
