// Parts of `sinew sweep`: what is varied, what is measured, samples, the file, and the simulations of a chunk.
#pragma once

#include <mujoco/mujoco.h>
#include <sinew/batch.h>
#include <stdint.h>

#include "modules/modules.h"
#include "run.h"
#include "support/model.h"

// -------------------------------------------------------------------------------------------- places

// elements of a field of mjModel or mjData
typedef struct {
  char field[64];
  int inModel;    // 1: of mjModel, 0: of mjData
  int member;     // 1: the struct holds the values, 0: their address
  size_t offset;  // in the struct
  char type;      // 'd' double, 'f' float, 'i' int, 'b' byte
  int first, count;
} SwpPlace;

enum { SWP_NAME = 200, SWP_CODE = 128, SWP_REDUCTIONS = 16, SWP_CHUNK = 64, SWP_TEXT = 120 };

// "field", "field[name]", "field[name,k]", "field[i]"; model fields only where wanted. 0 after a message.
int swp_findPlace(const mjModel* m, const char* text, SwpPlace* place);
double swp_read(const SwpPlace* place, const void* owner, int element);

// -------------------------------------------------------------------------------------------- parameters

typedef enum { SWP_UNIFORM, SWP_LOGUNIFORM, SWP_NORMAL, SWP_LIST } SwpKind;

// one --vary: FIELD=DISTRIBUTION, FIELD*=..., FIELD+=...
typedef struct {
  const char* text;
  char label[SWP_NAME];  // what stands before the sign
  SwpPlace place;
  char how;  // '=' sets, '*' scales, '+' adds
  SwpKind kind;
  double a, b;  // bounds, or mean and deviation
  double* list;
  int nlist;
} SwpVary;

int swp_readVary(const mjModel* m, const char* text, SwpVary* vary);

// fills nsample x n numbers; method: random, sobol, lhs, grid, or a file of numbers. CLI_OK, or an exit code after a
// message.
int swp_sample(const char* method, int seed, const SwpVary* vary, int n, int* nsample, double** values);

// -------------------------------------------------------------------------------------------- measures

typedef struct {
  int op;
  double number;
  SwpPlace place;
} SwpCode;

// An expression in reverse Polish order. What is inside max(), mean() ... is computed after every step.
typedef struct {
  char label[SWP_NAME];
  SwpCode code[SWP_CODE];
  int ncode;
  struct {
    int kind, first, end;  // part of the code
  } reduction[SWP_REDUCTIONS];
  int nreduction;
} SwpMeasure;

// running values of the reductions of one measure of one simulation
typedef struct {
  double sum[SWP_REDUCTIONS], square[SWP_REDUCTIONS];
  double n, time;
} SwpTally;

int swp_readMeasure(const mjModel* m, const char* text, SwpMeasure* measure);
void swp_tally(const SwpMeasure* measure, const mjModel* m, const mjData* d, SwpTally* tally);
double swp_result(const SwpMeasure* measure, const mjModel* m, const mjData* d, const SwpTally* tally);

// -------------------------------------------------------------------------------------------- the study

typedef struct {
  CliModel model;
  SwpVary* vary;
  SwpMeasure* measure;
  int nvary, nmeasure, nsample;
  double* value;  // nsample x nvary
  double time;
  int key, threads;
  RunControl control;
  uint64_t seed;
} SwpStudy;

// what a sample came to
typedef enum { SWP_PENDING = 0, SWP_DONE = 1, SWP_FAILED = 2 } SwpState;

typedef struct {
  int n;  // samples of the chunk
  int sample[SWP_CHUNK];
  unsigned char state[SWP_CHUNK];
  char message[SWP_CHUNK][SWP_TEXT];
} SwpChunk;

// simulates the samples of a chunk and writes n x nmeasure numbers; 0: interrupted, some may be pending
typedef struct SwpEngine SwpEngine;
SwpEngine* swp_makeEngine(const SwpStudy* study);
int swp_compute(SwpEngine* engine, SwpChunk* chunk, double* measured);
void swp_freeEngine(SwpEngine* engine);

// -------------------------------------------------------------------------------------------- the file

typedef struct {
  int descriptor;
  int ncolumn;  // parameters, measures, then state and message
  int nvary;
  ModColumn* column;
  unsigned char* state;  // of each sample, as in the file
} SwpFile;

// Opens the file of this study, or makes it; a file of another study is an error unless force. CLI_OK or an exit code.
int swp_openFile(SwpFile* file, const char* path, const SwpStudy* study, const char* settings, int force);
int swp_writeChunk(SwpFile* file, const SwpChunk* chunk, const double* measured, int nmeasure);
int swp_readMeasured(const SwpFile* file, int measure, int nsample, double* values);
void swp_closeFile(SwpFile* file);
