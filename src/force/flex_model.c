// Forces of flexes whose bending or elasticity is a model of its own.
//
// Bending: moment · ∇θ on the four vertices of an edge. Elasticity: -V P Dm⁻ᵀ on the vertices of an element, with
// P(F) the model's stress and F = Ds Dm⁻¹. Damping is viscous with the stiffness of small strains, whatever the model:
// P = damping · F (2μ Ė + λ tr Ė), which takes no momentum and always loses energy.
#include "force/flex_model.h"

#include <math.h>
#include <string.h>

#include "dynamics/dynamics.h"
#include "math/vec.h"

//---------------------------------- vertices ----------------------------------

void frc_vertexVelocity(const mjModel* m, const mjData* d, int flex, int vertex, mjtNum vel[3]) {
  const int at = m->flex_vertadr[flex] + vertex, body = m->flex_vertbodyid[at];
  const mjtNum *cvel = d->cvel + 6 * body, *com = d->subtree_com + 3 * m->body_rootid[body];
  mjtNum arm[3], turn[3];
  mth_sub3(arm, d->flexvert_xpos + 3 * at, com);
  mth_cross3(turn, cvel, arm);
  mth_add3(vel, cvel + 3, turn);
}

mjtNum frc_vertexInvMass(const mjModel* m, int flex, int vertex) {
  const int body = m->flex_vertbodyid[m->flex_vertadr[flex] + vertex];
  return m->body_weldid[body] && m->body_mass[body] > 0 ? 1 / m->body_mass[body] : 0;
}

// forces on the vertices of a flex, on the stack of mjData
typedef struct {
  mjtNum *spring, *damper;  // (vertices x 3)
} VertexForces;

static VertexForces openForces(const FrcFlexModel* f) {
  const size_t n = 3 * (size_t)f->m->flex_vertnum[f->flex];
  VertexForces forces = {mj_stackAllocNum(f->d, n), mj_stackAllocNum(f->d, n)};
  memset(forces.spring, 0, n * sizeof(mjtNum));
  memset(forces.damper, 0, n * sizeof(mjtNum));
  return forces;
}

// to the dofs of the bodies that carry the vertices
static void applyForces(const FrcFlexModel* f, const VertexForces* forces, int spring, int damper) {
  const int first = f->m->flex_vertadr[f->flex];
  for (int v = 0; v < f->m->flex_vertnum[f->flex]; v++) {
    const int body = f->m->flex_vertbodyid[first + v];
    const mjtNum* pos = f->d->flexvert_xpos + 3 * (first + v);
    if (spring) dyn_addWrench(f->m, f->d, (DynWrench){body, pos, forces->spring + 3 * v, NULL}, f->d->qfrc_spring);
    if (damper) dyn_addWrench(f->m, f->d, (DynWrench){body, pos, forces->damper + 3 * v, NULL}, f->d->qfrc_damper);
  }
}

//---------------------------------- bending ----------------------------------

int frc_openHinge(const FrcFlexModel* f, int edge, FrcHinge* h) {
  const mjModel* m = f->m;
  const int e = m->flex_edgeadr[f->flex] + edge;
  const snBending* model = (const snBending*)sn_modelAt(SN_BENDING, f->setting->model);
  const mjtNum *prepared = f->prepared + (size_t)edge * (size_t)phy_edgeNumbers(model), *pos[4];
  if (prepared[1] < 0) return 0;
  h->vert[0] = m->flex_edge[2 * e];
  h->vert[1] = m->flex_edge[2 * e + 1];
  h->vert[2] = (int)prepared[0];
  h->vert[3] = (int)prepared[1];
  for (int i = 0; i < 4; i++) pos[i] = f->d->flexvert_xpos + 3 * (m->flex_vertadr[f->flex] + h->vert[i]);
  if (!phy_hinge(pos, &h->hinge)) return 0;

  // the shorter way round
  h->constant = prepared + 3;
  h->bend = h->hinge.angle - prepared[2];
  if (h->bend > mjPI) h->bend -= 2 * mjPI;
  if (h->bend <= -mjPI) h->bend += 2 * mjPI;
  return 1;
}

// An explicit step must not turn a hinge by more than about a radian: largest moment for which no vertex moves further
// than 1/|∇θ|. The whole hinge is scaled by the tightest vertex, so that momentum is kept.
static mjtNum largestMoment(const FrcFlexModel* f, const FrcHinge* h) {
  const mjtNum step = f->m->opt.timestep;
  mjtNum most = INFINITY;
  for (int i = 0; i < 4; i++) {
    const mjtNum square = mth_dot3(h->hinge.grad[i], h->hinge.grad[i]);
    const mjtNum rate = step * step * square * frc_vertexInvMass(f->m, f->flex, h->vert[i]);
    if (rate * most > 1) most = 1 / rate;
  }
  return most;
}

static mjtNum bendRate(const FrcFlexModel* f, const FrcHinge* h) {
  mjtNum rate = 0, vel[3];
  for (int i = 0; i < 4; i++) {
    frc_vertexVelocity(f->m, f->d, f->flex, h->vert[i], vel);
    rate += mth_dot3(h->hinge.grad[i], vel);
  }
  return rate;
}

void frc_modelBending(const FrcFlexModel* f, int spring, int damper) {
  const snBending* model = (const snBending*)sn_modelAt(SN_BENDING, f->setting->model);
  const int clamped = f->m->opt.integrator == mjINT_EULER || f->m->opt.integrator == mjINT_RK4;
  mj_markStack(f->d);
  const VertexForces forces = openForces(f);
  for (int e = 0; e < f->m->flex_edgenum[f->flex]; e++) {
    FrcHinge h;
    if (!frc_openHinge(f, e, &h)) continue;
    mjtNum elastic = model->apply(h.constant, h.bend, 0);
    mjtNum viscous = damper ? model->apply(h.constant, h.bend, bendRate(f, &h)) - elastic : 0;
    if (clamped) {
      const mjtNum most = largestMoment(f, &h), total = fabs(elastic) + fabs(viscous);
      if (total > most) {
        elastic *= most / total;
        viscous *= most / total;
      }
    }
    for (int i = 0; i < 4; i++) {
      mth_addToScl3(forces.spring + 3 * h.vert[i], h.hinge.grad[i], elastic);
      mth_addToScl3(forces.damper + 3 * h.vert[i], h.hinge.grad[i], viscous);
    }
  }
  applyForces(f, &forces, spring, damper);
  mj_freeStack(f->d);
}

//---------------------------------- elasticity ----------------------------------

void frc_elementGradient(const FrcElement* e, const mjtNum* field, mjtNum* gradient) {
  const int dim = e->dim;
  memset(gradient, 0, sizeof(mjtNum) * 3 * (size_t)dim);
  for (int i = 0; i < dim; i++) {
    mjtNum side[3];
    mth_sub3(side, field + 3 * e->vert[i + 1], field + 3 * e->vert[0]);
    for (int r = 0; r < 3; r++) {
      for (int c = 0; c < dim; c++) gradient[dim * r + c] += side[r] * e->inverse[dim * i + c];
    }
  }
}

int frc_openElement(const FrcFlexModel* f, int elem, FrcElement* e) {
  const mjModel* m = f->m;
  const snElasticity* model = (const snElasticity*)sn_modelAt(SN_ELASTICITY, f->setting->model);
  e->dim = m->flex_dim[f->flex];
  e->vert = m->flex_elem + m->flex_elemdataadr[f->flex] + (e->dim + 1) * elem;
  e->constant = f->prepared;
  e->moduli = f->prepared + model->nconst;
  e->inverse = e->moduli + 2 + (size_t)elem * (size_t)phy_elementNumbers(e->dim);
  e->volume = e->inverse[e->dim * e->dim];
  if (e->volume == 0) return 0;
  frc_elementGradient(e, f->d->flexvert_xpos + 3 * m->flex_vertadr[f->flex], e->F);
  return 1;
}

void frc_elementViscosity(const FrcElement* e, const mjtNum* rate, mjtNum* P) {
  const int dim = e->dim;
  mjtNum E[3][3] = {{0}}, trace = 0, square = 0;
  for (int i = 0; i < 3 * dim; i++) square += e->F[i] * e->F[i];
  for (int i = 0; i < dim; i++) {
    for (int j = 0; j < dim; j++) {
      for (int r = 0; r < 3; r++) {
        E[i][j] += (rate[dim * r + i] * e->F[dim * r + j] + e->F[dim * r + i] * rate[dim * r + j]) / 2;
      }
    }
    trace += E[i][i];
  }

  // beyond twice the length, damping grows no more
  const mjtNum scale = mth_min(1, 4 * dim / mth_max(square, mjMINVAL));
  for (int r = 0; r < 3; r++) {
    for (int c = 0; c < dim; c++) {
      mjtNum sum = e->moduli[1] * trace * e->F[dim * r + c];
      for (int k = 0; k < dim; k++) sum += 2 * e->moduli[0] * e->F[dim * r + k] * E[k][c];
      P[dim * r + c] = scale * sum;
    }
  }
}

// adds -scale · V P Dm⁻ᵀ to the vertices
static void addStress(const FrcElement* e, const mjtNum* P, mjtNum scale, mjtNum* force) {
  const int dim = e->dim;
  for (int i = 0; i < dim; i++) {
    mjtNum push[3];
    for (int r = 0; r < 3; r++) {
      mjtNum sum = 0;
      for (int c = 0; c < dim; c++) sum += P[dim * r + c] * e->inverse[dim * i + c];
      push[r] = -scale * e->volume * sum;
    }
    mth_addTo3(force + 3 * e->vert[i + 1], push);
    mth_subFrom3(force + 3 * e->vert[0], push);
  }
}

void frc_modelElasticity(const FrcFlexModel* f, int spring, int damper) {
  const snElasticity* model = (const snElasticity*)sn_modelAt(SN_ELASTICITY, f->setting->model);
  const int nvert = f->m->flex_vertnum[f->flex];
  const mjtNum damping = f->m->flex_damping[f->flex];
  mj_markStack(f->d);
  const VertexForces forces = openForces(f);
  mjtNum* vel = mj_stackAllocNum(f->d, 3 * (size_t)nvert);
  const int viscous = damper && damping > 0;
  for (int v = 0; viscous && v < nvert; v++) frc_vertexVelocity(f->m, f->d, f->flex, v, vel + 3 * v);

  for (int t = 0; t < f->m->flex_elemnum[f->flex]; t++) {
    FrcElement e;
    mjtNum P[9], rate[9];
    if (!frc_openElement(f, t, &e)) continue;
    model->apply(e.constant, e.dim, e.F, P);
    addStress(&e, P, 1, forces.spring);
    if (!viscous) continue;
    frc_elementGradient(&e, vel, rate);
    frc_elementViscosity(&e, rate, P);
    addStress(&e, P, damping, forces.damper);
  }
  applyForces(f, &forces, spring, viscous);
  mj_freeStack(f->d);
}

//---------------------------------- energy ----------------------------------

mjtNum sn_flexEnergy(const mjModel* m, mjData* d, int flex) {
  if (flex < 0 || flex >= m->nflex) return 0;
  const PhySection* s = phy_open(m, d);
  const PhySetting *bending = phy_bendingOf(s, flex), *elasticity = phy_elasticityOf(s, flex);
  mjtNum energy = 0;
  if (bending) {
    const FrcFlexModel f = frc_flexModel(m, d, s, bending);
    const snBending* model = (const snBending*)sn_modelAt(SN_BENDING, bending->model);
    FrcHinge h;
    for (int e = 0; e < m->flex_edgenum[flex]; e++) {
      if (frc_openHinge(&f, e, &h)) energy += model->energy(h.constant, h.bend);
    }
  }
  if (elasticity) {
    const FrcFlexModel f = frc_flexModel(m, d, s, elasticity);
    const snElasticity* model = (const snElasticity*)sn_modelAt(SN_ELASTICITY, elasticity->model);
    FrcElement e;
    for (int t = 0; t < m->flex_elemnum[flex]; t++) {
      if (frc_openElement(&f, t, &e)) energy += e.volume * model->energy(e.constant, e.dim, e.F);
    }
  }
  return energy;
}
