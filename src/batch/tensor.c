// Fields as DLPack tensors: how other libraries take arrays over without a copy.
#include <stdlib.h>

#include <sinew/batch.h>

// a tensor with room for its dimensions behind it
typedef struct {
  snTensor tensor;
  int64_t shape[4], stride[4];
} Room;

static void release(snTensor* tensor) {
  free(tensor->manager_ctx);
}

snTensor* sn_fieldTensor(const snField* field) {
  // codes of DLPack: integers 0, unsigned 1, floating point 2
  static const uint8_t CODE[] = {[SN_FLOAT64] = 2, [SN_FLOAT32] = 2, [SN_INT32] = 0, [SN_INT64] = 0, [SN_UINT8] = 1};
  if (!field || !field->data || (unsigned)field->type >= SN_STRUCT) return NULL;
  if (field->ndim < 0 || field->ndim > 4 || field->itemsize < 1) return NULL;
  Room* const room = calloc(1, sizeof(Room));
  if (!room) return NULL;
  for (int i = 0; i < field->ndim; i++) {
    room->shape[i] = field->shape[i];
    room->stride[i] = field->stride[i] / field->itemsize;
  }
  room->tensor = (snTensor){.data = field->data,
                            .device_type = field->device == SN_CUDA ? 2 : 1,
                            .ndim = field->ndim,
                            .code = CODE[field->type],
                            .bits = (uint8_t)(8 * field->itemsize),
                            .lanes = 1,
                            .shape = room->shape,
                            .strides = room->stride,
                            .manager_ctx = room,
                            .deleter = release};
  return &room->tensor;
}
