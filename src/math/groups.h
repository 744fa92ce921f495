// Things that belong together: numbers 0 … n − 1 joined in pairs become groups. root[i] leads towards the smallest
// member of i's group; -1: i has not been joined with anything, not even with itself.
#pragma once

#include "base/assert.h"

// smallest member of the group, halving the way there
static inline int mth_rootOf(int* root, int i) {
  while (root[i] != i) {
    root[i] = root[root[i]];
    i = root[i];
  }
  return i;
}

// puts two into one group
static inline void mth_join(int* root, int a, int b) {
  BAS_ASSERT(a >= 0 && b >= 0);
  if (root[a] < 0) root[a] = a;
  if (root[b] < 0) root[b] = b;
  if (root[a] == root[b]) return;
  a = mth_rootOf(root, a);
  b = mth_rootOf(root, b);
  if (a < b) {
    root[b] = a;
  } else {
    root[a] = b;
  }
}

// replaces root by the numbers of the groups, in the order of their smallest members; returns how many there are
static inline int mth_numberGroups(int* root, int n) {
  int ngroup = 0;
  for (int i = 0; i < n; i++) {
    BAS_ASSERT(root[i] <= i);

    // the way to the root goes downwards, over numbers that are already known
    if (root[i] == i) {
      root[i] = ngroup++;
    } else if (root[i] >= 0) {
      root[i] = root[root[i]];
    }
  }
  return ngroup;
}
