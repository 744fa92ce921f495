// Signed distance fields: of plugins, of meshes with an octree, and of the simple shapes.
#pragma once

#include <mujoco/mujoco.h>

// distance and gradient of a mesh's octree at a point in the mesh's frame
mjtNum col_octDistance(const mjModel* m, int mesh, const mjtNum point[3]);
void col_octGradient(const mjModel* m, int mesh, mjtNum grad[3], const mjtNum point[3]);

// plugin of an SDF geom, NULL when its field is the octree of its mesh
const mjpPlugin* col_sdfPlugin(const mjModel* m, int geom);

// what mjSDF.id holds for an SDF geom: the plugin instance, or the mesh
int col_sdfId(const mjModel* m, int geom);
