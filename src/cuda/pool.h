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

// where the rows of the pool begin: Jacobians, their products with M⁻¹ where the solver is dual, then the other numbers
CU_FN Real* cu_moreRows(const Cu* c) {
  return c->more + CUD_CONTACT * c->m->morecon;
}

// Jacobian of a row
CU_FN Real* cu_J(const Cu* c, int r) {
  const CudModel* m = c->m;
  if (!c->spills || r < m->maxrow) return CU_W(c, row) + r * m->nvs;
  return cu_moreRows(c) + (r - m->maxrow) * m->nvs;
}

// columns of a row that may differ from 0, from one multiple of four to another
#if CU_FAR
CU_FN int cu_begin(const Cu* c, int r);
CU_FN int cu_end(const Cu* c, int r);
#else
#define cu_begin(c, r) 0
#define cu_end(c, r)   (c)->m->nvs
#endif

// another number of a row: CUD_D ...
CU_FN Real* cu_row(const Cu* c, int what, int r) {
  const CudModel* m = c->m;
  if (!c->spills || r < m->maxrow) return CU_W(c, row) + m->maxrow * m->nrowvec + what * m->maxrow + r;
  return cu_moreRows(c) + m->morerow * m->nrowvec + what * m->morerow + (r - m->maxrow);
}

#if CU_FAR

CU_FN int cu_begin(const Cu* c, int r) {
  return (int)*cu_row(c, CUD_BEGIN, r);
}

CU_FN int cu_end(const Cu* c, int r) {
  return (int)*cu_row(c, CUD_END, r);
}

// finds them for all rows
CU_FN void cu_spans(const Cu* c) {
  CU_FOR(r, c->nrow) {
    const Real* J = cu_J(c, r);
    int begin = 0, end = c->m->nvs;
    while (begin < end && J[begin] == 0) begin++;
    while (end > begin && J[end - 1] == 0) end--;
    *cu_row(c, CUD_BEGIN, r) = (Real)(begin / 4 * 4);
    *cu_row(c, CUD_END, r) = (Real)((end + 3) / 4 * 4);
  }
  cu_sync();

  // a cone couples all its rows
  CU_FOR(r, c->nrow) {
    if ((int)*cu_row(c, CUD_KIND, r) != CUD_CONE) continue;
    int begin = cu_begin(c, r), end = cu_end(c, r), last = r;
    while (last + 1 < c->nrow && (int)*cu_row(c, CUD_KIND, last + 1) == CUD_CONE_PART) {
      last++;
      if (cu_begin(c, last) < begin) begin = cu_begin(c, last);
      if (cu_end(c, last) > end) end = cu_end(c, last);
    }
    for (int k = r; k <= last; k++) {
      *cu_row(c, CUD_BEGIN, k) = (Real)begin;
      *cu_row(c, CUD_END, k) = (Real)end;
    }
  }
  cu_sync();
}

// rows of H begin where M does, or with a constraint that couples trees
CU_FN void cu_profile(Cu* c) {
  const CudModel* m = c->m;
  int* first = (int*)CU_W(c, first);
  CU_FOR(i, m->nv) {
    int least = m->dof_first[i];
    for (int r = 0; r < c->nrow; r++) {
      const int begin = cu_begin(c, r);
      if (begin < least && i < cu_end(c, r) && cu_J(c, r)[i] != 0) least = begin;
    }
    first[i] = least;
  }
  c->first = first;
  cu_sync();
}

#endif
