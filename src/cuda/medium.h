// Forces of a medium on bodies, as force/fluid.c has them, and their derivatives by velocity: the inertia box, and the
// ellipsoids of geoms that have coefficients of their own. A body or geom is a lane's.
#pragma once

#include "cuda/dynamics.h"
#include "cuda/kinematics.h"

#define CU_PI R_(3.14159265358979323846)

CU_FN Real cu_square(Real x) {
  return x * x;
}

// a frame that is fixed to a body, and its velocity (rotation, translation) relative to the medium, seen from it
typedef struct {
  Real pos[3], mat[9], vel[6];
} CuFlow;

CU_FN void cu_flowAt(const Cu* c, int body, CuFlow* f) {
  const CudModel* m = c->m;
  const Real none[3] = {0, 0, 0};
  Real v[6], arm[3], linear[3];
  cu_ofBody(c, body, CU_W(c, dofvel), none, v);
  cu_sub3(arm, f->pos, CU_W(c, com) + 3 * m->body_rootid[body]);
  cu_cross3(linear, v, arm);
  cu_add3(linear, linear, v + 3);
  cu_sub3(linear, linear, m->wind);
  cu_mulMatT3(f->vel, f->mat, v);
  cu_mulMatT3(f->vel + 3, f->mat, linear);
}

//---------------------------------- box ----------------------------------

// sides of the box with the body's inertia
CU_FN void cu_inertiaBox(const CudModel* m, int body, Real box[3]) {
  const Real *I = m->body_inertia + 3 * body, mass = m->body_mass[body];
  for (int i = 0; i < 3; i++) {
    const Real across = I[(i + 1) % 3] + I[(i + 2) % 3] - I[i];
    box[i] = cu_sqrt(cu_max(CU_MINVAL, across) / mass * 6);
  }
}

// Stokes drag of the sphere with the mean side, quadratic drag of the sides; B: diagonal of the derivatives
CU_FN void cu_boxForce(const CudModel* m, int body, const Real vel[6], Real force[6], Real B[6]) {
  Real box[3];
  cu_inertiaBox(m, body, box);
  const Real D = (box[0] + box[1] + box[2]) / 3, mu = cu_max(0, m->viscosity), rho = cu_max(0, m->density);
  for (int i = 0; i < 3; i++) {
    const Real b = box[(i + 1) % 3], d = box[(i + 2) % 3];
    const Real turn = rho * box[i] * (cu_square(cu_square(b)) + cu_square(cu_square(d))) / 64,
               move = R_(0.5) * rho * b * d;
    const Real w = cu_abs(vel[i]), v = cu_abs(vel[3 + i]);
    force[i] = -(CU_PI * D * D * D * mu + turn * w) * vel[i];
    force[3 + i] = -(3 * CU_PI * D * mu + move * v) * vel[3 + i];
    B[i] = -CU_PI * D * D * D * mu - 2 * turn * w;
    B[3 + i] = -3 * CU_PI * D * mu - 2 * move * v;
  }
}

//---------------------------------- ellipsoid ----------------------------------

// a geom as an ellipsoid: coefficients are those of mjModel
typedef struct {
  Real axes[3], volume, area, diameter, moment[3];
  const Real* k;  // scale, blunt, slender, angular, kutta, magnus, virtual mass (3), virtual inertia (3)
} CuEllipsoid;

CU_FN void cu_openEllipsoid(const CudModel* m, int g, CuEllipsoid* e) {
  const Real* size = m->geom_size + 3 * g;
  const int type = m->geom_type[g];
  Real* a = e->axes;
  e->k = m->geom_fluid + 12 * g;
  cu_copy3(a, size);
  if (type == mjGEOM_SPHERE) cu_set3(a, size[0], size[0], size[0]);
  if (type == mjGEOM_CAPSULE) cu_set3(a, size[0], size[0], size[1] + size[0]);
  if (type == mjGEOM_CYLINDER) cu_set3(a, size[0], size[0], size[1]);
  const Real longest = cu_max(cu_max(a[0], a[1]), a[2]), shortest = cu_min(cu_min(a[0], a[1]), a[2]);
  const Real middle = a[0] + a[1] + a[2] - longest - shortest, unit = R_(8.0 / 15.0) * CU_PI;
  const Real largest = unit * middle * cu_square(cu_square(longest));
  e->volume = R_(4.0 / 3.0) * CU_PI * a[0] * a[1] * a[2];
  e->area = CU_PI * longest * middle;
  e->diameter = R_(2.0 / 3.0) * (a[0] + a[1] + a[2]);
  for (int i = 0; i < 3; i++) {
    const Real moment = unit * a[i] * cu_square(cu_square(cu_max(a[(i + 1) % 3], a[(i + 2) % 3])));
    e->moment[i] = e->k[3] * moment + e->k[2] * (largest - moment);
  }
}

// the medium that is dragged along: p × v + L × w, p × w
CU_FN void cu_addedMass(const CudModel* m, const CuEllipsoid* e, const Real vel[6], Real force[6]) {
  Real p[3], L[3], part[3];
  for (int i = 0; i < 3; i++) {
    p[i] = m->density * e->k[6 + i] * vel[3 + i];
    L[i] = m->density * e->k[9 + i] * vel[i];
  }
  cu_cross3(force, p, vel + 3);
  cu_cross3(part, L, vel);
  cu_add3(force, force, part);
  cu_cross3(force + 3, p, vel);
}

CU_FN void cu_ellipsoidForce(const CudModel* m, const CuEllipsoid* e, const Real vel[6], Real force[6]) {
  const Real *a = e->axes, *v = vel + 3, D = e->diameter;
  Real kutta[3], magnus[3], circulation[3];
  cu_addedMass(m, e, vel, force);

  // area seen along the velocity, from the normal of that section
  const Real normal[3] = {cu_square(a[1] * a[2]) * v[0], cu_square(a[2] * a[0]) * v[1], cu_square(a[0] * a[1]) * v[2]};
  const Real denom = cu_dot3(normal, normal), num = cu_dot3(normal, v), speed = cu_sqrt(cu_dot3(v, v));
  const Real area = CU_PI * cu_sqrt(denom / cu_max(CU_MINVAL, num));

  // lift
  cu_cross3(circulation, normal, v);
  cu_scl3(circulation, circulation, e->k[4] * m->density * (num / cu_max(CU_MINVAL, speed * denom)) * area);
  cu_cross3(kutta, circulation, v);
  cu_cross3(magnus, vel, v);
  cu_scl3(magnus, magnus, e->k[5] * m->density * e->volume);

  // drag
  const Real twist[3] = {vel[0] * e->moment[0], vel[1] * e->moment[1], vel[2] * e->moment[2]};
  const Real turn = m->viscosity * CU_PI * D * D * D + m->density * cu_sqrt(cu_dot3(twist, twist));
  const Real move = m->viscosity * 3 * CU_PI * D + m->density * speed * (area * e->k[1] + e->k[2] * (e->area - area));
  for (int i = 0; i < 3; i++) {
    force[i] = e->k[0] * (force[i] - turn * vel[i]);
    force[3 + i] = e->k[0] * (force[3 + i] + magnus[i] + kutta[i] - move * v[i]);
  }
}

//---------------------------------- derivatives of the ellipsoid ----------------------------------

// adds the derivative of (scale·x) × y to the quarter (row, col) of B: by x (way 0) or by y
CU_FN void cu_addCross(Real B[36], int row, int col, const Real x[3], const Real y[3], const Real scale[3], int way) {
  const Real a[3] = {way ? scale[0] * x[0] : -y[0], way ? scale[1] * x[1] : -y[1], way ? scale[2] * x[2] : -y[2]};
  const Real mat[9] = {0, -a[2], a[1], a[2], 0, -a[0], -a[1], a[0], 0};
  for (int i = 0; i < 9; i++) B[6 * (3 * row + i / 3) + 3 * col + i % 3] += mat[i] * (way ? R_(1) : scale[i % 3]);
}

// drag and Kutta lift by the direction of the velocity: N and D as in derivative/fluid.c
CU_FN void cu_addDirection(const CudModel* m, const CuEllipsoid* e, const Real v[3], Real B[36]) {
  const Real *s = e->axes, rho = m->density;
  Real axis[3], vv[3], near[3], far[3], inner[3];
  for (int i = 0; i < 3; i++) {
    axis[i] = cu_square(s[(i + 1) % 3] * s[(i + 2) % 3]);
    vv[i] = v[i] * v[i];
  }
  const Real num = cu_dot3(axis, vv), speed2 = vv[0] + vv[1] + vv[2], speed = cu_sqrt(speed2);
  const Real denom = cu_square(axis[0]) * vv[0] + cu_square(axis[1]) * vv[1] + cu_square(axis[2]) * vv[2];
  for (int i = 0; i < 3; i++) {
    near[i] = far[i] = 0;
    for (int k = 1; k < 3; k++) {
      const int j = (i + k) % 3;
      near[i] += vv[j] * (axis[i] - axis[j]);
      far[i] += axis[j] * vv[j] * (axis[i] - axis[j]);
    }
    inner[i] = cu_square(axis[i]) * num / cu_max(CU_MINVAL, denom) - axis[i] + num / cu_max(CU_MINVAL, speed2);
  }
  const Real area = CU_PI * cu_sqrt(denom / cu_max(CU_MINVAL, num));
  const Real slope = CU_PI / cu_max(CU_MINVAL, cu_sqrt(num * num * num * denom)) * rho * speed * (e->k[1] - e->k[2]);
  const Real drag = -rho * (area * e->k[1] + e->k[2] * (e->area - area)) / cu_max(CU_MINVAL, speed);
  const Real lift = CU_PI * e->k[4] * rho / cu_max(CU_MINVAL, cu_sqrt(denom * num * speed2));
  for (int r = 0; r < 3; r++) {
    for (int k = 0; k < 3; k++) {
      const Real vrk = v[r] * v[k], diagonal = (Real)(r == k);
      Real entry = (2 * num * (axis[k] - axis[r]) + inner[k] * near[r]) * vrk - diagonal * near[r] * num;
      entry = lift * entry + (vrk + diagonal * speed2) * drag - v[r] * slope * axis[k] * v[k] * far[k];
      B[6 * (3 + r) + 3 + k] += entry - diagonal * m->viscosity * 3 * CU_PI * e->diameter;
    }
  }
}

CU_FN void cu_ellipsoidDeriv(const CudModel* m, const CuEllipsoid* e, const Real vel[6], Real B[36]) {
  const Real rho = m->density, coef = e->k[5] * rho * e->volume, same[3] = {coef, coef, coef}, D = e->diameter;
  Real mass[3], inertia[3], slope[3];
  cu_scl3(mass, e->k + 6, rho);
  cu_scl3(inertia, e->k + 9, rho);
  for (int way = 0; way < 2; way++) {
    cu_addCross(B, 1, way, vel, vel + 3, same, way);
    cu_addCross(B, 0, 0, vel, vel, inertia, way);
    cu_addCross(B, 0, 1, vel + 3, vel + 3, mass, way);
    cu_addCross(B, 1, !way, vel + 3, vel, mass, way);
  }
  cu_addDirection(m, e, vel + 3, B);

  // drag torque −(viscous + ρ |M w|) w with M diagonal
  const Real twist[3] = {vel[0] * e->moment[0], vel[1] * e->moment[1], vel[2] * e->moment[2]};
  const Real scale = -rho / cu_max(CU_MINVAL, cu_sqrt(cu_dot3(twist, twist)));
  for (int i = 0; i < 3; i++) slope[i] = scale * twist[i] * e->moment[i];
  const Real diagonal = cu_dot3(vel, slope) - m->viscosity * CU_PI * D * D * D;
  for (int i = 0; i < 9; i++) B[6 * (i / 3) + i % 3] += vel[i / 3] * slope[i % 3] + (i % 4 ? R_(0) : diagonal);
}

// P += Tᵀ B T: from a local frame to the centre of mass of the tree
CU_CALL void cu_addMoved(const Cu* c, int body, const CuFlow* f, const Real B[36], Real* P) {
  Real T[36], BT[36], arm[3], A[9];
  cu_sub3(arm, f->pos, CU_W(c, com) + 3 * c->m->body_rootid[body]);
  const Real cross[9] = {0, -arm[2], arm[1], arm[2], 0, -arm[0], -arm[1], arm[0], 0};
  for (int i = 0; i < 9; i++) A[i] = cross[i];
  for (int r = 0; r < 3; r++) {
    for (int k = 0; k < 3; k++) {
      T[6 * r + k] = T[6 * (3 + r) + 3 + k] = f->mat[3 * k + r];
      T[6 * r + 3 + k] = 0;
      T[6 * (3 + r) + k] = -(f->mat[r] * A[k] + f->mat[3 + r] * A[3 + k] + f->mat[6 + r] * A[6 + k]);
    }
  }
  for (int i = 0; i < 36; i++) {
    BT[i] = 0;
    for (int k = 0; k < 6; k++) BT[i] += B[i / 6 * 6 + k] * T[6 * k + i % 6];
  }
  for (int i = 0; i < 36; i++) {
    for (int k = 0; k < 6; k++) P[i] += T[6 * k + i / 6] * BT[6 * k + i % 6];
  }
}

//---------------------------------- bodies ----------------------------------

// 1: the body has ellipsoids instead of the box
CU_FN int cu_usesEllipsoids(const CudModel* m, int body) {
  for (int g = m->body_geomadr[body]; g < m->body_geomadr[body] + m->body_geomnum[body]; g++) {
    if (m->geom_fluid[12 * g] > 0) return 1;
  }
  return 0;
}

// adds a local force to the sum of a body, about the centre of mass of its tree
CU_FN void cu_addLocal(const Cu* c, int body, const CuFlow* f, const Real force[6], Real sum[6]) {
  Real torque[3], linear[3], arm[3], moment[3];
  cu_mulMat3(torque, f->mat, force);
  cu_mulMat3(linear, f->mat, force + 3);
  cu_sub3(arm, f->pos, CU_W(c, com) + 3 * c->m->body_rootid[body]);
  cu_cross3(moment, arm, linear);
  cu_add3(torque, torque, moment);
  cu_add3(sum, sum, torque);
  cu_add3(sum + 3, sum + 3, linear);
}

// force of the medium on a body, and with P its derivative
CU_FN void cu_bodyMedium(const Cu* c, int body, Real sum[6], Real* P) {
  const CudModel* m = c->m;
  CuFlow f;
  Real force[6], B[36];
  for (int i = 0; i < 36; i++) B[i] = 0;
  if (!cu_usesEllipsoids(m, body)) {
    Real diagonal[6];
    cu_copy3(f.pos, CU_W(c, xipos) + 3 * body);
    cu_copyN(f.mat, CU_W(c, ximat) + 9 * body, 9);
    cu_flowAt(c, body, &f);
    cu_boxForce(m, body, f.vel, force, diagonal);
    cu_addLocal(c, body, &f, force, sum);
    for (int i = 0; i < 6; i++) B[7 * i] = diagonal[i];
    if (P) cu_addMoved(c, body, &f, B, P);
    return;
  }
  const int first = m->body_geomadr[body], end = first + m->body_geomnum[body];
  CU_LOOP for (int g = first; g < end; g++) {
    CuEllipsoid e;
    if (m->geom_fluid[12 * g] == 0) continue;
    cu_openEllipsoid(m, g, &e);
    cu_fixedPose(c, body, m->geom_pos + 3 * g, m->geom_quat + 4 * g, f.pos, f.mat);
    cu_flowAt(c, body, &f);
    cu_ellipsoidForce(m, &e, f.vel, force);
    cu_addLocal(c, body, &f, force, sum);
    if (!P) continue;
    for (int i = 0; i < 36; i++) B[i] = 0;
    cu_ellipsoidDeriv(m, &e, f.vel, B);

    // the symmetric integrator needs a symmetric matrix
    for (int i = 0; m->integrator == mjINT_IMPLICITFAST && i < 36; i++) {
      const int at = 6 * (i % 6) + i / 6;
      if (at > i) B[i] = B[at] = R_(0.5) * (B[i] + B[at]);
    }
    cu_addMoved(c, body, &f, B, P);
  }
}

// qfrc_fluid; P, 36 numbers a body, gets the derivatives where the integrator needs them
CU_FN void cu_medium(const Cu* c, Real* P) {
  const CudModel* m = c->m;
  Real *sum = CU_W(c, fluid), *qfrc = CU_W(c, qfrc_fluid);
  CU_FOR(b, m->nbody) {
    for (int k = 0; k < 6; k++) sum[6 * b + k] = 0;
    if (m->body_weldid[b] && m->body_mass[b] >= CU_MINVAL) cu_bodyMedium(c, b, sum + 6 * b, P ? P + 36 * b : 0);
  }
  cu_sync();
  CU_FOR(k, 6) {
    CU_LOOP for (int b = m->nbody - 1; b > 0; b--) sum[6 * m->body_parentid[b] + k] += sum[6 * b + k];
  }
  cu_sync();
  CU_FOR(i, m->nv) qfrc[i] = cu_dot6(CU_W(c, cdof) + 6 * i, sum + 6 * m->dof_bodyid[i]);
  cu_sync();
  CU_OUT(c, qfrc_fluid, qfrc, m->nv);
}
