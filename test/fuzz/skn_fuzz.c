// SKN files of any content, through the whole compiler: a model or a message.
#include <mujoco/mujoco.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const char model[] =
      "<mujoco><asset><skin file='s.skn'/></asset><worldbody><body name='one'/><body name='two'/></worldbody></mujoco>";
  if (!size || size > 1 << 16) return 0;
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  if (mj_addBufferVFS(&vfs, "s.skn", data, (int)size)) abort();
  char error[500];
  mjSpec* const spec = mj_parseXMLString(model, &vfs, error, sizeof(error));
  if (!spec) abort();
  mjModel* const m = mj_compile(spec, &vfs);
  if (!m && !*mjs_getError(spec)) abort();
  mj_deleteModel(m);
  mj_deleteSpec(spec);
  mj_deleteVFS(&vfs);
  return 0;
}
