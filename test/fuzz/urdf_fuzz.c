// URDF text, read, compiled, written as MJCF and stepped. The input is what stands inside <robot>.
#include <stdio.h>

#include "fuzz_model.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (!size || size > 20000) return 0;
  mju_user_warning = fuzzIgnore;
  char* const xml = malloc(size + 100);
  snprintf(xml, size + 100, "<robot name='r'>%.*s</robot>", (int)size, (const char*)data);
  char error[1000], text[1 << 16];
  mjSpec* const s = mj_parseXMLString(xml, NULL, error, sizeof(error));
  free(xml);
  mjModel* const m = s && fuzzIsSmall(s) ? mj_compile(s, NULL) : NULL;
  if (m) {
    // what was written can be read
    if (mj_saveXMLString(s, text, sizeof(text), error, sizeof(error)) == 0) {
      mjSpec* const again = mj_parseXMLString(text, NULL, error, sizeof(error));
      if (!again) __builtin_trap();
      mj_deleteSpec(again);
    }
    fuzzStep(m, 3);
  }
  mj_deleteModel(m);
  if (s) mj_deleteSpec(s);
  return 0;
}
