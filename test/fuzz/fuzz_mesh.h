// One mesh file from memory through the compiler, with and without hull, as the input's last byte says.
#pragma once

#include <mujoco/mujoco.h>
#include <stdint.h>
#include <stdlib.h>

#include "asset/asset.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static int fuzzMesh(const char* name, const uint8_t* data, size_t size) {
  if (!size || size > 1 << 16) return 0;
  mj_setCacheCapacity(mj_getCache(), 0);
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  if (mj_addBufferVFS(&vfs, name, data, (int)size)) abort();
  const int choice = data[size - 1];
  const AstMeshSource source = {
      .name = "m",
      .directory = "",
      .file = name,
      .content_type = "",
      .vfs = &vfs,
      .refquat = {1, 0, 0,                   0},
      .scale = {1, choice & 16 ? -1 : 1,  1},
      .inertia = (mjtMeshInertia)(choice & 3),
      .smoothnormal = choice & 8,
      .needhull = choice & 4,
      .maxhullvert = choice & 32 ? 8 : -1
  };
  AstMesh mesh;
  if (!ast_compileMesh(&mesh, &source) && !*mesh.error) abort();
  ast_freeMesh(&mesh);
  mj_deleteVFS(&vfs);
  return 0;
}
