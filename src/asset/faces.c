// Vertices and faces of a mesh file, without the work that a mesh of geoms needs.
#include <stdlib.h>
#include <string.h>

#include "asset/mesh.h"

int ast_readFaces(AstFaces* faces, const char* directory, const char* file, const mjVFS* vfs) {
  memset(faces, 0, sizeof(*faces));
  const AstMeshSource source = {
      .name = "", .directory = directory, .file = file, .content_type = "", .vfs = vfs, .scale = {1, 1, 1}
  };
  AstSurface surface = {.source = &source, .error = faces->error, .mergeobj = 1};
  AstBytes bytes = {0};
  const int good =
      ast_find(&bytes, directory, file, vfs, faces->error, AST_MESSAGE) && ast_readSurface(&surface, &bytes);
  ast_close(&bytes);

  // what was read changes hands; the rest goes
  faces->vert = surface.vert.at;
  faces->nvert = surface.vert.n;
  faces->texcoord = surface.texcoord.at;
  faces->ntexcoord = surface.texcoord.n;
  faces->face = surface.face.at;
  faces->nface = surface.face.n;
  faces->facetexcoord = surface.facetexcoord.n ? surface.facetexcoord.at : NULL;
  if (!surface.facetexcoord.n) free(surface.facetexcoord.at);
  free(surface.normal.at);
  free(surface.facenormal.at);
  free(surface.graph.at);
  if (!good) ast_freeFaces(faces);
  return good;
}

void ast_freeFaces(AstFaces* faces) {
  free(faces->vert);
  free(faces->texcoord);
  free(faces->face);
  free(faces->facetexcoord);
  faces->vert = NULL;
  faces->texcoord = NULL;
  faces->face = faces->facetexcoord = NULL;
}
