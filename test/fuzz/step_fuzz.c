// MJCF text that is loaded and then stepped: whatever the compiler lets through, the engine must bear. The seeds are
// the models of the tests.
#include "fuzz_model.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (!size || size > 20000) return 0;
  mju_user_warning = fuzzIgnore;
  char* const xml = malloc(size + 1);
  memcpy(xml, data, size);
  xml[size] = 0;
  char error[1000];
  mjSpec* const s = mj_parseXMLString(xml, NULL, error, sizeof(error));
  free(xml);
  mjModel* const m = s && fuzzIsSmall(s) ? mj_compile(s, NULL) : NULL;
  if (m) fuzzStep(m, 4);
  mj_deleteModel(m);
  if (s) mj_deleteSpec(s);
  return 0;
}
