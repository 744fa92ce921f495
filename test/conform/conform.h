// Compares a MuJoCo-compatible library with the reference, model by model. Every model runs in a process of its own, so
// that a crash or a hang is a result and not an end:
//
//   load     both libraries accept the file, or both reject it
//   model    every size, option and array of mjModel, field by field
//   forward  mj_forward from the same states on the model that the reference compiled, by stage: the engine alone
//   steps    so many steps of both libraries, each on the model that it compiled itself
//   speed    time of the reference's mj_step over the candidate's, in turns
//
// The error of a field is max|a - b| / (1 + max|a|).
#pragma once

#include <mujoco/mujoco.h>
#include <stddef.h>

// ---- libraries

// functions that the comparison calls
#define CFM_API(F)                                                 \
  F(mjCache*, mj_getCache, (void))                                 \
  F(size_t, mj_setCacheCapacity, (mjCache*, size_t))               \
  F(mjModel*, mj_loadXML, (const char*, const mjVFS*, char*, int)) \
  F(mjData*, mj_makeData, (const mjModel*))                        \
  F(void, mj_resetData, (const mjModel*, mjData*))                 \
  F(void, mj_forward, (const mjModel*, mjData*))                   \
  F(void, mj_step, (const mjModel*, mjData*))

typedef struct {
#define CFM_MEMBER(result, name, arguments) result(*name) arguments;
  CFM_API(CFM_MEMBER)
#undef CFM_MEMBER
} CfmLibrary;

// ---- results

typedef enum { CFM_POSITION, CFM_CONTACT, CFM_VELOCITY, CFM_CONSTRAINT, CFM_SOLVER, CFM_SENSOR, CFM_STAGES } CfmStage;

extern const char* const cfm_stageName[CFM_STAGES];
extern const double cfm_tolerance[CFM_STAGES];

enum { CFM_TEXT = 300 };

typedef struct {
  int verbose;  // 1: every field that is off goes to stderr

  // where the process is, should it end there; 1: it reached its end
  char phase[24];
  int done;

  // load; 1: accepted
  int loadReference, loadCandidate;
  char errorReference[CFM_TEXT], errorCandidate[CFM_TEXT];

  // model: fields compared, fields that are off, the first of them by name
  int modelFields, modelBad;
  char modelWorst[200];
  int hullOrder;  // hulls have the same vertices in another order

  // forward: states compared, the worst field of each stage
  int states;
  struct {
    double error;
    char field[48];
  } stage[CFM_STAGES];
  int exactStates;  // contacts agree to the last digits and in order, so that rows were compared
  int reordered;    // contacts came in another order
  int loose;        // contacts of iterative algorithms agree only loosely

  // steps and speed; 0: not run
  int steps;
  double stepsError;
  double timeReference, timeCandidate;  // seconds a step
} CfmResult;

// ---- numbers.c
double cfm_errorNum(const mjtNum* a, const mjtNum* b, size_t n);
double cfm_errorFloat(const float* a, const float* b, size_t n);

// arrays of n values of a type of the field tables; integers must be equal
double cfm_errorAny(const char* type, const void* a, const void* b, size_t n);

// n rows, dense of nv columns or sparse where nnz is given, whatever lies between the rows
typedef struct {
  const mjtNum* value;
  const int *nnz, *adr, *col;
} CfmRows;

double cfm_errorRows(CfmRows a, CfmRows b, int n, int nv);

// ---- compare_model.c
void cfm_compareModel(CfmResult* result, const mjModel* reference, const mjModel* candidate);

// ---- compare_data.c: after mj_forward on the same model
void cfm_compareData(CfmResult* result, const mjModel* m, const mjData* reference, const mjData* candidate);

// notes the error of a field of a stage
void cfm_note(CfmResult* result, CfmStage stage, const char* field, double error);

// ---- compare_contact.c
void cfm_compareContacts(CfmResult* result, const mjModel* m, const mjData* reference, const mjData* candidate);

// ---- run.c: one model

typedef struct {
  int states, steps, timeout;
  double speed;      // seconds of timing per model, 0: none
  const char* only;  // parts to run, NULL: all
  int verbose;
} CfmOptions;

// 1: a part (model, forward, steps) is wanted
int cfm_wants(const CfmOptions* options, const char* part);

typedef struct {
  CfmLibrary reference, candidate;
} CfmPair;

void cfm_runModel(const CfmPair* pair, const char* path, const CfmOptions* options, CfmResult* result);

// ---- report.c

typedef struct {
  int models, both, rejected, differ, crashed;
  int model, forward, steps, exact, stage[CFM_STAGES];  // models that agree
  int timed;
  double logSpeed;
} CfmTotals;

// a line for one model; status is that of its process
void cfm_report(CfmTotals* totals, const char* path, const CfmResult* result, int status);

// the last lines; 0: everything that was asked for agrees
int cfm_summary(const CfmTotals* totals, const CfmOptions* options);
