// Loads the models under test/models; see model.h.
#include "support/model.h"

#include <stdio.h>
#include <stdlib.h>

#include "support/bits.h"

const char* const tst_models[] = {
    "actuators", "assets",   "boxes",   "chain",    "equality", "flex",  "fluid",
    "joints",    "pendulum", "sensors", "sleepers", "tendons",  "wraps", NULL,
};

const char* const tst_binaries[] = {"assets", "chain", "flex", "pendulum", "shapes", NULL};

unsigned char* tst_readFile(const char* path, int* size) {
  FILE* file = fopen(path, "rb");
  if (!file) return NULL;
  fseek(file, 0, SEEK_END);
  *size = (int)ftell(file);
  rewind(file);
  unsigned char* bytes = malloc(*size > 0 ? (size_t)*size : 1);
  const size_t got = fread(bytes, 1, (size_t)*size, file);
  fclose(file);
  if (got == (size_t)*size) return bytes;
  free(bytes);
  return NULL;
}

mjModel* tst_model(const char* name) {
  // tests run in the root of the repository
  char path[200], error[500] = "";
  snprintf(path, sizeof(path), "test/models/%s.xml", name);
  mjModel* const m = mj_loadXML(path, NULL, error, sizeof(error));
  if (!m) {
    fprintf(stderr, "%s: %s\n", path, error);
    abort();
  }
  bit_checkModel(m, bit_key(path));
  return m;
}

unsigned char* tst_binary(const char* name, int* size) {
  mjModel* const m = tst_model(name);
  *size = (int)mj_sizeModel(m);
  unsigned char* const bytes = malloc((size_t)*size);
  mj_saveModel(m, NULL, bytes, *size);
  mj_deleteModel(m);
  return bytes;
}

mjModel* tst_string(const char* xml) {
  char error[500] = "";
  mjSpec* spec = mj_parseXMLString(xml, NULL, error, sizeof(error));
  mjModel* m = spec ? mj_compile(spec, NULL) : NULL;
  if (!m) {
    fprintf(stderr, "%s\n%s\n", spec ? mjs_getError(spec) : error, xml);
    abort();
  }
  mj_deleteSpec(spec);
  bit_checkModel(m, bit_key(xml));
  return m;
}

TstScene tst_openScene(const char* xml) {
  mjModel* const m = tst_string(xml);
  return (TstScene){m, mj_makeData(m), bit_key(xml)};
}

void tst_closeScene(TstScene* scene) {
  if (scene->key) bit_checkData(scene->m, scene->d, scene->key);
  mj_deleteData(scene->d);
  mj_deleteModel(scene->m);
}

int tst_setUp(void** state, const char* name) {
  static TstScene scene;
  scene.m = tst_model(name);
  scene.d = mj_makeData(scene.m);
  scene.key = bit_key(name);
  *state = &scene;
  return 0;
}

int tst_tearDown(void** state) {
  tst_closeScene(*state);
  return 0;
}
