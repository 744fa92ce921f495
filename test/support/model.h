// Models for tests that must not depend on the reference library.
#pragma once

#include <mujoco/mujoco.h>

// the model of test/models/<name>.xml; ends the test program when it does not load.
// Free with mj_deleteModel.
mjModel* tst_model(const char* name);

// the model of an MJCF text, by our own compiler; ends the test program when it does not compile
mjModel* tst_string(const char* xml);

// names of all models, ended by NULL
extern const char* const tst_models[];

// names of those that are also kept as binary files made by the reference: test/golden/mjb/<name>.mjb
extern const char* const tst_binaries[];

// a whole file in memory, NULL when it cannot be read; free() it
unsigned char* tst_readFile(const char* path, int* size);
