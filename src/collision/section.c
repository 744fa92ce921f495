// Layout of collision's section of the private block: [order of the sweep | hints of mesh 0 | hints of mesh 1 ...].
#include "collision/section.h"

#include "model/private.h"

// hints start on a cache line
static size_t orderBytes(const mjModel* m) {
  return ((size_t)(m->nbody + m->nflex) * sizeof(int) + 63) & ~(size_t)63;
}

size_t col_sectionSize(const mjModel* m) {
  return orderBytes(m) + (size_t)m->nmesh * COL_HINT_CELLS * sizeof(uint16_t);
}

// hints begin empty: the memory is zeroed
void col_sectionInit(const mjModel* m, void* memory) {
  int* order = memory;
  for (int i = 0; i < m->nbody + m->nflex; i++) order[i] = i;
}

int* col_sweepOrder(const mjData* d) {
  return mdl_section(d, MDL_COLLISION);
}

_Atomic uint16_t* col_hints(const mjModel* m, const mjData* d, int mesh) {
  char* section = mdl_section(d, MDL_COLLISION);
  return (_Atomic uint16_t*)(section + orderBytes(m)) + (size_t)mesh * COL_HINT_CELLS;
}
