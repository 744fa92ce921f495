// Flexes: shape functions of interpolated flexes.
#pragma once

#include <mujoco/mujoco.h>

// value at x (in the unit cube) of the shape function of node i; order 1 has 8 nodes, order 2 has 27
mjtNum kin_flexBasis(const mjtNum x[3], int i, int order);

// its derivatives with respect to x
void kin_flexBasisGradient(mjtNum grad[3], const mjtNum x[3], int i, int order);

// world positions of the nodes of an interpolated flex
void kin_flexNodes(const mjModel* m, const mjData* d, int flex, mjtNum* xpos);

// lengths and Jacobians of a flex's edges; the rows of m->flexedge_J must be clear
void kin_flexEdges(const mjModel* m, mjData* d, int flex);

// strain invariants of the vertices of a two-dimensional flex and their Jacobians. Uses the stack.
void kin_flexStrain(const mjModel* m, mjData* d, int flex);
