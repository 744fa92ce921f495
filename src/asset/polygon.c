// Faces of the hull (or of the mesh where there is no hull) merged into flat polygons, which collision uses as sides.
//
// Faces with nearly the same normal go into one bucket. "Nearly" is not transitive, so the outcome depends on how
// buckets are searched: they are kept in a red-black tree ordered by decreasing normal, balanced after every insertion.
// A bucket keeps the boundary of its faces: an edge that two faces walk in opposite directions disappears. Parts of a
// boundary that do not touch are told apart by island numbers and become separate polygons.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asset/mesh.h"
#include "math/vec.h"

static const double SAMEDIR = 0.99999872;  // cosine between normals of one bucket: 0.09 degrees
static const double FLAT = 1e-14;          // faces with less area (doubled) have no direction

enum { NONE = -1 };

typedef struct {
  int from, to, island;
} Edge;

// a node of the tree
typedef struct {
  double normal[3];
  Edge* edge;
  int nedge, cedge, nisland;
  int parent, child[2], red;
} Bucket;

typedef struct {
  AstSurface* surface;
  Bucket* bucket;
  int nbucket, cbucket, root;
} Tree;

// -------------------------------------------------------------------------------------------- tree

static int comesBefore(const double a[3], const double b[3]) {
  if (a[0] * b[0] + a[1] * b[1] + a[2] * b[2] > SAMEDIR) return 0;
  for (int k = 0; k < 3; k++) {
    if (fabs(a[k] - b[k]) > mjMINVAL) return a[k] > b[k];
  }
  return 0;
}

// the bucket of a normal, NONE: none
static int findBucket(const Tree* t, const double normal[3]) {
  int found = NONE;
  for (int at = t->root; at != NONE;) {
    const Bucket* const b = &t->bucket[at];
    const int right = comesBefore(b->normal, normal);
    if (!right) found = at;
    at = b->child[right];
  }
  return found != NONE && !comesBefore(normal, t->bucket[found].normal) ? found : NONE;
}

// turns the tree at a node so that its child on the other side takes its place
static void rotate(Tree* t, int at, int side) {
  Bucket* const b = t->bucket;
  const int up = b[at].child[!side];
  b[at].child[!side] = b[up].child[side];
  if (b[up].child[side] != NONE) b[b[up].child[side]].parent = at;
  b[up].parent = b[at].parent;
  if (b[at].parent == NONE) {
    t->root = up;
  } else {
    b[b[at].parent].child[b[b[at].parent].child[1] == at] = up;
  }
  b[up].child[side] = at;
  b[at].parent = up;
}

// no red node has a red parent
static void balance(Tree* t, int at) {
  Bucket* const b = t->bucket;
  while (at != t->root && b[b[at].parent].red) {
    const int parent = b[at].parent, grand = b[parent].parent;
    const int side = b[grand].child[1] == parent;
    const int uncle = b[grand].child[!side];
    if (uncle != NONE && b[uncle].red) {
      b[parent].red = b[uncle].red = 0;
      b[grand].red = 1;
      at = grand;
      continue;
    }
    if (b[parent].child[side] != at) {
      rotate(t, parent, side);
      at = parent;
    }
    b[b[at].parent].red = 0;
    b[grand].red = 1;
    rotate(t, grand, !side);
  }
  b[t->root].red = 0;
}

// a new bucket in its place; NONE: one that is neither before nor behind is in the way, or there is no memory
static int addBucket(Tree* t, const double normal[3]) {
  int parent = NONE, side = 0;
  for (int at = t->root; at != NONE; at = t->bucket[at].child[side]) {
    parent = at;
    side = !comesBefore(normal, t->bucket[at].normal);
    if (side && !comesBefore(t->bucket[at].normal, normal)) return NONE;
  }
  if (t->nbucket == t->cbucket) {
    const int capacity = 2 * t->cbucket + 64;
    Bucket* const larger = realloc(t->bucket, sizeof(Bucket) * (size_t)capacity);
    if (!larger) {
      ast_fail(t->surface, "out of memory");
      return NONE;
    }
    t->bucket = larger;
    t->cbucket = capacity;
  }
  const int at = t->nbucket++;
  t->bucket[at] = (Bucket){
      .parent = parent, .child = {NONE, NONE},
           .red = 1
  };
  mth_copy3(t->bucket[at].normal, normal);
  if (parent == NONE) {
    t->root = at;
  } else {
    t->bucket[parent].child[side] = at;
  }
  balance(t, at);
  return at;
}

static int firstBucket(const Tree* t) {
  int at = t->root;
  while (at != NONE && t->bucket[at].child[0] != NONE) at = t->bucket[at].child[0];
  return at;
}

static int nextBucket(const Tree* t, int at) {
  if (t->bucket[at].child[1] != NONE) {
    at = t->bucket[at].child[1];
    while (t->bucket[at].child[0] != NONE) at = t->bucket[at].child[0];
    return at;
  }
  while (t->bucket[at].parent != NONE && t->bucket[t->bucket[at].parent].child[1] == at) at = t->bucket[at].parent;
  return t->bucket[at].parent;
}

// -------------------------------------------------------------------------------------------- boundary

// the island of the edge that walks the other way, which is taken out; NONE: there is none
static int takeOpposite(Bucket* b, int from, int to) {
  for (int i = 0; i < b->nedge; i++) {
    if (b->edge[i].from != to || b->edge[i].to != from) continue;
    const int island = b->edge[i].island;
    memmove(b->edge + i, b->edge + i + 1, sizeof(Edge) * (size_t)(b->nedge - i - 1));
    b->nedge--;
    return island;
  }
  return NONE;
}

// two islands become the lower one, higher numbers move down
static int joinIslands(Bucket* b, int one, int two) {
  const int low = one < two ? one : two, high = one < two ? two : one;
  for (int i = 0; i < b->nedge; i++) {
    if (b->edge[i].island == high) {
      b->edge[i].island = low;
    } else if (b->edge[i].island > high) {
      b->edge[i].island--;
    }
  }
  b->nisland--;
  return low;
}

static int addFace(Tree* t, Bucket* b, const int face[3]) {
  if (b->nedge + 3 > b->cedge) {
    const int capacity = 2 * b->cedge + 3;
    Edge* const larger = realloc(b->edge, sizeof(Edge) * (size_t)capacity);
    if (!larger) return ast_fail(t->surface, "out of memory");
    b->edge = larger;
    b->cedge = capacity;
  }

  // which sides meet faces that are already there
  int island = NONE, isnew[3];
  for (int k = 0; k < 3; k++) {
    const int met = takeOpposite(b, face[k], face[(k + 1) % 3]);
    isnew[k] = met == NONE;
    if (met == NONE) continue;
    if (island == NONE) {
      island = met;
    } else if (met != island) {
      island = joinIslands(b, island, met);
    }
  }
  if (island == NONE) island = b->nisland++;
  for (int k = 0; k < 3; k++) {
    if (isnew[k]) b->edge[b->nedge++] = (Edge){face[k], face[(k + 1) % 3], island};
  }
  return 1;
}

// -------------------------------------------------------------------------------------------- polygons

static int addPolygon(AstMesh* mesh, const int* path, int n) {
  const int at = mesh->npoly++;
  mesh->polyvertadr[at] = mesh->npolyvert;
  mesh->polyvertnum[at] = n;
  memcpy(mesh->polyvert + mesh->npolyvert, path, sizeof(int) * (size_t)n);
  mesh->npolyvert += n;
  return at;
}

// walks an island from its first edge; returns the number of vertices, 0: it never comes back
static int walkIsland(const Bucket* b, int island, int* path) {
  int n = 0;
  for (int i = 0; i < b->nedge && !n; i++) {
    if (b->edge[i].island != island) continue;
    path[n++] = b->edge[i].from;
    path[n++] = b->edge[i].to;
  }
  if (!n) return 0;
  int at = path[1];
  for (int steps = 0; steps < b->nedge; steps++) {
    int k = 1;
    while (k < b->nedge && (b->edge[k].island != island || b->edge[k].from != at)) k++;
    if (k == b->nedge) return 0;
    at = b->edge[k].to;
    if (at == path[0]) return n;
    path[n++] = at;
  }
  return 0;
}

static void tracePolygons(const Bucket* b, int* path, AstMesh* mesh) {
  if (b->nedge == 3) {
    for (int k = 0; k < 3; k++) path[k] = b->edge[k].from;
    addPolygon(mesh, path, 3);
    return;
  }
  for (int island = 0; island < b->nisland; island++) {
    const int n = walkIsland(b, island, path);
    if (n >= 3) addPolygon(mesh, path, n);
  }
}

// the polygons of every vertex, in order
static void mapPolygons(AstMesh* mesh, int nvert) {
  for (int i = 0; i < mesh->npolyvert; i++) mesh->polymapnum[mesh->polyvert[i]]++;
  for (int v = 0; v < nvert; v++) {
    mesh->polymapadr[v] = mesh->npolymap;
    mesh->npolymap += mesh->polymapnum[v];
    mesh->polymapnum[v] = 0;
  }
  for (int p = 0; p < mesh->npoly; p++) {
    for (int i = 0; i < mesh->polyvertnum[p]; i++) {
      const int v = mesh->polyvert[mesh->polyvertadr[p] + i];
      mesh->polymap[mesh->polymapadr[v] + mesh->polymapnum[v]++] = p;
    }
  }
}

static void unitNormal(const double* a, const double* b, const double* c, double normal[3]) {
  double ab[3], ac[3];
  mth_sub3(ab, b, a);
  mth_sub3(ac, c, a);
  mth_cross3(normal, ab, ac);
  const double length = sqrt(mth_dot3(normal, normal));
  if (length < FLAT) mth_set3(normal, 1, 0, 0);
  for (int k = 0; k < 3; k++) normal[k] /= length;
}

void ast_polygonNormals(const AstSurface* s, AstMesh* mesh) {
  for (int p = 0; p < mesh->npoly; p++) {
    const int* const v = mesh->polyvert + mesh->polyvertadr[p];
    unitNormal(s->vert.at + 3 * v[0], s->vert.at + 3 * v[1], s->vert.at + 3 * v[2], mesh->polynormal + 3 * (size_t)p);
  }
}

static int collectFaces(Tree* t, const int* face, int nface) {
  const double* const vert = t->surface->vert.at;
  for (int i = 0; i < nface; i++) {
    const int* const f = face + 3 * i;
    double normal[3];
    unitNormal(vert + 3 * f[0], vert + 3 * f[1], vert + 3 * f[2], normal);
    int at = findBucket(t, normal);
    if (at == NONE) at = addBucket(t, normal);
    if (at == NONE && *t->surface->error) return 0;
    if (at != NONE && !addFace(t, &t->bucket[at], f)) return 0;
  }
  return 1;
}

static int allocate(AstSurface* s, AstMesh* mesh, int nedge) {
  const int nvert = s->vert.n / 3, npoly = nedge / 3 + 1;
  mesh->polynormal = ast_alloc(s, 3 * npoly, sizeof(double));
  mesh->polyvertadr = ast_alloc(s, npoly, sizeof(int));
  mesh->polyvertnum = ast_alloc(s, npoly, sizeof(int));
  mesh->polyvert = ast_alloc(s, nedge, sizeof(int));
  mesh->polymap = ast_alloc(s, nedge, sizeof(int));
  mesh->polymapadr = ast_alloc(s, nvert, sizeof(int));
  mesh->polymapnum = ast_alloc(s, nvert, sizeof(int));
  if (mesh->polymapnum) memset(mesh->polymapnum, 0, sizeof(int) * (size_t)nvert);
  return !*s->error;
}

int ast_makePolygons(AstSurface* s, AstMesh* mesh) {
  const int* face = s->face.at;
  int nface = s->face.n / 3;
  if (s->graph.n) {
    nface = s->graph.at[1];
    face = s->graph.at + s->graph.n - 3 * nface;
  }
  Tree tree = {.surface = s, .root = NONE};
  int good = collectFaces(&tree, face, nface);

  // an island's walk takes each of its edges once at most; room for those of one bucket and for all
  int nedge = 0, longest = 0;
  for (int i = 0; i < tree.nbucket; i++) {
    nedge += tree.bucket[i].nedge;
    longest = tree.bucket[i].nedge > longest ? tree.bucket[i].nedge : longest;
  }
  int* const path = ast_alloc(s, longest + 2, sizeof(int));
  good = good && path && allocate(s, mesh, nedge);
  for (int at = firstBucket(&tree); good && at != NONE; at = nextBucket(&tree, at)) {
    tracePolygons(&tree.bucket[at], path, mesh);
  }
  if (good) mapPolygons(mesh, s->vert.n / 3);
  free(path);
  for (int i = 0; i < tree.nbucket; i++) free(tree.bucket[i].edge);
  free(tree.bucket);
  return good;
}
