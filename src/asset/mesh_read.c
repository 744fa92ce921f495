// Mesh files in binary formats: STL (also its text form) and MSH.
//
// STL repeats every vertex in every triangle it belongs to, so equal ones are merged, in order of first appearance.
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asset/mesh.h"
#include "base/number.h"
#include "base/assert.h"

enum { STL_HEADER = 84, STL_FACE = 50, STL_MAXFACE = 200000, MSH_HEADER = 16 };

int ast_keepsHand(const AstMeshSource* source) {
  return source->scale[0] * source->scale[1] * source->scale[2] > 0;
}

// -------------------------------------------------------------------------------------------- vertices

static uint32_t bitsOf(float x) {
  uint32_t bits = 0;
  const float positive = x == 0 ? 0 : x;  // the two zeros are equal
  memcpy(&bits, &positive, sizeof(bits));
  return bits;
}

static uint32_t hashVertex(const float* v) {
  const uint32_t h = (bitsOf(v[0]) * 0x9E3779B1u) ^ (bitsOf(v[1]) * 0x85EBCA77u) ^ (bitsOf(v[2]) * 0xC2B2AE3Du);
  return h ^ (h >> 15);
}

// index of every vertex among the different ones, which are moved to the front of vert; returns their number
static int mergeVertices(float* vert, int nvert, int* index, int* slot, uint32_t mask) {
  int n = 0;
  memset(slot, -1, sizeof(int) * ((size_t)mask + 1));
  for (int i = 0; i < nvert; i++) {
    const float v[3] = {vert[3 * i], vert[3 * i + 1], vert[3 * i + 2]};
    uint32_t s = hashVertex(v) & mask;
    while (slot[s] >= 0) {
      const float* const other = vert + 3 * (size_t)slot[s];
      if (v[0] == other[0] && v[1] == other[1] && v[2] == other[2]) break;
      s = (s + 1) & mask;
    }
    if (slot[s] < 0) {
      memcpy(vert + 3 * (size_t)n, v, sizeof(v));
      slot[s] = n++;
    }
    index[i] = slot[s];
  }
  return n;
}

// a copy of vert without repetitions, faces renumbered; NULL: no memory. Faces of vertices that do not exist stay as
// they are, for whoever knows what to say about them: there are not more vertices than before.
static float* merged(AstSurface* surface, const float* vert, int* nvert) {
  uint32_t size = 16;
  while (size < 2 * (uint32_t)*nvert) size *= 2;
  float* const unique = ast_alloc(surface, 3 * *nvert, sizeof(float));
  int* const index = ast_alloc(surface, *nvert, sizeof(int));
  int* const slot = ast_alloc(surface, (int)size, sizeof(int));
  if (unique && index && slot) {
    memcpy(unique, vert, 3 * sizeof(float) * (size_t)*nvert);
    const int before = *nvert;
    *nvert = mergeVertices(unique, before, index, slot, size - 1);
    for (int i = 0; i < surface->face.n; i++) {
      int* const face = &surface->face.at[i];
      if (*face >= 0 && *face < before) *face = index[*face];
    }
  }
  const int good = unique && index && slot;
  free(index);
  free(slot);
  if (good) return unique;
  free(unique);
  return NULL;
}

int ast_setVertices(AstSurface* surface, const float* vert, int n, int merge) {
  if (n % 3) return ast_fail(surface, "vertex data must be a multiple of 3");
  int nvert = n / 3;
  for (int i = 0; i < n; i++) {
    if (!isfinite(vert[i])) return ast_fail(surface, "vertex coordinate %d is not finite", merge ? i - i % 3 : i / 3);
  }
  float* unique = NULL;
  if (merge) {
    unique = merged(surface, vert, &nvert);
    if (!unique) return 0;
    vert = unique;
  }
  double* const wide = ast_alloc(surface, 3 * nvert, sizeof(double));
  for (int i = 0; wide && i < 3 * nvert; i++) wide[i] = vert[i];
  free(surface->vert.at);
  surface->vert = (AstDoubles){wide, wide ? 3 * nvert : 0};
  free(unique);
  return wide != NULL;
}

// -------------------------------------------------------------------------------------------- STL

// n triangles of three vertices each, to be merged
static int setTriangles(AstSurface* surface, const float* vert, int nface, const char* name) {
  for (int i = 0; i < 9 * nface; i++) {
    if (fabsf(vert[i]) > 0x1p30f) return ast_fail(surface, "vertex in STL file '%s' exceed maximum bounds", name);
  }
  int* const face = ast_alloc(surface, 3 * nface, sizeof(int));
  if (!face) return 0;
  const int right = ast_keepsHand(surface->source);
  for (int i = 0; i < nface; i++) {
    face[3 * i] = 3 * i;
    face[3 * i + 1] = 3 * i + (right ? 1 : 2);
    face[3 * i + 2] = 3 * i + (right ? 2 : 1);
  }
  surface->face = (AstInts){face, 3 * nface};
  return ast_setVertices(surface, vert, 9 * nface, 1);
}

// next word of a text file; returns its length
static size_t nextWord(const char** at, const char* end, const char** word) {
  const char* p = *at;
  while (p < end && (*p == ' ' || (*p >= '\t' && *p <= '\r'))) p++;
  *word = p;
  while (p < end && !(*p == ' ' || (*p >= '\t' && *p <= '\r'))) p++;
  *at = p;
  return (size_t)(p - *word);
}

static int isWord(const char* word, size_t n, const char* expected) {
  return n == strlen(expected) && !memcmp(word, expected, n);
}

static int wordNumber(const char* word, size_t n, float* value) {
  char text[64];
  if (!n || n >= sizeof(text)) return 0;
  memcpy(text, word, n);
  text[n] = 0;
  const char* end;
  *value = bas_readFloat(text, &end);
  return end == text + n;
}

// the text form: only the words "vertex" and the three numbers behind each matter
static int readTextStl(AstSurface* surface, const AstBytes* file, const char* name) {
  const char *at = (const char*)file->bytes, *end = at + file->size, *word = NULL;
  const int capacity = (int)(file->size / 12) + 3;  // "vertex 0 0 0"
  float* const vert = ast_alloc(surface, 3 * capacity, sizeof(float));
  if (!vert) return 0;
  int n = 0, good = 1, ended = 0;
  for (size_t length = 0; good && (length = nextWord(&at, end, &word)) > 0;) {
    ended |= isWord(word, length, "endsolid");
    if (!isWord(word, length, "vertex")) continue;
    for (int k = 0; k < 3 && good; k++) {
      length = nextWord(&at, end, &word);
      good = n < 3 * capacity && wordNumber(word, length, &vert[n++]);
    }
  }
  if (!good || n == 0 || n % 9) {
    good = ast_fail(surface, "invalid vertex %d in ASCII STL file '%s'", n / 3, name);
  } else if (!ended) {
    good = ast_fail(surface, "missing 'endsolid' in ASCII STL file '%s'", name);
  } else if (n / 9 > STL_MAXFACE) {
    good = ast_fail(surface, "number of faces should be between 1 and %d in STL file '%s'", STL_MAXFACE, name);
  } else {
    good = setTriangles(surface, vert, n / 9, name);
  }
  free(vert);
  return good;
}

static int isText(const AstBytes* file) {
  const char *at = (const char*)file->bytes, *end = at + (file->size < 4096 ? file->size : 4096), *word = NULL;
  size_t length = nextWord(&at, end, &word);
  if (!isWord(word, length, "solid")) return 0;
  while ((length = nextWord(&at, end, &word)) > 0) {
    if (isWord(word, length, "facet")) return 1;
  }
  return 0;
}

int ast_readStl(AstSurface* surface, const AstBytes* file) {
  const char* const name = file->resource->name;
  int nface = 0;
  if (file->size >= STL_HEADER) memcpy(&nface, file->bytes + STL_HEADER - sizeof(int), sizeof(int));
  const int possible = nface >= 1 && nface <= STL_MAXFACE;
  const int fits = possible && (size_t)nface * STL_FACE == file->size - STL_HEADER;
  if (!fits && isText(file)) return readTextStl(surface, file, name);
  if (file->size < STL_HEADER) return ast_fail(surface, "invalid header in STL file '%s'", name);
  if (!possible) {
    return ast_fail(surface,
                    "number of faces should be between 1 and %d in STL file '%s'; perhaps this is an ASCII file?",
                    STL_MAXFACE, name);
  }
  if (!fits) return ast_fail(surface, "STL file '%s' has wrong size; perhaps this is an ASCII file?", name);

  // each face: a normal, which is ignored, three vertices, two bytes of attributes
  float* const vert = ast_alloc(surface, 9 * nface, sizeof(float));
  if (!vert) return 0;
  for (int i = 0; i < nface; i++) {
    memcpy(vert + 9 * (size_t)i, file->bytes + STL_HEADER + STL_FACE * (size_t)i + 12, 9 * sizeof(float));
  }
  const int good = setTriangles(surface, vert, nface, name);
  free(vert);
  return good;
}

// -------------------------------------------------------------------------------------------- MSH

// copies n values of four bytes and moves on; an empty array stays NULL
static void* takeValues(AstSurface* surface, const unsigned char** at, int n) {
  void* const values = n ? ast_alloc(surface, n, 4) : NULL;
  if (values) memcpy(values, *at, 4 * (size_t)n);
  *at += 4 * (size_t)n;
  return values;
}

// numbers of vertices, normals, texture coordinates and faces, then those in turn
int ast_readMsh(AstSurface* surface, const AstBytes* file) {
  const char* const name = file->resource->name;
  int size[4] = {0};
  if (file->size < MSH_HEADER) return ast_fail(surface, "missing header in MSH file '%s'", name);
  memcpy(size, file->bytes, MSH_HEADER);
  const int nvert = size[0], nnormal = size[1], ntexcoord = size[2], nface = size[3];
  if (nvert < 4 || nface < 0 || nnormal < 0 || ntexcoord < 0 || (nnormal > 0 && nnormal != nvert) ||
      (ntexcoord > 0 && ntexcoord != nvert)) {
    return ast_fail(surface, "invalid sizes in MSH file '%s'", name);
  }
  if (nvert >= INT_MAX / 12 || nface >= INT_MAX / 12)
    return ast_fail(surface, "too large sizes in MSH file '%s'.", name);
  const size_t values = 3 * ((size_t)nvert + (size_t)nnormal + (size_t)nface) + 2 * (size_t)ntexcoord;
  if (file->size != MSH_HEADER + 4 * values) return ast_fail(surface, "unexpected file size in MSH file '%s'", name);

  const unsigned char* at = file->bytes + MSH_HEADER;
  float* const vert = takeValues(surface, &at, 3 * nvert);
  surface->normal = (AstFloats){takeValues(surface, &at, 3 * nnormal), 3 * nnormal};
  surface->texcoord = (AstFloats){takeValues(surface, &at, 2 * ntexcoord), 2 * ntexcoord};

  // the same indices serve vertices, normals and texture coordinates
  const unsigned char* const faces = at;
  surface->face = (AstInts){takeValues(surface, &at, 3 * nface), 3 * nface};
  at = faces;
  surface->facenormal = (AstInts){takeValues(surface, &at, 3 * nface), 3 * nface};
  at = faces;
  const int nfacetexcoord = ntexcoord ? 3 * nface : 0;
  surface->facetexcoord = (AstInts){takeValues(surface, &at, nfacetexcoord), nfacetexcoord};
  int good = !*surface->error;
  BAS_ASSERT(!good || !nface || surface->face.at);
  for (int i = 0; good && i < nface && !ast_keepsHand(surface->source); i++) {
    const int second = surface->face.at[3 * i + 1];
    surface->face.at[3 * i + 1] = surface->face.at[3 * i + 2];
    surface->face.at[3 * i + 2] = second;
  }
  good = good && ast_setVertices(surface, vert, 3 * nvert, 0);
  free(vert);
  return good;
}
