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

// Makes the copies and removes the original. 0: done; -1: the model's error says why not.
int spc_replicate(SpcModel* model, const SpcReplicate* plan);

// A reference from an element to another one by name
typedef struct {
  SpcKindId kind;       // of the target; SPC_KINDS: told by the element
  SpcString* name;
  int asset;            // assets are shared by copies within one model
} SpcReference;

enum { SPC_REFERENCES = 4096 };

// Calls visit for every name by which e refers to another element. The kind is resolved where an attribute decides it
// (sensor objects, equality ends, tendon paths). Empty names are left out.
void spc_references(SpcElement* e, void (*visit)(const SpcReference* reference, void* context), void* context);
