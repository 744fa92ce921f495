// Approximate convex decomposition by cutting and merging.
//
// The solid is cut by planes along the axes of its file into cells: always the cell whose hull stands out of the solid
// most, at the plane whose two hulls have the least volume beyond the solid's; where no plane lessens it, as across the
// hole of a ring, through the point that stands out most, so that the next planes can. Then cells are merged again,
// those first whose common hull adds least. A hull is measured as Wei et al. do (Approximate convex decomposition for
// 3D meshes with collision-aware concavity and tree search, 2022): the larger of how far its faces are from the solid,
// and the radius of the ball with the volume that it adds, times 0.3.
//
// Of a mesh with very many triangles, planes are chosen on a coarser surface, measured against the mesh. The mesh
// itself is then cut once by those planes; merges are chosen with some hundred vertices of each piece, and the parts
// are hulls of all of them.
#include "asset/decompose.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asset/coarse.h"
#include "asset/distance.h"
#include "asset/mesh.h"
#include "asset/soup.h"
#include "base/assert.h"
#include "math/elem.h"
#include "math/quat.h"
#include "math/vec.h"

enum {
  PLACES = 11,          // planes tried along each axis
  FLATS = 8,            // flat faces across an axis whose planes are tried as well
  HALVINGS = 3,         // of the distance between places, around the best one
  SPARE = 3,            // cells per part that are wanted: merging makes better parts of many
  CELLS = 96,           // at most
  SAMPLES = 400,        // points of a hull whose distance is measured
  FACES = 5000,         // faces that they are on, of a hull of a large mesh
  CUBE = 9,             // points of a grid along each edge of a cube: directions in which a large part is seen
  WORK = 200 * 1000000  // triangles cut and points given to hulls, at most: about a minute where all are on the hull
};

static const double SAVING = 0.98;  // a plane that leaves more of the volume beyond the solid's does not lessen it

// a convex part: the hull of its vertices, and how much of the solid it stands for
typedef struct {
  double* vert;
  int nvert;
  double hull, solid;  // volumes
  double concavity;    // negative: not measured yet
  double worst[3];     // the point of its hull that is farthest from the solid, once measured
  double box[6];       // smallest and largest coordinates
} Part;

// a cell of the cutting: a box, and the part of the solid in it
typedef struct {
  AstSolid solid;
  double box[6];
  Part part;
} Cell;

typedef struct {
  int axis;
  double at, excess;
} Plane;

typedef struct {
  AstSurface surface;  // in the frame of inertia, as the tree of faces is
  double* point;       // vertices in the frame of the file
  int large;           // 1: planes are chosen on a coarser surface
  const AstMesh* mesh;
  AstDistance* distance;
  AstMeshSource source;
  double size;    // half of the largest extent
  double volume;  // of the solid
  double centre[3];
  long long work;
  int ncut;            // cuts that were made
  int of[CELLS];       // the cell of each: its lower side stays there, the upper one becomes the last cell
  Plane plane[CELLS];  // and where
  int owner[CELLS];    // the part that each cell became one of, negative: none
  char error[AST_MESSAGE];
} Work;

static void freePart(Part* part) {
  free(part->vert);
  *part = (Part){0};
}

static void freeCell(Cell* cell) {
  ast_freeSolid(&cell->solid);
  freePart(&cell->part);
}

//---------------------------------- hulls ----------------------------------

static int comparePoints(const void* a, const void* b) {
  const double *x = a, *y = b;
  for (int k = 0; k < 3; k++) {
    if (x[k] != y[k]) return x[k] < y[k] ? -1 : 1;
  }
  return 0;
}

// sorts points and leaves each once
static int unique(double* point, int n) {
  qsort(point, (size_t)n, 3 * sizeof(double), comparePoints);
  int m = 0;
  for (int i = 0; i < n; i++) {
    if (!m || comparePoints(point + 3 * (m - 1), point + 3 * i))
      memmove(point + 3 * m++, point + 3 * i, 3 * sizeof(double));
  }
  return m;
}

static double hullVolume(const double* vert, const int* graph, const double centre[3]) {
  const int nvert = graph[0], nface = graph[1], *face = graph + 2 + 3 * nvert + 3 * nface;
  double sum = 0;
  for (int i = 0; i < nface; i++) {
    double x[3][3], n[3];
    for (int k = 0; k < 3; k++) mth_sub3(x[k], vert + 3 * face[3 * i + k], centre);
    mth_cross3(n, x[1], x[2]);
    sum += mth_dot3(x[0], n);
  }
  return sum / 6;
}

// The hull of points, which are changed: volume, and the vertices if keep. 1, or 0: no memory. Points in a plane have a
// hull of no volume.
static int makeHull(Work* w, double* point, int n, int keep, Part* part) {
  *part = (Part){.concavity = -1};
  n = unique(point, n);
  w->work += n;
  AstSurface surface = {
      .source = &w->source, .error = w->error, .vert = {point, 3 * n}
  };
  if (n < 4 || !ast_makeHull(&surface)) return 1;
  const int* graph = surface.graph.at;
  part->hull = fabs(hullVolume(point, graph, w->centre));
  int good = 1;
  if (keep) {
    part->nvert = graph[0];
    part->vert = malloc(sizeof(double) * 3 * (size_t)graph[0]);
    good = part->vert != NULL;
    for (int k = 0; k < 3; k++) {
      part->box[k] = DBL_MAX;
      part->box[3 + k] = -DBL_MAX;
    }
    for (int i = 0; i < graph[0] && good; i++) {
      const double* x = point + 3 * graph[2 + graph[0] + i];
      mth_copy3(part->vert + 3 * i, x);
      for (int k = 0; k < 3; k++) {
        part->box[k] = mth_min(part->box[k], x[k]);
        part->box[3 + k] = mth_max(part->box[3 + k], x[k]);
      }
    }
  }
  free(surface.graph.at);
  return good;
}

//---------------------------------- distance ----------------------------------

// signed distance of a point to the mesh, negative inside
static double distanceTo(const Work* w, const double point[3]) {
  double local[3], moved[3], inverse[4];
  mth_sub3(moved, point, w->mesh->pos);
  mth_negQuat(inverse, w->mesh->quat);
  mth_rotVecQuat(local, moved, inverse);
  return ast_signedDistance(w->distance, local);
}

// how far a face of a hull is from the solid: points at the middles of a grid over it
static double faceDistance(const Work* w, const double* const v[3], int grid, double worst[3]) {
  double most = 0;
  for (int i = 0; i < grid; i++) {
    for (int j = 0; j < grid - i; j++) {
      double x[3];
      const double a = (i + 1.0 / 3) / grid, b = (j + 1.0 / 3) / grid;
      for (int k = 0; k < 3; k++) x[k] = v[0][k] + a * (v[1][k] - v[0][k]) + b * (v[2][k] - v[0][k]);
      const double distance = distanceTo(w, x);
      if (distance <= most) continue;
      most = distance;
      mth_copy3(worst, x);
    }
  }
  return most;
}

static double faceArea(const double* const v[3]) {
  double a[3], b[3], n[3];
  mth_sub3(a, v[1], v[0]);
  mth_sub3(b, v[2], v[0]);
  mth_cross3(n, a, b);
  return mth_norm3(n) / 2;
}

// largest distance of the hull of a part to the solid, and where it is; 0: no memory
static int hullDistance(Work* w, Part* part, double* most) {
  *most = 0;
  if (part->nvert < 4) return 1;
  double* const point = malloc(sizeof(double) * 3 * (size_t)part->nvert);
  if (!point) return 0;
  memcpy(point, part->vert, sizeof(double) * 3 * (size_t)part->nvert);
  AstSurface surface = {
      .source = &w->source, .error = w->error, .vert = {point, 3 * part->nvert}
  };
  if (ast_makeHull(&surface)) {
    const int* graph = surface.graph.at;
    const int nface = graph[1], *face = graph + 2 + 3 * graph[0] + 3 * nface;
    double total = 0, seen = 0, next = 0;
    for (int pass = 0; pass < 2; pass++) {
      for (int i = 0; i < nface; i++) {
        const double* v[3];
        for (int k = 0; k < 3; k++) v[k] = point + 3 * face[3 * i + k];
        const double area = faceArea(v);
        if (!pass) total += area;
        if (!pass) continue;

        // of the very many faces of a part of a large mesh those that even steps over the area meet
        seen += area;
        if (w->large ? seen < next : area <= 1e-6 * total) continue;
        next = seen + total / FACES;
        const int grid = 1 + (int)sqrt(SAMPLES * area / total);
        double x[3] = {0, 0, 0};
        const double far = faceDistance(w, v, grid, x);
        if (far <= *most) continue;
        *most = far;
        mth_copy3(part->worst, x);
      }
    }
    w->work += SAMPLES * 50;
    free(surface.graph.at);
  }
  free(point);
  return 1;
}

static double ballOf(const Work* w, double volume) {
  const double most = mth_max(0, volume) * 3 / (4 * mjPI);
  return most > 1e-9 * w->volume ? 0.3 * mth_exp(mth_log(most) / 3) : 0;
}

static int measure(Work* w, Part* part) {
  double far;
  if (part->concavity >= 0) return 1;
  if (!hullDistance(w, part, &far)) return 0;
  part->concavity = mth_max(far, ballOf(w, part->hull - part->solid)) / w->size;
  return 1;
}

//---------------------------------- cells ----------------------------------

// corners of a box that are within the solid belong to the hull of the cell, though the surface does not reach them
static int innerCorners(const Work* w, const double box[6], double* point) {
  int n = 0;
  for (int i = 0; i < 8; i++) {
    double* const x = point + 3 * n;
    for (int k = 0; k < 3; k++) x[k] = box[(i >> k & 1 ? 3 : 0) + k];
    if (distanceTo(w, x) < 0) n++;
  }
  return n;
}

// part of a cell whose solid and box are set
static int fillCell(Work* w, Cell* cell, int keep) {
  const int n = 3 * cell->solid.surface.n;
  double* const point = malloc(sizeof(double) * 3 * ((size_t)n + 8));
  if (!point) return 0;
  if (n) memcpy(point, cell->solid.surface.at, sizeof(double) * 3 * (size_t)n);
  const int corners = innerCorners(w, cell->box, point + 3 * (size_t)n);
  w->work += n;
  const int good = makeHull(w, point, n + corners, keep, &cell->part);
  free(point);
  if (good) cell->part.solid = ast_solidVolume(&cell->solid, w->centre);
  return good;
}

// the two cells on either side of a plane; 0: no memory
static int cutCell(Work* w, const Cell* cell, int axis, double at, int keep, Cell side[2]) {
  memset(side, 0, 2 * sizeof(Cell));
  AstSolid solid[2];
  if (!ast_cutSolid(&cell->solid, axis, at, w->centre, solid)) return 0;
  for (int k = 0; k < 2; k++) {
    side[k].solid = solid[k];
    memcpy(side[k].box, cell->box, sizeof(cell->box));
    side[k].box[k ? axis : 3 + axis] = at;
  }
  const int good = fillCell(w, side, keep) && fillCell(w, side + 1, keep);
  if (good) return 1;
  for (int k = 0; k < 2; k++) freeCell(side + k);
  return 0;
}

// volume that the hulls on both sides of a plane have beyond the solid; negative: no memory
static double excessAt(Work* w, const Cell* cell, int axis, double at) {
  Cell side[2];
  if (!cutCell(w, cell, axis, at, 0, side)) return -1;
  double sum = 0;
  for (int k = 0; k < 2; k++) {
    sum += mth_max(0, side[k].part.hull - side[k].part.solid);
    freeCell(side + k);
  }
  return sum;
}

// keeps the better of two planes; 0: no memory
static int consider(Work* w, const Cell* cell, int axis, double at, Plane* best) {
  const double *low = cell->part.box + axis, *high = cell->part.box + 3 + axis, length = *high - *low;
  if (at <= *low + 1e-3 * length || at >= *high - 1e-3 * length) return 1;
  const double excess = excessAt(w, cell, axis, at);
  if (excess < 0) return 0;
  if (excess < best->excess * (1 - 1e-9)) *best = (Plane){axis, at, excess};
  return 1;
}

// Planes of the largest faces across an axis: where a machined part is cut best. They stand a little outside, so that
// the whole face is on the side of its solid.
static int flatPlanes(const Work* w, const Cell* cell, int axis, double at[FLATS]) {
  const double near = 1e-5 * w->size;
  double area[FLATS] = {0};
  int n = 0;
  for (int i = 0; i < cell->solid.surface.n; i++) {
    const double* t = cell->solid.surface.at + 9 * (size_t)i;
    if (fabs(t[axis] - t[3 + axis]) > near || fabs(t[axis] - t[6 + axis]) > near) continue;
    double a[3], b[3], normal[3];
    mth_sub3(a, t + 3, t);
    mth_sub3(b, t + 6, t);
    mth_cross3(normal, a, b);
    const double own = mth_norm3(normal), plane = t[axis] + (normal[axis] > 0 ? 3 : -3) * near;
    int k = 0;
    while (k < n && fabs(at[k] - plane) > 2 * near) k++;
    if (k == n && n < FLATS) {
      at[n] = plane;
      area[n++] = 0;
    } else if (k == n) {
      for (int j = k = 0; j < n; j++) k = area[j] < area[k] ? j : k;
      if (area[k] >= own) continue;
      at[k] = plane;
      area[k] = 0;
    }
    area[k] += own;
  }
  return n;
}

// the best plane of a cell; 0: no memory
static int findPlane(Work* w, const Cell* cell, Plane* best) {
  *best = (Plane){-1, 0, DBL_MAX};
  for (int axis = 0; axis < 3; axis++) {
    const double low = cell->part.box[axis], length = cell->part.box[3 + axis] - low;
    for (int i = 1; i <= PLACES; i++) {
      if (!consider(w, cell, axis, low + length * i / (PLACES + 1), best)) return 0;
    }
    double flat[FLATS];
    const int n = flatPlanes(w, cell, axis, flat);
    for (int i = 0; i < n; i++) {
      if (!consider(w, cell, axis, flat[i], best)) return 0;
    }
  }
  for (int k = 1; k <= HALVINGS && best->axis >= 0; k++) {
    const int axis = best->axis;
    const double step = (cell->part.box[3 + axis] - cell->part.box[axis]) / (PLACES + 1) / (1 << k), at = best->at;
    if (!consider(w, cell, axis, at - step, best) || !consider(w, cell, axis, at + step, best)) return 0;
  }

  // slices of a ring are rings: what opens it saves nothing yet
  const double excess = cell->part.hull - cell->part.solid;
  Plane through = {-1, 0, DBL_MAX};
  for (int axis = 0; axis < 3 && best->excess > SAVING * excess; axis++) {
    if (!consider(w, cell, axis, cell->part.worst[axis], &through)) return 0;
  }
  if (through.axis >= 0) *best = through;
  return 1;
}

// cuts until every cell is good enough or there are enough of them; 0: no memory
static int cutAll(Work* w, Cell* cell, int* n, const AstCut* cut) {
  const int wanted = SPARE * cut->most < CELLS ? SPARE * cut->most : CELLS;
  while (*n < wanted && w->work < WORK) {
    int worst = -1;
    for (int i = 0; i < *n; i++) {
      if (!measure(w, &cell[i].part)) return 0;
      if (cell[i].part.concavity <= cut->concavity) continue;
      if (worst < 0 || cell[i].part.concavity > cell[worst].part.concavity) worst = i;
    }
    if (worst < 0) return 1;
    Plane plane;
    Cell side[2];
    if (!findPlane(w, cell + worst, &plane)) return 0;
    if (plane.axis < 0) {
      cell[worst].part.concavity = 0;
      continue;
    }
    if (!cutCell(w, cell + worst, plane.axis, plane.at, 1, side)) return 0;
    freeCell(cell + worst);
    cell[worst] = side[0];
    cell[(*n)++] = side[1];
    w->of[w->ncut] = worst;
    w->plane[w->ncut++] = plane;
  }
  return 1;
}

//---------------------------------- merging ----------------------------------

// 1: the boxes of two parts touch
static int areNear(const Work* w, const Part* a, const Part* b) {
  for (int k = 0; k < 3; k++) {
    const double gap = 1e-3 * w->size;
    if (a->box[k] > b->box[3 + k] + gap || b->box[k] > a->box[3 + k] + gap) return 0;
  }
  return 1;
}

// the hull of two parts; 0: no memory
static int joinParts(Work* w, const Part* a, const Part* b, Part* both) {
  *both = (Part){0};
  const int n = a->nvert + b->nvert;
  double* const point = malloc(sizeof(double) * 3 * (size_t)n);
  if (!point) return 0;
  memcpy(point, a->vert, sizeof(double) * 3 * (size_t)a->nvert);
  memcpy(point + 3 * a->nvert, b->vert, sizeof(double) * 3 * (size_t)b->nvert);
  const int good = makeHull(w, point, n, 1, both);
  free(point);
  both->solid = a->solid + b->solid;
  return good;
}

// what two parts would be as one: at first only a bound from below, which is cheap
typedef struct {
  double concavity;
  int measured;
} Join;

// the join of two parts; 0: no memory
static int tryJoin(Work* w, const Part* a, const Part* b, int exactly, Join* join) {
  Part both = {0};
  *join = (Join){DBL_MAX, 1};
  if (!areNear(w, a, b)) return 1;
  int good = joinParts(w, a, b, &both);
  *join = (Join){ballOf(w, both.hull - both.solid) / w->size, exactly};
  if (good && exactly) {
    good = measure(w, &both);
    join->concavity = both.concavity;
  }
  freePart(&both);
  return good;
}

// place of a pair in the table of joins
static int pairAt(int a, int b) {
  return a > b ? a * (a - 1) / 2 + b : b * (b - 1) / 2 + a;
}

// the pair whose join is best, measured; -1: none is left, -2: no memory
static int bestJoin(Work* w, const Part* part, int n, Join* join, int pair[2]) {
  for (;;) {
    int best = -1;
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < i; j++) {
        const int at = pairAt(i, j);
        if (join[at].concavity >= (best < 0 ? DBL_MAX : join[best].concavity)) continue;
        best = at;
        pair[0] = j;
        pair[1] = i;
      }
    }
    if (best < 0 || join[best].measured) return best;
    if (!tryJoin(w, part + pair[1], part + pair[0], 1, join + best)) return -2;
  }
}

// joins the best pair as long as there are too many parts or the result is good enough; 0: no memory
static int mergeAll(Work* w, Part* part, int* n, const AstCut* cut) {
  Join* const join = malloc(sizeof(Join) * (size_t)(*n * (*n - 1) / 2 + 1));
  int good = join != NULL;
  for (int i = 0; i < *n && good; i++) {
    for (int j = 0; j < i && good; j++) good = tryJoin(w, part + i, part + j, 0, join + pairAt(i, j));
  }
  while (good) {
    int pair[2] = {0, 0};
    const int best = bestJoin(w, part, *n, join, pair);
    good = best > -2;
    if (best < 0 || (*n <= cut->most && join[best].concavity > cut->concavity)) break;
    Part both;
    if (!(good = joinParts(w, part + pair[1], part + pair[0], &both))) break;
    both.concavity = join[best].concavity;
    freePart(part + pair[0]);
    freePart(part + pair[1]);
    part[pair[0]] = both;

    // the last one takes the place of the second
    const int last = --*n;
    part[pair[1]] = part[last];
    for (int i = 0; i < CELLS; i++) {
      if (w->owner[i] == pair[1]) w->owner[i] = pair[0];
      if (w->owner[i] == last) w->owner[i] = pair[1];
    }
    for (int k = 0; k < last; k++) {
      if (k != pair[1] && pair[1] != last) join[pairAt(k, pair[1])] = join[pairAt(k, last)];
    }
    for (int k = 0; k < last && good; k++) {
      if (k != pair[0]) good = tryJoin(w, part + k, part + pair[0], 0, join + pairAt(k, pair[0]));
    }
  }
  free(join);
  return good;
}

//---------------------------------- the solid ----------------------------------

// the mesh as a solid in the frame of its file; 0: no memory
static int openSolid(Work* w, AstSolid* solid) {
  const AstMesh* mesh = w->mesh;
  double low[3] = {DBL_MAX, DBL_MAX, DBL_MAX}, high[3] = {-DBL_MAX, -DBL_MAX, -DBL_MAX};
  for (int i = 0; i < mesh->nvert; i++) {
    double turned[3], *const x = w->point + 3 * (size_t)i;
    mth_rotVecQuat(turned, w->surface.vert.at + 3 * (size_t)i, mesh->quat);
    mth_add3(x, turned, mesh->pos);

    // the frame came and went in double precision: what was a plane is one again
    for (int c = 0; c < 3; c++) x[c] = (float)x[c];
  }
  for (int i = 0; i < mesh->nface; i++) {
    const double* x[3];
    for (int k = 0; k < 3; k++) {
      x[k] = w->point + 3 * (size_t)mesh->face[3 * i + k];
      for (int c = 0; c < 3; c++) {
        low[c] = mth_min(low[c], x[k][c]);
        high[c] = mth_max(high[c], x[k][c]);
      }
    }
    if (!ast_soupAdd(&solid->surface, x[0], x[1], x[2])) return 0;
  }
  for (int c = 0; c < 3; c++) {
    w->centre[c] = (low[c] + high[c]) / 2;
    w->size = mth_max(w->size, (high[c] - low[c]) / 2);
  }
  return 1;
}

// an edge of a triangle, from its smaller vertex to its larger one
typedef struct {
  int low, high, face;
} Edge;

static int compareEdges(const void* a, const void* b) {
  const Edge *x = a, *y = b;
  if (x->low != y->low) return x->low < y->low ? -1 : 1;
  if (x->high != y->high) return x->high < y->high ? -1 : 1;
  return x->face - y->face;
}

// the first edge that belongs to one triangle only; face -1: there is none, or no memory to find it
static Edge openEdge(const AstMesh* mesh) {
  const int n = 3 * mesh->nface;
  Edge first = {0, 0, -1}, *const edge = malloc(sizeof(Edge) * (size_t)n);
  if (!edge) return first;
  for (int i = 0; i < n; i++) {
    const int a = mesh->face[i], b = mesh->face[i - i % 3 + (i + 1) % 3];
    edge[i] = (Edge){a < b ? a : b, a < b ? b : a, i / 3};
  }
  qsort(edge, (size_t)n, sizeof(Edge), compareEdges);
  for (int i = 0, end; i < n; i = end) {
    for (end = i + 1; end < n && edge[end].low == edge[i].low && edge[end].high == edge[i].high;) end++;
    if (end == i + 1 && (first.face < 0 || edge[i].face < first.face)) first = edge[i];
  }
  free(edge);
  return first;
}

// 1, or 0 with a message: the surface must enclose a volume, and nearly all of it
static int checkSolid(Work* w, const AstSolid* solid) {
  double sum[3] = {0}, area = 0;
  for (int i = 0; i < solid->surface.n; i++) {
    const double* t = solid->surface.at + 9 * (size_t)i;
    double a[3], b[3], n[3];
    mth_sub3(a, t + 3, t);
    mth_sub3(b, t + 6, t);
    mth_cross3(n, a, b);
    mth_addToScl3(sum, n, 0.5);
    area += mth_norm3(n) / 2;
  }
  w->volume = ast_solidVolume(solid, w->centre);
  const double open = mth_norm3(sum) / mth_max(mjMINVAL, area);
  if (open > 0.02) {
    const Edge edge = openEdge(w->mesh);
    snprintf(w->error, AST_MESSAGE,
             "the surface is open, first at triangle %d between vertices %d and %d: a part as large as %.0f%% of it is "
             "missing",
             edge.face, edge.low, edge.high, 100 * open);
  } else if (w->volume <= 1e-9 * area * w->size) {
    snprintf(w->error, AST_MESSAGE, "the surface is %s: its volume is %g",
             w->volume < -1e-9 * area * w->size ? "inside out" : "flat", w->volume);
  }
  return !*w->error;
}

// hands the parts over
static int giveParts(AstParts* parts, Part* part, int n) {
  parts->nvert = calloc((size_t)n, sizeof(int));
  parts->vert = calloc((size_t)n, sizeof(double*));
  if (!parts->nvert || !parts->vert) return 0;
  for (int i = 0; i < n; i++) {
    if (part[i].nvert < 4) continue;
    parts->nvert[parts->n] = part[i].nvert;
    parts->vert[parts->n++] = part[i].vert;
    parts->concavity = mth_max(parts->concavity, part[i].concavity);
    part[i].vert = NULL;
  }
  return 1;
}

//---------------------------------- large meshes ----------------------------------

// Cuts the whole mesh as the coarser one was cut: the part of each cell, of which the mesh is used up. 0: no memory
static int cutWhole(Work* w, AstSolid* whole, const Cell* cell, int n, Part* part) {
  Cell own[CELLS] = {0};
  own->solid = *whole;
  *whole = (AstSolid){0};
  int good = 1;
  for (int i = 0; i < w->ncut && good; i++) {
    AstSolid side[2], *const from = &own[w->of[i]].solid;
    good = ast_cutSolid(from, w->plane[i].axis, w->plane[i].at, w->centre, side);
    if (!good) break;
    ast_freeSolid(from);
    *from = side[0];
    own[i + 1].solid = side[1];
  }
  for (int i = 0; i < n; i++) {
    memcpy(own[i].box, cell[i].box, sizeof(own[i].box));
    good = good && fillCell(w, own + i, 1);
    if (good) {
      part[i] = own[i].part;
      own[i].part = (Part){0};
    }
    freeCell(own + i);
  }
  return good;
}

// What merging sees of a part: those of its vertices that are first in one of many directions. 0: no memory
static int thinPart(const Part* part, Part* thin) {
  char* const first = calloc((size_t)part->nvert, 1);
  int good = first != NULL, n = 0;
  for (int i = 0; i < CUBE * CUBE * CUBE && good; i++) {
    // from the middle of a cube to a point of a grid over its sides
    const int way[3] = {i % CUBE - CUBE / 2, i / CUBE % CUBE - CUBE / 2, i / CUBE / CUBE - CUBE / 2};
    if (abs(way[0]) < CUBE / 2 && abs(way[1]) < CUBE / 2 && abs(way[2]) < CUBE / 2) continue;
    double most = -DBL_MAX;
    int best = 0;
    for (int k = 0; k < part->nvert; k++) {
      const double* x = part->vert + 3 * (size_t)k;
      const double along = way[0] * x[0] + way[1] * x[1] + way[2] * x[2];
      if (along <= most) continue;
      most = along;
      best = k;
    }
    n += !first[best];
    first[best] = 1;
  }
  *thin = *part;
  thin->vert = good ? malloc(sizeof(double) * 3 * (size_t)n) : NULL;
  thin->nvert = 0;
  good = thin->vert != NULL;
  for (int k = 0; k < part->nvert && good; k++) {
    if (first[k]) mth_copy3(thin->vert + 3 * (size_t)thin->nvert++, part->vert + 3 * (size_t)k);
  }
  free(first);
  return good;
}

// parts of the whole mesh in place of thin ones: hulls of the cells that each was made of; 0: no memory
static int refineParts(Work* w, const Part* whole, int ncell, Part* part, int n) {
  for (int i = 0; i < n; i++) {
    size_t count = 0;
    for (int k = 0; k < ncell; k++) count += w->owner[k] == i ? (size_t)whole[k].nvert : 0;
    double *const point = malloc(sizeof(double) * 3 * (count + 1)), *at = point, solid = 0;
    if (!point) return 0;
    for (int k = 0; k < ncell; k++) {
      if (w->owner[k] != i) continue;
      memcpy(at, whole[k].vert, sizeof(double) * 3 * (size_t)whole[k].nvert);
      at += 3 * (size_t)whole[k].nvert;
      solid += whole[k].solid;
    }
    freePart(part + i);
    const int good = makeHull(w, point, (int)count, 1, part + i);
    free(point);
    part[i].solid = solid;
    if (!good) return 0;
  }
  return 1;
}

// 1, or 0: no memory. Puts a coarser surface in place of one with too many triangles, which is handed over
static int coarsen(Work* w, const AstCut* cut, AstSolid* solid, AstSolid* whole) {
  const int fine = cut->fine ? cut->fine : AST_FINE;
  if (solid->surface.n <= fine) return 1;
  w->large = 1;
  *whole = *solid;
  *solid = (AstSolid){0};
  const AstTriangles all = {w->point, w->mesh->nvert, w->mesh->face, w->mesh->nface};
  return ast_coarsen(&solid->surface, &all, 2 * fine / 5);
}

//---------------------------------- all ----------------------------------

// The parts of cells, merged: in `part` (room for all cells), of which there are *count. Slivers that have no volume
// belong to their neighbours. whole: parts of the whole mesh, NULL: the cells are it. 0: no memory
static int mergeCells(Work* w, const AstCut* cut, Cell* cell, int n, const Part* whole, Part* part, int* count) {
  for (int i = 0; i < CELLS; i++) w->owner[i] = -1;
  for (int i = 0; i < n; i++) {
    const Part* own = whole ? whole + i : &cell[i].part;
    if (own->solid <= 1e-9 * w->volume || own->nvert < 4) continue;
    if (whole) {
      if (!thinPart(own, part + *count)) return 0;
    } else {
      part[*count] = cell[i].part;
      cell[i].part = (Part){0};
    }
    w->owner[i] = (*count)++;
  }
  return mergeAll(w, part, count, cut) && (!whole || refineParts(w, whole, n, part, *count));
}

// cells of the cutting, then parts of them
static int decompose(Work* w, AstParts* parts, const AstCut* cut, Cell* cell) {
  int n = 1, good = openSolid(w, &cell->solid);
  if (good && !checkSolid(w, &cell->solid)) {
    snprintf(parts->error, AST_MESSAGE, "%s", w->error);
    freeCell(cell);
    return 0;
  }
  AstSolid solid = {0};
  good = good && coarsen(w, cut, &cell->solid, &solid);
  parts->coarse = w->large ? cell->solid.surface.n : 0;
  for (int k = 0; k < 6 && good; k++) cell->box[k] = w->centre[k % 3] + (k < 3 ? -2 : 2) * w->size;
  good = good && fillCell(w, cell, 1) && cutAll(w, cell, &n, cut);
  parts->exhausted = w->work >= WORK;
  parts->work = w->work;

  Part *const part = calloc(2 * (size_t)n, sizeof(Part)), *const whole = part ? part + n : NULL;
  int count = 0;
  good = good && part && (!w->large || cutWhole(w, &solid, cell, n, whole)) &&
         mergeCells(w, cut, cell, n, w->large ? whole : NULL, part, &count);
  for (int i = 0; i < count && good; i++) good = measure(w, part + i);
  good = good && giveParts(parts, part, count);
  for (int i = 0; i < count; i++) freePart(part + i);
  for (int i = 0; i < n && whole; i++) freePart(whole + i);
  free(part);
  ast_freeSolid(&solid);
  for (int i = 0; i < n; i++) freeCell(cell + i);
  return good;
}

// the mesh in double precision, as it is compiled; 0: no memory
static int openWork(Work* w, const AstMesh* mesh) {
  memset(w, 0, sizeof(*w));
  w->mesh = mesh;
  w->source.maxhullvert = -1;
  double* const vert = calloc((size_t)mesh->nvert, 3 * sizeof(double));
  w->surface = (AstSurface){.source = &w->source, .error = w->error};
  w->surface.vert = (AstDoubles){vert, 3 * mesh->nvert};
  w->surface.face = (AstInts){mesh->face, 3 * mesh->nface};
  w->point = calloc((size_t)mesh->nvert, 3 * sizeof(double));
  for (int i = 0; i < 3 * mesh->nvert && vert; i++) vert[i] = mesh->vert[i];
  return vert && w->point;
}

static void closeWork(Work* w) {
  ast_freeDistance(w->distance);
  free(w->surface.vert.at);
  free(w->point);
}

int ast_isSolid(const AstMesh* mesh, char* text) {
  Work w;
  AstSolid solid = {0};
  const int good = openWork(&w, mesh) && openSolid(&w, &solid) && checkSolid(&w, &solid);
  snprintf(text, AST_MESSAGE, "%s", good || *w.error ? w.error : "out of memory");
  ast_freeSolid(&solid);
  closeWork(&w);
  return good;
}

int ast_decompose(AstParts* parts, const AstMesh* mesh, const AstCut* cut) {
  *parts = (AstParts){0};
  Work w;
  Cell* const cell = calloc(CELLS + 1, sizeof(Cell));
  const int open = openWork(&w, mesh);
  if (open) w.distance = ast_makeDistance(&w.surface, &mesh->bvh);
  const int good = cell && open && w.distance && decompose(&w, parts, cut, cell);
  if (!good && !*parts->error) snprintf(parts->error, AST_MESSAGE, "out of memory");
  closeWork(&w);
  free(cell);
  if (!good) ast_freeParts(parts);
  return good;
}

void ast_freeParts(AstParts* parts) {
  for (int i = 0; i < parts->n; i++) free(parts->vert[i]);
  free(parts->vert);
  free(parts->nvert);
  parts->vert = NULL;
  parts->nvert = NULL;
  parts->n = 0;
}
