// Structure of the sparse matrices over dofs from bare arrays. Dofs and bodies are numbered depth first: what hangs on
// one follows it without gap, so that every row is the way from the root and then a range.
#pragma once

#include "math/sparse.h"

// Rows over dofs. Row i has the ancestors of i and i itself; when whole, also the dofs below.
typedef struct {
  int nv;
  const int* parentid;
  const int* alone;  // (nv) dofs with a value here have their diagonal only; NULL: none
  int whole;
} CmpDofRows;

// sizes and places of packed rows and, in below, the number of dofs below each; returns the number of entries
int cmp_countDofRows(const CmpDofRows* rows, const MthPatternOut* out, int* below);

// columns, and in diag (NULL: not wanted) the place of the diagonal in its row
void cmp_fillDofRows(const CmpDofRows* rows, const MthPatternOut* out, const int* below, int* diag);

// Rows over bodies: the dofs of the ancestors of a body, its own, and those of the bodies below.
typedef struct {
  int nbody;
  const int *parentid, *dofnum;
} CmpBodyRows;

// sizes and places of packed rows and, in below, the number of dofs of each body and of those below it; returns the
// number of entries
int cmp_countBodyRows(const CmpBodyRows* rows, const MthPatternOut* out, int* below);
void cmp_fillBodyRows(const CmpBodyRows* rows, const MthPatternOut* out, const int* below);

// D entry ↔ M entry; entry of M in the older order (diagonal first, then towards the root) ↔ M entry. D has all
// ancestors and descendants of a dof in its row, M is its lower triangle, where simple dofs have their diagonal only.
typedef struct {
  MthPattern D, M;
  const int *diag, *Madr;  // (nv) number of ancestors, start of the row in the older order
  int *M2D, *D2M, *M2M;    // where each entry of D, M, M is found; M2D: -1 for none
} CmpDofMaps;

void cmp_mapDofRows(const CmpDofMaps* maps);
