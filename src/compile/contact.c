// Contact pairs and exclusions: both are sorted by the bodies that they concern, which is how the engine looks them up.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compile/compile.h"

// signature of two bodies, the smaller id first
static int bodySignature(int body1, int body2) {
  return body1 < body2 ? (body1 << 16) + body2 : (body2 << 16) + body1;
}

// weight of the first geom's solver parameters
static double mixOf(double solmix1, double solmix2) {
  const int small1 = solmix1 < SPC_EPS, small2 = solmix2 < SPC_EPS;
  if (small1 && small2) return 0.5;
  if (small1) return 0;
  if (small2) return 1;
  return solmix1 / (solmix1 + solmix2);
}

// what the pair leaves undefined comes from its geoms: from that of higher priority, or from both
static void inherit(CmpPair* pair) {
  mjsPair* const s = &pair->s;
  const mjsGeom *const g1 = &pair->geom1->s, *const g2 = &pair->geom2->s;
  if (!cmp_given(s->margin)) s->margin = fmax(g1->margin, g2->margin);
  if (!cmp_given(s->gap)) s->gap = fmax(g1->gap, g2->gap);
  const int same = g1->priority == g2->priority;
  const mjsGeom *const a = same || g1->priority > g2->priority ? g1 : g2, *const b = same ? g2 : a;
  if (s->condim < 0) s->condim = a->condim > b->condim ? a->condim : b->condim;
  if (!cmp_given(s->friction[0])) {
    s->friction[0] = s->friction[1] = fmax(a->friction[0], b->friction[0]);
    s->friction[2] = fmax(a->friction[1], b->friction[1]);
    s->friction[3] = s->friction[4] = fmax(a->friction[2], b->friction[2]);
  }
  const double mix = same ? mixOf(g1->solmix, g2->solmix) : 1;
  if (!cmp_given(s->solref[0])) {
    for (int i = 0; i < mjNREF; i++) s->solref[i] = fmin(a->solref[i], b->solref[i]);
  }
  if (!cmp_given(s->solimp[0])) {
    for (int i = 0; i < mjNIMP; i++) s->solimp[i] = mix * a->solimp[i] + (1 - mix) * b->solimp[i];
  }
}

static void compilePair(Cmp* c, CmpPair* pair) {
  mjsPair* const s = &pair->s;
  SpcElement* const e = pair->head.e;
  if (s->condim != 1 && s->condim != 3 && s->condim != 4 && s->condim != 6) {
    cmp_fail(c, e, "invalid condim in contact pair");
  }
  const SpcString* const names[2] = {s->geomname1, s->geomname2};
  CmpGeom* geom[2];
  for (int k = 0; k < 2; k++) {
    geom[k] = pair->part[k] ? pair->part[k] : cmp_find(c, SPC_GEOM, spc_text(names[k]));
    if (!geom[k]) cmp_fail(c, e, "geom '%s' not found in collision %d", spc_text(names[k]), pair->head.id);
    geom[k]->visual = 0;
  }
  const int swap = geom[0]->body->head.id > geom[1]->body->head.id;
  pair->geom1 = geom[swap];
  pair->geom2 = geom[!swap];
  pair->signature = bodySignature(geom[0]->body->head.id, geom[1]->body->head.id);
  inherit(pair);
}

static int comparePairs(const void* a, const void* b) {
  const CmpPair *const p = *(CmpPair*const*)a, *const q = *(CmpPair*const*)b;
  return p->signature != q->signature ? (p->signature < q->signature ? -1 : 1) : p->head.id - q->head.id;
}

static int compareExcludes(const void* a, const void* b) {
  const CmpExclude *const p = *(CmpExclude*const*)a, *const q = *(CmpExclude*const*)b;
  return p->signature != q->signature ? (p->signature < q->signature ? -1 : 1) : p->head.id - q->head.id;
}

void cmp_compilePairs(Cmp* c) {
  BAS_ASSERT(c->stage == CMP_TREE);
  CmpList* const list = &c->list[SPC_PAIR];
  for (int i = 0; i < list->n; i++) compilePair(c, list->at[i]);
  if (list->n) qsort(list->at, (size_t)list->n, sizeof(void*), comparePairs);
  cmp_number(list);
}

void cmp_compileExcludes(Cmp* c) {
  BAS_ASSERT(c->stage == CMP_TREE);
  CmpList* const list = &c->list[SPC_EXCLUDE];
  for (int i = 0; i < list->n; i++) {
    CmpExclude* const exclude = list->at[i];
    const SpcString* const names[2] = {exclude->s.bodyname1, exclude->s.bodyname2};
    int id[2];
    for (int k = 0; k < 2; k++) {
      const CmpBody* const body = cmp_find(c, SPC_BODY, spc_text(names[k]));
      if (!body)
        cmp_fail(c, exclude->head.e, "body '%s' not found in bodypair %d", spc_text(names[k]), exclude->head.id);
      id[k] = body->head.id;
    }
    exclude->signature = bodySignature(id[0], id[1]);
  }
  if (list->n) qsort(list->at, (size_t)list->n, sizeof(void*), compareExcludes);
  cmp_number(list);
}
