// Points and elements of the shapes that a flexcomp can make by itself.
#include <math.h>

#include "math/elem.h"
#include "spec/flexcomp.h"
#include "spec/pose.h"

static void addPoint(SpcFlexcomp* f, double x, double y, double z) {
  spc_vecAppend(f->flex->vert, (double[]){x, y, z}, 3, sizeof(double));
}

// vertices that belong to one element
#define ADD(f, ...) \
  spc_vecAppend((f)->flex->elem, (int[]){__VA_ARGS__}, sizeof((int[]){__VA_ARGS__}) / sizeof(int), sizeof(int))

// texture coordinates are made for flexes with a material, unless they were given
static int needsTexture(const SpcFlexcomp* f) {
  return !spc_textEmpty(f->flex->material) && !xml_attribute(f->node, "texcoord");
}

static void addTexture(SpcFlexcomp* f, int i, int nexti, int j, int nextj) {
  const int lasti = nexti > 1 ? nexti - 1 : 1, lastj = nextj > 1 ? nextj - 1 : 1;
  spc_vecAppend(f->flex->texcoord, (float[]){(float)i / (float)lasti, (float)j / (float)lastj}, 2, sizeof(float));
}

//---------------------------------- grids ----------------------------------

// distance from the middle of a grid
static double gridCoordinate(const SpcFlexcomp* f, int axis, int i) {
  return f->spacing[axis] * (i - 0.5 * (f->count[axis] - 1));
}

static void makeLine(SpcFlexcomp* f) {
  const int n = f->count[0];
  if (f->shape == FLEX_CIRCLE) {
    // the last point is the first
    const double angle = 2 * mjPI / (n - 1), radius = f->spacing[0] / mth_sin(angle / 2) / 2;
    for (int i = 0; i < n - 1; i++) {
      addPoint(f, radius * mth_cos(angle * i), radius * mth_sin(angle * i), 0);
      ADD(f, i, i == n - 2 ? 0 : i + 1);
    }
    return;
  }
  for (int i = 0; i < n; i++) {
    addPoint(f, gridCoordinate(f, 0, i), 0, 0);
    if (i < n - 1) ADD(f, i, i + 1);
  }
}

static void makeSheet(SpcFlexcomp* f) {
  const int texture = needsTexture(f);
  for (int x = 0; x < f->count[0]; x++) {
    for (int y = 0; y < f->count[1]; y++) {
      const double px = gridCoordinate(f, 0, x), py = gridCoordinate(f, 1, y);
      addPoint(f, px, py, 0);
      if (texture) addTexture(f, x, f->count[0], y, f->count[1]);
      if (x == f->count[0] - 1 || y == f->count[1] - 1) continue;
      const int a = spc_gridId(f, x, y, 0), b = spc_gridId(f, x + 1, y, 0);
      const int c = spc_gridId(f, x + 1, y + 1, 0), d = spc_gridId(f, x, y + 1, 0);

      // the diagonals of a disc run towards its middle
      const int flip = (px < -SPC_EPS && py > -SPC_EPS) || (px > -SPC_EPS && py < -SPC_EPS);
      if (f->shape == FLEX_DISC && flip) {
        ADD(f, a, b, d, b, c, d);
      } else {
        ADD(f, a, b, c, a, c, d);
      }
    }
  }
}

static void makeBlock(SpcFlexcomp* f) {
  // six tetrahedra around the diagonal of a cube; corners counter-clockwise, bottom then top
  static const int tetrahedra[6][4] = {
      {0, 3, 1, 7},
      {0, 1, 4, 7},
      {1, 3, 2, 7},
      {1, 2, 6, 7},
      {1, 5, 4, 7},
      {1, 6, 5, 7}
  };
  const int texture = needsTexture(f);
  for (int x = 0; x < f->count[0]; x++) {
    for (int y = 0; y < f->count[1]; y++) {
      for (int z = 0; z < f->count[2]; z++) {
        addPoint(f, gridCoordinate(f, 0, x), gridCoordinate(f, 1, y), gridCoordinate(f, 2, z));
        if (texture) addTexture(f, x, f->count[0], y, f->count[1]);
        if (x == f->count[0] - 1 || y == f->count[1] - 1 || z == f->count[2] - 1) continue;
        int corner[8];
        for (int i = 0; i < 8; i++) {
          corner[i] = spc_gridId(f, x + (i % 4 == 1 || i % 4 == 2), y + (i % 4 > 1), z + i / 4);
        }
        for (int t = 0; t < 6; t++) {
          const int* const v = tetrahedra[t];
          ADD(f, corner[v[0]], corner[v[1]], corner[v[2]], corner[v[3]]);
        }
      }
    }
  }
}

void spc_flexGrid(SpcFlexcomp* f) {
  if (f->flex->dim == 1) {
    makeLine(f);
  } else if (f->flex->dim == 2) {
    makeSheet(f);
  } else {
    makeBlock(f);
  }
  if (!spc_vecCount(f->flex->elem, sizeof(int))) spc_readFail(f->r, f->node, "No elements were created in grid");
}

// from a square to a disc: points keep their ring
static void roundOff(double* p, const double size[2]) {
  const double ring = fmax(fabs(p[0]), fabs(p[1]));
  spc_normalize(p, 2);
  p[0] *= size[0] * ring;
  p[1] *= size[1] * ring;
}

void spc_flexSquare(SpcFlexcomp* f) {
  f->flex->dim = 2;
  spc_flexGrid(f);
  if (f->shape != FLEX_DISC) return;
  const double size[2] = {0.5 * f->spacing[0] * (f->count[0] - 1), 0.5 * f->spacing[1] * (f->count[1] - 1)};
  double* const point = (double*)(void*)((SpcVec*)f->flex->vert)->begin;
  for (int i = 0; i < spc_flexPoints(f); i++) roundOff(point + 3 * i, size);
}

//---------------------------------- boxes ----------------------------------

// A solid has a point in its centre, then its sides in the order z, y, x, low before high. A surface has no centre and
// is open at the top: the upper ring belongs to the walls.
static int hasTop(const SpcFlexcomp* f) {
  return f->flex->dim != 2;
}

// number of a point
static int boxId(const SpcFlexcomp* f, const int at[3]) {
  const int nx = f->count[0], ny = f->count[1], top = hasTop(f), first = f->flex->dim == 3;
  const int x = at[0], y = at[1], z = at[2], inner = f->count[2] - 1 - top;
  if (z == 0) return first + x * ny + y;
  if (top && z == f->count[2] - 1) return first + nx * ny + x * ny + y;
  int start = first + (1 + top) * nx * ny;
  if (y == 0) return start + x * inner + z - 1;
  start += nx * inner;
  if (y == ny - 1) return start + x * inner + z - 1;
  start += nx * inner;
  if (x == 0) return start + (y - 1) * inner + z - 1;
  start += (ny - 2) * inner;
  return start + (y - 1) * inner + z - 1;
}

// a point of the box, on the surface of the shape
static void project(const SpcFlexcomp* f, double p[3], const int at[3]) {
  double size[3];
  for (int k = 0; k < 3; k++) {
    p[k] = 2.0 * at[k] / (f->count[k] - 1) - 1;
    size[k] = 0.5 * f->spacing[k] * (f->count[k] - 1);
  }
  if (f->shape == FLEX_CYLINDER) {
    roundOff(p, size);
    p[2] *= size[2];
    return;
  }
  if (f->shape == FLEX_ELLIPSOID) spc_normalize(p, 3);
  for (int k = 0; k < 3; k++) p[k] *= size[k];
}

// two elements over a patch of a side, corners in order: tetrahedra from the centre, or triangles that look outside
static void addPatch(SpcFlexcomp* f, int axis, int side, const int v[4]) {
  if (f->flex->dim == 3) {
    ADD(f, 0, v[0], v[1], v[2], 0, v[0], v[3], v[2]);
  } else if (axis == 2 && side == 0) {
    ADD(f, v[0], v[2], v[1], v[0], v[3], v[2]);
  } else if (axis == 2 || (axis == 1) == (side == 0)) {
    ADD(f, v[0], v[1], v[2], v[0], v[2], v[3]);
  } else {
    ADD(f, v[1], v[0], v[3], v[1], v[3], v[2]);
  }
}

// both sides across an axis; a and b run along them. Points that an earlier side has are not added again.
static void makeSides(SpcFlexcomp* f, int axis, int a, int b, int texture) {
  for (int side = 0; side < f->count[axis]; side += f->count[axis] - 1) {
    if (axis == 2 && side > 0 && !hasTop(f)) continue;
    for (int i = 0; i < f->count[a]; i++) {
      for (int j = 0; j < f->count[b]; j++) {
        int at[3];
        at[axis] = side;
        at[a] = i;
        at[b] = j;
        const int known = (axis < 2 && (at[2] == 0 || (hasTop(f) && at[2] == f->count[2] - 1))) ||
                          (axis < 1 && (at[1] == 0 || at[1] == f->count[1] - 1));
        if (!known) {
          double p[3];
          project(f, p, at);
          addPoint(f, p[0], p[1], p[2]);
          if (texture) addTexture(f, i, f->count[a], j, f->count[b]);
        }
        if (i == f->count[a] - 1 || j == f->count[b] - 1) continue;

        const int here = boxId(f, at);
        at[a]++;
        const int right = boxId(f, at);
        at[b]++;
        const int across = boxId(f, at);
        at[a]--;
        const int up = boxId(f, at);
        addPatch(f, axis, side, (int[]){here, right, across, up});
      }
    }
  }
}

void spc_flexBox(SpcFlexcomp* f) {
  const int texture = needsTexture(f);
  for (int k = 0; k < 3; k++) {
    if (f->count[k] < 2) spc_readFail(f->r, f->node, "Count too small");
  }
  if (f->flex->dim == 3) addPoint(f, 0, 0, 0);
  if (f->flex->dim == 3 && texture) addTexture(f, 0, 1, 0, 1);
  makeSides(f, 2, 0, 1, texture);
  makeSides(f, 1, 0, 2, texture);
  makeSides(f, 0, 1, 2, texture);
}
