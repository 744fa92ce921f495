// Bodies behind a flex contact: the vertices of an element weighted by inverse distance, or the nodes of an
// interpolated flex weighted by their basis functions.

#include "constraint/flexside.h"

#include "math/vec.h"
#include "base/assert.h"

// value of the 1D basis function of node i, for linear (order 1) and quadratic (order 2) interpolation
static mjtNum basis1(mjtNum x, int i, int order) {
  if (order == 1) return i ? x : 1 - x;
  switch (i) {
    case 0:
      return (2 * x - 1) * (x - 1);
    case 1:
      return 4 * x * (1 - x);
    default:
      return x * (2 * x - 1);
  }
}

// product basis of node `node` of a grid with order + 1 nodes per side; the last coordinate runs fastest
static mjtNum basis3(const mjtNum x[3], int node, int order) {
  BAS_ASSERT(order == 1 || order == 2);
  const int n = order + 1;
  return basis1(x[0], node / (n * n), order) * basis1(x[1], (node / n) % n, order) * basis1(x[2], node % n, order);
}

// vertices of an element, weighted by the inverse distance to the point; the vertex that the other side is is left out
static int elementWeights(const mjModel* m, const mjData* d, const mjContact* con, int side, int vert[4],
                          mjtNum weight[4]) {
  const int f = con->flex[side], dim = m->flex_dim[f];
  const int* element = m->flex_elem + m->flex_elemdataadr[f] + con->elem[side] * (dim + 1);
  int n = 0;
  mjtNum sum = 0;
  for (int i = 0; i <= dim; i++) {
    if (element[i] == con->vert[1 - side]) continue;
    vert[n] = m->flex_vertadr[f] + element[i];
    weight[n] = 1 / mth_max(mjMINVAL, mth_dist3(con->pos, d->flexvert_xpos + 3 * vert[n]));
    sum += weight[n++];
  }
  if (sum < mjMINVAL) mju_error("mj_makeConstraint: flex element %d has no weight at a contact", con->elem[side]);
  for (int i = 0; i < n; i++) weight[i] *= 1 / sum;
  return n;
}

void con_side(ConSide* res, const mjModel* m, const mjData* d, const mjContact* con, int side, int sign) {
  res->n = 0;
  if (con_isSingle(m, con, side)) {
    res->n = 1;
    res->body[0] = con_singleBody(m, con, side);
    res->weight[0] = sign;
    return;
  }

  // vertices
  const int f = con->flex[side];
  int n = 1, vert[4] = {0};
  mjtNum weight[4] = {1};
  if (con->vert[side] >= 0) {
    vert[0] = m->flex_vertadr[f] + con->vert[side];
  } else {
    n = elementWeights(m, d, con, side, vert, weight);
  }
  for (int i = 0; i < n; i++) weight[i] *= sign;

  // each vertex is a body
  if (m->flex_interp[f] == 0) {
    res->n = n;
    for (int i = 0; i < n; i++) {
      res->body[i] = m->flex_vertbodyid[vert[i]];
      res->weight[i] = weight[i];
    }
    return;
  }

  // interpolated: the nodes whose basis functions reach the point
  mjtNum coord[3] = {0, 0, 0};
  for (int i = 0; i < n; i++) mth_addToScl3(coord, m->flex_vert0 + 3 * vert[i], weight[i]);
  for (int i = 0; i < m->flex_nodenum[f] && res->n < CON_MAXSIDE; i++) {
    const mjtNum w = basis3(coord, i, m->flex_interp[f]);
    if (w < 1e-5) continue;
    res->body[res->n] = m->flex_nodebodyid[m->flex_nodeadr[f] + i];
    res->weight[res->n++] = w;
  }
}
