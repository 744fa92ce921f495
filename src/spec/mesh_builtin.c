// mjs_makeMesh: vertices, normals and faces of the built-in shapes. All have about unit size and are meant to be
// scaled.
#include <math.h>
#include <mujoco/mujoco.h>
#include <stdlib.h>
#include <string.h>

#include "math/elem.h"
#include "math/vec.h"
#include "base/error.h"
#include "spec/element.h"

// lists being filled; the sizes are known before
typedef struct {
  float *vert, *normal;
  int* face;
  int nvert, nnormal, nface;  // values so far
  mjsMesh* mesh;              // that gets them in the end
} Shape;

enum { MAXCELLS = 1 << 22 };  // of a grid; keeps sizes well inside an int

static int openShape(Shape* s, int vertices, int normals, int faces) {
  *s = (Shape){0};
  s->vert = malloc(3 * sizeof(float) * ((size_t)vertices + 1));
  s->normal = malloc(3 * sizeof(float) * ((size_t)normals + 1));
  s->face = malloc(3 * sizeof(int) * ((size_t)faces + 1));
  return s->vert && s->normal && s->face;
}

static void handOver(void* arg) {
  const Shape* const s = arg;
  if (s->nvert) mjs_setFloat(s->mesh->uservert, s->vert, s->nvert);
  if (s->nnormal) mjs_setFloat(s->mesh->usernormal, s->normal, s->nnormal);
  if (s->nface) mjs_setInt(s->mesh->userface, s->face, s->nface);
}

// hands the lists to the mesh; returns the status of mjs_makeMesh
static int closeShape(Shape* s, mjsMesh* mesh, int good) {
  char error[BAS_MESSAGE];
  s->mesh = mesh;
  if (good) good = bas_attempt(handOver, s, error);
  free(s->vert);
  free(s->normal);
  free(s->face);
  return good ? 0 : spc_fail(spc_head(mesh->element)->model, "Error: out of memory for built-in mesh");
}

static int addVertex(Shape* s, double x, double y, double z) {
  const int index = s->nvert / 3;
  s->vert[s->nvert++] = (float)x;
  s->vert[s->nvert++] = (float)y;
  s->vert[s->nvert++] = (float)z;
  return index;
}

static void addFace(Shape* s, int a, int b, int c) {
  s->face[s->nface++] = a;
  s->face[s->nface++] = b;
  s->face[s->nface++] = c;
}

// -------------------------------------------------------------------------------------------- sphere

// midpoints of the edges of one subdivision, found by their lower end; an edge lies between at most six others
typedef struct {
  int other[6], middle[6], n;
} Midpoints;

static int midpoint(Shape* s, Midpoints* table, int a, int b) {
  Midpoints* const at = &table[a < b ? a : b];
  const int other = a < b ? b : a;
  for (int i = 0; i < at->n; i++) {
    if (at->other[i] == other) return at->middle[i];
  }
  const float *p = s->vert + 3 * a, *q = s->vert + 3 * b;
  float m[3];
  for (int k = 0; k < 3; k++) m[k] = (p[k] + q[k]) / 2.0f;
  const float norm = sqrtf(m[0] * m[0] + m[1] * m[1] + m[2] * m[2]);
  for (int k = 0; k < 3; k++) s->vert[s->nvert + k] = m[k] / norm;
  const int index = s->nvert / 3;
  s->nvert += 3;
  at->other[at->n] = other;
  at->middle[at->n++] = index;
  return index;
}

// every triangle becomes four
static int subdivide(Shape* s) {
  const int n = s->nface;
  int* const old = malloc(sizeof(int) * (size_t)n);
  Midpoints* const table = calloc((size_t)s->nvert / 3, sizeof(Midpoints));
  const int good = old && table;
  if (good) {
    memcpy(old, s->face, sizeof(int) * (size_t)n);
    s->nface = 0;
    for (int i = 0; i < n; i += 3) {
      const int* const f = old + i;
      const int ab = midpoint(s, table, f[0], f[1]);
      const int bc = midpoint(s, table, f[1], f[2]);
      const int ca = midpoint(s, table, f[2], f[0]);
      addFace(s, f[0], ab, ca);
      addFace(s, f[1], bc, ab);
      addFace(s, f[2], ca, bc);
      addFace(s, ab, bc, ca);
    }
  }
  free(old);
  free(table);
  return good;
}

// an icosahedron, subdivided
static int makeSphere(mjsMesh* mesh, int subdivisions) {
  static const signed char corner[12][3] = {
      {-1, 2,  0 },
      {1,  2,  0 },
      {-1, -2, 0 },
      {1,  -2, 0 },
      {0,  -1, 2 },
      {0,  1,  2 },
      {0,  -1, -2},
      {0,  1,  -2},
      {2,  0,  -1},
      {2,  0,  1 },
      {-2, 0,  -1},
      {-2, 0,  1 }
  };
  static const signed char face[20][3] = {
      {0,  11, 5 },
      {0,  5,  1 },
      {0,  1,  7 },
      {0,  7,  10},
      {0,  10, 11},
      {1,  5,  9 },
      {5,  11, 4 },
      {11, 10, 2 },
      {10, 7,  6 },
      {7,  1,  8 },
      {3,  9,  4 },
      {3,  4,  2 },
      {3,  2,  6 },
      {3,  6,  8 },
      {3,  8,  9 },
      {4,  9,  5 },
      {2,  4,  11},
      {6,  2,  10},
      {8,  6,  7 },
      {9,  8,  1 }
  };
  const int faces = 20 << (2 * subdivisions);
  Shape s;
  int good = openShape(&s, 2 + faces / 2, 0, faces);
  if (!good) return closeShape(&s, mesh, 0);

  // coordinates are 0, 1 and the golden ratio (2 in the table), in single precision
  const float phi = (float)((1 + sqrt(5)) / 2);
  const double norm = sqrt(1 + (double)phi * (double)phi);
  for (int i = 0; i < 12; i++) {
    for (int k = 0; k < 3; k++) {
      const int c = corner[i][k];
      const float value = abs(c) == 2 ? (c > 0 ? phi : -phi) : (float)c;
      s.vert[s.nvert++] = (float)(value / norm);
    }
  }
  for (int i = 0; i < 20; i++) addFace(&s, face[i][0], face[i][1], face[i][2]);
  for (int i = 0; i < subdivisions && good; i++) good = subdivide(&s);
  return closeShape(&s, mesh, good);
}

// -------------------------------------------------------------------------------------------- hemisphere

// row r of the upper half of an octahedron has r+1 vertices on each of four sides
static void hemisphereVertices(Shape* s, int resolution) {
  static const double equator[5][2] = {
      {1,  0 },
      {0,  1 },
      {-1, 0 },
      {0,  -1},
      {1,  0 }
  };
  addVertex(s, 0, 0, 1);
  for (int row = 0; row <= resolution; row++) {
    const double factor = (double)(row + 1) / (resolution + 1);
    for (int side = 0; side < 4; side++) {
      double start[3], delta[3];
      for (int k = 0; k < 3; k++) {
        const double pole = k == 2, from = k == 2 ? 0 : equator[side][k], to = k == 2 ? 0 : equator[side + 1][k];
        start[k] = pole + factor * (from - pole);
        delta[k] = (pole + factor * (to - pole) - start[k]) / (row + 1);
      }
      for (int i = 0; i <= row; i++) {
        double p[3];
        for (int k = 0; k < 3; k++) p[k] = start[k] + i * delta[k];
        const double norm = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
        addVertex(s, p[0] / norm, p[1] / norm, p[2] / norm);
      }
    }
  }
}

static int makeHemisphere(mjsMesh* mesh, int resolution) {
  const int sides = resolution + 1;
  Shape s;
  if (!openShape(&s, 2 + 2 * sides * (sides + 1), 0, 4 * sides * sides + 4 * sides)) return closeShape(&s, mesh, 0);
  hemisphereVertices(&s, resolution);
  const int center = addVertex(&s, 0, 0, 0);
  for (int k = 0; k < 4; k++) addFace(&s, 0, 1 + k, 1 + (k + 1) % 4);

  // strips between rows
  for (int row = 0; row < resolution; row++) {
    const int upper = 2 * row * (row + 1) + 1, nupper = 4 * (row + 1), lower = upper + nupper, nlower = 4 * (row + 2);
    for (int side = 0; side < 4; side++) {
      for (int i = 0; i < row + 2; i++) {
        const int u = i + (row + 1) * side, l = i + (row + 2) * side;
        addFace(&s, upper + u % nupper, lower + l % nlower, lower + (l + 1) % nlower);
        if (i <= row) addFace(&s, upper + u % nupper, lower + (l + 1) % nlower, upper + (u + 1) % nupper);
      }
    }
  }

  // the flat side
  const int rim = 2 * resolution * (resolution + 1) + 1, nrim = 4 * sides;
  for (int i = 0; i < nrim; i++) addFace(&s, rim + i, center, rim + (i + 1) % nrim);
  return closeShape(&s, mesh, 1);
}

// -------------------------------------------------------------------------------------------- superquadrics

// |x|^power with the sign of x
static double signedPower(double x, double power) {
  return copysign(mth_pow(fabs(x), power), x);
}

static double powerCos(double angle, double power) {
  return signedPower(mth_cos(angle), power);
}

static double powerSin(double angle, double power) {
  return signedPower(mth_sin(angle), power);
}

static int makeSupersphere(mjsMesh* mesh, int resolution, double e, double n) {
  const int rings = resolution - 1;
  Shape s;
  if (!openShape(&s, rings * resolution + 2, 0, 2 * resolution * rings)) return closeShape(&s, mesh, 0);
  addVertex(&s, 0, 0, -1);
  for (int i = 1; i < resolution; i++) {
    const double v = -mjPI / 2 + i * mjPI / resolution;
    for (int j = 0; j < resolution; j++) {
      const double u = -mjPI + j * 2 * mjPI / resolution;
      addVertex(&s, powerCos(v, n) * powerCos(u, e), powerCos(v, n) * powerSin(u, e), powerSin(v, n));
    }
  }
  const int north = addVertex(&s, 0, 0, 1);
  for (int j = 0; j < resolution; j++) addFace(&s, 0, 1 + (j + 1) % resolution, 1 + j);
  for (int i = 0; i + 1 < rings; i++) {
    const int low = 1 + i * resolution, high = low + resolution;
    for (int j = 0; j < resolution; j++) {
      const int next = (j + 1) % resolution;
      addFace(&s, low + j, low + next, high + j);
      addFace(&s, low + next, high + next, high + j);
    }
  }
  const int last = 1 + (rings - 1) * resolution;
  for (int j = 0; j < resolution; j++) addFace(&s, last + j, last + (j + 1) % resolution, north);
  return closeShape(&s, mesh, 1);
}

static int makeSupertorus(mjsMesh* mesh, int resolution, double radius, double sExponent, double tExponent) {
  Shape s;
  if (!openShape(&s, resolution * resolution, 0, 2 * resolution * resolution)) return closeShape(&s, mesh, 0);
  for (int i = 0; i < resolution; i++) {
    const double u = 2 * mjPI * i / resolution;
    for (int j = 0; j < resolution; j++) {
      const double v = 2 * mjPI * j / resolution, distance = 1 + radius * powerCos(v, sExponent);
      addVertex(&s, distance * powerCos(u, tExponent), distance * powerSin(u, tExponent),
                radius * powerSin(v, sExponent));
    }
  }
  for (int i = 0; i < resolution; i++) {
    const int here = i * resolution, there = (i + 1) % resolution * resolution;
    for (int j = 0; j < resolution; j++) {
      const int next = (j + 1) % resolution;
      addFace(&s, here + j, there + j, here + next);
      addFace(&s, there + j, there + next, here + next);
    }
  }
  return closeShape(&s, mesh, 1);
}

// -------------------------------------------------------------------------------------------- wedge, plate, cone

// n+1 edges of cells in [-1, 1], denser in the middle the larger gamma, times scale
static double* cellEdges(int n, double gamma, double scale) {
  double* const edge = malloc(sizeof(double) * ((size_t)n + 1));
  double x = -1;
  for (int i = 0; edge && i <= n; i++, x += 2.0 / n) {
    edge[i] = (gamma ? gamma * mth_pow(x, 5) + (1 - gamma) * x : x) * scale;
  }
  return edge;
}

// unit vector, short ones stay
static void normalize(double v[3]) {
  const double square = mth_dot3(v, v);
  const double length = sqrt(square);
  for (int k = 0; square >= 1e-14 && fabs(length - 1) > 1e-14 && k < 3; k++) v[k] /= length;
}

// normal and the two tangents of the unit sphere
static void addTangentFrame(Shape* s, double azimuth, double elevation) {
  const double sa = mth_sin(azimuth), ca = mth_cos(azimuth), se = mth_sin(elevation), ce = mth_cos(elevation);
  double ta[3] = {ce * ca, 0, ce * sa}, te[3] = {-se * sa, ce, se * ca}, normal[3];
  normalize(ta);
  normalize(te);
  mth_cross3(normal, te, ta);
  const double* const row[3] = {normal, ta, te};
  for (int r = 0; r < 3; r++) {
    for (int k = 0; k < 3; k++) s->normal[s->nnormal++] = (float)row[r][k];
  }
}

static int makeWedge(mjsMesh* mesh, const int resolution[2], const double fov[2], double gamma) {
  const int cells = resolution[0] * resolution[1];
  Shape s;
  int good = openShape(&s, cells, 3 * cells, 0);
  double* const x = cellEdges(resolution[0], gamma, fov[0] * mjPI / 180);
  double* const y = cellEdges(resolution[1], gamma, fov[1] * mjPI / 180);
  good = good && x && y;
  for (int i = 0; good && i < resolution[0]; i++) {
    for (int j = 0; j < resolution[1]; j++) {
      const double azimuth = 0.5 * (x[i + 1] + x[i]), elevation = 0.5 * (y[j + 1] + y[j]);
      const double ce = mth_cos(elevation);
      addVertex(&s, ce * mth_sin(azimuth), mth_sin(elevation), -ce * mth_cos(azimuth));
      addTangentFrame(&s, azimuth, elevation);
    }
  }
  free(x);
  free(y);
  return closeShape(&s, mesh, good);
}

static int makePlate(mjsMesh* mesh, const int resolution[2]) {
  const int nx = resolution[0], ny = resolution[1];
  Shape s;
  if (!openShape(&s, nx * ny, 3 * nx * ny, 2 * nx * ny)) return closeShape(&s, mesh, 0);
  mesh->inertia = mjMESH_INERTIA_SHELL;
  const double dx = 2.0 / nx, dy = 2.0 / ny;
  for (int i = 0; i < nx; i++) {
    for (int j = 0; j < ny; j++) {
      addVertex(&s, -1 + (i + 0.5) * dx, -1 + (j + 0.5) * dy, -1);
      for (int k = 0; k < 9; k++) s.normal[s.nnormal++] = k % 4 == 0;
    }
  }
  for (int i = 1; i < nx; i++) {
    for (int j = 1; j < ny; j++) {
      const int at = i * ny + j;
      addFace(&s, at - ny - 1, at - 1, at - ny);
      addFace(&s, at, at - ny, at - 1);
    }
  }
  return closeShape(&s, mesh, 1);
}

// a pyramid, or a frustum when the top has a radius; its faces are those of the hull
static int makeCone(mjsMesh* mesh, int edges, double radius) {
  Shape s;
  if (!openShape(&s, 2 * edges + 1, 0, 0)) return closeShape(&s, mesh, 0);
  for (int i = 0; i < edges; i++) {
    addVertex(&s, mth_cos(2 * i * mjPI / edges), mth_sin(2 * i * mjPI / edges), -1);
  }
  if (radius > 0) {
    for (int i = edges; i < 2 * edges; i++) {
      addVertex(&s, radius * mth_cos(2 * i * mjPI / edges), radius * mth_sin(2 * i * mjPI / edges), 1);
    }
  } else {
    addVertex(&s, 0, 0, 1);
  }
  return closeShape(&s, mesh, 1);
}

// -------------------------------------------------------------------------------------------- parameters

// what is wrong with the parameters, NULL: nothing
static const char* checkRound(mjtMeshBuiltin builtin, const double* p) {
  if (builtin == mjMESH_BUILTIN_HEMISPHERE) {
    if (p[0] < 0) return "Hemisphere resolution cannot be negative";
    if (p[0] >= 11) return "Hemisphere resolution cannot be greater than 10";
  } else if (builtin == mjMESH_BUILTIN_SPHERE) {
    if (p[0] < 0) return "Sphere subdivision cannot be negative";
    if (p[0] >= 5) return "Sphere subdivision cannot be greater than 4";
  } else if (builtin == mjMESH_BUILTIN_SUPERSPHERE) {
    if (p[0] < 3) return "Supersphere resolution must be greater than 2";
    if (p[1] < 0) return "Supersphere 'e' cannot be negative";
    if (p[2] < 0) return "Supersphere 'n' cannot be negative";
  } else {
    if (p[0] < 3) return "Supertorus resolution must be greater than 3";
    if (p[1] <= 0 || p[1] > 1) return "Supertorus radius must be in (0, 1]";
    if (p[2] <= 0) return "Supertorus 's' must be greater than 0";
    if (p[3] <= 0) return "Supertorus 't' must be greater than 0";
  }
  return p[0] * p[0] < MAXCELLS ? NULL : "resolution is too large";
}

static const char* checkGrid(mjtMeshBuiltin builtin, const double* p) {
  if (builtin == mjMESH_BUILTIN_WEDGE) {
    if (p[2] <= 0 || p[2] > 180) return "fov[0] must be a float between (0, 180] degrees";
    if (p[3] <= 0 || p[3] > 90) return "`fov[1]` must be a float between (0, 90] degrees";
  }
  if (!(p[0] >= 1 && p[1] >= 1)) return "Horizontal and vertical resolutions must be positive";
  if (builtin == mjMESH_BUILTIN_WEDGE && (p[4] < 0 || p[4] > 1)) {
    return "`gamma` must be a nonnegative float between [0, 1]";
  }
  return p[0] * p[1] < MAXCELLS ? NULL : "resolution is too large";
}

static const char* checkCone(const double* p) {
  if (!(p[0] >= 3)) return "Cone must have at least 3 edges";
  return p[0] < MAXCELLS ? NULL : "resolution is too large";
}

static int make(mjsMesh* mesh, mjtMeshBuiltin builtin, const double* p) {
  switch (builtin) {
    case mjMESH_BUILTIN_SPHERE:
      return makeSphere(mesh, (int)p[0]);
    case mjMESH_BUILTIN_HEMISPHERE:
      return makeHemisphere(mesh, (int)p[0]);
    case mjMESH_BUILTIN_CONE:
      return makeCone(mesh, (int)p[0], p[1]);
    case mjMESH_BUILTIN_SUPERSPHERE:
      return makeSupersphere(mesh, (int)p[0], p[1], p[2]);
    case mjMESH_BUILTIN_SUPERTORUS:
      return makeSupertorus(mesh, (int)p[0], p[1], p[2], p[3]);
    case mjMESH_BUILTIN_WEDGE:
      return makeWedge(mesh, (const int[2]){(int)p[0], (int)p[1]}, p + 2, p[4]);
    default:
      return makePlate(mesh, (const int[2]){(int)p[0], (int)p[1]});
  }
}

int mjs_makeMesh(mjsMesh* mesh, mjtMeshBuiltin builtin, double* params, int nparams) {
  static const struct {
    int n;
    const char* message;
  } expected[] = {
  // clang-format off
      [mjMESH_BUILTIN_SPHERE]      = {1, "Sphere mesh type requires 1 parameter"},
      [mjMESH_BUILTIN_HEMISPHERE]  = {1, "Hemisphere mesh type requires 1 parameter"},
      [mjMESH_BUILTIN_CONE]        = {2, "Cone mesh type requires 2 parameters"},
      [mjMESH_BUILTIN_SUPERSPHERE] = {3, "Supersphere mesh type requires 3 parameters"},
      [mjMESH_BUILTIN_SUPERTORUS]  = {4, "Supertorus mesh type requires 4 parameters"},
      [mjMESH_BUILTIN_WEDGE]       = {5, "Wedge builtin mesh types require 5 parameters"},
      [mjMESH_BUILTIN_PLATE]       = {2, "Plate builtin mesh type requires 2 parameters"},
  // clang-format on
  };
  SpcModel* const model = spc_head(mesh->element)->model;
  if (builtin < mjMESH_BUILTIN_SPHERE || builtin > mjMESH_BUILTIN_PLATE) {
    spc_fail(model, "Error: Unsupported mesh type");
    return 1;
  }
  if (nparams != expected[builtin].n) return spc_fail(model, "Error: %s", expected[builtin].message);
  for (int i = 0; i < nparams; i++) {
    if (!isfinite(params[i])) return spc_fail(model, "Error: parameters of a built-in mesh must be finite");
  }
  const char* wrong = NULL;
  if (builtin == mjMESH_BUILTIN_CONE) {
    wrong = checkCone(params);
  } else if (builtin == mjMESH_BUILTIN_WEDGE || builtin == mjMESH_BUILTIN_PLATE) {
    wrong = checkGrid(builtin, params);
  } else {
    wrong = checkRound(builtin, params);
  }
  if (wrong) return spc_fail(model, "Error: %s", wrong);
  return make(mesh, builtin, params);
}
