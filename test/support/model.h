// Models for tests that must not depend on the reference library.
#pragma once

#include <mujoco/mujoco.h>
#include <stdint.h>

// the model of test/models/<name>.xml; ends the test program when it does not load.
// Free with mj_deleteModel.
mjModel* tst_model(const char* name);

// the model of an MJCF text, by our own compiler; ends the test program when it does not compile
mjModel* tst_string(const char* xml);

// names of all models, ended by NULL
extern const char* const tst_models[];

// names of a few that together have every kind of array, for tests of the binary format
extern const char* const tst_binaries[];

// the bytes of test/models/<name>.xml as a binary model; free() them
unsigned char* tst_binary(const char* name, int* size);

// a whole file in memory, NULL when it cannot be read; free() it
unsigned char* tst_readFile(const char* path, int* size);

// a model with data of its own; the bits of both are compared with what is known of them (bits.h)
typedef struct {
  mjModel* m;
  mjData* d;
  uint32_t key;  // of its text there
} TstScene;

TstScene tst_openScene(const char* xml);
void tst_closeScene(TstScene* scene);

// the same for test/models/<name>.xml as the state of cmocka's tests: set up, and torn down
int tst_setUp(void** state, const char* name);
int tst_tearDown(void** state);
