#include "support/query.h"

#include "collision/ccd.h"
#include "math/vec.h"

TstQuery tst_query(const mjModel* m, mjData* d, mjtNum margin) {
  ColConvex a, b;
  ColQuery q = {0};
  col_convexGeom(&a, m, d, 0, margin);
  col_convexGeom(&b, m, d, 1, margin);
  col_queryInit(&q, m, 1, 0);
  TstQuery r = {.dist = col_ccd(d, &q, &a, &b)};
  r.npoint = q.npoint;
  r.separate = q.separate;
  r.grown = q.grown;
  r.outcome = q.outcome;
  mth_copy3(r.x1, q.x1);
  mth_copy3(r.x2, q.x2);
  mth_copy3(r.axis, q.axis);
  return r;
}
