// Volumes of a compiled mesh; nothing is left of a flat one.
#pragma once

#include <mujoco/mujoco.h>

double cli_meshVolume(const mjModel* m, int id);
double cli_hullVolume(const mjModel* m, int id);  // of a mesh that has a hull: mesh_graphadr is not negative
