// What is wrong with the surface of a mesh: edges at which it is open, branches or turns inside out, faces without
// area, faces that cross others.
#include <math.h>
#include <sinew/contact.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collision/sides.h"
#include "math/vec.h"

// depth of trees, and pairs of faces that are compared at most: a part of a second
enum { DEPTH = 128, PAIRS = 4000000 };

typedef enum { FLAT, OPEN, BRANCHED, TURNED, CROSSING, NFLAW } Flaw;

// how many there are of each kind, and the faces of the first
typedef struct {
  int n[NFLAW], first[NFLAW][2];
} Flaws;

static void note(Flaws* f, Flaw kind, int face, int other) {
  if (f->n[kind] && f->first[kind][0] <= face) {
    f->n[kind]++;
    return;
  }
  f->n[kind]++;
  f->first[kind][0] = face;
  f->first[kind][1] = other;
}

//---------------------------------- edges ----------------------------------

// 0: no memory
static int checkEdges(const mjModel* m, int mesh, Flaws* f) {
  const int n = 3 * m->mesh_facenum[mesh];
  ColSide* const side = col_meshSides(m, mesh);
  for (int i = 0, end; i < n && side; i = end) {
    end = col_sameSides(side, n, i);
    if (side[i].low == side[i].high) continue;
    const int face = side[i].code / 3, other = side[end - 1].code / 3;
    if (end == i + 1) note(f, OPEN, face, face);
    if (end > i + 2) note(f, BRANCHED, face, other);
    if (end == i + 2 && side[i].forward == side[i + 1].forward) note(f, TURNED, face, other);
  }
  free(side);
  return side != NULL;
}

//---------------------------------- faces ----------------------------------

typedef struct {
  mjtNum v[3][3], normal[3];
  int place[3];
} Face;

static Face faceOf(const mjModel* m, int mesh, const int* same, int face) {
  Face f;
  mjtNum a[3], b[3];
  for (int k = 0; k < 3; k++) {
    const int id = m->mesh_face[3 * (m->mesh_faceadr[mesh] + face) + k];
    mju_f2n(f.v[k], m->mesh_vert + 3 * (m->mesh_vertadr[mesh] + id), 3);
    f.place[k] = same[id];
  }
  mth_sub3(a, f.v[1], f.v[0]);
  mth_sub3(b, f.v[2], f.v[0]);
  mth_cross3(f.normal, a, b);
  return f;
}

// 1: an edge of one face goes through the inside of another
static int pierces(const mjtNum a[3], const mjtNum b[3], const Face* f) {
  mjtNum to[3], ab[3], at[3];
  mth_sub3(to, f->v[0], a);
  mth_sub3(ab, b, a);
  const mjtNum along = mth_dot3(ab, f->normal), way = mth_dot3(to, f->normal);
  if (fabs(along) < 1e-9 * mth_norm3(ab) * mth_norm3(f->normal)) return 0;
  const mjtNum part = way / along, area = mth_dot3(f->normal, f->normal);
  if (!(part > 1e-6 && part < 1 - 1e-6)) return 0;
  mth_addScl3(at, a, ab, part);
  for (int k = 0; k < 3; k++) {
    mjtNum edge[3], arm[3], turn[3];
    mth_sub3(edge, f->v[(k + 1) % 3], f->v[k]);
    mth_sub3(arm, at, f->v[k]);
    mth_cross3(turn, edge, arm);
    if (mth_dot3(turn, f->normal) < 1e-6 * area) return 0;
  }
  return 1;
}

static int cross(const Face* a, const Face* b) {
  for (int k = 0; k < 9; k++) {
    if (a->place[k / 3] == b->place[k % 3]) return 0;
  }
  for (int k = 0; k < 3; k++) {
    if (pierces(a->v[k], a->v[(k + 1) % 3], b) || pierces(b->v[k], b->v[(k + 1) % 3], a)) return 1;
  }
  return 0;
}

// a face and those behind it in the list whose boxes meet its own
static void checkFace(const mjModel* m, int mesh, const int* same, int face, Flaws* f, int* pairs) {
  const Face own = faceOf(m, mesh, same, face);
  const int adr = m->mesh_bvhadr[mesh];
  if (mth_norm3(own.normal) < mjMINVAL) {
    note(f, FLAT, face, face);
    return;
  }
  int stack[DEPTH], n = 1;
  stack[0] = 0;
  while (n && *pairs < PAIRS) {
    const int node = adr + stack[--n], other = m->bvh_nodeid[node];
    const mjtNum* box = m->bvh_aabb + 6 * node;
    int apart = 0;
    for (int k = 0; k < 3; k++) {
      const mjtNum low = mth_min(own.v[0][k], mth_min(own.v[1][k], own.v[2][k]));
      const mjtNum high = mth_max(own.v[0][k], mth_max(own.v[1][k], own.v[2][k]));
      apart |= box[k] - box[3 + k] > high || box[k] + box[3 + k] < low;
    }
    if (apart) continue;
    if (other < 0 && n + 2 <= DEPTH) {
      stack[n++] = m->bvh_child[2 * node];
      stack[n++] = m->bvh_child[2 * node + 1];
    } else if (other > face) {
      const Face there = faceOf(m, mesh, same, other);
      ++*pairs;
      if (mth_norm3(there.normal) >= mjMINVAL && cross(&own, &there)) note(f, CROSSING, face, other);
    }
  }
}

//---------------------------------- all ----------------------------------

int sn_meshFlaws(const mjModel* m, int mesh, char* text, int size) {
  static const char* const what[NFLAW] = {"faces without area", "edges with one face: the surface is open there",
                                          "edges with more than two faces", "edges whose faces look to different sides",
                                          "faces that cross others"};
  if (text && size > 0) *text = 0;
  if (!m || mesh < 0 || mesh >= m->nmesh || m->mesh_bvhadr[mesh] < 0) return 0;
  Flaws f = {0};
  int pairs = 0, sum = 0, used = 0;
  int* const same = col_meshPlaces(m, mesh);
  const int good = same && checkEdges(m, mesh, &f);
  for (int i = 0; i < m->mesh_facenum[mesh] && good; i++) checkFace(m, mesh, same, i, &f, &pairs);
  free(same);
  for (int k = 0; k < NFLAW; k++) {
    sum += f.n[k];
    if (!f.n[k] || !text || used >= size) continue;
    char faces[40];
    snprintf(faces, sizeof(faces), f.first[k][0] == f.first[k][1] ? "face %d" : "faces %d and %d", f.first[k][0],
             f.first[k][1]);
    used +=
        snprintf(text + used, (size_t)(size - used), "%s%d %s (first: %s)", used ? ", " : "", f.n[k], what[k], faces);
  }
  return sum;
}
