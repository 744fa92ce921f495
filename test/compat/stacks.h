// One mjData of each library, for functions that take their scratch from its stack.
#pragma once

#include "math/compare.h"

#include "compat/compat.h"
#include "support/model.h"

static TstScene stk_scene;
static mjModel* stk_model;
static mjData *stk_ours, *stk_reference;

static inline int stk_open(void** state) {
  (void)state;
  stk_scene = tst_openScene("<mujoco/>");
  stk_ours = stk_scene.d;
  stk_model = orc_compile("<mujoco/>");
  stk_reference = ORC(mj_makeData)(stk_model);
  return 0;
}

static inline int stk_close(void** state) {
  (void)state;
  tst_closeScene(&stk_scene);
  ORC(mj_deleteData)(stk_reference);
  ORC(mj_deleteModel)(stk_model);
  return 0;
}
