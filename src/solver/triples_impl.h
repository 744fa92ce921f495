// Rows whose columns come by threes or alone: products with a vector and their transpose. Part of kernels_impl.h.
#pragma once

#include "solver/kernels.h"

// three numbers and one that does not count
typedef mjtNum Triple __attribute__((vector_size(32), aligned(32), may_alias));
typedef mjtNum TripleAny __attribute__((vector_size(32), aligned(8), may_alias));

// products of row i, column by column; one number behind each of the vector's triples is read
INLINE void mulTriple(Triple* res, const SolTriples* t, int i, const mjtNum* v) {
  int k = t->first[i];
  const int end = t->first[i + 1];
  Triple sum = *(const Triple*)(t->J + 4 * k) * *(const TripleAny*)(v + t->column[k]);
  for (k++; k < end; k++) sum += *(const Triple*)(t->J + 4 * k) * *(const TripleAny*)(v + t->column[k]);
  *res = sum;
}

// sums over the three columns of four rows side by side
INLINE void sumTriples(Triple* res, const Triple part[4]) {
  const Triple a = part[0], b = part[1], c = part[2], d = part[3];
  const Triple evenab = __builtin_shufflevector(a, b, 0, 4, 2, 6), oddab = __builtin_shufflevector(a, b, 1, 5, 3, 7);
  const Triple evencd = __builtin_shufflevector(c, d, 0, 4, 2, 6), oddcd = __builtin_shufflevector(c, d, 1, 5, 3, 7);
  const Triple x = __builtin_shufflevector(evenab, evencd, 0, 1, 4, 5);
  const Triple y = __builtin_shufflevector(oddab, oddcd, 0, 1, 4, 5);
  const Triple z = __builtin_shufflevector(evenab, evencd, 2, 3, 6, 7);
  *res = (x + y) + z;
}

// res[row] = J·v − sub; NULL: nothing to subtract
static void mulTriples(mjtNum* res, const SolTriples* t, const mjtNum* v, const mjtNum* sub) {
  int i = 0;
  for (; i + 4 <= t->nrow; i += 4) {
    const int* row = t->row + i;
    Triple part[4], sum;
    EIGHT_UNROLL for (int k = 0; k < 4; k++) mulTriple(part + k, t, i + k, v);
    sumTriples(&sum, part);
    if (row[3] == row[0] + 3) {
      if (sub) sum -= *(const TripleAny*)(sub + row[0]);
      *(TripleAny*)(res + row[0]) = sum;
      continue;
    }
    for (int k = 0; k < 4; k++) res[row[k]] = sub ? sum[k] - sub[row[k]] : sum[k];
  }
  for (; i < t->nrow; i++) {
    Triple sum;
    mulTriple(&sum, t, i, v);
    const mjtNum value = (sum[0] + sum[1]) + sum[2];
    res[t->row[i]] = sub ? value - sub[t->row[i]] : value;
  }
}

// res = Σ f[row] J[row] in the columns of the triples. Targets increase, so that the numbers which each writes behind
// its own are replaced by the next ones, or are the zeros that were there.
static void mulTriplesT(mjtNum* res, const SolTriples* t, const mjtNum* f) {
  for (int k = 0; k < t->ntarget; k++) {
    Triple sum = {0, 0, 0, 0};
    for (int i = t->itemadr[k]; i < t->itemadr[k + 1]; i++) {
      sum += f[t->itemrow[i]] * *(const Triple*)(t->J + 4 * t->item[i]);
    }
    *(TripleAny*)(res + t->target[k]) = sum;
  }
}
