// mj_setConst in parts.
#pragma once

#include <mujoco/mujoco.h>

// which bodies and dofs belong to which tree; needs weld ids and dof_treeid
void cmp_constTrees(mjModel* m);
// subtree masses, trees, sleep policies: what does not depend on qpos
void cmp_constFixed(mjModel* m, mjData* d);
// structure of the Jacobians of flexes, and their rest shapes
void cmp_constFlex(mjModel* m, mjData* d);
// inverse weights of bodies, dofs, tendons, actuators; needs the factor of M at qpos0
void cmp_constWeights(mjModel* m, mjData* d);
// size and mass of the model; needs kinematics at qpos0
void cmp_constStat(mjModel* m, mjData* d);
