// Sphere and box on the CPU.
#include "collision/narrow/sphere_box_body.h"

int col_sphereBox(const mjModel* m, const mjData* d, mjContact* con, int g1, int g2, mjtNum margin) {
  const ColShape sphere = col_geomShape(m, d, g1);
  const ColShape box = col_geomShape(m, d, g2);
  return col_rawSphereBox(con, margin, &sphere, &box);
}
