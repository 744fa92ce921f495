// Stiffness of flexes with models of their own.
//
// A step that is implicit in position too solves (M - h ∂f/∂v - h² ∂f/∂x) a = f + h ∂f/∂x v. With K = -∂f/∂x of an
// element and damping D that is M + h² K + h D on the left and -hKv on the right. The gradient of the angle at an edge
// is taken as constant: K = k ∇θ∇θᵀ.
#include "derivative/flex_system.h"

#include <string.h>

#include "force/flex_model.h"
#include "math/vec.h"

//---------------------------------- dofs ----------------------------------

// sliding joints of the body of each vertex: their axes are the columns of its Jacobian
static void listDofs(DerFlexSystem* s, const mjData* d, const PhySection* physics) {
  const mjModel* m = s->m;
  for (int i = 0; i < m->nv; i++) s->place[i] = -1;
  memset(s->nnz, 0, (size_t)m->nflexvert * sizeof(int));
  for (int f = 0; f < m->nflex; f++) {
    if (m->flex_rigid[f] || (!phy_bendingOf(physics, f) && !phy_elasticityOf(physics, f))) continue;
    for (int v = m->flex_vertadr[f]; v < m->flex_vertadr[f] + m->flex_vertnum[f]; v++) {
      const int body = m->flex_vertbodyid[v], first = m->body_jntadr[body];
      for (int j = first; j < first + m->body_jntnum[body] && s->nnz[v] < 3; j++) {
        if (m->jnt_type[j] != mjJNT_SLIDE) continue;
        const int dof = m->jnt_dofadr[j], k = s->nnz[v]++;
        if (s->place[dof] < 0) {
          s->place[dof] = s->n;
          s->dof[s->n++] = dof;
        }
        s->ind[3 * v + k] = s->place[dof];
        mth_copy3(s->J + 9 * v + 3 * k, d->xaxis + 3 * j);
      }
    }
  }
}

//---------------------------------- blocks ----------------------------------

static int countBlocks(const mjModel* m, const PhySection* physics) {
  int n = 0;
  for (int f = 0; f < m->nflex; f++) {
    if (phy_bendingOf(physics, f)) n += m->flex_edgenum[f];
    if (phy_elasticityOf(physics, f)) n += m->flex_elemnum[f];
  }
  return n;
}

// g and factors of an edge
static void addHinge(DerFlexSystem* s, mjData* d, const FrcFlexModel* f, int edge) {
  const snBending* model = (const snBending*)sn_modelAt(SN_BENDING, f->setting->model);
  FrcHinge h;
  if (!frc_openHinge(f, edge, &h)) return;
  mjtNum slope[2], rate = 0, vel[3], *g = mj_stackAllocNum(d, 12);
  for (int i = 0; i < 4; i++) {
    frc_vertexVelocity(f->m, d, f->flex, h.vert[i], vel);
    rate += mth_dot3(vel, h.hinge.grad[i]);
    mth_copy3(g + 3 * i, h.hinge.grad[i]);
  }
  model->derivative(h.constant, h.bend, rate, slope);
  const mjtNum step = f->m->opt.timestep, k = mth_max(0, -slope[0]), c = mth_max(0, -slope[1]);
  DerFlexBlock* b = s->block + s->nblock++;
  *b = (DerFlexBlock){
      .nvert = 4, .gradient = 1, .K = {g,                          g       },
              .factor = {step * step * k + step * c, step * k}
  };
  for (int i = 0; i < 4; i++) b->vert[i] = f->m->flex_vertadr[f->flex] + h.vert[i];
}

// gradients of the shape functions of an element: row i of Dm⁻¹ for vertex i + 1, minus their sum for vertex 0
static void shapeGradients(const FrcElement* e, mjtNum grad[4][3]) {
  memset(grad, 0, 12 * sizeof(mjtNum));
  for (int i = 0; i < e->dim; i++) {
    for (int c = 0; c < e->dim; c++) {
      grad[i + 1][c] = e->inverse[e->dim * i + c];
      grad[0][c] -= grad[i + 1][c];
    }
  }
}

// V ∂F/∂xᵀ (dP/dF) ∂F/∂x
static void elementStiffness(const FrcElement* e, const mjtNum* dP, mjtNum* K) {
  const int dim = e->dim, n = 3 * dim, size = 3 * (dim + 1);
  mjtNum grad[4][3];
  shapeGradients(e, grad);
  for (int i = 0; i <= dim; i++) {
    for (int r = 0; r < 3; r++) {
      mjtNum row[9] = {0};
      for (int c = 0; c < dim; c++) {
        for (int k = 0; k < n; k++) row[k] += e->volume * grad[i][c] * dP[n * (dim * r + c) + k];
      }
      for (int j = 0; j <= dim; j++) {
        for (int q = 0; q < 3; q++) {
          mjtNum sum = 0;
          for (int c = 0; c < dim; c++) sum += row[dim * q + c] * grad[j][c];
          K[size * (3 * i + r) + 3 * j + q] = sum;
        }
      }
    }
  }
}

// dP = scale · dP + damping · what resists rates
static void addViscosity(const FrcElement* e, mjtNum* dP, mjtNum scale, mjtNum damping) {
  const int n = 3 * e->dim;
  for (int j = 0; j < n; j++) {
    mjtNum unit[9] = {0}, column[9];
    unit[j] = 1;
    frc_elementViscosity(e, unit, column);
    for (int i = 0; i < n; i++) dP[n * i + j] = scale * dP[n * i + j] + damping * column[i];
  }
}

static void addElement(DerFlexSystem* s, mjData* d, const FrcFlexModel* f, int elem) {
  const snElasticity* model = (const snElasticity*)sn_modelAt(SN_ELASTICITY, f->setting->model);
  FrcElement e;
  if (!frc_openElement(f, elem, &e)) return;
  mjtNum dP[81];
  phy_stiffness(model, e.constant, e.dim, e.F, dP);
  phy_dropNegative(dP, 3 * e.dim);
  const size_t size = 3 * (size_t)(e.dim + 1);
  mjtNum* K = mj_stackAllocNum(d, size * size);
  elementStiffness(&e, dP, K);
  const mjtNum step = f->m->opt.timestep, damping = f->m->flex_damping[f->flex];
  DerFlexBlock* b = s->block + s->nblock++;
  *b = (DerFlexBlock){
      .nvert = e.dim + 1, .K = {K,           K   },
             .factor = {step * step, step}
  };
  if (damping > 0 && !(f->m->opt.disableflags & mjDSBL_DAMPER)) {
    mjtNum* damped = mj_stackAllocNum(d, size * size);
    addViscosity(&e, dP, step * step, step * damping);
    elementStiffness(&e, dP, damped);
    b->K[DER_MATRIX] = damped;
    b->factor[DER_MATRIX] = 1;
  }
  for (int i = 0; i <= e.dim; i++) b->vert[i] = f->m->flex_vertadr[f->flex] + e.vert[i];
}

int der_openFlexSystem(const mjModel* m, mjData* d, DerFlexSystem* s) {
  const PhySection* physics = m->nflex ? phy_open(m, d) : NULL;
  const int most = physics ? countBlocks(m, physics) : 0;
  *s = (DerFlexSystem){.m = m};
  if (!most || (m->opt.disableflags & mjDSBL_SPRING)) return 0;
  const size_t nvert = (size_t)m->nflexvert;
  s->dof = mj_stackAllocInt(d, (size_t)m->nv);
  s->place = mj_stackAllocInt(d, (size_t)m->nv);
  s->nnz = mj_stackAllocInt(d, nvert);
  s->ind = mj_stackAllocInt(d, 3 * nvert);
  s->J = mj_stackAllocNum(d, 9 * nvert);
  s->block = mj_stackAllocByte(d, (size_t)most * sizeof(DerFlexBlock), _Alignof(DerFlexBlock));
  listDofs(s, d, physics);
  for (int f = 0; f < m->nflex; f++) {
    const PhySetting *bending = phy_bendingOf(physics, f), *elasticity = phy_elasticityOf(physics, f);
    if (m->flex_rigid[f]) continue;
    if (bending) {
      const FrcFlexModel model = frc_flexModel(m, d, physics, bending);
      for (int e = 0; e < m->flex_edgenum[f]; e++) addHinge(s, d, &model, e);
    }
    if (elasticity) {
      const FrcFlexModel model = frc_flexModel(m, d, physics, elasticity);
      for (int t = 0; t < m->flex_elemnum[f]; t++) addElement(s, d, &model, t);
    }
  }
  return s->n;
}

//---------------------------------- products ----------------------------------

// velocities of the vertices of a block
static void gather(const DerFlexSystem* s, const DerFlexBlock* b, const mjtNum* vec, mjtNum* v) {
  memset(v, 0, 12 * sizeof(mjtNum));
  for (int i = 0; i < b->nvert; i++) {
    const int at = b->vert[i];
    for (int k = 0; k < s->nnz[at]; k++) mth_addToScl3(v + 3 * i, s->J + 9 * at + 3 * k, vec[s->ind[3 * at + k]]);
  }
}

static void scatter(const DerFlexSystem* s, const DerFlexBlock* b, mjtNum* res, const mjtNum* v, mjtNum scale) {
  for (int i = 0; i < b->nvert; i++) {
    const int at = b->vert[i];
    for (int k = 0; k < s->nnz[at]; k++) {
      res[s->ind[3 * at + k]] += scale * mth_dot3(s->J + 9 * at + 3 * k, v + 3 * i);
    }
  }
}

void der_flexSystemMul(const DerFlexSystem* s, mjtNum* res, const mjtNum* vec, int which) {
  for (int i = 0; i < s->nblock; i++) {
    const DerFlexBlock* b = s->block + i;
    const int size = 3 * b->nvert;
    const mjtNum* K = b->K[which];
    mjtNum v[12], Kv[12] = {0};
    gather(s, b, vec, v);
    if (b->gradient) {
      mjtNum dot = 0;
      for (int k = 0; k < size; k++) dot += K[k] * v[k];
      for (int k = 0; k < size; k++) Kv[k] = K[k] * dot;
    } else {
      for (int r = 0; r < size; r++) {
        mjtNum sum = 0;
        for (int k = 0; k < size; k++) sum += K[size * r + k] * v[k];
        Kv[r] = sum;
      }
    }
    scatter(s, b, res, Kv, b->factor[which]);
  }
}

void der_flexSystemDiagonal(const DerFlexSystem* s, mjtNum* res) {
  for (int i = 0; i < s->nblock; i++) {
    const DerFlexBlock* b = s->block + i;
    const int size = 3 * b->nvert;
    const mjtNum* K = b->K[DER_MATRIX];
    for (int v = 0; v < b->nvert; v++) {
      const int at = b->vert[v];
      for (int k = 0; k < s->nnz[at]; k++) {
        const mjtNum* axis = s->J + 9 * at + 3 * k;
        mjtNum sum = 0;
        for (int r = 0; r < 3; r++) {
          for (int q = 0; q < 3; q++) {
            const int row = 3 * v + r, col = 3 * v + q;
            sum += axis[r] * axis[q] * (b->gradient ? K[row] * K[col] : K[size * row + col]);
          }
        }
        res[s->ind[3 * at + k]] += b->factor[DER_MATRIX] * sum;
      }
    }
  }
}
