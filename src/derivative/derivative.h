// Derivatives of forces for the implicit integrators: with respect to velocity in the sparse matrix d->qDeriv, where
// row i, column j is ∂ force_i / ∂ qvel_j for dofs i, j on a common chain of their tree (structure m->D_*); of
// interpolated flexes with respect to position too.
#pragma once

#include <mujoco/mujoco.h>

// ---- velocity.c

// qDeriv = ∂(qfrc_actuator + qfrc_passive - qfrc_bias)/∂qvel; the bias term is optional
void der_smoothVel(const mjModel* m, mjData* d, int bias);

// the parts, added to qDeriv
void der_actuatorVel(const mjModel* m, mjData* d);
void der_passiveVel(const mjModel* m, mjData* d);
void der_biasVel(const mjModel* m, mjData* d);

// ---- body.c

// adds to qDeriv the derivatives of the medium's forces (fluid) and minus those of the Coriolis and centrifugal forces
// (bias)
void der_bodyVel(const mjModel* m, mjData* d, int fluid, int bias);

// ---- fluid.c

// adds ∂(torque, force)/∂(velocity) of the medium's force on one body to the 6x6 matrix, both about the centre of mass
// of the body's tree in global orientation. The implicitfast integrator gets the symmetric part.
void der_fluidBody(const mjModel* m, const mjData* d, int body, mjtNum mat[36]);

// the ellipsoid model by parts, in the frame of the geom: adds the derivative of one geom's force to a 6x6 matrix
void der_fluidEllipsoid(const mjModel* m, int geom, const mjtNum vel[6], mjtNum mat[36]);

// the inertia-box model in the frame of the body: diagonal of the derivative
void der_fluidBox(const mjModel* m, int body, const mjtNum vel[6], mjtNum diag[6]);

// ---- flex_derivative.c

// dofs of the nodes of all interpolated flexes; ind NULL: only counts
int der_flexDofs(const mjModel* m, int* ind);

// H += Σ (h² + h·damping) JᵀKJ over the interpolated flexes, on n dofs; H is dense n x n
void der_flexAddStiffness(const mjModel* m, mjData* d, mjtNum* H, const int* ind, int n, mjtNum h);

// res -= Σ (h² + h·damping) JᵀKJ vec
void der_flexMulStiffness(const mjModel* m, mjData* d, mjtNum* res, const mjtNum* vec, mjtNum h);
