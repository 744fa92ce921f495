// Textures from KTX files and from the custom format, of any content: flat or a cube, whole or cut from a grid, flipped
// or not, as the first two bytes say. A texture whose size its data have, or a message.
#include <mujoco/mujoco.h>
#include <stdint.h>
#include <stdlib.h>

#include "asset/asset.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 3 || size > 1 << 12) return 0;
  const int how = data[0], shape = data[1];
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  if (mj_addBufferVFS(&vfs, "picture", data + 2, (int)size - 2)) abort();
  AstTextureSource source = {
      .name = "t",
      .directory = "",
      .file = how & 128 ? "" : "picture",
      .cubefile = {"",  "", "", "", "", ""},
      .content_type = how & 1 ? "image/ktx" : "image/vnd.mujoco.texture",
      .vfs = &vfs,
      .type = (mjtTexture)(shape % 3),
      .colorspace = (mjtColorSpace)(how >> 1 & 1),
      .nchannel = 1 + (how >> 2 & 3),
      .hflip = (how & 16) != 0,
      .vflip = (how & 32) != 0,
      .gridsize = {1 + (shape >> 2 & 3), 1 + (shape >> 4 & 3)},
      .gridlayout = "RL.UDFB.....",
  };
  for (int i = 0; i < 6; i++) source.cubefile[i] = how & 128 && (shape >> i & 1) ? "picture" : "";
  AstTexture texture;
  if (ast_compileTexture(&texture, &source)) {
    // every byte of the picture is there
    const size_t count = (size_t)texture.width * (size_t)texture.height * (size_t)texture.nchannel;
    unsigned sum = 0;
    for (size_t i = 0; i < count; i++) sum += texture.data[i];
    __asm__ volatile("" : : "r"(sum));
  } else if (!*texture.error) {
    abort();
  }
  ast_freeTexture(&texture);
  mj_deleteVFS(&vfs);
  return 0;
}
