// Velocity derivatives of the forces of a surrounding medium.
#pragma once

#include <mujoco/mujoco.h>

// adds ∂(torque, force)/∂(velocity) of the medium's force on one body to the 6x6 matrix, both about the centre of mass
// of the body's tree in global orientation. The implicitfast integrator gets the symmetric part.
void der_fluidBody(const mjModel* m, const mjData* d, int body, mjtNum mat[36]);

// the ellipsoid model by parts, in the frame of the geom: adds the derivative of one geom's force to a 6x6 matrix
void der_fluidEllipsoid(const mjModel* m, int geom, const mjtNum vel[6], mjtNum mat[36]);

// the inertia-box model in the frame of the body: diagonal of the derivative
void der_fluidBox(const mjModel* m, int body, const mjtNum vel[6], mjtNum diag[6]);
