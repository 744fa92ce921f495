// MSH files of any content: a mesh or a message, never more memory than a small multiple of the file.
#include "fuzz_mesh.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return fuzzMesh("mesh.msh", data, size);
}
