// Copies of a subtree within its own model, and taking a subtree out.
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

// A frame with all that stands in it, and with what refers to that from outside the tree. Keyframes are not looked at.
void spc_removeFrame(SpcModel* model, SpcFrame* frame);
