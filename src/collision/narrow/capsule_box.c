// Capsule and box on the CPU.
#include "collision/narrow/capsule_box_body.h"

int col_capsuleBox(const mjModel* m, const mjData* d, mjContact* con, int g1, int g2, mjtNum margin) {
  const ColShape capsule = col_geomShape(m, d, g1);
  const ColShape box = col_geomShape(m, d, g2);
  return col_rawCapsuleBox(con, margin, &capsule, &box);
}
