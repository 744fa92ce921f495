// Flexes: places and velocities of vertices and nodes, lengths of edges, forces, and rows that keep edges or sheets in
// shape. Only the kernels with workspaces in the memory of the device have them: there is room for their code.
//
// The formulas are those of kinematics/flex_position.c, kinematics/flex_strain.c and force/flex_passive.c. Forces are
// gathered, not scattered: a vertex takes what the edges around it give, a body what its vertices and nodes have, a dof
// what the bodies that it moves have, so that no two lanes add to one number.
#pragma once

#include "cuda/dynamics.h"
#include "cuda/kinematics.h"

// numbers of an element's stiffness and of an edge's bending in the model
enum { CU_STRETCH = 21, CU_BEND = 17 };

//---------------------------------- places ----------------------------------

// point that is fixed to a body
CU_FN void cu_bodyPoint(const Cu* c, Real r[3], const Real local[3], int body) {
  cu_rotate(r, CU_W(c, xquat) + 4 * body, local);
  cu_add3(r, r, CU_W(c, xpos) + 3 * body);
}

// Lagrange polynomials on [0, 1] with nodes at the ends (order 1) and in the middle as well (order 2)
CU_FN Real cu_lagrange(Real s, int i, int order) {
  if (order == 1) return i == 0 ? 1 - s : s;
  if (i == 0) return 2 * s * s - 3 * s + 1;
  if (i == 1) return 4 * (s - s * s);
  return 2 * s * s - s;
}

// value at x of the shape function of node i
CU_FN Real cu_flexBasis(const Real x[3], int i, int order) {
  const int n = order + 1;
  return cu_lagrange(x[0], i / (n * n), order) * cu_lagrange(x[1], i / n % n, order) * cu_lagrange(x[2], i % n, order);
}

// vertices on bodies of their own, or between nodes
CU_CALL void cu_flexPlaces(const Cu* c) {
  const CudModel* m = c->m;
  Real *vert = CU_W(c, vert), *node = CU_W(c, node);
  CU_FOR(i, m->nflexnode) cu_bodyPoint(c, node + 3 * i, m->flex_node + 3 * i, m->flex_nodebodyid[i]);
  cu_sync();
  CU_FOR(v, m->nflexvert) {
    const int f = m->vert_flex[v], order = m->flex_interp[f];
    Real* x = vert + 3 * v;
    if (!order) {
      cu_bodyPoint(c, x, m->flex_vert + 3 * v, m->flex_vertbodyid[v]);
      continue;
    }
    cu_set3(x, 0, 0, 0);
    for (int i = 0; i < m->flex_nodenum[f]; i++) {
      cu_addScl3(x, x, node + 3 * (m->flex_nodeadr[f] + i), cu_flexBasis(m->flex_vert0 + 3 * v, i, order));
    }
  }
  cu_sync();
  CU_OUT(c, flexvert_xpos, vert, 3 * m->nflexvert);
}

// 1: the edges of a flex have lengths that matter
CU_FN int cu_hasEdges(const CudModel* m, int f) {
  return !m->flex_rigid[f] && !m->flex_interp[f];
}

// ends of an edge, and the direction from the first to the second; returns its length
CU_FN Real cu_edge(const Cu* c, int e, int vert[2], Real u[3]) {
  const CudModel* m = c->m;
  for (int k = 0; k < 2; k++) vert[k] = m->flex_vertadr[m->edge_flex[e]] + m->flex_edge[2 * e + k];
  cu_sub3(u, CU_W(c, vert) + 3 * vert[1], CU_W(c, vert) + 3 * vert[0]);
  return cu_unit3(u);
}

//---------------------------------- velocities ----------------------------------

// velocity of a point that moves with a body
CU_FN void cu_velocityAt(const Cu* c, Real r[3], int body, const Real point[3]) {
  const Real none[3] = {0, 0, 0};
  Real v[6], arm[3];
  cu_ofBody(c, body, CU_W(c, dofvel), none, v);
  cu_sub3(arm, point, CU_W(c, com) + 3 * c->m->body_rootid[body]);
  cu_cross3(r, v, arm);
  cu_add3(r, r, v + 3);
}

// velocities of the first three dofs of a body, 0 where it has fewer
CU_FN void cu_slidingVelocity(const Cu* c, Real r[3], int body) {
  const CudModel* m = c->m;
  cu_set3(r, 0, 0, 0);
  if (m->body_dofnum[body] >= 3) cu_copy3(r, CU_W(c, qvel) + m->body_dofadr[body]);
}

// vertices and nodes; a node that is not its body's origin counts with the velocity of the body's centre
CU_FN void cu_flexVelocities(const Cu* c) {
  const CudModel* m = c->m;
  CU_FOR(v, m->nflexvert) {
    const int body = m->flex_vertbodyid[v];
    if (body >= 0) cu_velocityAt(c, CU_W(c, vert_vel) + 3 * v, body, CU_W(c, vert) + 3 * v);
  }
  CU_FOR(i, m->nflexnode) {
    const int body = m->flex_nodebodyid[i];
    if (m->flex_centered[m->node_flex[i]]) {
      cu_slidingVelocity(c, CU_W(c, node_vel) + 3 * i, body);
    } else {
      cu_velocityAt(c, CU_W(c, node_vel) + 3 * i, body, CU_W(c, xipos) + 3 * body);
    }
  }
  cu_sync();
}

//---------------------------------- edges and elements ----------------------------------

// length of an edge, the force of its spring and damper, and its elongation, for which the change over the last step
// counts as strain
CU_FN void cu_edgeState(const Cu* c, int e, int spring, int damper) {
  const CudModel* m = c->m;
  const int f = m->edge_flex[e];
  int vert[2];
  Real u[3], between[3], length = 0, rate = 0, force = 0;
  if (cu_hasEdges(m, f)) {
    length = cu_edge(c, e, vert, u);
    cu_sub3(between, CU_W(c, vert_vel) + 3 * vert[1], CU_W(c, vert_vel) + 3 * vert[0]);
    rate = cu_dot3(u, between);
    if (spring) force = m->flex_edgestiffness[f] * (m->flexedge_length0[e] - length);
    if (damper) force -= m->flex_edgedamping[f] * rate;
  }
  const Real damping = m->timestep > 0 ? m->flex_damping[f] / m->timestep : 0, before = length - rate * m->timestep;
  const Real rest = m->flexedge_length0[e], square = length * length;
  CU_W(c, edge_length)[e] = length;
  CU_W(c, edge_force)[e] = m->flexedge_rigid[e] ? 0 : force;
  CU_W(c, elongation)[e] = square - rest * rest + (square - before * before) * damping;
}

// 1: its elements resist stretching
CU_FN int cu_stretches(const CudModel* m, int f) {
  return cu_hasEdges(m, f) && m->flex_dim[f] > 1 && m->flex_stiffness[CU_STRETCH * m->flex_elemadr[f]] != 0;
}

// tension of an element along its edges: stiffness, packed by rows of its upper triangle, times elongation
CU_FN void cu_stretchElement(const Cu* c, int f, int t) {
  const CudModel* m = c->m;
  const int n = m->flex_dim[f] == 2 ? 3 : 6, at = m->flex_elemedgeadr[f] + n * t;
  const Real* packed = m->flex_stiffness + CU_STRETCH * (m->flex_elemadr[f] + t);
  Real strain[6], tension[6] = {0, 0, 0, 0, 0, 0};
  for (int i = 0; i < n; i++) strain[i] = CU_W(c, elongation)[m->flex_edgeadr[f] + m->flex_elemedge[at + i]];
  for (int i = 0; i < n; i++) {
    tension[i] += *packed++ * strain[i];
    for (int j = i + 1; j < n; j++, packed++) {
      tension[i] += *packed * strain[j];
      tension[j] += *packed * strain[i];
    }
  }
  for (int i = 0; i < n; i++) CU_W(c, tension)[at + i] = tension[i];
}

// what edges do: each on its own, and with the elements around it
CU_FN void cu_edgePulls(const Cu* c, int spring, int damper) {
  const CudModel* m = c->m;
  CU_FOR(e, m->nflexedge) cu_edgeState(c, e, spring, damper);
  cu_sync();
  CU_OUT(c, flexedge_length, CU_W(c, edge_length), m->nflexedge);
  CU_LOOP for (int f = 0; f < m->nflex; f++) {
    CU_FOR(t, cu_stretches(m, f) ? m->flex_elemnum[f] : 0) cu_stretchElement(c, f, t);
  }
  cu_sync();
  CU_FOR(e, m->nflexedge) {
    Real sum = 0;
    if (cu_stretches(m, m->edge_flex[e])) {
      for (int k = m->edgepart_adr[e]; k < m->edgepart_adr[e + 1]; k++) sum += CU_W(c, tension)[m->edgepart[k]];
    }
    CU_W(c, edge_pull)[e] = sum;
  }
  cu_sync();
}

//---------------------------------- vertices ----------------------------------

// gradient of the volume spanned by the four vertices of a flap with respect to one of them: force of a curved shape
CU_FN void cu_curved(Real r[3], Real x[4][3], int role) {
  Real side[3][3], part[3];
  for (int k = 0; k < 3; k++) cu_sub3(side[k], x[k + 1], x[0]);
  cu_set3(r, 0, 0, 0);
  for (int k = 1; k < 4; k++) {
    if (role && role != k) continue;
    cu_cross3(part, side[k % 3], side[(k + 1) % 3]);
    cu_addScl3(r, r, part, role ? R_(1) : R_(-1));
  }
}

// bending across an edge, on the vertex with this role there: along its dofs
CU_FN void cu_bend(const Cu* c, int e, int role, int spring, int damper, Real force[3]) {
  const CudModel* m = c->m;
  const int f = m->edge_flex[e], base = m->flex_vertadr[f];
  const Real *B = m->flex_bending + CU_BEND * e, damping = damper ? m->flex_damping[f] : 0;
  Real x[4][3], v[3], part[3];
  for (int k = 0; k < 4; k++) {
    const int vert = base + (k < 2 ? m->flex_edge[2 * e + k] : m->flex_edgeflap[2 * e + k - 2]);
    cu_copy3(x[k], CU_W(c, vert) + 3 * vert);
    cu_slidingVelocity(c, v, m->flex_vertbodyid[vert]);
    if (spring) cu_addScl3(force, force, x[k], -B[4 * role + k]);
    if (damping != 0) cu_addScl3(force, force, v, -damping * B[4 * role + k]);
  }
  if (!spring || B[16] == 0) return;
  cu_curved(part, x, role);
  cu_addScl3(force, force, part, -B[16]);
}

// 1: a sheet that bends at this edge
CU_FN int cu_bends(const CudModel* m, int e) {
  const int f = m->edge_flex[e];
  return m->flex_dim[f] == 2 && cu_hasEdges(m, f) && m->flex_edgeflap[2 * e + 1] >= 0;
}

// force on a vertex, and what goes to its dofs directly
CU_FN void cu_vertexForce(const Cu* c, int v, int spring, int damper) {
  const CudModel* m = c->m;
  const int body = m->flex_vertbodyid[v];
  Real *direct = CU_W(c, vert_direct) + 3 * v, *force = CU_W(c, vert_force) + 3 * v;
  cu_set3(direct, 0, 0, 0);
  cu_set3(force, 0, 0, 0);
  if (body < 0) return;
  CU_LOOP for (int k = m->vertpart_adr[v]; k < m->vertpart_adr[v + 1]; k++) {
    const int e = m->vertpart[2 * k], role = m->vertpart[2 * k + 1];
    if (cu_bends(m, e)) cu_bend(c, e, role, spring, damper, direct);
    if (role > 1) continue;
    int vert[2];
    Real u[3];
    const Real length = cu_edge(c, e, vert, u), sign = role ? R_(1) : R_(-1);
    cu_addScl3(force, force, u, sign * CU_W(c, edge_force)[e]);

    // vertices with three sliding dofs of their own take the elements' force as it is
    Real* const target = m->body_simple[body] == 2 ? direct : force;
    if (length >= CU_MINVAL) cu_addScl3(target, target, u, -sign * length * CU_W(c, edge_pull)[e]);
  }
}

//---------------------------------- interpolation ----------------------------------

// deformation gradient at the centre of a grid of nodes
CU_FN void cu_centerGradient(Real grad[9], const Real* x, int order) {
  const int n = order + 1;
  for (int i = 0; i < 9; i++) grad[i] = 0;
  for (int i = 0; i < n * n * n; i++) {
    // at 1/2: linear shapes are 1/2 with slopes of -1 and 1; quadratic ones 0, 1, 0 with slopes of -1, 0, 1
    const int at[3] = {i / (n * n), i / n % n, i % n};
    for (int k = 0; k < 3; k++) {
      Real slope = 1;
      for (int j = 0; j < 3; j++) {
        const Real rising = at[j] == order ? R_(1) : at[j] ? R_(0) : R_(-1);
        slope *= j == k ? rising : order == 1 ? R_(0.5) : at[j] == 1 ? R_(1) : R_(0);
      }
      for (int r = 0; r < 3; r++) grad[3 * r + k] += slope * x[3 * i + r];
    }
  }
}

// the rotation nearest to a matrix, as mju_mat2Rot iterates it
CU_FN void cu_polar(Real quat[4], const Real mat[9]) {
  enum { MAXITER = 500 };
  const Real tolerance = CU_DOUBLE ? R_(1e-9) : R_(1e-6);
  CU_LOOP for (int iter = 0; iter < MAXITER; iter++) {
    Real frame[9], torque[3] = {0, 0, 0}, align = 0, axis[3], target[3], pull[3], s, k;
    cu_quat2Mat(frame, quat);
    for (int i = 0; i < 3; i++) {
      cu_col3(axis, frame, i);
      cu_col3(target, mat, i);
      cu_cross3(pull, axis, target);
      cu_add3(torque, torque, pull);
      align += cu_dot3(axis, target);
    }
    cu_scl3(torque, torque, 1 / (cu_abs(align) + CU_MINVAL));
    const Real angle = cu_unit3(torque);
    if (angle < tolerance) return;
    cu_sincos(R_(0.5) * angle, &s, &k);
    const Real turn[4] = {k, s * torque[0], s * torque[1], s * torque[2]};
    cu_mulQuat(quat, turn, quat);
    cu_unit4(quat);
  }
}

// one stiffness for all nodes, in the frame in which the flex is least deformed: displacements from the shape at rest,
// whose centre is (1/2, 1/2, 1/2), and velocities times damping
CU_FN void cu_interpolatedForces(const Cu* c, int f, int spring, int damper) {
  const CudModel* m = c->m;
  const int n = m->flex_nodenum[f], first = m->flex_nodeadr[f], size = 3 * n;
  const Real *x = CU_W(c, node) + 3 * first, *K = m->flex_stiffness + CU_STRETCH * m->flex_elemadr[f];
  Real *local = CU_W(c, node_local) + 3 * first, *force = CU_W(c, node_force) + 3 * first;
  Real grad[9], quat[4] = {1, 0, 0, 0}, center[3] = {0, 0, 0};
  cu_centerGradient(grad, x, m->flex_interp[f]);
  cu_polar(quat, grad);
  for (int i = 0; i < n; i++) cu_addScl3(center, center, x + 3 * i, R_(1) / n);
  const Real into[4] = {quat[0], -quat[1], -quat[2], -quat[3]};
  CU_FOR(i, n) {
    Real off[3], vel[3];
    cu_sub3(off, x + 3 * i, center);
    cu_rotate(off, into, off);
    cu_rotate(vel, into, CU_W(c, node_vel) + 3 * (first + i));
    for (int k = 0; k < 3; k++) {
      const Real shift = off[k] + R_(0.5) - m->flex_node0[3 * (first + i) + k];
      local[3 * i + k] = (spring ? shift : 0) + (damper ? m->flex_damping[f] * vel[k] : 0);
    }
  }
  cu_sync();
  CU_FOR(i, size) {
    Real sum = 0;
    for (int j = 0; j < size; j++) sum += K[i * size + j] * local[j];
    force[i] = sum;
  }
  cu_sync();
  CU_FOR(i, n) cu_rotate(force + 3 * i, quat, force + 3 * i);
  cu_sync();
}

//---------------------------------- forces ----------------------------------

// adds a force at a point to the load of a body, about the centre of mass of its tree
CU_FN void cu_addLoad(const Cu* c, int body, const Real point[3], const Real force[3], Real load[6]) {
  Real arm[3], torque[3];
  cu_sub3(arm, point, CU_W(c, com) + 3 * c->m->body_rootid[body]);
  cu_cross3(torque, arm, force);
  cu_add3(load, load, torque);
  cu_add3(load + 3, load + 3, force);
}

// what a body gets from its vertices and nodes
CU_FN void cu_bodyLoad(const Cu* c, int b) {
  const CudModel* m = c->m;
  Real *load = CU_W(c, flex_load) + 6 * b, *direct = CU_W(c, flex_direct) + 3 * b;
  for (int k = 0; k < 6; k++) load[k] = 0;
  cu_set3(direct, 0, 0, 0);
  for (int k = m->bodyvert_adr[b]; k < m->bodyvert_adr[b + 1]; k++) {
    const int v = m->bodyvert[k];
    cu_addLoad(c, b, CU_W(c, vert) + 3 * v, CU_W(c, vert_force) + 3 * v, load);
    cu_add3(direct, direct, CU_W(c, vert_direct) + 3 * v);
  }
  for (int k = m->bodynode_adr[b]; k < m->bodynode_adr[b + 1]; k++) {
    const int i = m->bodynode[k];
    const Real* force = CU_W(c, node_force) + 3 * i;
    if (m->flex_centered[m->node_flex[i]]) {
      cu_add3(direct, direct, force);
    } else {
      cu_addLoad(c, b, CU_W(c, node) + 3 * i, force, load);
    }
  }
}

// qfrc_flex: springs and dampers of edges, elements, bending and interpolation
CU_CALL void cu_flexForces(const Cu* c) {
  const CudModel* m = c->m;
  const int spring = !(m->disableflags & mjDSBL_SPRING), damper = !(m->disableflags & mjDSBL_DAMPER);
  Real* load = CU_W(c, flex_load);
  cu_flexVelocities(c);
  cu_edgePulls(c, spring, damper);
  CU_FOR(v, m->nflexvert) cu_vertexForce(c, v, spring, damper);
  CU_FOR(i, 3 * m->nflexnode) CU_W(c, node_force)[i] = 0;
  cu_sync();
  CU_LOOP for (int f = 0; f < m->nflex; f++) {
    if (m->flex_interp[f] && !m->flex_rigid[f] && m->flex_stiffness[CU_STRETCH * m->flex_elemadr[f]] != 0) {
      cu_interpolatedForces(c, f, spring, damper);
    }
  }
  CU_FOR(b, m->nbody) cu_bodyLoad(c, b);
  cu_sync();
  CU_FOR(k, 6) {
    CU_LOOP for (int b = m->nbody - 1; b > 0; b--) load[6 * m->body_parentid[b] + k] += load[6 * b + k];
  }
  cu_sync();
  CU_FOR(i, m->nv) {
    const int b = m->dof_bodyid[i], k = i - m->body_dofadr[b];
    const Real own = k < 3 ? CU_W(c, flex_direct)[3 * b + k] : 0;
    CU_W(c, qfrc_flex)[i] = cu_dot6(CU_W(c, cdof) + 6 * i, load + 6 * b) + own;
  }
  cu_sync();
}
