// Signed distance fields: of plugins, of meshes with an octree, and of the simple shapes.
#pragma once

#include <mujoco/mujoco.h>

// A point in the octree of a mesh: finding its leaf takes longer than anything that is computed there, and a search
// asks for distance and gradient at the same point again and again.
typedef struct {
  int mesh;         // -1: nothing is known yet
  mjtNum point[3];  // in the mesh's frame
  int leaf;         // -1: there is none, which has been reported
  mjtNum coord[3];  // in the leaf, between 0 and 1
  mjtNum outside;   // how far the point was moved into the root box; not positive: it is inside
  mjtNum distance;
} ColOctPlace;

// the place of a point; nothing is done where it is that of this point already
void col_octPlace(ColOctPlace* place, const mjModel* m, int mesh, const mjtNum point[3]);

// gradient of the distance there
void col_octGradient(mjtNum grad[3], const mjModel* m, const ColOctPlace* place);

// plugin of an SDF geom, NULL when its field is the octree of its mesh
const mjpPlugin* col_sdfPlugin(const mjModel* m, int geom);

// what mjSDF.id holds for an SDF geom: the plugin instance, or the mesh
int col_sdfId(const mjModel* m, int geom);
