// After a failure that came back as a status.
#pragma once

#include <sinew/sinew.h>

#include "support/model.h"

// d is reset and steps without error, with the bits of data that never failed; after cmocka.h
#define tst_stepsLikeClean(m, d, clean, n)                                           \
  do {                                                                               \
    mj_resetData(m, d);                                                              \
    mj_resetData(m, clean);                                                          \
    for (int i_ = 0; i_ < (n); i_++) {                                               \
      assert_int_equal(sn_step(m, d, NULL, 0), SN_OK);                               \
      mj_step(m, clean);                                                             \
    }                                                                                \
    assert_memory_equal((d)->qpos, (clean)->qpos, sizeof(mjtNum) * (size_t)(m)->nq); \
  } while (0)
