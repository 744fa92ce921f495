// Fluid forces: the body moves with velocity (w, v) relative to the medium, seen in its own frame.
//
// Inertia box (default): Stokes drag of the equivalent sphere, -3πDμ v and -πD³μ w, and quadratic drag of the
// sides of the box. Ellipsoid (per geom): added mass  p × w, p × v + L × w with p = ρ m v, L = ρ I w; Magnus lift
// c ρ V w × v; Kutta lift (circulation × v); blunt, slender and angular drag.
#include "force/fluid.h"

#include <math.h>

#include "dynamics/dynamics.h"
#include "math/vec.h"
#include "sleep/sleep.h"

static inline mjtNum square(mjtNum x) {
  return x * x;
}

int frc_usesEllipsoids(const mjModel* m, int body) {
  const int first = m->body_geomadr[body];
  for (int g = first; g < first + m->body_geomnum[body]; g++) {
    if (m->geom_fluid[mjNFLUID * g] > 0) return 1;
  }
  return 0;
}

void frc_semiAxes(mjtNum axes[3], const mjtNum size[3], int type) {
  switch (type) {
    case mjGEOM_SPHERE:
      mth_set3(axes, size[0], size[0], size[0]);
      break;
    case mjGEOM_CAPSULE:
      mth_set3(axes, size[0], size[0], size[1] + size[0]);
      break;
    case mjGEOM_CYLINDER:
      mth_set3(axes, size[0], size[0], size[1]);
      break;
    default:
      mth_copy3(axes, size);
  }
}

int frc_ellipsoid(const mjModel* m, int geom, FrcEllipsoid* e) {
  const mjtNum* coef = m->geom_fluid + mjNFLUID * geom;
  if (coef[0] == 0) return 0;

  frc_semiAxes(e->semiaxes, m->geom_size + 3 * geom, m->geom_type[geom]);
  e->scale = coef[0];
  e->blunt = coef[1];
  e->slender = coef[2];
  e->angular = coef[3];
  e->kutta = coef[4];
  e->magnus = coef[5];
  e->mass = coef + 6;
  e->inertia = coef + 9;
  return 1;
}

void frc_section(const FrcEllipsoid* e, FrcSection* s) {
  const mjtNum* a = e->semiaxes;
  const mjtNum longest = mth_max(mth_max(a[0], a[1]), a[2]);
  const mjtNum shortest = mth_min(mth_min(a[0], a[1]), a[2]);
  const mjtNum middle = a[0] + a[1] + a[2] - longest - shortest;
  s->area = mjPI * longest * middle;
  s->diameter = 2.0 / 3.0 * (a[0] + a[1] + a[2]);

  // angular drag interpolates between the largest moment and that about each axis
  const mjtNum largest = 8.0 / 15.0 * mjPI * middle * square(square(longest));
  for (int i = 0; i < 3; i++) {
    const mjtNum across = mth_max(a[(i + 1) % 3], a[(i + 2) % 3]);
    const mjtNum moment = 8.0 / 15.0 * mjPI * a[i] * square(square(across));
    s->moment[i] = e->angular * moment + e->slender * (largest - moment);
  }
}

void frc_inertiaBox(const mjModel* m, int body, mjtNum box[3]) {
  const mjtNum* inertia = m->body_inertia + 3 * body;
  const mjtNum mass = m->body_mass[body];
  for (int i = 0; i < 3; i++) {
    const mjtNum across = inertia[(i + 1) % 3] + inertia[(i + 2) % 3] - inertia[i];
    box[i] = sqrt(mth_max(mjMINVAL, across) / mass * 6.0);
  }
}

void frc_flowVelocity(const mjModel* m, const mjData* d, int body, const mjtNum pos[3], const mjtNum mat[9],
                      mjtNum vel[6]) {
  // velocity of the point, global
  const mjtNum* cvel = d->cvel + 6 * body;
  mjtNum arm[3], linear[3];
  mth_sub3(arm, pos, d->subtree_com + 3 * m->body_rootid[body]);
  mth_cross3(linear, arm, cvel);
  mth_sub3(linear, cvel + 3, linear);

  // to the local frame, without the wind
  mjtNum wind[3];
  mth_mulMatTVec3(vel, mat, cvel);
  mth_mulMatTVec3(vel + 3, mat, linear);
  mth_mulMatTVec3(wind, mat, m->opt.wind);
  mth_subFrom3(vel + 3, wind);
}

// force (torque, force) on the inertia box
static void boxForce(const mjModel* m, int body, const mjtNum vel[6], mjtNum force[6]) {
  mjtNum box[3];
  frc_inertiaBox(m, body, box);
  mth_zero6(force);

  // Stokes drag of a sphere with the mean side as diameter
  const mjtNum viscosity = m->opt.viscosity;
  if (viscosity > 0) {
    const mjtNum diameter = (box[0] + box[1] + box[2]) / 3.0;
    mth_scl3(force, vel, -mjPI * diameter * diameter * diameter * viscosity);
    mth_scl3(force + 3, vel + 3, -3.0 * mjPI * diameter * viscosity);
  }

  // quadratic drag of each pair of sides
  const mjtNum density = m->opt.density;
  if (density > 0) {
    for (int i = 0; i < 3; i++) {
      const mjtNum b = box[(i + 1) % 3], c = box[(i + 2) % 3];
      force[i] -= density * box[i] * (square(square(b)) + square(square(c))) * fabs(vel[i]) * vel[i] / 64.0;
      force[3 + i] -= 0.5 * density * b * c * fabs(vel[3 + i]) * vel[3 + i];
    }
  }
}

// forces of the medium dragged along by an ellipsoid
static void addedMassForce(const FrcEllipsoid* e, mjtNum density, const mjtNum vel[6], mjtNum force[6]) {
  mjtNum linear[3], angular[3], part[3];
  for (int i = 0; i < 3; i++) {
    linear[i] = density * e->mass[i] * vel[3 + i];
    angular[i] = density * e->inertia[i] * vel[i];
  }
  mth_cross3(part, linear, vel + 3);
  mth_addTo3(force, part);
  mth_cross3(part, angular, vel);
  mth_addTo3(force, part);
  mth_cross3(part, linear, vel);
  mth_addTo3(force + 3, part);
}

// lift and drag of an ellipsoid
static void liftDragForce(const FrcEllipsoid* e, const mjOption* opt, const mjtNum vel[6], mjtNum force[6]) {
  const mjtNum *size = e->semiaxes, *v = vel + 3;
  FrcSection section;
  frc_section(e, &section);

  // area seen along the velocity, from the normal of that section
  const mjtNum normal[3] = {square(size[1] * size[2]) * v[0], square(size[2] * size[0]) * v[1],
                            square(size[0] * size[1]) * v[2]};
  const mjtNum denom = mth_dot3(normal, normal), num = mth_dot3(normal, v);
  const mjtNum area = mjPI * sqrt(denom / mth_max(mjMINVAL, num));
  const mjtNum speed = mth_norm3(v);

  // Kutta: circulation about an axis across the flow, scaled by the angle of attack
  mjtNum kutta[3];
  const mjtNum cosine = num / mth_max(mjMINVAL, speed * denom);
  mth_cross3(kutta, normal, v);
  mth_scl3(kutta, kutta, e->kutta * opt->density * cosine * area);
  mth_cross3(kutta, kutta, v);

  // Magnus
  mjtNum magnus[3];
  const mjtNum volume = 4.0 / 3.0 * mjPI * size[0] * size[1] * size[2];
  mth_cross3(magnus, vel, v);
  mth_scl3(magnus, magnus, e->magnus * opt->density * volume);

  // linear and quadratic drag
  const mjtNum D = section.diameter;
  const mjtNum twist[3] = {vel[0] * section.moment[0], vel[1] * section.moment[1], vel[2] * section.moment[2]};
  const mjtNum dragAngular = opt->viscosity * (mjPI * D * D * D) + opt->density * mth_norm3(twist);
  const mjtNum dragLinear =
      opt->viscosity * (3.0 * mjPI * D) + opt->density * speed * (area * e->blunt + e->slender * (section.area - area));
  for (int i = 0; i < 3; i++) {
    force[i] -= dragAngular * vel[i];
    force[3 + i] += magnus[i] + kutta[i] - dragLinear * v[i];
  }
}

// applies a local force at the origin of a local frame
static void applyLocal(const mjModel* m, mjData* d, int body, const mjtNum pos[3], const mjtNum mat[9],
                       const mjtNum force[6]) {
  mjtNum torque[3], linear[3];
  mth_mulMatVec3(torque, mat, force);
  mth_mulMatVec3(linear, mat, force + 3);
  dyn_addWrench(m, d, (DynWrench){body, pos, linear, torque}, d->qfrc_fluid);
}

static void bodyFluid(const mjModel* m, mjData* d, int body) {
  mjtNum vel[6], force[6];

  // one box for the body
  if (!frc_usesEllipsoids(m, body)) {
    const mjtNum *pos = d->xipos + 3 * body, *mat = d->ximat + 9 * body;
    frc_flowVelocity(m, d, body, pos, mat, vel);
    boxForce(m, body, vel, force);
    applyLocal(m, d, body, pos, mat, force);
    return;
  }

  // or its ellipsoids
  const int first = m->body_geomadr[body];
  for (int g = first; g < first + m->body_geomnum[body]; g++) {
    FrcEllipsoid e;
    if (!frc_ellipsoid(m, g, &e)) continue;
    const mjtNum *pos = d->geom_xpos + 3 * g, *mat = d->geom_xmat + 9 * g;
    frc_flowVelocity(m, d, body, pos, mat, vel);
    mth_zero6(force);
    addedMassForce(&e, m->opt.density, vel, force);
    liftDragForce(&e, &m->opt, vel, force);
    mth_scl6(force, force, e.scale);
    applyLocal(m, d, body, pos, mat, force);
  }
}

int frc_fluid(const mjModel* m, mjData* d) {
  if (!frc_hasFluid(m)) return 0;

  // bodies that move and have mass
  const SlpRange bodies = slp_bodies(m, d);
  for (int b = 0; b < bodies.n; b++) {
    const int body = slp_at(bodies, b);
    if (m->body_weldid[body] && m->body_mass[body] >= mjMINVAL) bodyFluid(m, d, body);
  }
  return 1;
}
