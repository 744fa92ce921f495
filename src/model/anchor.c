// Room for what contacts remember.
#include "model/anchor.h"

#include <string.h>

size_t mdl_anchorBytes(int n) {
  return sizeof(MdlAnchors) + (size_t)n * (2 * sizeof(MdlAnchor) + sizeof(int));
}

MdlAnchors* mdl_reserveAnchors(mjData* d, int n) {
  MdlAnchors* s = mdl_section(d, MDL_ANCHORS);
  if (n <= s->capacity) return s;

  // twice as much as last time, so that it happens rarely
  const int capacity = n > 2 * s->capacity ? n : 2 * s->capacity;
  mj_markStack(d);
  const MdlAnchors head = *s;
  const size_t bytes = (size_t)head.count * sizeof(MdlAnchor);
  void* const kept = mj_stackAllocByte(d, bytes + 1, _Alignof(MdlAnchor));
  memcpy(kept, mdl_anchor(s), bytes);
  s = mdl_sectionRenew(d, MDL_ANCHORS, mdl_anchorBytes(capacity));
  if (!s) {
    mju_error("could not allocate memory for what contacts remember");
    return NULL;
  }
  *s = head;
  s->capacity = capacity;
  s->npending = 0;
  memcpy(mdl_anchor(s), kept, bytes);
  mj_freeStack(d);
  return s;
}

void mdl_setAnchors(mjData* d, const MdlAnchor* anchor, int n) {
  MdlAnchors* const s = mdl_reserveAnchors(d, n);
  if (n) memcpy(mdl_anchor(s), anchor, (size_t)n * sizeof(MdlAnchor));
  s->count = n;
}
