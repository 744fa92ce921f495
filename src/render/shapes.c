// Built-in shapes as display lists. All but the box are surfaces of revolution: a profile in the half plane (r, z),
// walked from bottom to top, is turned round the z axis in numslices steps. Where the profile meets the axis the
// quadrilaterals become triangles whose tip takes the mean of its neighbours' normals.
#include <math.h>

#include "render/context.h"

// a point of a profile and its outward normal
typedef struct {
  double r, z;
  double nr, nz;
} Point;

// a point of a circle round (0, z)
static Point onCircle(double z, double elevation) {
  const double c = cos(elevation), s = sin(elevation);
  return (Point){c, z + s, c, s};
}

// the profile of a shape at t from 0 (bottom) to 1 (top)
static Point profile(RenShape shape, double t) {
  const double quarter = 0.5 * mjPI, slope = sqrt(0.5);
  switch (shape) {
    case REN_SPHERE:
      return onCircle(0, (2 * t - 1) * quarter);
    case REN_SPHERE_TOP:
      return onCircle(1, t * quarter);
    case REN_SPHERE_BOTTOM:
      return onCircle(-1, (t - 1) * quarter);
    case REN_TUBE:
      return (Point){1, 2 * t - 1, 1, 0};
    case REN_DISK_TOP:
      return (Point){1 - t, 1, 0, 1};
    case REN_DISK_BOTTOM:
      return (Point){t, -1, 0, -1};
    case REN_CONE:
      return (Point){1 - t, t, slope, slope};
    default:
      return (Point){t, 0, 0, -1};
  }
}

// rings of polygons along a profile; at least one each
static int ringCount(RenShape shape, int numstacks) {
  const int stacks = numstacks > 1 ? numstacks : 1, half = numstacks > 3 ? numstacks / 2 : 1;
  switch (shape) {
    case REN_SPHERE:
      return 2 * half;
    case REN_SPHERE_TOP:
    case REN_SPHERE_BOTTOM:
    case REN_DISK_TOP:
    case REN_DISK_BOTTOM:
      return half;
    default:
      return stacks;
  }
}

static int onAxis(Point p) {
  return p.r < 1e-9;
}

// a point of a profile turned round the axis
static RenCorner turned(Point p, int slice, int numslices) {
  const double angle = 2 * mjPI * slice / numslices, c = cos(angle), s = sin(angle);
  const double r = onAxis(p) ? 0 : p.r;
  return (RenCorner){
      {(float)(c * r),    (float)(s * r),    (float)p.z },
      {(float)(c * p.nr), (float)(s * p.nr), (float)p.nz}
  };
}

// the tip of a triangle between two slices
static RenCorner tip(RenCorner a, const RenCorner* b) {
  float length = 0;
  for (int k = 0; k < 3; k++) {
    a.normal[k] += b->normal[k];
    length += a.normal[k] * a.normal[k];
  }
  length = sqrtf(length);
  for (int k = 0; k < 3; k++) a.normal[k] /= length;
  return a;
}

typedef struct {
  void (*draw)(void* user, const RenCorner* corners, int n);
  void* user;
} Sink;

static void revolve(RenShape shape, RenQuality quality, Sink sink) {
  const int n = quality.numslices, nring = ringCount(shape, quality.numstacks);
  for (int ring = 0; ring < nring; ring++) {
    const Point low = profile(shape, (double)ring / nring), high = profile(shape, (double)(ring + 1) / nring);
    for (int j = 0; j < n; j++) {
      RenCorner c[4] = {turned(low, j, n), turned(low, j + 1, n), turned(high, j + 1, n), turned(high, j, n)};
      if (onAxis(low)) {
        c[1] = tip(c[0], &c[1]);
        sink.draw(sink.user, c + 1, 3);
      } else if (onAxis(high)) {
        c[2] = tip(c[2], &c[3]);
        sink.draw(sink.user, c, 3);
      } else {
        sink.draw(sink.user, c, 4);
      }
    }
  }
}

// The six sides of a box: axis of the normal, its sign, and the two axes along the side; turned is 1 where they are
// left-handed with the normal.
static const struct {
  int normal, sign, u, v, turned;
} SIDES[6] = {
    {2, +1, 0, 1, 0},
    {2, -1, 0, 1, 1},
    {0, +1, 1, 2, 0},
    {0, -1, 1, 2, 1},
    {1, -1, 0, 2, 0},
    {1, +1, 0, 2, 1},
};

static void box(int numquads, Sink sink) {
  const float step = 2.0f / (float)numquads;
  for (int side = 0; side < 6; side++) {
    for (int cell = 0; cell < numquads * numquads; cell++) {
      const int x = cell / numquads, y = cell % numquads;
      RenCorner c[4] = {0};
      for (int k = 0; k < 4; k++) {
        const int right = k == 1 || k == 2, up = (k >= 2) != SIDES[side].turned;
        c[k].pos[SIDES[side].u] = step * (float)(x + right) - 1;
        c[k].pos[SIDES[side].v] = step * (float)(y + up) - 1;
        c[k].pos[SIDES[side].normal] = (float)SIDES[side].sign;
        c[k].normal[SIDES[side].normal] = (float)SIDES[side].sign;
      }
      sink.draw(sink.user, c, 4);
    }
  }
}

void ren_eachPolygon(RenShape shape, RenQuality quality, void (*draw)(void* user, const RenCorner* corners, int n),
                     void* user) {
  const Sink sink = {draw, user};
  if (shape == REN_BOX) {
    box(quality.numquads, sink);
  } else {
    revolve(shape, quality, sink);
  }
}

//---------------------------------- lists ----------------------------------

// sends a polygon to the list; user: the number of corners that glBegin was called for, 0 before the first
static void send(void* user, const RenCorner* corners, int n) {
  int* const open = user;
  if (*open != n) {
    if (*open) gl.End();
    gl.Begin(n == 3 ? GL_TRIANGLES : GL_QUADS);
    *open = n;
  }
  for (int k = 0; k < n; k++) {
    gl.Normal3fv(corners[k].normal);
    gl.Vertex3fv(corners[k].pos);
  }
}

// Haze is a funnel that opens upwards to radius 1 at z = 1, seen from inside: transparent at both ends, opaque where a
// line of 45 degrees from the rim at the bottom crosses the line to the rim at the top.
static void sendHaze(int numslices, float size, const float* rgba) {
  const float slope = atan2f(1, size), angle = (float)(0.75 * mjPI) - slope;
  const float middle = sqrtf(0.5f) * size * sinf(slope) / sinf(angle);
  const float height[3] = {0, middle, 1};
  gl.Begin(GL_QUADS);
  gl.Normal3f(0, 0, 1);
  for (int ring = 0; ring < 2; ring++) {
    for (int j = 0; j < numslices; j++) {
      for (int k = 0; k < 4; k++) {
        const int right = k == 1 || k == 2, row = ring + (k >= 2);
        const double turn = 2 * mjPI * (j + right) / numslices;
        const double r = 1 - size * (1 - height[row]);
        gl.Color4f(rgba[0], rgba[1], rgba[2], row == 1);
        gl.Vertex3f((float)(cos(turn) * r), (float)(sin(turn) * r), height[row]);
      }
    }
  }
  gl.End();
}

void ren_makeShapes(const mjModel* m, mjrContext* con) {
  const RenQuality quality = {m->vis.quality.numslices, m->vis.quality.numstacks, m->vis.quality.numquads};
  con->rangeBuiltin = REN_NSHAPE;
  con->baseBuiltin = ren_newLists(REN_NSHAPE);
  for (RenShape shape = 0; shape < REN_NSHAPE; shape++) {
    gl.NewList(con->baseBuiltin + shape, GL_COMPILE);
    if (shape == REN_HAZE) {
      sendHaze(quality.numslices, m->vis.map.haze, m->vis.rgba.haze);
    } else {
      int open = 0;
      ren_eachPolygon(shape, quality, send, &open);
      if (open) gl.End();
    }
    gl.EndList();
  }
}
