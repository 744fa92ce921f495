// Elasticity of flexes.
//
// Stretch: Saint Venant-Kirchhoff in squared edge lengths, energy ¼ eᵀ K e with e_k = l_k² - L_k² (+ Rayleigh
// damping from the previous length), so the force on the ends of edge k is ∓ (K e)_k (x_a - x_b).
// Bending: one 4x4 quadratic form per interior edge over its two flaps plus a term for a curved rest shape.
// Interpolated: one stiffness matrix over the nodes in the co-rotated frame, f = Rᵀ K (R x - x0).
#include "force/flex_passive.h"

#include <math.h>
#include <string.h>

#include "dynamics/dynamics.h"
#include "force/flex_model.h"
#include "math/quat.h"
#include "math/simd/kernels.h"
#include "math/vec.h"
#include "model/flex_edge.h"

enum {
  STRETCH_STRIDE = 21,  // packed symmetric 6x6 matrix per element
  BEND_STRIDE = 17      // 4x4 matrix and the rest-shape coefficient per edge
};

// three numbers and one that does not count, side by side
typedef mjtNum Vec __attribute__((vector_size(32), aligned(32), may_alias));
typedef mjtNum VecAny __attribute__((vector_size(32), aligned(8), may_alias));

//---------------------------------- bending ----------------------------------

// adds a vertex force to the translational dofs of its body, at most three of them
static void addToBodyDofs(const mjModel* m, mjtNum* qfrc, int body, const mjtNum force[3], mjtNum scale) {
  const int num = mth_minInt(3, m->body_dofnum[body]);
  mjtNum* target = qfrc + m->body_dofadr[body];
  for (int x = 0; x < num; x++) target[x] += scale * force[x];
}

// force of a curved rest shape: gradient of the volume spanned by the flap
static void curvedForce(mjtNum force[4][4], const mjtNum* const pos[4]) {
  mjtNum side[3][3];
  for (int k = 0; k < 3; k++) mth_sub3(side[k], pos[k + 1], pos[0]);
  mth_cross3(force[1], side[1], side[2]);
  mth_cross3(force[2], side[2], side[0]);
  mth_cross3(force[3], side[0], side[1]);
  for (int x = 0; x < 3; x++) force[0][x] = -(force[1][x] + force[2][x] + force[3][x]);
}

// Σ_j bend[i, j] x[j] for all four rows i; of each vector one number more than its three is read
static inline void bendProduct(mjtNum res[4][4], const mjtNum bend[16], const mjtNum* const x[4]) {
  const Vec x0 = *(const VecAny*)x[0], x1 = *(const VecAny*)x[1], x2 = *(const VecAny*)x[2], x3 = *(const VecAny*)x[3];
  for (int i = 0; i < 4; i++) {
    *(VecAny*)res[i] = ((bend[4 * i] * x0 + bend[4 * i + 1] * x1) + bend[4 * i + 2] * x2) + bend[4 * i + 3] * x3;
  }
}

// one vertex of a flex: its place and velocity with a number behind, its dofs
typedef struct {
  mjtNum pos[4], vel[4];
  int dof, ndof;  // translational dofs of its body, at most three
} BendVertex;

// spring and damper forces across one edge
static void bendEdge(mjData* d, const BendVertex* const v[4], const mjtNum* bend, int spring, mjtNum damping) {
  const mjtNum* const pos[4] = {v[0]->pos, v[1]->pos, v[2]->pos, v[3]->pos};
  mjtNum force[4][4], curved[4][4];
  if (spring) {
    bendProduct(force, bend, pos);
    if (bend[16]) curvedForce(curved, pos);
    for (int i = 0; i < 4; i++) {
      mjtNum* target = d->qfrc_spring + v[i]->dof;
      if (bend[16]) mth_addToScl3(force[i], curved[i], bend[16]);
      for (int x = 0; x < v[i]->ndof; x++) target[x] -= force[i][x];
    }
  }
  if (!damping) return;
  bendProduct(force, bend, (const mjtNum* const[4]){v[0]->vel, v[1]->vel, v[2]->vel, v[3]->vel});
  for (int i = 0; i < 4; i++) {
    mjtNum* target = d->qfrc_damper + v[i]->dof;
    for (int x = 0; x < v[i]->ndof; x++) target[x] -= damping * force[i][x];
  }
}

// the vertices of a flex, on the stack
static BendVertex* bendVertices(const mjModel* m, mjData* d, int flex) {
  const int n = m->flex_vertnum[flex], first = m->flex_vertadr[flex];
  BendVertex* vertex = mj_stackAllocByte(d, sizeof(BendVertex) * (size_t)n, 32);
  for (int i = 0; i < n; i++) {
    const int body = m->flex_vertbodyid[first + i], num = m->body_dofnum[body];
    BendVertex* v = vertex + i;
    *v = (BendVertex){.dof = m->body_dofadr[body], .ndof = mth_minInt(3, num)};
    mth_copy3(v->pos, d->flexvert_xpos + 3 * (first + i));
    if (num >= 3) mth_copy3(v->vel, d->qvel + v->dof);
  }
  return vertex;
}

static void bendForces(const mjModel* m, mjData* d, int flex) {
  // vertices between nodes have no dofs of their own
  if (m->flex_interp[flex]) return;
  const int first = m->flex_edgeadr[flex], spring = !mjDISABLED(mjDSBL_SPRING);
  const mjtNum damping = mjDISABLED(mjDSBL_DAMPER) ? 0 : m->flex_damping[flex];
  mj_markStack(d);
  const BendVertex* v = bendVertices(m, d, flex);
  for (int e = first; e < first + m->flex_edgenum[flex]; e++) {
    // edges on the boundary have one flap only
    const int *edge = m->flex_edge + 2 * e, *flap = m->flex_edgeflap + 2 * e;
    if (flap[1] == -1) continue;
    const BendVertex* const vert[4] = {v + edge[0], v + edge[1], v + flap[0], v + flap[1]};
    bendEdge(d, vert, m->flex_bending + BEND_STRIDE * e, spring, damping);
  }
  mj_freeStack(d);
}

//---------------------------------- stretch ----------------------------------

// elongation measure of one edge, with generalized Rayleigh damping: the change over the last step counts as strain
static mjtNum elongation(const mjModel* m, const mjData* d, int edge, mjtNum damping) {
  const mjtNum length = d->flexedge_length[edge], rest = m->flexedge_length0[edge];
  const mjtNum previous = length - d->flexedge_velocity[edge] * m->opt.timestep;
  return length * length - rest * rest + (length * length - previous * previous) * damping;
}

// what the elements of a flex share, on the stack: four numbers a vertex, of which the last does not count
typedef struct {
  int flex;
  mjtNum* pos;         // (vertices x 4)
  mjtNum* force;       // (vertices x 4)
  mjtNum* elongation;  // (edges)
} Stretch;

static Stretch openStretch(const mjModel* m, mjData* d, int flex) {
  const int nvert = m->flex_vertnum[flex], nedge = m->flex_edgenum[flex], first = m->flex_edgeadr[flex];
  const mjtNum damping = m->opt.timestep > 0 ? m->flex_damping[flex] / m->opt.timestep : 0;
  const mjtNum* xpos = d->flexvert_xpos + 3 * m->flex_vertadr[flex];
  Stretch s = {flex, mj_stackAllocByte(d, sizeof(mjtNum) * 4 * (size_t)nvert, 32),
               mj_stackAllocByte(d, sizeof(mjtNum) * 4 * (size_t)nvert, 32), mj_stackAllocNum(d, (size_t)nedge)};
  memset(s.force, 0, sizeof(mjtNum) * 4 * (size_t)nvert);
  for (int v = 0; v < nvert; v++) {
    mth_copy3(s.pos + 4 * v, xpos + 3 * v);
    s.pos[4 * v + 3] = 0;
  }
  for (int e = 0; e < nedge; e++) s.elongation[e] = elongation(m, d, first + e, damping);
  return s;
}

// adds the forces of all elements with nedge edges, which the compiler knows
static inline void stretchElements(const mjModel* m, const Stretch* s, int dim, int nedge) {
  const int flex = s->flex, (*edge)[2] = mdl_flexEdge[dim - 1];
  const int* vert = m->flex_elem + m->flex_elemdataadr[flex];
  const int* elemedge = m->flex_elemedge + m->flex_elemedgeadr[flex];
  const mjtNum* stiffness = m->flex_stiffness + STRETCH_STRIDE * m->flex_elemadr[flex];
  for (int t = 0; t < m->flex_elemnum[flex]; t++, vert += dim + 1, elemedge += nedge, stiffness += STRETCH_STRIDE) {
    // tension = K * elongation, K packed by rows of its upper triangle
    mjtNum strain[6], tension[6] = {0};
    const mjtNum* packed = stiffness;
    for (int e = 0; e < nedge; e++) strain[e] = s->elongation[elemedge[e]];
    for (int i = 0; i < nedge; i++) {
      tension[i] += *packed++ * strain[i];
      for (int j = i + 1; j < nedge; j++, packed++) {
        tension[i] += *packed * strain[j];
        tension[j] += *packed * strain[i];
      }
    }

    // pull the two ends of each edge together
    for (int e = 0; e < nedge; e++) {
      const int a = vert[edge[e][0]], b = vert[edge[e][1]];
      const Vec along = *(const Vec*)(s->pos + 4 * a) - *(const Vec*)(s->pos + 4 * b);
      *(Vec*)(s->force + 4 * a) += along * -tension[e];
      *(Vec*)(s->force + 4 * b) += along * tension[e];
    }
  }
}

static void stretchForces(const mjModel* m, mjData* d, int flex) {
  mj_markStack(d);
  const Stretch s = openStretch(m, d, flex);
  if (m->flex_dim[flex] == 2) {
    stretchElements(m, &s, 2, 3);
  } else {
    stretchElements(m, &s, 3, 6);
  }

  // vertices with three sliding dofs of their own take the force directly, pinned ones pass it on to their body
  const mjtNum* xpos = d->flexvert_xpos + 3 * m->flex_vertadr[flex];
  const int* bodyid = m->flex_vertbodyid + m->flex_vertadr[flex];
  for (int v = 0; v < m->flex_vertnum[flex]; v++) {
    if (m->body_simple[bodyid[v]] == 2) {
      addToBodyDofs(m, d->qfrc_spring, bodyid[v], s.force + 4 * v, 1);
    } else {
      dyn_addWrench(m, d, (DynWrench){bodyid[v], xpos + 3 * v, s.force + 4 * v, NULL}, d->qfrc_spring);
    }
  }
  mj_freeStack(d);
}

//---------------------------------- interpolation ----------------------------------

// shape function of one direction and its derivative at 1/2, by order and node
static const mjtNum SHAPE_CENTER[2][3] = {
    {0.5, 0.5, 0},
    {0,   1,   0}
};
static const mjtNum SLOPE_CENTER[2][3] = {
    {-1, 1, 0},
    {-1, 0, 1}
};

// deformation gradient at the centre of the grid
static void centerGradient(mjtNum grad[9], const mjtNum* xpos, int order) {
  const mjtNum *shape = SHAPE_CENTER[order - 1], *slope = SLOPE_CENTER[order - 1];
  const int n = order + 1;
  memset(grad, 0, 9 * sizeof(mjtNum));
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      for (int k = 0; k < n; k++, xpos += 3) {
        const mjtNum dphi[3] = {slope[i] * shape[j] * shape[k], shape[i] * slope[j] * shape[k],
                                shape[i] * shape[j] * slope[k]};
        // NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage): there are (order + 1)³ nodes
        for (int r = 0; r < 3; r++) mth_addToScl3(grad + 3 * r, dphi, xpos[r]);
      }
    }
  }
}

void frc_flexNodes(const mjModel* m, mjData* d, int flex, mjtNum* xpos, mjtNum* vel, mjtNum quat[4]) {
  const int nnode = m->flex_nodenum[flex], first = m->flex_nodeadr[flex];
  const int* bodyid = m->flex_nodebodyid + first;

  // nodes sit on their bodies, at the origin when the flex is centred
  for (int i = 0; i < nnode; i++) {
    const int body = bodyid[i];
    if (m->flex_centered[flex]) {
      mth_copy3(xpos + 3 * i, d->xpos + 3 * body);
      if (vel) mth_copy3(vel + 3 * i, d->qvel + m->body_dofadr[body]);
    } else {
      mjtNum screw[6];
      mth_mulMatVec3(xpos + 3 * i, d->xmat + 9 * body, m->flex_node + 3 * (first + i));
      mth_addTo3(xpos + 3 * i, d->xpos + 3 * body);
      if (vel) {
        mj_objectVelocity(m, d, mjOBJ_BODY, body, screw, 0);
        mth_copy3(vel + 3 * i, screw + 3);
      }
    }
  }

  // rotation of the whole: polar part of the deformation at the centre
  mjtNum grad[9];
  centerGradient(grad, xpos, m->flex_interp[flex]);
  mju_mat2Rot(quat, grad);
  mth_negQuat(quat, quat);
}

void frc_flexLocal(const mjModel* m, mjData* d, int flex, mjtNum* xpos, mjtNum* vel, mjtNum quat[4]) {
  frc_flexNodes(m, d, flex, xpos, vel, quat);
  for (int i = 0; i < m->flex_nodenum[flex]; i++) {
    mth_rotVecQuat(xpos + 3 * i, xpos + 3 * i, quat);
    for (int k = 0; k < 3; k++) xpos[3 * i + k] += 0.5;
    if (vel) mth_rotVecQuat(vel + 3 * i, vel + 3 * i, quat);
  }
}

// adds the force on a node to qfrc; nodes of centred flexes have three sliding dofs of their own
static void applyNode(const mjModel* m, const mjData* d, int centered, DynWrench node, mjtNum* qfrc) {
  if (centered) {
    mth_addTo3(qfrc + m->body_dofadr[node.body], node.force);
  } else {
    dyn_addWrench(m, d, node, qfrc);
  }
}

static void interpolatedForces(const mjModel* m, mjData* d, int flex, int spring, int damper) {
  const int nnode = m->flex_nodenum[flex], size = 3 * nnode, centered = m->flex_centered[flex];
  const int* body = m->flex_nodebodyid + m->flex_nodeadr[flex];
  const mjtNum* stiffness = m->flex_stiffness + STRETCH_STRIDE * m->flex_elemadr[flex];
  const mjtNum* rest = m->flex_node0 + 3 * m->flex_nodeadr[flex];
  mjtNum xpos[3 * mjMAXFLEXNODES], vel[3 * mjMAXFLEXNODES], local[3 * mjMAXFLEXNODES], force[3 * mjMAXFLEXNODES];
  mjtNum quat[4] = {1, 0, 0, 0}, back[4], center[3] = {0, 0, 0};
  frc_flexNodes(m, d, flex, xpos, vel, quat);
  mth_negQuat(back, quat);
  for (int i = 0; i < nnode; i++) mth_addToScl3(center, xpos + 3 * i, 1.0 / nnode);

  // displacement from the rest shape in the co-rotated frame; the rest shape is centred at (½, ½, ½)
  if (spring) {
    for (int i = 0; i < nnode; i++) {
      mjtNum* x = local + 3 * i;
      mth_sub3(x, xpos + 3 * i, center);
      mth_rotVecQuat(x, x, quat);
      for (int k = 0; k < 3; k++) x[k] += 0.5 - rest[3 * i + k];
    }
    mth_mulMatVec(force, stiffness, local, size, size);
    for (int i = 0; i < nnode; i++) {
      mth_rotVecQuat(force + 3 * i, force + 3 * i, back);
      applyNode(m, d, centered, (DynWrench){body[i], xpos + 3 * i, force + 3 * i, NULL}, d->qfrc_spring);
    }
  }

  // damping proportional to stiffness
  if (damper) {
    for (int i = 0; i < nnode; i++) mth_rotVecQuat(local + 3 * i, vel + 3 * i, quat);
    mth_mulMatVec(force, stiffness, local, size, size);
    for (int i = 0; i < nnode; i++) {
      mth_rotVecQuat(force + 3 * i, force + 3 * i, back);
      mth_scl3(force + 3 * i, force + 3 * i, m->flex_damping[flex]);
      applyNode(m, d, centered, (DynWrench){body[i], xpos + 3 * i, force + 3 * i, NULL}, d->qfrc_damper);
    }
  }
}

//---------------------------------- edges and driver ----------------------------------

// springs and dampers along the edges
static void edgeForces(const mjModel* m, mjData* d, int flex, mjtNum stiffness, mjtNum damping) {
  const int first = m->flex_edgeadr[flex];
  for (int e = first; e < first + m->flex_edgenum[flex]; e++) {
    if (m->flexedge_rigid[e]) continue;
    const mjtNum spring = stiffness * (m->flexedge_length0[e] - d->flexedge_length[e]);
    const mjtNum damper = -damping * d->flexedge_velocity[e];
    const int adr = m->flexedge_J_rowadr[e], nnz = m->flexedge_J_rownnz[e], *dof = m->flexedge_J_colind + adr;
    const mjtNum* J = d->flexedge_J + adr;
    for (int j = 0; j < (stiffness ? nnz : 0); j++) d->qfrc_spring[dof[j]] += J[j] * spring;
    for (int j = 0; j < (damping ? nnz : 0); j++) d->qfrc_damper[dof[j]] += J[j] * damper;
  }
}

// forces of a flex with a model of its own; 1: there is nothing left to do for it
static int chosenForces(const mjModel* m, mjData* d, int flex, int spring, int damper) {
  const PhySection* s = phy_open(m, d);
  const PhySetting *bending = phy_bendingOf(s, flex), *elasticity = phy_elasticityOf(s, flex);
  if (!bending && !elasticity) return 0;
  const FrcFlexModel bend = bending ? frc_flexModel(m, d, s, bending) : (FrcFlexModel){0};
  const FrcFlexModel stretch = elasticity ? frc_flexModel(m, d, s, elasticity) : (FrcFlexModel){0};
  if (bending) {
    frc_modelBending(&bend, spring, damper);
  } else if (m->flex_dim[flex] == 2) {
    bendForces(m, d, flex);
  }
  if (elasticity) {
    frc_modelElasticity(&stretch, spring, damper);
  } else if (m->flex_stiffness[STRETCH_STRIDE * m->flex_elemadr[flex]] != 0) {
    stretchForces(m, d, flex);
  }
  return 1;
}

void frc_flex(const mjModel* m, mjData* d, int spring, int damper) {
  // volume and surface elasticity
  const PhySection* physics = m->nflex ? phy_open(m, d) : NULL;
  for (int f = 0; f < m->nflex; f++) {
    if (m->flex_dim[f] == 1 || m->flex_rigid[f]) continue;
    if (physics && chosenForces(m, d, f, spring, damper)) continue;
    if (m->flex_dim[f] == 2) bendForces(m, d, f);
    if (m->flex_stiffness[STRETCH_STRIDE * m->flex_elemadr[f]] == 0) continue;
    if (m->flex_interp[f]) {
      interpolatedForces(m, d, f, spring, damper);
    } else {
      stretchForces(m, d, f);
    }
  }

  // edges
  for (int f = 0; f < m->nflex; f++) {
    const mjtNum stiffness = spring ? m->flex_edgestiffness[f] : 0;
    const mjtNum damping = damper ? m->flex_edgedamping[f] : 0;
    if (!m->flex_rigid[f] && (stiffness != 0 || damping != 0)) edgeForces(m, d, f, stiffness, damping);
  }
}
