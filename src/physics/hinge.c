// The angle between the two triangles at an edge, and its gradient.
//
// With edge e = x1 - x0, normals n2 = e × (x2 - x0) and n3 = (x3 - x0) × e of the triangles towards 2 and 3:
//   θ = atan2(ê · (n2 × n3), n2 · n3);  ∂θ/∂x2 = -|e| n2/|n2|²,  ∂θ/∂x3 = -|e| n3/|n3|²,
// and those at the ends of the edge follow from the balance of forces and moments (Bridson, Marino, Fedkiw 2003).
#include <math.h>

#include "math/elem.h"
#include "math/vec.h"
#include "physics/physics.h"

int phy_hinge(const mjtNum* const pos[4], PhyHinge* hinge) {
  mjtNum e[3], a[3], b[3], n2[3], n3[3], cross[3];
  mth_sub3(e, pos[1], pos[0]);
  mth_sub3(a, pos[2], pos[0]);
  mth_sub3(b, pos[3], pos[0]);
  mth_cross3(n2, e, a);
  mth_cross3(n3, b, e);
  const mjtNum square = mth_dot3(e, e), s2 = mth_dot3(n2, n2), s3 = mth_dot3(n3, n3);
  if (square < mjMINVAL * mjMINVAL || s2 < mjMINVAL * mjMINVAL || s3 < mjMINVAL * mjMINVAL) return 0;
  const mjtNum length = sqrt(square);
  mth_cross3(cross, n2, n3);
  hinge->angle = mth_atan2(mth_dot3(e, cross) / length, mth_dot3(n2, n3));

  // the tips, then the ends of the edge in proportion to where the tips stand over it
  mth_scl3(hinge->grad[2], n2, -length / s2);
  mth_scl3(hinge->grad[3], n3, -length / s3);
  const mjtNum along2 = mth_dot3(a, e) / square, along3 = mth_dot3(b, e) / square;
  for (int k = 0; k < 3; k++) {
    const mjtNum g2 = hinge->grad[2][k], g3 = hinge->grad[3][k];
    hinge->grad[0][k] = -(1 - along2) * g2 - (1 - along3) * g3;
    hinge->grad[1][k] = -along2 * g2 - along3 * g3;
  }
  return 1;
}
