// Putting one model into another, and copies of a subtree into its own model.
#pragma once

#include "spec/element.h"

// copies of what stands in a frame: the k-th is moved k times by offset and turned k times by euler
typedef struct {
  SpcFrame* original;
  int count;
  const char* separator;  // between a name and the number of its copy
  double offset[3];
  double euler[3];
} SpcReplicate;

// Makes the copies, with everything outside the tree that refers to the original, and removes the original.
// 0: done; -1: the model's error says why not.
int spc_replicate(SpcModel* model, const SpcReplicate* plan);

// ---- reference.c

// a name by which one element refers to another
typedef struct {
  SpcKindId kind;   // of the target
  SpcString* name;  // never empty
  int asset;        // 1: meshes, materials, textures, height fields: shared by copies within one model
} SpcReference;

// Calls visit for every reference of e. The target's kind is resolved where an attribute decides it (sensor objects,
// equality ends, actuator targets, tendon paths). Unset names are left out.
void spc_references(SpcElement* e, void (*visit)(const SpcReference* reference, void* context), void* context);
