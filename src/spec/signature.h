// The signature of a model's structure: programs compare it to tell whether an mjModel belongs to an mjSpec.
//
// It is a running hash over the tree and the lists, written as tags. The compiler looks at its own tree, in which
// bodies may be fused, and editing at that of the mjSpec: a view says what either of them looks like.
#pragma once

#include "spec/element.h"

typedef struct {
  const void* model;                                 // passed to the next two
  int (*listed)(const void* model, SpcKindId kind);  // elements outside the tree
  int (*sensorType)(const void* model, int i);       // of the i-th sensor
  const void* world;                                 // passed to the next three, as are its children
  int (*count)(const void* body, SpcKindId kind);    // elements of a body
  int (*jointSize)(const void* body, int i);         // positions of the i-th joint
  const void* (*child)(const void* body, int i);     // the i-th body in it
} SpcView;

// 0: bodies are nested too deeply
uint64_t spc_signatureOf(const SpcView* view);

// signs a model that was read
void spc_sign(SpcModel* model);
// Elements came or went: signs the model again. One that a program makes has the signature 0 until it is compiled; a
// hash of everything for every element that comes would make large ones slow to build.
void spc_changed(SpcModel* model);
