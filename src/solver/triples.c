// Rows whose columns come by threes or alone (SolTriples), for conjugate gradients: finding them, and their values.
#include <string.h>

#include "base/stack.h"
#include "solver/problem.h"

// most triples in a row: a row with more columns fills groups of eight well
enum { MOST = 12 };

// how many of the columns from ind[k] on are one triple: three that follow one another, or one
static int widthAt(const int* ind, int k, int nnz) {
  return k + 2 < nnz && ind[k + 2] == ind[k] + 2 ? 3 : 1;
}

// The number of triples of row r; 0: it has too many, one of them overlaps with that of another row, or groups of eight
// columns are fewer. owner: (n) for every column one more than the column at which its triple starts
static int countTriples(const SolSource* src, int r, int* owner) {
  const int nnz = src->nnz[r], *ind = src->ind + src->adr[r];

  // an edge between vertices that other edges have brought
  if (nnz == 6 && ind[2] == ind[0] + 2 && ind[5] == ind[3] + 2 && owner[ind[1]] == ind[0] + 1 &&
      owner[ind[4]] == ind[3] + 1) {
    return 2;
  }
  int n = 0, group = -1, ngroup = 0, known = 1;
  for (int k = 0, width; k < nnz; k += width, n++) {
    const int c = ind[k], *own = owner + c;
    width = widthAt(ind, k, nnz);
    if (n == MOST || (own[0] && own[0] != c + 1)) return 0;
    if (width == 1 ? own[0] && own[1] == own[0] : own[1] != own[0] || own[2] != own[0]) return 0;
    known &= own[0] != 0;
    ngroup += (c >> 3 != group) + (c >> 3 != (c + width - 1) >> 3);
    group = (c + width - 1) >> 3;
  }
  if (n > ngroup + 1) return 0;
  for (int k = 0, width; k < (known ? 0 : nnz); k += width) {
    width = widthAt(ind, k, nnz);
    for (int i = 0; i < width; i++) owner[ind[k] + i] = ind[k] + 1;
  }
  return n;
}

// lists the rows among the equalities: contacts have several rows with the same columns, for which groups of eight are
// cheaper; returns the number of their triples
static int findRows(SolTriples* t, const SolSource* src, int ne, int* owner) {
  int total = 0;
  for (int r = 0; r < ne; r++) {
    // rows with the columns of the one before are like it
    const int n = src->nnz[r] > 1 ? countTriples(src, r, owner) : 0;
    if (!n) {
      r += src->super[r];
      continue;
    }
    for (const int last = r + src->super[r]; r <= last; r++, total += n) {
      t->row[t->nrow] = r;
      t->first[t->nrow++] = total;
    }
    r--;
  }
  t->first[t->nrow] = total;
  return total;
}

static void copyValues(SolTriples* t, const SolSource* src) {
  for (int i = 0; i < t->nrow; i++) {
    const int adr = src->adr[t->row[i]], nnz = src->nnz[t->row[i]];
    const mjtNum* val = src->val + adr;
    const int* ind = src->ind + adr;
    for (int k = 0, at = t->first[i]; k < nnz; at++) {
      mjtNum* J = t->J + 4 * at;
      const int three = widthAt(ind, k, nnz) == 3;
      t->column[at] = ind[k];
      J[0] = val[k];
      J[1] = three ? val[k + 1] : 0;
      J[2] = three ? val[k + 2] : 0;
      J[3] = 0;
      k += three ? 3 : 1;
    }
  }
}

// the same by columns; adr: (n + 1) scratch
static void listItems(SolTriples* t, int n, int* adr) {
  memset(adr, 0, sizeof(int) * ((size_t)n + 1));
  const int total = t->first[t->nrow];
  for (int k = 0; k < total; k++) adr[t->column[k]]++;
  int start = 0;
  for (int c = 0; c < n; c++) {
    const int count = adr[c];
    adr[c] = start;
    if (!count) continue;
    t->target[t->ntarget] = c;
    t->itemadr[t->ntarget++] = start;
    start += count;
  }
  t->itemadr[t->ntarget] = start;
  for (int i = 0; i < t->nrow; i++) {
    for (int k = t->first[i]; k < t->first[i + 1]; k++) {
      const int at = adr[t->column[k]]++;
      t->item[at] = k;
      t->itemrow[at] = t->row[i];
    }
  }
}

void sol_loadTriples(SolProblem* p, const SolSource* src) {
  const size_t rows = (size_t)p->rows.ne, dofs = (size_t)p->n;
  SolTriples* t = &p->J.triples;
  int* memory = mj_stackAllocInt(p->d, 2 * rows + 1 + dofs + 2);
  *t = (SolTriples){.row = memory, .first = memory + rows};
  int* scratch = memory + 2 * rows + 1;
  memset(scratch, 0, sizeof(int) * (dofs + 2));
  const size_t total = (size_t)findRows(t, src, p->rows.ne, scratch);
  if (!t->nrow) return;

  memory = mj_stackAllocInt(p->d, 3 * total + 2 * dofs + 1);
  t->column = memory;
  t->item = t->column + total;
  t->itemrow = t->item + total;
  t->target = t->itemrow + total;
  t->itemadr = t->target + dofs;
  t->J = sol_space(p->d, 4 * total);
  copyValues(t, src);
  listItems(t, p->n, scratch);
}
