// Volumes of meshes and of their hulls.
#include "support/mesh.h"

#include <math.h>

// volume inside closed triangles, by tetrahedra from the origin
double cli_meshVolume(const mjModel* m, int id) {
  const float* const vert = m->mesh_vert + 3 * m->mesh_vertadr[id];
  const int* const face = m->mesh_face + 3 * m->mesh_faceadr[id];
  double volume = 0;
  for (int i = 0; i < m->mesh_facenum[id]; i++) {
    mjtNum a[3], b[3], c[3], n[3];
    mju_f2n(a, vert + 3 * face[3 * i], 3);
    mju_f2n(b, vert + 3 * face[3 * i + 1], 3);
    mju_f2n(c, vert + 3 * face[3 * i + 2], 3);
    mju_cross(n, a, b);
    volume += mju_dot3(n, c) / 6;
  }
  return fabs(volume);
}

// volume of the hull; its graph holds numbers of vertices, of faces, addresses, vertex ids, edges, then faces
double cli_hullVolume(const mjModel* m, int id) {
  const int* const graph = m->mesh_graph + m->mesh_graphadr[id];
  const int nvert = graph[0], nface = graph[1];
  const int* const face = graph + 2 + 3 * nvert + 3 * nface;
  const float* const vert = m->mesh_vert + 3 * m->mesh_vertadr[id];

  // about a point inside, faces count with their distance from it: no order of corners is needed
  mjtNum centre[3] = {0};
  for (int i = 0; i < nvert; i++) {
    for (int k = 0; k < 3; k++) centre[k] += (double)vert[3 * graph[2 + nvert + i] + k] / nvert;
  }
  double volume = 0;
  for (int i = 0; i < nface; i++) {
    mjtNum corner[3][3], n[3];
    for (int k = 0; k < 3; k++) {
      mju_f2n(corner[k], vert + 3 * face[3 * i + k], 3);
      mju_subFrom3(corner[k], centre);
    }
    mju_cross(n, corner[0], corner[1]);
    volume += fabs(mju_dot3(n, corner[2])) / 6;
  }
  return volume;
}
