// Differential sweeps of iterative pairs: random poses of two geoms of a compiled model, ours against the reference.
#pragma once

#include "collision/pair.h"

// what a sweep found; poses where the contacts differ by more than rounding are counted, not averaged
typedef struct {
  int n, touching;
  int count;        // poses with another number of contacts
  int off6;         // poses beyond 1e-6 in depth or 1e-3 in normal or position
  int off10;        // poses beyond 1e-10 in anything
  double worst[3];  // depth, normal, position
} Sweep;

static inline void sweep_compare(Sweep* s, int i, int nours, const mjContact* ours, int ntheirs,
                                 const mjContact* theirs) {
  s->n++;
  s->touching += ntheirs > 0;
  if (nours != ntheirs) {
    if (s->count++ < 3) print_message("  pose %d: %d contacts, reference %d\n", i, nours, ntheirs);
    return;
  }
  int bad6 = 0, bad10 = 0;
  for (int k = 0; k < nours; k++) {
    orc_result(&theirs[k].dist, 13);
    double off[3] = {fabs(ours[k].dist - theirs[k].dist), 0, 0};
    for (int c = 0; c < 3; c++) {
      off[1] = fmax(off[1], fabs(ours[k].frame[c] - theirs[k].frame[c]));
      off[2] = fmax(off[2], fabs(ours[k].pos[c] - theirs[k].pos[c]));
    }
    for (int c = 0; c < 3; c++) s->worst[c] = fmax(s->worst[c], off[c]);
    bad6 |= !(off[0] < 1e-6 && off[1] < 1e-3 && off[2] < 1e-3);
    bad10 |= !(off[0] < 1e-10 && off[1] < 1e-10 && off[2] < 1e-10);
  }
  if (bad6 && s->off6 < 3) print_message("  pose %d: off by more than 1e-6\n", i);
  s->off6 += bad6;
  s->off10 += bad10;
}

static inline void sweep_report(const char* name, const Sweep* s) {
  print_message("%-28s touching %4d/%d, other count %d, beyond 1e-6: %d, beyond 1e-10: %d, worst %.0e %.0e %.0e\n",
                name, s->touching, s->n, s->count, s->off6, s->off10, s->worst[0], s->worst[1], s->worst[2]);
}

// random orientation; one in four is a multiple of a quarter turn, so that ties happen
static inline void sweep_turn(mjtNum mat[9], Rnd* r) {
  Pair p;
  pair_randomTurn(&p, 0, r);
  memcpy(mat, p.mat, sizeof(p.mat) / 2);
}

// n poses of geoms 0 and 1 of m, whose distance is within reach times their bounding radii
static inline Sweep sweep_geoms(const mjModel* m, int n, mjtNum reach) {
  Sweep s = {0};
  Rnd r = {.state = 2024};
  mjData* d = mj_makeData(m);
  const int g1 = m->geom_type[0] <= m->geom_type[1] ? 0 : 1, g2 = 1 - g1;
  const mjfCollision theirs = (*ORC(mjCOLLISIONFUNC))[m->geom_type[g1]][m->geom_type[g2]];
  const mjfCollision ours = mjCOLLISIONFUNC[m->geom_type[g1]][m->geom_type[g2]];
  assert_non_null(ours);
  assert_non_null(theirs);
  const mjtNum far = reach * ((m->geom_rbound[0] > 0 ? m->geom_rbound[0] : 0) + m->geom_rbound[1]);

  n = orc_trials(n);
  for (int i = 0; i < n; i++) {
    mjContact a[mjMAXCONPAIR] = {{0}}, b[mjMAXCONPAIR] = {{0}};
    for (int g = 0; g < 2; g++) sweep_turn(d->geom_xmat + 9 * g, &r);
    for (int k = 0; k < 3; k++) {
      d->geom_xpos[k] = rnd_uniform(&r, -1, 1);
      d->geom_xpos[3 + k] = d->geom_xpos[k] + rnd_uniform(&r, -far, far);
    }
    const mjtNum margin = rnd_below(&r, 2) ? 0 : rnd_uniform(&r, 0, 0.1);
    const int nours = ours(m, d, a, g1, g2, margin);
    const int ntheirs = theirs(m, d, b, g1, g2, margin);
    sweep_compare(&s, i, nours, a, ntheirs, b);
  }
  mj_deleteData(d);
  return s;
}

// two geoms in free bodies (the first in the world if fixed) with the given assets and options
static inline mjModel* sweep_model(const char* asset, const char* geom1, const char* geom2, const char* option) {
  static char xml[200000];
  snprintf(xml, sizeof(xml),
           "<mujoco><option>%s</option><asset>%s</asset><worldbody>"
           "<geom %s/><body><freejoint/><geom %s/></body></worldbody></mujoco>",
           option, asset, geom1, geom2);
  return orc_compile(xml);
}
