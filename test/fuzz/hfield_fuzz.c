// Height fields in the custom binary format, of any content: a field or a message.
#include <mujoco/mujoco.h>
#include <stdint.h>
#include <stdlib.h>

#include "asset/asset.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (!size || size > 1 << 16) return 0;
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  if (mj_addBufferVFS(&vfs, "field.bin", data, (int)size)) abort();
  const AstHfieldSource source = {.name = "h", .directory = "", .file = "field.bin", .content_type = "", .vfs = &vfs};
  AstHfield hfield;
  if (!ast_compileHfield(&hfield, &source) && !*hfield.error) abort();
  ast_freeHfield(&hfield);
  mj_deleteVFS(&vfs);
  return 0;
}
