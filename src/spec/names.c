// Open addressing with linear probing; the table doubles when it is half full. Removing closes the gap, so that every
// element stays reachable from its own place.
#include "spec/names.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

static size_t hashOf(SpcKindId kind, const char* name) {
  uint64_t h = 14695981039346656037u ^ (uint64_t)kind;
  for (; *name; name++) h = (h ^ (unsigned char)*name) * 1099511628211u;
  return (size_t)(h ^ (h >> 29));
}

// where the element is, or where it would go
static size_t slotOf(const SpcNames* names, SpcKindId kind, const char* name) {
  size_t i = hashOf(kind, name) & (names->room - 1);
  while (names->slot[i] && (names->slot[i]->kind != kind || !spc_textIs(&names->slot[i]->name, name))) {
    i = (i + 1) & (names->room - 1);
  }
  return i;
}

SpcElement* spc_namesFind(const SpcNames* names, SpcKindId kind, const char* name) {
  return names->room && *name ? names->slot[slotOf(names, kind, name)] : NULL;
}

static void grow(SpcNames* names) {
  SpcNames larger = {.room = names->room ? 2 * names->room : 64, .used = names->used, .loose = names->loose};
  larger.slot = calloc(larger.room, sizeof(SpcElement*));
  if (!larger.slot) bas_outOfMemory("names");
  for (size_t i = 0; i < names->room; i++) {
    SpcElement* const e = names->slot[i];
    if (e) larger.slot[slotOf(&larger, e->kind, spc_text(&e->name))] = e;
  }
  free(names->slot);
  *names = larger;
}

static void add(SpcNames* names, SpcElement* e) {
  if (spc_textEmpty(&e->name)) return;
  if (2 * (names->used + 1) > names->room) grow(names);

  // the first of two with the same name stays
  const size_t i = slotOf(names, e->kind, spc_text(&e->name));
  if (names->slot[i]) {
    names->loose = 1;
    return;
  }
  names->slot[i] = e;
  names->used++;
}

// the slot of an element whose name may have changed unseen; room: it is not in the table
static size_t findSlot(const SpcNames* names, const SpcElement* e) {
  if (!names->room) return 0;
  const size_t i = slotOf(names, e->kind, spc_text(&e->name));
  if (names->slot[i] == e) return i;
  if (!names->loose && e->kind != SPC_PLUGIN) return names->room;
  size_t k = 0;
  while (k < names->room && names->slot[k] != e) k++;
  return k;
}

void spc_namesRemove(SpcNames* names, const SpcElement* e) {
  size_t gap = findSlot(names, e);
  if (gap == names->room) return;

  // entries behind the gap move into it unless that would put them before their own place
  const size_t mask = names->room - 1;
  for (size_t i = (gap + 1) & mask; names->slot[i]; i = (i + 1) & mask) {
    const size_t home = hashOf(names->slot[i]->kind, spc_text(&names->slot[i]->name)) & mask;
    if (((i - home) & mask) < ((i - gap) & mask)) continue;
    names->slot[gap] = names->slot[i];
    gap = i;
  }
  names->slot[gap] = NULL;
  names->used--;
}

static void takeOut(SpcElement* e) {
  if (!spc_textEmpty(&e->name)) spc_namesRemove(&e->model->names, e);
}

void spc_rename(SpcElement* e, const char* name) {
  takeOut(e);
  spc_textSet(&e->name, name);
  add(&e->model->names, e);
}

void spc_renameWith(SpcElement* e, const char* prefix, const char* name, const char* suffix) {
  // name may be the element's own
  SpcString whole = {0};
  spc_textJoin(&whole, prefix, name, suffix);
  takeOut(e);
  spc_textFree(&e->name);
  e->name = whole;
  add(&e->model->names, e);
}

void spc_namesFree(SpcNames* names) {
  free(names->slot);
  *names = (SpcNames){0};
}
