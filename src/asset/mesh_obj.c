// Wavefront OBJ: vertices, normals, texture coordinates and the faces of the first group that has any.
//
// Polygons are cut into triangles by clipping ears: project on the coordinate plane that the polygon faces most, then
// take the first corner that is convex and has no other corner inside.
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asset/mesh.h"
#include "math/elem.h"
#include "base/assert.h"

// indices of one corner; -1: none given
typedef struct {
  int vert, texcoord, normal;
} Corner;

typedef struct {
  const char *at, *end;
  AstSurface* surface;
  AstFloats vert, normal, texcoord;
  int cvert, cnormal, ctexcoord;  // capacities
  Corner* corner;                 // of all faces kept
  int ncorner, ccorner;
  int* facesize;
  int nface, cface;
  Corner* polygon;  // of the face being read
  int cpolygon;
  int closed;  // a group with faces has ended: ignore further faces
} Reader;

// -------------------------------------------------------------------------------------------- growing arrays

// makes room for more values behind n; 0: too many or no memory
static int grow(Reader* r, void** at, int n, int more, int* capacity, size_t size) {
  if (n + (long)more <= *capacity) return 1;
  const long wanted = 2L * *capacity > n + (long)more ? 2L * *capacity : n + (long)more + 256;
  void* const larger = wanted < INT_MAX / (long)size ? realloc(*at, (size_t)wanted * size) : NULL;
  if (!larger) return ast_fail(r->surface, "out of memory");
  *at = larger;
  *capacity = (int)wanted;
  return 1;
}

static int addFloats(Reader* r, AstFloats* list, int* capacity, const float* value, int n) {
  if (!grow(r, (void**)&list->at, list->n, n, capacity, sizeof(float))) return 0;
  BAS_ASSERT(list->at);
  memcpy(list->at + list->n, value, (size_t)n * sizeof(float));
  list->n += n;
  return 1;
}

// -------------------------------------------------------------------------------------------- text
// Numbers are read here and not by base/number.h: digits are summed one by one and not rounded correctly, so that
// vertices have the bits that the reference gives them.

static int isBlank(char c) {
  return c == ' ' || c == '\t';
}

// a zero ends what is read of a line
static int isLineEnd(const Reader* r) {
  return r->at >= r->end || *r->at == '\n' || *r->at == '\r' || !*r->at;
}

static void skipBlanks(Reader* r) {
  while (r->at < r->end && isBlank(*r->at)) r->at++;
}

static void nextLine(Reader* r) {
  while (r->at < r->end && *r->at != '\n' && *r->at != '\r') r->at++;
  if (r->at < r->end) r->at++;
}

static int isDigit(const Reader* r) {
  return r->at < r->end && *r->at >= '0' && *r->at <= '9';
}

// the power of ten that the n-th decimal counts
static double decimalWeight(int n) {
  static const double weight[] = {1,    1e-1, 1e-2,  1e-3,  1e-4,  1e-5,  1e-6,  1e-7,
                                  1e-8, 1e-9, 1e-10, 1e-11, 1e-12, 1e-13, 1e-14, 1e-15};
  return n < 16 ? weight[n] : mth_pow(10, -n);
}

// exponent behind a mantissa; 0: there is an e without digits
static int readExponent(Reader* r, double* mantissa) {
  if (r->at >= r->end || (*r->at != 'e' && *r->at != 'E')) return 1;
  r->at++;
  int negative = 0, exponent = 0;
  if (r->at < r->end && (*r->at == '+' || *r->at == '-')) negative = *r->at++ == '-';
  if (!isDigit(r)) return 0;
  for (; isDigit(r); r->at++) {
    if (exponent < 10000) exponent = 10 * exponent + (*r->at - '0');
  }
  exponent = negative ? -exponent : exponent;
  if (exponent) *mantissa = ldexp(*mantissa * mth_pow(5, exponent), exponent);
  return 1;
}

// a number up to the next blank; 0 where there is none or it is malformed
static float readNumber(Reader* r) {
  skipBlanks(r);
  double mantissa = 0;
  int negative = 0, good = 1;
  if (r->at < r->end && (*r->at == '+' || *r->at == '-')) negative = *r->at++ == '-';
  if (!isDigit(r) && !(r->at < r->end && *r->at == '.')) good = 0;
  for (; good && isDigit(r); r->at++) mantissa = 10 * mantissa + (*r->at - '0');
  if (good && r->at < r->end && *r->at == '.') {
    r->at++;
    for (int n = 1; isDigit(r); r->at++, n++) mantissa += (*r->at - '0') * decimalWeight(n);
  }
  good = good && readExponent(r, &mantissa);
  while (!isLineEnd(r) && !isBlank(*r->at)) r->at++;
  return good ? (float)(negative ? -mantissa : mantissa) : 0;
}

// an integer, 0 where there is none
static int readInteger(Reader* r) {
  skipBlanks(r);
  long value = 0;
  int negative = 0;
  if (r->at < r->end && (*r->at == '+' || *r->at == '-')) negative = *r->at++ == '-';
  for (; isDigit(r); r->at++) {
    if (value < INT_MAX / 10) value = 10 * value + (*r->at - '0');
  }
  while (!isLineEnd(r) && !isBlank(*r->at) && *r->at != '/') r->at++;
  return (int)(negative ? -value : value);
}

// -------------------------------------------------------------------------------------------- faces

// indices count from one, or backwards from the last of n; 0: zero, which is not allowed
static int readIndex(Reader* r, int n, int* index) {
  const int value = readInteger(r);
  *index = value > 0 ? value - 1 : n + value;
  return value != 0;
}

static int takeSlash(Reader* r) {
  if (r->at >= r->end || *r->at != '/') return 0;
  r->at++;
  return 1;
}

// vertex, vertex/texture, vertex//normal or vertex/texture/normal
static int readCorner(Reader* r, Corner* corner) {
  *corner = (Corner){-1, -1, -1};
  if (!readIndex(r, r->vert.n / 3, &corner->vert)) return 0;
  if (!takeSlash(r)) return 1;
  if (takeSlash(r)) return readIndex(r, r->normal.n / 3, &corner->normal);
  if (!readIndex(r, r->texcoord.n / 2, &corner->texcoord)) return 0;
  return !takeSlash(r) || readIndex(r, r->normal.n / 3, &corner->normal);
}

static int readFace(Reader* r) {
  int n = 0;
  skipBlanks(r);
  while (!isLineEnd(r)) {
    if (!grow(r, (void**)&r->polygon, n, 1, &r->cpolygon, sizeof(Corner))) return 0;
    BAS_ASSERT(r->polygon);
    if (!readCorner(r, &r->polygon[n++])) return 0;
    skipBlanks(r);
  }
  if (r->closed || n < 3) return 1;
  if (n > AST_CORNERS) {
    r->surface->nlarge++;
    return 1;
  }
  if (!grow(r, (void**)&r->corner, r->ncorner, n, &r->ccorner, sizeof(Corner))) return 0;
  if (!grow(r, (void**)&r->facesize, r->nface, 1, &r->cface, sizeof(int))) return 0;
  memcpy(r->corner + r->ncorner, r->polygon, (size_t)n * sizeof(Corner));
  r->ncorner += n;
  r->facesize[r->nface++] = n;
  return 1;
}

// one line; what is not geometry is skipped
static int readLine(Reader* r) {
  skipBlanks(r);
  const long left = r->end - r->at;
  if (left < 2) return 1;
  const char c = r->at[0], d = r->at[1];
  if (c == 'v' && isBlank(d)) {
    r->at += 2;
    const float x = readNumber(r), y = readNumber(r), z = readNumber(r);
    return addFloats(r, &r->vert, &r->cvert, (const float[3]){x, y, z}, 3);
  }
  if (c == 'v' && d == 'n' && left > 2 && isBlank(r->at[2])) {
    r->at += 3;
    const float x = readNumber(r), y = readNumber(r), z = readNumber(r);
    return addFloats(r, &r->normal, &r->cnormal, (const float[3]){x, y, z}, 3);
  }
  if (c == 'v' && d == 't' && left > 2 && isBlank(r->at[2])) {
    r->at += 3;
    const float u = readNumber(r), v = readNumber(r);
    return addFloats(r, &r->texcoord, &r->ctexcoord, (const float[2]){u, v}, 2);
  }
  if (c == 'f' && isBlank(d)) {
    r->at += 2;
    return readFace(r);
  }
  if ((c == 'g' || c == 'o') && isBlank(d)) r->closed = r->closed || r->nface;
  return 1;
}

// -------------------------------------------------------------------------------------------- triangles

// coordinate of a corner, 0 for vertices that do not exist
static float coordinate(const Reader* r, const Corner* corner, int axis) {
  return corner->vert >= 0 && corner->vert < r->vert.n / 3 ? r->vert.at[3 * (size_t)corner->vert + (size_t)axis] : 0;
}

// the two axes of the plane to work in, from the first corner that is not straight
static void choosePlane(const Reader* r, const Corner* polygon, int n, int axes[2]) {
  axes[0] = 1;
  axes[1] = 2;
  for (int k = 0; k < n; k++) {
    float edge[2][3];
    for (int e = 0; e < 2; e++) {
      for (int i = 0; i < 3; i++) {
        edge[e][i] = coordinate(r, &polygon[(k + e + 1) % n], i) - coordinate(r, &polygon[(k + e) % n], i);
      }
    }
    const float x = fabsf(edge[0][1] * edge[1][2] - edge[0][2] * edge[1][1]);
    const float y = fabsf(edge[0][2] * edge[1][0] - edge[0][0] * edge[1][2]);
    const float z = fabsf(edge[0][0] * edge[1][1] - edge[0][1] * edge[1][0]);
    if (x <= FLT_EPSILON && y <= FLT_EPSILON && z <= FLT_EPSILON) continue;
    if (x > y && x > z) return;
    axes[0] = 0;
    if (z > x && z > y) axes[1] = 1;
    return;
  }
}

// area of the polygon in that plane, with sign
static float planeArea(const Reader* r, const Corner* polygon, int n, const int axes[2]) {
  float area = 0;
  for (int k = 0; k < n; k++) {
    const Corner *const a = &polygon[k], *const b = &polygon[(k + 1) % n];
    const float twice =
        coordinate(r, a, axes[0]) * coordinate(r, b, axes[1]) - coordinate(r, a, axes[1]) * coordinate(r, b, axes[0]);
    area += twice * 0.5f;
  }
  return area;
}

// crossing count of a ray from (x, y) with the sides of a triangle
static int isInside(const float px[3], const float py[3], float x, float y) {
  int inside = 0;
  for (int i = 0, j = 2; i < 3; j = i++) {
    if ((py[i] > y) != (py[j] > y) && x < (px[j] - px[i]) * (y - py[i]) / (py[j] - py[i]) + px[i]) inside = !inside;
  }
  return inside;
}

// 1: the corner behind first can be cut off
static int isEar(const Reader* r, const Corner* polygon, int n, int first, const int axes[2], float area) {
  float x[3], y[3];
  for (int k = 0; k < 3; k++) {
    x[k] = coordinate(r, &polygon[(first + k) % n], axes[0]);
    y[k] = coordinate(r, &polygon[(first + k) % n], axes[1]);
  }
  const float turn = (x[1] - x[0]) * (y[2] - y[1]) - (y[1] - y[0]) * (x[2] - x[1]);
  if (turn * area < 0) return 0;
  for (int k = 3; k < n; k++) {
    const Corner* const other = &polygon[(first + k) % n];
    if (isInside(x, y, coordinate(r, other, axes[0]), coordinate(r, other, axes[1]))) return 0;
  }
  return 1;
}

// writes the triangles of a polygon, which is consumed; returns their number of corners
static int cutPolygon(const Reader* r, Corner* polygon, int n, Corner* triangle) {
  int count = 0;
  int axes[2];
  if (n > 3) choosePlane(r, polygon, n, axes);
  const float area = n > 3 ? planeArea(r, polygon, n, axes) : 0;
  int first = 0, patience = n, before = n;
  while (n > 3 && patience > 0) {
    if (first >= n) first -= n;
    patience = before != n ? n : patience - 1;
    before = n;
    if (!isEar(r, polygon, n, first, axes, area)) {
      first++;
      continue;
    }
    for (int k = 0; k < 3; k++) triangle[count++] = polygon[(first + k) % n];
    const int cut = (first + 1) % n;
    memmove(polygon + cut, polygon + cut + 1, sizeof(Corner) * (size_t)(n - cut - 1));
    n--;
  }
  if (n == 3) {
    for (int k = 0; k < 3; k++) triangle[count++] = polygon[k];
  }
  return count;
}

static int countTriangleCorners(const Reader* r) {
  long corners = 0;
  for (int i = 0; i < r->nface; i++) corners += 3L * (r->facesize[i] - 2);
  return corners < INT_MAX / 16 ? (int)corners : -1;
}

// an index of n things, -1 where there is no such thing
static int existing(int index, int n) {
  return index < 0 || index >= n ? -1 : index;
}

// index arrays from the faces read; corners with normals or texture coordinates that do not exist have none
static int makeFaces(Reader* r) {
  AstSurface* const s = r->surface;
  const int capacity = countTriangleCorners(r);
  if (capacity < 0) return ast_fail(s, "too many faces");
  Corner* const triangle = ast_alloc(s, capacity, sizeof(Corner));
  if (!triangle) return 0;
  int n = 0;
  for (int i = 0, at = 0; i < r->nface; at += r->facesize[i++]) {
    n += cutPolygon(r, r->corner + at, r->facesize[i], triangle + n);
  }
  s->face = (AstInts){ast_alloc(s, n, sizeof(int)), n};
  if (r->normal.n) s->facenormal = (AstInts){ast_alloc(s, n, sizeof(int)), n};
  if (r->texcoord.n) s->facetexcoord = (AstInts){ast_alloc(s, n, sizeof(int)), n};

  // a mirroring scale exchanges the last two corners
  const int right = ast_keepsHand(s->source);
  for (int i = 0; !*s->error && i < n; i++) {
    const Corner* const corner = &triangle[right || i % 3 == 0 ? i : i % 3 == 1 ? i + 1 : i - 1];
    s->face.at[i] = corner->vert;
    if (r->normal.n) s->facenormal.at[i] = existing(corner->normal, r->normal.n / 3);
    if (r->texcoord.n) s->facetexcoord.at[i] = existing(corner->texcoord, r->texcoord.n / 2);
  }
  free(triangle);
  return !*s->error;
}

int ast_readObj(AstSurface* surface, const AstBytes* file) {
  Reader r = {.at = (const char*)file->bytes, .end = (const char*)file->bytes + file->size, .surface = surface};
  int good = 1;
  while (good && r.at < r.end) {
    good = readLine(&r);
    nextLine(&r);
  }
  if (!good && !*surface->error) ast_fail(surface, "could not parse OBJ file '%s'", file->resource->name);
  good = good && makeFaces(&r) && ast_setVertices(surface, r.vert.at, r.vert.n, surface->mergeobj);

  // pictures start at the top, texture coordinates at the bottom
  for (int i = 1; i < r.texcoord.n; i += 2) r.texcoord.at[i] = 1 - r.texcoord.at[i];
  surface->isobj = 1;
  surface->normal = r.normal;
  surface->texcoord = r.texcoord;
  free(r.vert.at);
  free(r.corner);
  free(r.facesize);
  free(r.polygon);
  return good;
}
