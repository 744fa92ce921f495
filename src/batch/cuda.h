// Batches on a GPU, as the calls of batches use them. Functions return 1, or 0 with b->complaint saying why.
#pragma once

#include "batch/batch.h"

typedef struct BatCuda_ BatCuda;

// tests: a CudDevice that takes the place of the GPU, NULL: the GPU again
void bat_setCudaDevice(const void* device);

// 1: the kernels can do what the models and options ask for; else text names what they cannot
int bat_cudaSupports(const mjModel* const* models, int nmodel, const snBatchOptions* o, char text[BAT_NMESSAGE]);

// makes what lies on the device; raises an error where that is impossible
void bat_makeCuda(snBatch* b);
void bat_deleteCuda(snBatch* b);
int64_t bat_cudaMemory(const snBatch* b);

// a field by name, or a list with room for capacity rows; copies of it to (write) or from the device
int bat_cudaField(snBatch* b, int model, const char* name, int capacity, snField* field);
int bat_cudaCopy(snBatch* b, const snField* field, void* host, int write);

// a field of mjModel with values for each simulation; and all such values, between the arrays of the CPU and the device
int bat_cudaExpand(snBatch* b, int model, const char* name, snField* field);
int bat_cudaParams(snBatch* b, int write);

// rays as a field
int bat_cudaRays(snBatch* b, int model, const snRays* rays, snField* field);

// the state of all simulations: from the arrays of the CPU to the device (write), or the other way
int bat_cudaState(snBatch* b, int write);

// steps of the selected simulations, 0: forward; does not wait for the device
int bat_cudaRun(snBatch* b, int substeps);
int bat_cudaWait(snBatch* b);

// resets of the selected simulations on the device, without functions of the user; does not wait
int bat_cudaReset(snBatch* b, int key);

// how often simulations were reset, between the arrays of the CPU and the device
int bat_cudaEpisodes(snBatch* b, int write);

// what the last run came to for a simulation; waits
snStatus bat_cudaStatus(snBatch* b, int sim, const char** text);
