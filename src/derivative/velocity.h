// Derivatives of the smooth forces with respect to velocity, in the sparse matrix d->qDeriv: row i, column j is
// ∂ force_i / ∂ qvel_j for dofs i, j on a common chain of their tree (structure m->D_*).
#pragma once

#include <mujoco/mujoco.h>

// qDeriv = ∂(qfrc_actuator + qfrc_passive - qfrc_bias)/∂qvel; the bias term is optional
void der_smoothVel(const mjModel* m, mjData* d, int bias);

// the parts, added to qDeriv
void der_actuatorVel(const mjModel* m, mjData* d);
void der_passiveVel(const mjModel* m, mjData* d);
void der_biasVel(const mjModel* m, mjData* d);
