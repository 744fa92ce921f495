// Decompositions of meshes, which take seconds: made once, then found by content, in this process (within the capacity
// of mj_getCache) and in the folder of sn_cacheModels, whatever else has changed in the model.
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "asset/cache.h"
#include "base/hash.h"
#include "compile/cache.h"
#include "compile/compile.h"

// numbers before those of the parts: how many, concavity, whether the limit of work was reached, triangles of a coarser
// surface
enum { HEAD = 4 };

static BasHash hashOf(const AstMesh* mesh, const AstCut* cut) {
  BasHash h = BAS_NO_HASH;
  const double settings[9] = {mesh->pos[0],  mesh->pos[1],  mesh->pos[2],   mesh->quat[0],    mesh->quat[1],
                              mesh->quat[2], mesh->quat[3], cut->concavity, (double)cut->most};
  h = bas_hashBytes(h, settings, sizeof(settings));
  h = bas_hashBytes(h, mesh->vert, 3 * sizeof(float) * (size_t)mesh->nvert);
  return bas_hashBytes(h, mesh->face, 3 * sizeof(int) * (size_t)mesh->nface);
}

// parts as numbers: the head, vertices of each, coordinates
static double* writeParts(Cmp* c, const AstParts* parts, size_t* n) {
  *n = HEAD + (size_t)parts->n;
  for (int i = 0; i < parts->n; i++) *n += 3 * (size_t)parts->nvert[i];
  double* const number = cmp_alloc(c, *n, sizeof(double));
  number[0] = parts->n;
  number[1] = parts->concavity;
  number[2] = parts->exhausted;
  number[3] = parts->coarse;
  double* at = number + HEAD + parts->n;
  for (int i = 0; i < parts->n; i++) {
    number[HEAD + i] = parts->nvert[i];
    memcpy(at, parts->vert[i], 3 * sizeof(double) * (size_t)parts->nvert[i]);
    at += 3 * (size_t)parts->nvert[i];
  }
  return number;
}

// 1: the numbers are parts, which then are in memory of the compilation
static int readParts(Cmp* c, const double* number, size_t n, AstParts* parts) {
  if (n < HEAD || !(number[0] >= 0 && number[0] + HEAD <= (double)n)) return 0;
  *parts = (AstParts){.n = (int)number[0], .concavity = number[1], .exhausted = number[2] != 0};
  parts->coarse = number[3] > 0 && number[3] < INT_MAX ? (int)number[3] : 0;
  parts->nvert = cmp_alloc(c, (size_t)parts->n + 1, sizeof(int));
  parts->vert = cmp_alloc(c, (size_t)parts->n + 1, sizeof(double*));
  size_t used = HEAD + (size_t)parts->n;
  for (int i = 0; i < parts->n; i++) {
    const double count = number[HEAD + i];
    if (!(count >= 4 && used + 3 * count <= (double)n)) return 0;
    parts->nvert[i] = (int)count;
    parts->vert[i] = cmp_alloc(c, 3 * (size_t)parts->nvert[i], sizeof(double));
    memcpy(parts->vert[i], number + used, 3 * sizeof(double) * (size_t)parts->nvert[i]);
    used += 3 * (size_t)parts->nvert[i];
  }
  return used == n;
}

void cmp_partsOf(Cmp* c, const CmpMesh* mesh, const AstCut* cut, AstParts* parts) {
  const BasHash hash = hashOf(&mesh->asset, cut);
  size_t size = 0;
  void* kept = ast_cacheFindBytes(hash, &size);
  const int known = kept != NULL;
  if (!kept) kept = cmp_cacheFindBytes(hash, "parts", &size);
  double* number = cmp_alloc(c, size + 1, 1);
  if (kept) memcpy(number, kept, size);
  free(kept);
  if (kept && size % sizeof(double) == 0 && readParts(c, number, size / sizeof(double), parts)) {
    if (!known) ast_cacheKeepBytes(hash, number, size);
    return;
  }

  // made, and kept before a failure can lose it
  AstParts made;
  size_t n;
  if (!ast_decompose(&made, &mesh->asset, cut)) cmp_fail(c, mesh->head.e, "%s", made.error);
  number = writeParts(c, &made, &n);
  ast_freeParts(&made);
  if (!readParts(c, number, n, parts)) cmp_fail(c, mesh->head.e, "the mesh has no parts");
  ast_cacheKeepBytes(hash, number, n * sizeof(double));
  cmp_cacheKeepBytes(hash, "parts", number, n * sizeof(double));
}
