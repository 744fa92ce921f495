// Layout of collision's section of the private block: [order of the sweep | hints of mesh 0 | hints of mesh 1 ... |
// what is known of the hull of mesh 0, 1 ... | separations | pairs of few bodies | marks].
#include "collision/section.h"

#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#include "collision/few.h"
#include "collision/hull.h"
#include "model/private.h"

// hints start on a cache line
static size_t orderBytes(const mjModel* m) {
  return ((size_t)(m->nbody + m->nflex) * sizeof(int) + 63) & ~(size_t)63;
}

// hints, and one number for each hull behind them
static size_t hintBytes(const mjModel* m) {
  return ((size_t)m->nmesh * (COL_HINT_CELLS + 1) * sizeof(uint16_t) + 63) & ~(size_t)63;
}

// What is known of a hull: 0 nothing, else its shape and in the other bits a mark of the vertices it was found for.
enum { CONVEX = 1, DENTED = 2, SHAPE = 3 };

// a mark of four vertices, so that edits of the mesh as a whole are noticed
static uint16_t markOf(const float* vert, int nvert) {
  const int third = (nvert - 1) / 3;
  uint64_t sum = (uint64_t)nvert;
  for (int i = 0; i < 4; i++) {
    const float* v = vert + 3 * (size_t)(i < 3 ? i * third : nvert - 1);
    uint64_t xy;
    uint32_t z;
    memcpy(&xy, v, sizeof(xy));
    memcpy(&z, v + 2, sizeof(z));
    sum = (sum ^ xy) * 0x9E3779B97F4A7C15u + z;
  }
  return (uint16_t)((sum * 0x9E3779B97F4A7C15u) >> 48 & ~(uint64_t)SHAPE);
}

// places for separations: a power of two, some for each geom
static size_t separationNum(const mjModel* m) {
  size_t n = 64;
  while (n < 4 * (size_t)m->ngeom && n < 4096) n *= 2;
  return m->ngeom ? n : 0;
}

// Rays and distances on one mjData may run in parallel, hence atomic.
typedef struct {
  atomic_int meshes;       // 1: a box of a mesh may be marked
  atomic_uintptr_t owner;  // address of the vertices that the shapes of hulls were found for; only compared
} Marks;

static ColSeparation* separations(const mjModel* m, void* section) {
  return (ColSeparation*)((char*)section + orderBytes(m) + hintBytes(m));
}

// separations come in sizes that keep what follows aligned
static Marks* marksOf(const mjModel* m, void* section) {
  return (Marks*)((char*)(separations(m, section) + separationNum(m)) + col_fewSize(m));
}

size_t col_sectionSize(const mjModel* m) {
  return orderBytes(m) + hintBytes(m) + separationNum(m) * sizeof(ColSeparation) + col_fewSize(m) + sizeof(Marks);
}

// hints begin empty: the memory is zeroed
void col_sectionInit(const mjModel* m, void* memory) {
  int* order = memory;
  for (int i = 0; i < m->nbody + m->nflex; i++) order[i] = i;
  ColSeparation* separation = separations(m, memory);
  const size_t n = separationNum(m);
  for (size_t i = 0; i < n; i++) separation[i].g1 = -1;
  atomic_init(&marksOf(m, memory)->meshes, 1);
}

int* col_sweepOrder(const mjData* d) {
  return mdl_section(d, MDL_COLLISION);
}

void* col_fewPlan(const mjModel* m, const mjData* d) {
  return col_fewSize(m) ? separations(m, mdl_section(d, MDL_COLLISION)) + separationNum(m) : NULL;
}

// pair functions also run on an mjData that only holds poses
static char* sectionOf(const mjData* d) {
  return d->buffer ? mdl_section(d, MDL_COLLISION) : NULL;
}

_Atomic uint16_t* col_hints(const mjModel* m, const mjData* d, int mesh) {
  char* section = sectionOf(d);
  return section ? (_Atomic uint16_t*)(section + orderBytes(m)) + (size_t)mesh * COL_HINT_CELLS : NULL;
}

// what is known of the hulls; nothing when the last one who asked came with another model
static _Atomic uint16_t* knownShapes(const mjModel* m, char* section) {
  _Atomic uint16_t* known = (_Atomic uint16_t*)(section + orderBytes(m)) + (size_t)m->nmesh * COL_HINT_CELLS;
  atomic_uintptr_t* owner = &marksOf(m, section)->owner;
  if (atomic_load_explicit(owner, memory_order_relaxed) != (uintptr_t)m->mesh_vert) {
    for (int i = 0; i < m->nmesh; i++) atomic_store_explicit(known + i, 0, memory_order_relaxed);
    atomic_store_explicit(owner, (uintptr_t)m->mesh_vert, memory_order_relaxed);
  }
  return known;
}

int col_meshConvex(const mjModel* m, const mjData* d, int mesh) {
  char* section = sectionOf(d);
  if (!section || m->mesh_graphadr[mesh] < 0) return 0;
  const float* vert = m->mesh_vert + 3 * m->mesh_vertadr[mesh];
  const uint16_t mark = markOf(vert, m->mesh_vertnum[mesh]);
  _Atomic uint16_t* known = knownShapes(m, section) + mesh;
  uint16_t found = atomic_load_explicit(known, memory_order_relaxed);
  if (!(found & SHAPE) || (found & ~SHAPE) != mark) {
    found = mark | (col_hullConvex(vert, m->mesh_graph + m->mesh_graphadr[mesh]) ? CONVEX : DENTED);
    atomic_store_explicit(known, found, memory_order_relaxed);
  }
  return (found & SHAPE) == CONVEX;
}

ColSeparation* col_separation(const mjModel* m, const mjData* d, int g1, int g2) {
  const size_t place = ((size_t)g1 * 0x9E3779B1u + (size_t)g2 * 0x85EBCA77u) >> 7;
  char* section = sectionOf(d);
  return section ? separations(m, section) + (place & (separationNum(m) - 1)) : NULL;
}

void col_meshBoxesMarked(const mjModel* m, const mjData* d) {
  char* section = sectionOf(d);
  if (section) atomic_store_explicit(&marksOf(m, section)->meshes, 1, memory_order_relaxed);
}

// Boxes of bodies come first in bvh_active, in the order of the bodies, then those of meshes, last those of flexes.
// Where the boxes of bodies end:
static size_t bodyBoxes(const mjModel* m) {
  for (int i = (int)m->nbody - 1; m->nbvh && i >= 0; i--) {
    if (m->body_bvhnum[i]) return (size_t)m->body_bvhadr[i] + (size_t)m->body_bvhnum[i];
  }
  return 0;
}

void col_clearBoxes(const mjModel* m, mjData* d) {
  Marks* marks = marksOf(m, sectionOf(d));
  if (atomic_load_explicit(&marks->meshes, memory_order_relaxed)) {
    memset(d->bvh_active, 0, (size_t)m->nbvh);
    atomic_store_explicit(&marks->meshes, 0, memory_order_relaxed);
    return;
  }
  memset(d->bvh_active, 0, bodyBoxes(m));
  memset(d->bvh_active + m->nbvhstatic, 0, (size_t)m->nbvhdynamic);
}
