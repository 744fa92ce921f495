// MJCF text that is loaded and then stepped, as it is and with other choices of physics: whatever the compiler lets
// through, the engine must bear. The seeds are the models of the tests.
#include "fuzz_model.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

// one choice of each kind for the whole model; what does not fit is a message
static void fuzzPhysics(mjModel* m) {
  static const snPhysics choices[] = {
      {"bridson",   "corotational", NULL,       "xpbd"     },
      {"cotangent", "neo_hookean",  "dc_motor", "compliant"},
      {NULL,        "linear",       "builtin",  "lcp"      },
  };
  for (size_t i = 0; i < sizeof(choices) / sizeof(choices[0]); i++) {
    if (!sn_setPhysics(m, choices + i)) fuzzStep(m, 2);
  }
}

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
  if (m) {
    fuzzStep(m, 4);
    fuzzPhysics(m);
  }
  mj_deleteModel(m);
  if (s) mj_deleteSpec(s);
  return 0;
}
