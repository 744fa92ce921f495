// Advice of `sinew check`: things that are allowed and seldom meant.
#pragma once

#include "support/model.h"

typedef struct {
  char kind[24];     // "unused", "stiff", ...: a word that scripts can select by
  char element[16];  // MJCF element that it is about, "" for the whole model
  char name[CLI_NAME_SIZE];
  char text[400];
} Advice;

typedef struct {
  Advice* at;
  int n;
} AdviceList;

void chk_add(AdviceList* list, const char* kind, const char* element, const char* name, const char* format, ...)
    __attribute__((format(printf, 5, 6)));

// 1: something collides with the hull of this mesh, which is much larger than the mesh
int chk_isHollow(const mjModel* m, int mesh);

// Each looks at one subject.
void chk_inertia(AdviceList* list, const CliModel* model);
void chk_meshes(AdviceList* list, const CliModel* model);
void chk_stiffness(AdviceList* list, const CliModel* model);
void chk_physics(AdviceList* list, const CliModel* model);
void chk_unused(AdviceList* list, const CliModel* model);
void chk_ranges(AdviceList* list, const CliModel* model);
void chk_start(AdviceList* list, const CliModel* model);
