// Open addressing with linear probing; the table doubles when it is half full.
#include "spec/names.h"

#include <stdlib.h>
#include <string.h>

static size_t hashOf(SpcKindId kind, const char* name) {
  uint64_t h = 14695981039346656037u ^ (uint64_t)kind;
  for (; *name; name++) h = (h ^ (unsigned char)*name) * 1099511628211u;
  return (size_t)(h ^ (h >> 29));
}

// where the element is, or where it would go
static SpcElement** slotOf(const SpcNames* names, SpcKindId kind, const char* name) {
  size_t i = hashOf(kind, name) & (names->room - 1);
  while (names->slot[i] && (names->slot[i]->kind != kind || strcmp(spc_text(&names->slot[i]->name), name))) {
    i = (i + 1) & (names->room - 1);
  }
  return &names->slot[i];
}

SpcElement* spc_namesFind(const SpcNames* names, SpcKindId kind, const char* name) {
  return names->room && *name ? *slotOf(names, kind, name) : NULL;
}

static void grow(SpcNames* names) {
  SpcNames larger = {.room = names->room ? 2 * names->room : 64, .used = names->used};
  larger.slot = calloc(larger.room, sizeof(*larger.slot));
  if (!larger.slot) mju_error("out of memory: names");
  for (size_t i = 0; i < names->room; i++) {
    SpcElement* const e = names->slot[i];
    if (e) *slotOf(&larger, e->kind, spc_text(&e->name)) = e;
  }
  free(names->slot);
  *names = larger;
}

void spc_namesAdd(SpcNames* names, SpcElement* e) {
  if (spc_textEmpty(&e->name)) return;
  if (2 * (names->used + 1) > names->room) grow(names);
  SpcElement** const slot = slotOf(names, e->kind, spc_text(&e->name));
  if (*slot) return;
  *slot = e;
  names->used++;
}

static void addBody(SpcNames* names, SpcBody* body) {
  spc_namesAdd(names, &body->head);
  for (int kind = SPC_FRAME; kind <= SPC_LIGHT; kind++) {
    for (int i = 0; i < body->child[kind].count; i++) spc_namesAdd(names, body->child[kind].at[i]);
  }
  for (int i = 0; i < body->child[SPC_BODY].count; i++) addBody(names, (SpcBody*)body->child[SPC_BODY].at[i]);
}

void spc_namesAddTree(SpcNames* names, const SpcModel* model) {
  addBody(names, model->world);
}

void spc_namesFree(SpcNames* names) {
  free(names->slot);
  *names = (SpcNames){0};
}
