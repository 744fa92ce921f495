// Mid phase: two bodyflexes to the geoms and elements that may touch, through their bounding volume hierarchies.
#pragma once

#include <mujoco/mujoco.h>
#include <stdbool.h>

// called for two leaves whose bounding boxes meet, with the ids that the leaves hold (geoms of a body, elements of a
// flex)
typedef void (*ColLeaf)(const mjModel* m, mjData* d, int id1, int id2, void* context);

// walks the hierarchies of bodyflexes bf1 and bf2 (a flex may be walked against itself; flex–body does not occur)
void col_mid(const mjModel* m, mjData* d, int bf1, int bf2, ColLeaf leaf, void* context);

// bounding spheres or oriented boxes of two geoms apart by more than their margin
bool col_geomsApart(const mjModel* m, const mjData* d, int g1, int g2);

// marks a geom's leaf and what contains it as visited, for the visualizer
void col_markGeom(const mjModel* m, mjData* d, int g);

// address of a bodyflex's hierarchy, -1 for none
static inline int col_bvhAddress(const mjModel* m, int bf) {
  return bf < m->nbody ? m->body_bvhadr[bf] : m->flex_bvhadr[bf - m->nbody];
}
