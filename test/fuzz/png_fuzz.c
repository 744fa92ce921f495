// PNG files of any content, as a texture and as a height field: a picture or a message.
#include <mujoco/mujoco.h>
#include <stdint.h>
#include <stdlib.h>

#include "asset/asset.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (!size || size > 1 << 16) return 0;
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  if (mj_addBufferVFS(&vfs, "picture.png", data, (int)size)) abort();
  const AstTextureSource source = {
      .name = "t",
      .directory = "",
      .file = "picture.png",
      .cubefile = {"",  "", "", "", "", ""},
      .content_type = "",
      .vfs = &vfs,
      .type = mjTEXTURE_2D,
      .nchannel = 3,
      .gridsize = {1, 1}
  };
  AstTexture texture;
  if (!ast_compileTexture(&texture, &source) && !*texture.error) abort();
  ast_freeTexture(&texture);
  const AstHfieldSource field = {.name = "h", .directory = "", .file = "picture.png", .content_type = "", .vfs = &vfs};
  AstHfield hfield;
  if (!ast_compileHfield(&hfield, &field) && !*hfield.error) abort();
  ast_freeHfield(&hfield);
  mj_deleteVFS(&vfs);
  return 0;
}
