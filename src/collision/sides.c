// Edges of the faces of a mesh, as sorted lists.
#include "collision/sides.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  float x[3];
  int id;
} Place;

static int comparePlaces(const void* a, const void* b) {
  const Place *p = a, *q = b;
  for (int k = 0; k < 3; k++) {
    if (p->x[k] != q->x[k]) return p->x[k] < q->x[k] ? -1 : 1;
  }
  return p->id - q->id;
}

static int compareSides(const void* a, const void* b) {
  const ColSide *p = a, *q = b;
  if (p->low != q->low) return p->low < q->low ? -1 : 1;
  if (p->high != q->high) return p->high < q->high ? -1 : 1;
  return p->code - q->code;
}

int* col_meshPlaces(const mjModel* m, int mesh) {
  const size_t n = (size_t)m->mesh_vertnum[mesh];
  const float* vert = m->mesh_vert + 3 * m->mesh_vertadr[mesh];
  Place* const place = malloc(sizeof(Place) * n + 1);
  int* const same = place ? malloc(sizeof(int) * n + 1) : NULL;
  for (size_t i = 0; i < n && same; i++) {
    memcpy(place[i].x, vert + 3 * i, sizeof(place[i].x));
    place[i].id = (int)i;
  }
  if (same) qsort(place, n, sizeof(Place), comparePlaces);
  for (size_t i = 0, first = 0; i < n && same; i++) {
    if (memcmp(place[i].x, place[first].x, sizeof(place[i].x))) first = i;
    same[place[i].id] = place[first].id;
  }
  free(place);
  return same;
}

ColSide* col_meshSides(const mjModel* m, int mesh) {
  const int n = 3 * m->mesh_facenum[mesh], *face = m->mesh_face + 3 * m->mesh_faceadr[mesh];
  int* const same = col_meshPlaces(m, mesh);
  ColSide* const side = same ? malloc(sizeof(ColSide) * (size_t)n + 1) : NULL;
  for (int i = 0; i < n && side; i++) {
    const int a = same[face[i]], b = same[face[i - i % 3 + (i + 1) % 3]];
    side[i] = (ColSide){a < b ? a : b, a < b ? b : a, i, a < b};
  }
  if (side) qsort(side, (size_t)n, sizeof(ColSide), compareSides);
  free(same);
  return side;
}
