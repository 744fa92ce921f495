// Cuts the bodies into parts for threads. See parts.h.
#include "sleep/parts.h"

#include "base/assert.h"
#include "base/share.h"

// bodies that make a part worth a thread
enum { BODY_PART = 16 };

int slp_countParts(const mjModel* m, const mjData* d) {
  if (slp_bodies(m, d).list || slp_dofs(m, d).list) return 1;
  return bas_parts(d, (int)m->nbody, BODY_PART);
}

// one pass in parts
typedef struct {
  const mjModel* m;
  mjData* d;
  SlpPass pass;
  void* arg;
  int n;
} Shared;

// first child of the world from where a part would begin
static int cutAt(const mjModel* m, int n, int piece) {
  const int nbody = (int)m->nbody;
  int body = bas_part(nbody - 1, n, piece).begin + 1;
  while (piece && body < nbody && m->body_parentid[body]) body++;
  return body;
}

// first dof of the bodies from one on
static int firstDof(const mjModel* m, int body) {
  while (body < m->nbody && !m->body_dofnum[body]) body++;
  return body < m->nbody ? m->body_dofadr[body] : (int)m->nv;
}

static void onePart(void* arg, int piece) {
  const Shared* s = arg;
  const int begin = cutAt(s->m, s->n, piece), end = piece + 1 < s->n ? cutAt(s->m, s->n, piece + 1) : (int)s->m->nbody;
  const SlpPart part = {
      {end,   NULL,          begin },
      { firstDof(s->m, end), NULL, firstDof(s->m, begin)}
  };
  for (int b = begin; b < (BAS_DEBUG ? end : 0); b++) {
    BAS_ASSERT(!s->m->body_parentid[b] || (s->m->body_parentid[b] >= begin && s->m->body_parentid[b] < b));
  }
  if (begin < end) s->pass(s->m, s->d, &part, s->arg);
}

void slp_shareParts(const mjModel* m, mjData* d, SlpPass pass, void* arg, int nparts) {
  Shared s = {m, d, pass, arg, nparts};
  bas_share(d, NULL, onePart, &s, nparts);
}
