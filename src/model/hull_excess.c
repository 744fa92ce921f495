// How much of a mesh's hull is not the mesh.
#include <math.h>
#include <sinew/contact.h>

#include "math/vec.h"

// twice the sum of directed areas, and six times the volume that triangles enclose with a point
typedef struct {
  mjtNum area[3], volume;
} Sums;

static void addFace(Sums* sums, const float* vert, const int face[3], const mjtNum centre[3]) {
  mjtNum x[3][3], a[3], b[3], n[3];
  for (int k = 0; k < 3; k++) {
    mju_f2n(x[k], vert + 3 * face[k], 3);
    mth_subFrom3(x[k], centre);
  }
  mth_sub3(a, x[1], x[0]);
  mth_sub3(b, x[2], x[0]);
  mth_cross3(n, a, b);
  mth_addTo3(sums->area, n);
  sums->volume += mth_dot3(n, x[0]);
}

mjtNum sn_hullExcess(const mjModel* m, int mesh) {
  if (!m || mesh < 0 || mesh >= m->nmesh || m->mesh_graphadr[mesh] < 0) return 0;

  // a mesh that collides with its surface: solids are 1 and shells are 2
  const int entry = mj_name2id(m, mjOBJ_NUMERIC, "sinew:shape:meshes");
  const int known = entry >= 0 && m->numeric_size[entry] == 2 * m->nmesh;
  const mjtNum kind = known ? m->numeric_data[m->numeric_adr[entry] + 2 * mesh] : 0;
  if (kind == 1 || kind == 2) return 0;
  const float* const vert = m->mesh_vert + 3 * m->mesh_vertadr[mesh];
  const int* const graph = m->mesh_graph + m->mesh_graphadr[mesh];
  const int nvert = graph[0], nface = graph[1], *face = graph + 2 + 3 * nvert + 3 * nface;
  mjtNum centre[3] = {0}, reach = 0;
  for (int i = 0; i < nvert; i++) {
    mjtNum x[3];
    mju_f2n(x, vert + 3 * graph[2 + nvert + i], 3);
    mth_addToScl3(centre, x, 1.0 / nvert);
  }
  for (int i = 0; i < nvert; i++) {
    mjtNum x[3];
    mju_f2n(x, vert + 3 * graph[2 + nvert + i], 3);
    reach = mth_max(reach, mth_dist3(x, centre));
  }
  Sums hull = {0}, own = {0};
  for (int i = 0; i < nface; i++) addFace(&hull, vert, face + 3 * i, centre);
  face = m->mesh_face + 3 * m->mesh_faceadr[mesh];
  for (int i = 0; i < m->mesh_facenum[mesh]; i++) addFace(&own, vert, face + 3 * i, centre);

  // what is open may be missing up to a cone over its opening
  const mjtNum volume = fabs(own.volume) - reach * mth_norm3(own.area);
  if (volume <= 1e-6 * fabs(hull.volume)) return INFINITY;
  return mth_max(0, fabs(hull.volume) / volume - 1);
}
