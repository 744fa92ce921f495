// Forces of a surrounding medium on moving bodies, and what their derivatives share with them.
#pragma once

#include <mujoco/mujoco.h>

// one geom of the ellipsoid model: shape and coefficients
typedef struct {
  mjtNum semiaxes[3];
  mjtNum scale;           // multiplies all forces
  mjtNum blunt;           // drag of the largest section
  mjtNum slender;         // drag along the body
  mjtNum angular;         // drag of rotation
  mjtNum kutta;           // circulation lift
  mjtNum magnus;          // lift of a spinning body
  const mjtNum* mass;     // virtual mass per density (3)
  const mjtNum* inertia;  // virtual inertia per density (3)
} FrcEllipsoid;

// drag-related measures of an ellipsoid
typedef struct {
  mjtNum area;       // largest section
  mjtNum diameter;   // of the equivalent sphere
  mjtNum moment[3];  // resistance to rotation about each axis, from the two angular coefficients
} FrcSection;

// 1: the medium has density or viscosity
static inline int frc_hasFluid(const mjModel* m) {
  return m->opt.viscosity > 0 || m->opt.density > 0;
}

// 1: the body has a geom with its own coefficients, which replaces the inertia box
int frc_usesEllipsoids(const mjModel* m, int body);

// half lengths of the ellipsoid that stands for a geom of some type (mjtGeom)
void frc_semiAxes(mjtNum axes[3], const mjtNum size[3], int type);

// reads the coefficients of a geom; 0: the geom does not interact with the medium
int frc_ellipsoid(const mjModel* m, int geom, FrcEllipsoid* ellipsoid);

// measures used by drag and viscous torque
void frc_section(const FrcEllipsoid* ellipsoid, FrcSection* section);

// side lengths of the box with the body's inertia
void frc_inertiaBox(const mjModel* m, int body, mjtNum box[3]);

// velocity (rotation, translation) of a frame fixed to a body relative to the medium, in that frame
void frc_flowVelocity(const mjModel* m, const mjData* d, int body, const mjtNum pos[3], const mjtNum mat[9],
                      mjtNum vel[6]);

// adds the forces of the medium on all (awake) bodies to qfrc_fluid; 0: there is no medium
int frc_fluid(const mjModel* m, mjData* d);
