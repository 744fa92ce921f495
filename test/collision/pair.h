// Two geoms without a model around them: all that a pair function of the narrow phase reads. Shared by the tests of
// src/collision/narrow.
#pragma once

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <mujoco/mujoco.h>

#include "collision/narrow.h"
#include "support/oracle.h"
#include "support/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

typedef struct {
  mjModel m;
  mjData d;
  int type[2], dataid[2];
  mjtNum size[6], pos[6], mat[18], margin[2], rbound[2];
} Pair;

// two geoms of given types at the origin, axes aligned, size 1
static inline void pair_init(Pair* p, int type1, int type2) {
  memset(p, 0, sizeof(*p));
  p->m.ngeom = 2;
  p->m.geom_type = p->type;
  p->m.geom_dataid = p->dataid;
  p->m.geom_size = p->size;
  p->m.geom_margin = p->margin;
  p->m.geom_rbound = p->rbound;
  p->m.opt.ccd_tolerance = 1e-6;
  p->m.opt.ccd_iterations = 50;
  p->d.geom_xpos = p->pos;
  p->d.geom_xmat = p->mat;
  p->type[0] = type1;
  p->type[1] = type2;
  p->dataid[0] = p->dataid[1] = -1;
  for (int i = 0; i < 6; i++) p->size[i] = 1;
  for (int i = 0; i < 2; i++) p->mat[9 * i] = p->mat[9 * i + 4] = p->mat[9 * i + 8] = 1;
}

static inline void pair_size(Pair* p, int geom, mjtNum a, mjtNum b, mjtNum c) {
  p->size[3 * geom] = a;
  p->size[3 * geom + 1] = b;
  p->size[3 * geom + 2] = c;
}

static inline void pair_pos(Pair* p, int geom, mjtNum x, mjtNum y, mjtNum z) {
  p->pos[3 * geom] = x;
  p->pos[3 * geom + 1] = y;
  p->pos[3 * geom + 2] = z;
}

// rotation of a geom by `angle` about an axis
static inline void pair_turn(Pair* p, int geom, mjtNum x, mjtNum y, mjtNum z, mjtNum angle) {
  const mjtNum n = sqrt(x * x + y * y + z * z), c = cos(angle), s = sin(angle);
  const mjtNum a[3] = {x / n, y / n, z / n};
  const mjtNum cross[9] = {0, -a[2], a[1], a[2], 0, -a[0], -a[1], a[0], 0};
  for (int i = 0; i < 9; i++) p->mat[9 * geom + i] = (i % 4 ? 0 : c) + s * cross[i] + (1 - c) * a[i / 3] * a[i % 3];
}

// random rotation; one in four is a multiple of a quarter turn about an axis, so that ties happen
static inline void pair_randomTurn(Pair* p, int geom, Rnd* r) {
  if (rnd_below(r, 4) == 0) {
    const int axis = rnd_below(r, 3);
    pair_turn(p, geom, axis == 0, axis == 1, axis == 2, 1.5707963267948966 * rnd_below(r, 4));
  } else {
    // in this order on every machine
    const mjtNum angle = rnd_uniform(r, -3.2, 3.2), z = rnd_uniform(r, -1, 1), y = rnd_uniform(r, -1, 1);
    pair_turn(p, geom, rnd_uniform(r, -1, 1), y, z + 1e-3, angle);
  }
}

// random sizes (thin and thick), poses around touching, and a margin that is zero half the time; returns the margin
static inline mjtNum pair_random(Pair* p, Rnd* r) {
  for (int i = 0; i < 6; i++) p->size[i] = 0.05 * exp(rnd_uniform(r, 0, 3));
  for (int g = 0; g < 2; g++) pair_randomTurn(p, g, r);
  const mjtNum reach = rnd_uniform(r, 0, 1.2);
  for (int i = 0; i < 3; i++) {
    p->pos[i] = rnd_uniform(r, -3, 3);
    p->pos[3 + i] = p->pos[i] + rnd_uniform(r, -reach, reach);
  }
  return rnd_below(r, 2) ? 0 : rnd_uniform(r, 0, 0.2);
}

static inline int pair_collide(const Pair* p, mjfCollision f, mjContact con[mjMAXCONPAIR], mjtNum margin) {
  memset(con, 0, mjMAXCONPAIR * sizeof(mjContact));
  return f(&p->m, &p->d, con, 0, 1, margin);
}

// largest difference in distance, position and normal
static inline mjtNum pair_diff(const mjContact* a, const mjContact* b) {
  mjtNum worst = fabs(a->dist - b->dist);
  for (int i = 0; i < 3; i++) worst = fmax(worst, fabs(a->pos[i] - b->pos[i]));
  for (int i = 0; i < 6; i++) worst = fmax(worst, fabs(a->frame[i] - b->frame[i]));
  return worst;
}

// the reference's function for the pair's types
static inline mjfCollision pair_reference(const Pair* p) {
  return (*ORC(mjCOLLISIONFUNC))[p->type[0]][p->type[1]];
}

// sweeps n random pairs against the reference; every contact must agree to tol in count, order and value
static inline void pair_sweep(int type1, int type2, mjfCollision f, int n, mjtNum tol) {
  Rnd r = {.state = 12345};
  mjContact ours[mjMAXCONPAIR], theirs[mjMAXCONPAIR];
  int touching = 0;
  for (int i = 0; i < n; i++) {
    Pair p;
    pair_init(&p, type1, type2);
    const mjtNum margin = pair_random(&p, &r);
    const int nours = pair_collide(&p, f, ours, margin);
    const int ntheirs = pair_collide(&p, pair_reference(&p), theirs, margin);
    if (nours != ntheirs) print_error("pair %d: %d contacts, reference %d\n", i, nours, ntheirs);
    assert_int_equal(nours, ntheirs);
    for (int k = 0; k < nours; k++) {
      orc_result(&theirs[k].dist, 13);
      const mjtNum diff = pair_diff(ours + k, theirs + k);
      if (!(diff <= tol)) print_error("pair %d contact %d of %d: off by %g\n", i, k, nours, diff);
      assert_true(diff <= tol);
    }
    touching += nours > 0;
  }
  // the sweep is worth something only when a good part of the pairs touch
  assert_true(touching > n / 5);
}

// moves the whole pair rigidly
static inline void pair_move(Pair* p, const mjtNum mat[9], const mjtNum offset[3]) {
  for (int g = 0; g < 2; g++) {
    mjtNum pos[3], rot[9];
    for (int i = 0; i < 3; i++) {
      pos[i] = offset[i];
      for (int k = 0; k < 3; k++) pos[i] += mat[3 * i + k] * p->pos[3 * g + k];
      for (int j = 0; j < 3; j++) {
        rot[3 * i + j] = 0;
        for (int k = 0; k < 3; k++) rot[3 * i + j] += mat[3 * i + k] * p->mat[9 * g + 3 * k + j];
      }
    }
    memcpy(p->pos + 3 * g, pos, sizeof(pos));
    memcpy(p->mat + 9 * g, rot, sizeof(rot));
  }
}

// properties that hold for every pair: normals have length 1, same input gives the same bits, and a rigid motion of
// the pair moves the contacts rigidly (poses near a tie between features may switch: at most one in a hundred does)
static inline void pair_properties(int type1, int type2, mjfCollision f) {
  Rnd r = {.state = 777};
  mjContact a[mjMAXCONPAIR], b[mjMAXCONPAIR];
  int moved = 0, switched = 0;
  for (int i = 0; i < 500; i++) {
    Pair p, q;
    pair_init(&p, type1, type2);
    const mjtNum margin = pair_random(&p, &r);
    const int n = pair_collide(&p, f, a, margin);
    assert_in_range(n, 0, mjMAXCONPAIR);
    for (int k = 0; k < n; k++) {
      const mjtNum* v = a[k].frame;
      assert_true(fabs(v[0] * v[0] + v[1] * v[1] + v[2] * v[2] - 1) < 1e-9);
      assert_true(a[k].dist <= margin + 1e-12);
    }
    assert_int_equal(pair_collide(&p, f, b, margin), n);
    assert_memory_equal(a, b, sizeof(a));

    // rigid motion
    pair_init(&q, type1, type2);
    pair_turn(&q, 0, rnd_uniform(&r, -1, 1), rnd_uniform(&r, -1, 1), 1, rnd_uniform(&r, -3, 3));
    const mjtNum offset[3] = {rnd_uniform(&r, -1, 1), rnd_uniform(&r, -1, 1), rnd_uniform(&r, -1, 1)};
    pair_move(&p, q.mat, offset);
    const int same = pair_collide(&p, f, b, margin) == n;
    int off = !same;
    for (int k = 0; same && k < n; k++) {
      for (int c = 0; c < 3; c++) {
        mjtNum pos = offset[c], normal = 0;
        for (int j = 0; j < 3; j++) {
          pos += q.mat[3 * c + j] * a[k].pos[j];
          normal += q.mat[3 * c + j] * a[k].frame[j];
        }
        off |= !(fabs(pos - b[k].pos[c]) < 1e-8 && fabs(normal - b[k].frame[c]) < 1e-8);
      }
    }
    moved += n > 0;
    switched += off;
  }
  assert_true(moved > 50);
  assert_true(switched <= 15);
}

// swapping two geoms of one type mirrors the contact: same depth and place, opposite normal
static inline void pair_mirror(int type, mjfCollision f) {
  Rnd r = {.state = 99};
  mjContact a[mjMAXCONPAIR], b[mjMAXCONPAIR];
  for (int i = 0; i < 300; i++) {
    Pair p;
    pair_init(&p, type, type);
    const mjtNum margin = pair_random(&p, &r);
    const int n = f(&p.m, &p.d, a, 0, 1, margin);
    assert_int_equal(f(&p.m, &p.d, b, 1, 0, margin), n);
    if (n != 1) continue;
    for (int c = 0; c < 3; c++) {
      assert_true(fabs(a->pos[c] - b->pos[c]) < 1e-9);
      assert_true(fabs(a->frame[c] + b->frame[c]) < 1e-9);
    }
    assert_true(fabs(a->dist - b->dist) < 1e-9);
  }
}

// poses that leave no direction to choose: coincident centres, equal orientations, zero margin, huge ratios
static inline void pair_degenerate(int type1, int type2, mjfCollision f) {
  mjContact con[mjMAXCONPAIR];
  for (int i = 0; i < 64; i++) {
    Pair p;
    pair_init(&p, type1, type2);
    if (i & 1) pair_turn(&p, 1, 1, 2, 3, 0.7);
    if (i & 2) pair_turn(&p, 0, 0, 1, 0, 1.5707963267948966);
    if (i & 4) pair_size(&p, 0, 1e-3, 1e3, 1);
    if (i & 8) pair_size(&p, 1, 1e3, 1e-3, 1e-3);
    if (i & 16) pair_pos(&p, 1, 1e-16, 0, 0);
    if (i & 32) pair_pos(&p, 1, 0, 1, 1e-9);
    const int n = pair_collide(&p, f, con, 0);
    for (int k = 0; k < n; k++) {
      const mjtNum* v = con[k].frame;
      assert_true(isfinite(con[k].dist) && isfinite(con[k].pos[0]) && isfinite(con[k].pos[1]));
      assert_true(fabs(v[0] * v[0] + v[1] * v[1] + v[2] * v[2] - 1) < 1e-9);
    }
  }
}
