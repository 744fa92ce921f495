// Cost, force and state of constraint rows as functions of jar = J·qacc − aref.
//
// The cost s is convex and smooth; per row, with floss the friction loss:
//   equality            ½ D jar²
//   friction loss       ½ D jar², linear beyond |jar| = R·floss (Huber)
//   limit, pyramid edge ½ D jar² where jar < 0
//   elliptic cone       zero above the dual cone, ½ Σ D jar² below the polar cone, and between them
//                       ½ Dm (N − µT)², N normal and T tangential size after scaling by the friction coefficients
#include "constraint/update.h"

#include <math.h>

#include "base/stack.h"
#include "math/simd/kernels.h"

static mjtNum updateFriction(const ConRowSet* r, const mjtNum* jar, int i) {
  const mjtNum floss = r->frictionloss[i], bound = r->R[i] * floss;
  if (jar[i] <= -bound) {
    r->force[i] = floss;
    r->state[i] = mjCNSTRSTATE_LINEARNEG;
    return -0.5 * bound * floss - floss * jar[i];
  }
  if (jar[i] >= bound) {
    r->force[i] = -floss;
    r->state[i] = mjCNSTRSTATE_LINEARPOS;
    return -0.5 * bound * floss + floss * jar[i];
  }
  r->force[i] = -r->D[i] * jar[i];
  r->state[i] = mjCNSTRSTATE_QUADRATIC;
  return 0.5 * r->D[i] * jar[i] * jar[i];
}

// Hessian of the middle-zone cost with respect to jar; U are the scaled components, T the tangential size
static void coneHessian(mjContact* con, const mjtNum U[6], mjtNum T, mjtNum Dm) {
  const int dim = con->dim;
  const mjtNum mu = con->mu;
  mjtNum* H = con->H;
  const mjtNum scl = mu * U[0] / (T * T * T);

  // first row (1, −µU/T), then µN/T³ · UUᵀ and (µ² − µN/T) I in the tangent block
  H[0] = 1;
  for (int j = 1; j < dim; j++) H[j] = -mu / T * U[j];
  for (int k = 1; k < dim; k++) {
    for (int j = k; j < dim; j++) H[k * dim + j] = scl * U[j] * U[k];
    H[k * (dim + 1)] += mu * mu - mu * U[0] / T;
  }

  // back to jar: scale rows and columns by (µ, friction), and mirror
  for (int k = 0; k < dim; k++) {
    const mjtNum rowscale = Dm * (k ? con->friction[k - 1] : mu);
    for (int j = k; j < dim; j++) {
      H[k * dim + j] *= rowscale * (j ? con->friction[j - 1] : mu);
      H[j * dim + k] = H[k * dim + j];
    }
  }
}

// all rows of one elliptic contact
mjtNum con_updateCone(const ConRowSet* r, const mjtNum* jar, int i, int cones) {
  mjContact* con = r->contact + r->id[i];
  const int dim = con->dim;
  const mjtNum mu = con->mu;

  // scaled components; tangential size
  mjtNum U[6], sum = 0, cost = 0;
  U[0] = jar[i] * mu;
  for (int j = 1; j < dim; j++) {
    U[j] = jar[i + j] * con->friction[j - 1];
    sum += U[j] * U[j];
  }
  const mjtNum N = U[0], T = sqrt(sum);
  int state;
  if (N >= mu * T || (T <= 0 && N >= 0)) {
    // top zone: no force
    state = mjCNSTRSTATE_SATISFIED;
    for (int j = 0; j < dim; j++) r->force[i + j] = 0;
  } else if (mu * N + T <= 0 || (T <= 0 && N < 0)) {
    // bottom zone: all rows quadratic
    state = mjCNSTRSTATE_QUADRATIC;
    for (int j = 0; j < dim; j++) {
      r->force[i + j] = -r->D[i + j] * jar[i + j];
      cost += 0.5 * r->D[i + j] * jar[i + j] * jar[i + j];
    }
  } else {
    // middle zone: force on the surface of the cone
    state = mjCNSTRSTATE_CONE;
    const mjtNum Dm = r->D[i] / (mu * mu * (1 + mu * mu)), gap = N - mu * T;
    const mjtNum normal = -Dm * gap * mu, tangential = -normal / T;
    cost = 0.5 * Dm * gap * gap;
    r->force[i] = normal;
    for (int j = 1; j < dim; j++) r->force[i + j] = tangential * U[j] * con->friction[j - 1];
    if (cones) coneHessian(con, U, T, Dm);
  }
  for (int j = 0; j < dim; j++) r->state[i + j] = state;
  return cost;
}

static inline mjtNum updateEquality(const ConRowSet* r, const mjtNum* jar, int i) {
  r->force[i] = -r->D[i] * jar[i];
  r->state[i] = mjCNSTRSTATE_QUADRATIC;
  return 0.5 * r->D[i] * jar[i] * jar[i];
}

mjtNum con_updateHead(const ConRowSet* r, const mjtNum* jar, int first, mjtNum cost) {
  for (int i = first; i < r->ne; i++) cost += updateEquality(r, jar, i);
  for (int i = r->ne; i < r->ne + r->nf; i++) cost += updateFriction(r, jar, i);
  return cost;
}

mjtNum con_updateRow(const ConRowSet* r, const mjtNum* jar, int i) {
  return i < r->ne ? updateEquality(r, jar, i) : updateFriction(r, jar, i);
}

mjtNum con_update(const ConRowSet* r, const mjtNum* jar, int cones) {
  mjtNum cost = con_updateHead(r, jar, 0, 0);
  for (int i = r->ne + r->nf; i < r->nefc;) {
    if (r->type[i] == mjCNSTR_CONTACT_ELLIPTIC) {
      cost += con_updateCone(r, jar, i, cones);
      i += r->contact[r->id[i]].dim;
      continue;
    }
    const int active = !(jar[i] >= 0);
    r->force[i] = active ? -r->D[i] * jar[i] : 0;
    r->state[i] = active ? mjCNSTRSTATE_QUADRATIC : mjCNSTRSTATE_SATISFIED;
    if (active) cost += 0.5 * r->D[i] * jar[i] * jar[i];
    i++;
  }
  return cost;
}

ConRowSet con_allRows(mjData* d) {
  return (ConRowSet){d->ne,       d->nf,     d->nefc,    d->efc_D,     d->efc_R,    d->efc_frictionloss,
                     d->efc_type, d->efc_id, d->contact, d->efc_state, d->efc_force};
}

void mj_constraintUpdate(const mjModel* m, mjData* d, const mjtNum* jar, mjtNum cost[1], int flg_coneHessian) {
  const ConRowSet rows = con_allRows(d);
  const mjtNum s = con_update(&rows, jar, flg_coneHessian);
  if (cost) *cost = s;
  mj_mulJacTVec(m, d, d->qfrc_constraint, d->efc_force);
}
