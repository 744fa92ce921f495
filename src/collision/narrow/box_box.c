// Two boxes on the CPU.
#include "collision/narrow/box_box_body.h"

int col_boxBox(const mjModel* m, const mjData* d, mjContact* con, int g1, int g2, mjtNum margin) {
  const ColShape a = col_geomShape(m, d, g1);
  const ColShape b = col_geomShape(m, d, g2);
  return col_rawBoxBox(con, margin, &a, &b);
}
