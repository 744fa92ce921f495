// Surfaces that deform, sent with every frame: faces of flexes and skins.
#include <stdlib.h>

#include "view/renderer.h"

static void fill(ViwMesh* mesh, const ViwVertex* vertex, int nvertex, const unsigned* index, int nindex) {
  if (mesh->array) {
    viw_fillMesh(mesh, vertex, nvertex, index, nindex);
  } else {
    *mesh = viw_makeMesh(vertex, nvertex, index, nindex);
  }
}

// every face has corners of its own
static void fillFlex(ViwMesh* mesh, const mjModel* m, const mjvScene* scene, int id) {
  const int nface = scene->flexfaceused[id] < scene->flexfacenum[id] ? scene->flexfaceused[id] : scene->flexfacenum[id];
  mesh->nindex = 0;
  if (nface <= 0) return;
  const size_t first = 3 * (size_t)scene->flexfaceadr[id], n = 3 * (size_t)nface;
  ViwVertex* const vertex = calloc(n, sizeof(*vertex));
  unsigned* const index = calloc(n, sizeof(*index));
  for (size_t i = 0; vertex && index && i < n; i++) {
    memcpy(vertex[i].pos, scene->flexface + 3 * (first + i), 3 * sizeof(float));
    memcpy(vertex[i].normal, scene->flexnormal + 3 * (first + i), 3 * sizeof(float));
    // without coordinates of the model those of the scene are what was in memory
    if (m->flex_texcoordadr[id] >= 0) {
      memcpy(vertex[i].texcoord, scene->flextexcoord + 2 * (first + i), 2 * sizeof(float));
    }
    index[i] = (unsigned)i;
  }
  if (vertex && index) fill(mesh, vertex, (int)n, index, (int)n);
  free(vertex);
  free(index);
}

static void fillSkin(ViwMesh* mesh, const mjModel* m, const mjvScene* scene, int id) {
  const int n = scene->skinvertnum[id];
  mesh->nindex = 0;
  ViwVertex* const vertex = calloc((size_t)n + 1, sizeof(*vertex));
  if (!vertex) return;
  const float* const pos = scene->skinvert + 3 * (size_t)scene->skinvertadr[id];
  const float* const normal = scene->skinnormal + 3 * (size_t)scene->skinvertadr[id];
  const float* const texcoord =
      m->skin_texcoordadr[id] >= 0 ? m->skin_texcoord + 2 * (size_t)m->skin_texcoordadr[id] : NULL;
  for (int i = 0; i < n; i++) {
    memcpy(vertex[i].pos, pos + 3 * (size_t)i, 3 * sizeof(float));
    memcpy(vertex[i].normal, normal + 3 * (size_t)i, 3 * sizeof(float));
    if (texcoord) memcpy(vertex[i].texcoord, texcoord + 2 * (size_t)i, 2 * sizeof(float));
  }
  fill(mesh, vertex, n, (const unsigned*)m->skin_face + 3 * (size_t)m->skin_faceadr[id], 3 * scene->skinfacenum[id]);
  free(vertex);
}

void viw_fillSurfaces(ViwRenderer* r, const mjvScene* scene) {
  const mjModel* const m = r->m;
  for (int i = 0; i < scene->nflex && i < (int)m->nflex; i++) fillFlex(r->mesh + r->firstFlex + i, m, scene, i);
  for (int i = 0; i < scene->nskin && i < (int)m->nskin; i++) fillSkin(r->mesh + r->firstSkin + i, m, scene, i);
}
