// Contacts and rows: the first ones in the workspace, the rest in a piece of the pool, which a group takes when it
// needs one and gives back at the end of the step. There are as many pieces as groups that can run at a time, so there
// is always a free one.
#pragma once

#include "cuda/group.h"

//---------------------------------- pieces ----------------------------------

CU_FN void cu_takePiece(Cu* c) {
  if (c->more) return;
  int piece = 0;
#ifdef __CUDACC__
  if (cu_lane() == 0) {
    const int n = c->t->npiece;
    piece = (int)((blockIdx.x * blockDim.x + threadIdx.x) / CU_WIDTH % (unsigned)n);
    while (atomicCAS(c->t->taken + piece, 0, 1)) piece = piece + 1 < n ? piece + 1 : 0;
    __threadfence();
  }
  piece = __shfl_sync(cu_group(), piece, 0, CU_WIDTH);
#endif
  c->more = c->t->pool + (int64_t)piece * c->t->piece;
}

CU_FN void cu_givePiece(Cu* c) {
  if (!c->more) return;
  cu_sync();
#ifdef __CUDACC__
  if (cu_lane() == 0) {
    __threadfence();
    atomicExch(c->t->taken + (c->more - c->t->pool) / c->t->piece, 0);
  }
#endif
  c->more = 0;
}

//---------------------------------- contacts ----------------------------------

// 0: there are more contacts than there is room for
CU_FN int cu_roomForContacts(Cu* c, int n) {
  if (n <= c->m->maxcon) return 1;
  if (n > c->m->maxcon + c->m->morecon) {
    c->status |= CUD_FULL;
    return 0;
  }
  cu_takePiece(c);
  c->status |= CUD_SPILLED;
  return 1;
}

CU_FN Real* cu_contact(const Cu* c, int i) {
  const int n = c->m->maxcon;
  return i < n ? CU_W(c, contact) + CUD_CONTACT * i : c->more + CUD_CONTACT * (i - n);
}

//---------------------------------- rows ----------------------------------

CU_FN int cu_roomForRows(Cu* c, int n) {
  if (n <= c->m->maxrow) return 1;
  if (n > c->m->maxrow + c->m->morerow) {
    c->status |= CUD_FULL;
    return 0;
  }
  cu_takePiece(c);
  c->status |= CUD_SPILLED;
  c->spills = 1;
  return 1;
}

// where the rows of the pool begin: Jacobians, then the other numbers
CU_FN Real* cu_moreRows(const Cu* c) {
  return c->more + CUD_CONTACT * c->m->morecon;
}

// Jacobian of a row
CU_FN Real* cu_J(const Cu* c, int r) {
  const CudModel* m = c->m;
  if (!c->spills || r < m->maxrow) return CU_W(c, row) + r * m->nvs;
  return cu_moreRows(c) + (r - m->maxrow) * m->nvs;
}

// another number of a row: CUD_D ...
CU_FN Real* cu_row(const Cu* c, int what, int r) {
  const CudModel* m = c->m;
  if (!c->spills || r < m->maxrow) return CU_W(c, row) + m->maxrow * m->nvs + what * m->maxrow + r;
  return cu_moreRows(c) + m->morerow * m->nvs + what * m->morerow + (r - m->maxrow);
}
