// The binary model format (MJB), byte for byte that of the reference 3.5.0:
//
//   int header[5]      id, bytes of mjtNum, number of sizes, version, number of arrays
//   mjtSize sizes[]    in the order of mdl_sizes
//   mjOption, mjVisual, mjStatistic as they lie in memory
//   the arrays in the order of mdl_modelFields, without padding
//
// A loaded model is handed out only after every size, index and address in it has been checked.
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "model/check.h"
#include "model/fields.h"
#include "model/make.h"

// first int of every file
#define FORMAT_ID 54321
#define NHEADER   5

// expected header, with what a difference means
static const struct {
  const char* mismatch;
} HEADER[NHEADER] = {
    {"not a binary model: the file does not start with the format's id"},
    {"the model was saved with another floating-point precision"},
    {"the model was saved by a version with another set of sizes"},
    {"the model was saved by another version"},
    {"the model was saved by a version with another set of arrays"},
};

static void fillHeader(int header[NHEADER]) {
  header[0] = FORMAT_ID;
  header[1] = sizeof(mjtNum);
  header[2] = mdl_nsizes;
  header[3] = mj_version();
  header[4] = mdl_nmodelFields;
}

// bytes in front of the arrays
static size_t headBytes(void) {
  return sizeof(int) * NHEADER + sizeof(mjtSize) * (size_t)mdl_nsizes + sizeof(mjOption) + sizeof(mjVisual) +
         sizeof(mjStatistic);
}

mjtSize mj_sizeModel(const mjModel* m) {
  if (!m) {
    mju_error("mj_sizeModel: m is NULL");
    return 0;
  }
  mjtSize bytes = (mjtSize)headBytes();
  for (int i = 0; i < mdl_nmodelFields; i++) bytes += (mjtSize)mdl_bytes(mdl_modelFields + i, m, NULL);
  return bytes;
}

//---------------------------------- save --------------------------------------------------------------------------

// where a model is written: a file, or a buffer that is known to be large enough
typedef struct {
  FILE* file;
  char* next;
  int failed;
} Sink;

static void writeBytes(Sink* sink, const void* data, size_t bytes) {
  if (!bytes) return;
  if (sink->file) {
    sink->failed |= fwrite(data, 1, bytes, sink->file) != bytes;
  } else {
    memcpy(sink->next, data, bytes);
    sink->next += bytes;
  }
}

static void putModel(Sink* sink, const mjModel* m) {
  int header[NHEADER];
  fillHeader(header);
  writeBytes(sink, header, sizeof(header));
  for (int i = 0; i < mdl_nsizes; i++) {
    const mjtSize size = mdl_size(m, i);
    writeBytes(sink, &size, sizeof(size));
  }
  writeBytes(sink, &m->opt, sizeof(mjOption));
  writeBytes(sink, &m->vis, sizeof(mjVisual));
  writeBytes(sink, &m->stat, sizeof(mjStatistic));
  for (int i = 0; i < mdl_nmodelFields; i++) {
    const MdlField* f = mdl_modelFields + i;
    writeBytes(sink, *mdl_pointer(f, m), mdl_bytes(f, m, NULL));
  }
}

void mj_saveModel(const mjModel* m, const char* filename, void* buffer, int buffer_sz) {
  if (!m || (!filename && !buffer)) {
    mju_error("mj_saveModel: %s", m ? "neither filename nor buffer is given" : "m is NULL");
    return;
  }

  // into memory, which must hold all of it
  if (buffer) {
    const mjtSize need = mj_sizeModel(m);
    if (need > buffer_sz) {
      mju_error("mj_saveModel: the buffer has %d bytes, the model needs %lld", buffer_sz, (long long)need);
      return;
    }
    putModel(&(Sink){.next = buffer}, m);
    return;
  }

  // into a file
  Sink sink = {.file = fopen(filename, "wb")};
  if (!sink.file) {
    mju_warning("Could not open file '%s': %s", filename, strerror(errno));
    return;
  }
  putModel(&sink, m);
  if (fclose(sink.file) || sink.failed) mju_warning("Could not write all of file '%s'", filename);
}

//---------------------------------- load --------------------------------------------------------------------------

// what is left of a file
typedef struct {
  const char* next;
  size_t left;
} Source;

// copies the next bytes; 0 when there are not enough
static int readBytes(Source* source, void* to, size_t bytes) {
  if (bytes > source->left) return 0;
  if (bytes) memcpy(to, source->next, bytes);
  source->next += bytes;
  source->left -= bytes;
  return 1;
}

static int takeHeader(Source* source, char* error, int error_sz) {
  int header[NHEADER], expected[NHEADER];
  if (!readBytes(source, header, sizeof(header))) {
    snprintf(error, error_sz, "Invalid model: the file ends inside its header");
    return 0;
  }
  fillHeader(expected);
  for (int i = 0; i < NHEADER; i++) {
    if (header[i] != expected[i]) {
      snprintf(error, error_sz, "Invalid model: %s (%d, expected %d)", HEADER[i].mismatch, header[i], expected[i]);
      return 0;
    }
  }
  return 1;
}

// sizes, options and the promise that exactly the arrays follow, so that a broken file never causes a large allocation
static int takeSizes(Source* source, mjModel* sizes, char* error, int error_sz) {
  memset(sizes, 0, sizeof(*sizes));
  for (int i = 0; i < mdl_nsizes; i++) {
    if (!readBytes(source, (char*)sizes + mdl_sizes[i].offset, sizeof(mjtSize))) {
      snprintf(error, error_sz, "Invalid model: the file ends at size %s", mdl_sizes[i].name);
      return 0;
    }
  }

  // sizes that follow from others
  const mjtSize nnames_map = sizes->nnames_map, nbuffer = sizes->nbuffer;
  if (!mdl_deriveSizes(sizes, error, error_sz)) return 0;
  if (sizes->nnames_map != nnames_map || sizes->nbuffer != nbuffer) {
    const int map = sizes->nnames_map != nnames_map;
    snprintf(error, error_sz, "Invalid model: %s is %lld, expected %lld", map ? "nnames_map" : "nbuffer",
             (long long)(map ? nnames_map : nbuffer), (long long)(map ? sizes->nnames_map : sizes->nbuffer));
    return 0;
  }

  // settings
  if (!readBytes(source, &sizes->opt, sizeof(mjOption)) || !readBytes(source, &sizes->vis, sizeof(mjVisual)) ||
      !readBytes(source, &sizes->stat, sizeof(mjStatistic))) {
    snprintf(error, error_sz, "Invalid model: the file ends inside options, visuals or statistics");
    return 0;
  }

  // arrays
  size_t bytes = 0;
  for (int i = 0; i < mdl_nmodelFields; i++) {
    bytes += mdl_bytes(mdl_modelFields + i, sizes, NULL);
    if (bytes > source->left) {
      snprintf(error, error_sz, "Invalid model: the file ends inside array %s", mdl_modelFields[i].name);
      return 0;
    }
  }
  if (bytes < source->left) {
    snprintf(error, error_sz, "Invalid model: %zu bytes follow the last array", source->left - bytes);
    return 0;
  }
  return 1;
}

typedef struct {
  const mjModel* sizes;
  mjModel* m;
} Making;

// a model that there is no memory for is one that cannot be loaded
static void makeModel(void* arg) {
  Making* const s = arg;
  s->m = mdl_make(NULL, s->sizes);
}

mjModel* mj_loadModelBuffer(const void* buffer, int buffer_sz) {
  if (!buffer) {
    mju_error("mj_loadModelBuffer: buffer is NULL");
    return NULL;
  }

  // everything in front of the arrays
  char error[300];
  Source source = {buffer, buffer_sz > 0 ? (size_t)buffer_sz : 0};
  mjModel sizes;
  if (!takeHeader(&source, error, sizeof(error)) || !takeSizes(&source, &sizes, error, sizeof(error))) {
    mju_warning("%s", error);
    return NULL;
  }

  // arrays
  Making made = {&sizes, NULL};
  char raised[BAS_MESSAGE];
  if (!bas_attempt(makeModel, &made, raised)) mju_warning("%s", raised);
  mjModel* const m = made.m;
  if (!m) return NULL;
  memcpy(&m->opt, &sizes.opt, sizeof(mjOption));
  memcpy(&m->vis, &sizes.vis, sizeof(mjVisual));
  memcpy(&m->stat, &sizes.stat, sizeof(mjStatistic));
  for (int i = 0; i < mdl_nmodelFields; i++) {
    const MdlField* f = mdl_modelFields + i;
    readBytes(&source, *mdl_pointer(f, m), mdl_bytes(f, m, NULL));
  }

  // nothing is handed out unchecked
  if (!mdl_check(m, error, sizeof(error))) {
    mj_deleteModel(m);
    mju_warning("%s", error);
    return NULL;
  }
  return m;
}

mjModel* mj_loadModel(const char* filename, const mjVFS* vfs) {
  if (!filename) {
    mju_error("mj_loadModel: filename is NULL");
    return NULL;
  }

  // find the file in the VFS, at a provider or on disk
  char error[300] = "";
  mjResource* const resource = mju_openResource("", filename, vfs, error, sizeof(error));
  if (!resource) {
    mju_warning("Could not open file '%s': %s", filename, error);
    return NULL;
  }
  const void* buffer = NULL;
  const int bytes = mju_readResource(resource, &buffer);
  mjModel* const m = bytes > 0 && buffer ? mj_loadModelBuffer(buffer, bytes) : NULL;
  if (bytes <= 0 || !buffer) mju_warning("Could not read file '%s'", filename);
  mju_closeResource(resource);
  return m;
}
