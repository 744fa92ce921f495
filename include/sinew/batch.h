// Many simulations at once: state in arrays over simulations, steps by all threads, parameters of the model per
// simulation. A batch gives, simulation by simulation, the bits of a loop over mj_step, for any number of threads.
//
//   snBatch* b = sn_makeBatch(&model, 1, NULL, 1024, NULL, message, sizeof(message));
//   snField qpos, ctrl;
//   sn_batchField(b, 0, "qpos", &qpos);
//   sn_batchField(b, 0, "ctrl", &ctrl);
//   for (int t = 0; t < 1000; t++) {
//     policy(qpos.data, ctrl.data);
//     sn_batchStep(b, NULL, 4);
//   }
//   sn_deleteBatch(b);
#ifndef SINEW_BATCH_H_
#define SINEW_BATCH_H_

#include <stdint.h>

#include <mujoco/mujoco.h>
#include <sinew/sinew.h>

#ifdef __cplusplus
extern "C" {
#endif

//---------------------------------- types ----------------------------------

// Many simulations. One thread at a time may call functions on it; a second one gets SN_ERROR.
typedef struct snBatch_ snBatch;

// Where a batch computes and where its arrays are.
typedef enum snDevice_ {
  SN_CPU = 0,  // threads of this machine, arrays in its memory
  SN_CUDA = 1  // one GPU, arrays in its memory
} snDevice;

// Types of the elements of a field.
typedef enum snType_ {
  SN_FLOAT64 = 0,  // mjtNum
  SN_FLOAT32 = 1,  // float
  SN_INT32 = 2,    // int
  SN_INT64 = 3,    // int64_t
  SN_UINT8 = 4,    // mjtByte
  SN_STRUCT = 5    // a struct of itemsize bytes: mjContact
} snType;

// An array over simulations: element [i][j]... of it lies stride[0] * i + stride[1] * j ... bytes behind data. It stays
// where it is until the batch is deleted.
typedef struct snField_ {
  void* data;         // first element
  snType type;        // of an element
  int itemsize;       // bytes of an element
  int ndim;           // how many of the dimensions below are used: 0 to 4
  int64_t shape[4];   // numbers of elements; the first is that of simulations
  int64_t stride[4];  // bytes from one element to the next
  int writable;       // 1: an input; 0: an output, overwritten by the next call
  snDevice device;    // whose memory it is
} snField;

// A field for other libraries: member by member the DLManagedTensor of DLPack, whose headers it does not need.
typedef struct snTensor_ {
  void* data;                          // first element
  int32_t device_type;                 // 1: memory of the machine, 2: of a GPU
  int32_t device_id;                   // 0
  int32_t ndim;                        // dimensions
  uint8_t code;                        // elements: 0 integers, 1 unsigned, 2 floating point
  uint8_t bits;                        // of an element
  uint16_t lanes;                      // 1
  int64_t* shape;                      // numbers of elements
  int64_t* strides;                    // elements from one to the next
  uint64_t byte_offset;                // 0
  void* manager_ctx;                   // of the deleter
  void (*deleter)(struct snTensor_*);  // frees the tensor, not the data
} snTensor;

// Which simulations a call is about. NULL instead of a selection means all of them.
typedef struct snSelection_ {
  const mjtByte* mask;  // nonzero: this one; n must be the size of the batch
  const int* index;     // or their indices, none of them twice; n says how many
  int n;                // length of the one that is not NULL
} snSelection;

// Random numbers that depend on nothing but the numbers that the stream was made from and how many were drawn.
typedef struct snRandom_ {
  uint32_t key[2];      // the seed
  uint32_t counter[4];  // block of numbers, and which stream of the seed
  uint32_t block[4];    // numbers of the block
  int left;             // how many of them have not been drawn
} snRandom;

// What happens to a simulation for which options.done says 1.
typedef enum snAutoReset_ {
  SN_RESET_NEVER = 0,  // field "done" says it; the caller decides
  SN_RESET_SAME = 1,   // it is reset at the end of the call that found it done
  SN_RESET_NEXT = 2    // its next step is the reset: the last state can be read until then
} snAutoReset;

// How a batch is made. sn_defaultBatchOptions fills it; then change what differs.
typedef struct snBatchOptions_ {
  snDevice device;  // where to compute
  int nthread;      // threads including the caller's; 0: one per CPU
  int persistent;   // 1: an mjData per simulation; always so with plugins and with sleeping
  uint64_t seed;    // of the random streams

  const snHooks* hooks;  // of every simulation, called by several threads at once; copied; NULL: none
  void* context;         // handed to the two functions below

  // called after a simulation was reset, before its state is stored: changes d. Streams differ between simulations and
  // between the resets of one, and do not depend on threads. NULL: none
  void (*reset)(const mjModel* m, mjData* d, int sim, snRandom* random, void* context);

  // called after the steps of a simulation; 1: its episode has ended. NULL: none
  int (*done)(const mjModel* m, const mjData* d, int sim, void* context);

  // what to do then. SN_RESET_NEXT without a function: field "done" is the caller's to write
  snAutoReset autoreset;
  int autoreset_key;  // keyframe of these resets, -1: the model's initial state

  int lanes;  // several simulations side by side in vector registers: 0: where that is quicker, which is measured when
              // the batch is made and while it runs; 1: wherever the model allows it; -1: never. The results are the
              // same

  snType real;   // SN_FLOAT64, or on a GPU SN_FLOAT32: precision of the computation and of its arrays
  void* stream;  // on a GPU: the cudaStream_t that copies and kernels are put on, NULL: the default one

  // Noise of resets, before the function above: positions move along every dof by uniform numbers within reset_qpos,
  // velocities change by such within reset_qvel. They are the first 2 nv numbers of the simulation's stream, on a GPU
  // too.
  mjtNum reset_qpos;  // metres or radians
  mjtNum reset_qvel;  // the same per second
} snBatchOptions;

// Rays that start from the same place of every simulation: lidars, height scans.
typedef struct snRays_ {
  int nray;                  // how many
  const mjtNum* pnt;         // nray x 3: where each starts, in the frame below
  const mjtNum* vec;         // nray x 3: its direction there; distances are in units of its length
  mjtObj objtype;            // whose frame: mjOBJ_BODY, mjOBJ_XBODY, mjOBJ_GEOM, mjOBJ_SITE, mjOBJ_CAMERA;
                             // mjOBJ_UNKNOWN: the world's
  int objid;                 // which
  int upright;               // 1: the frame stands upright, turned by the heading of the object's x axis only
  const mjtByte* geomgroup;  // mjNGROUP flags: groups of geoms that are looked at; NULL: all
  mjtByte flg_static;        // 1: also geoms that cannot move
  int bodyexclude;           // body whose geoms are not looked at, -1: none
  mjtNum cutoff;             // greatest distance, 0: none
} snRays;

// What sn_batchRollout does with each of the m selected simulations.
typedef struct snRollout_ {
  int nstep;                  // how often it is recorded
  int substeps;               // mj_step before each record, at least 1
  int control_spec;           // bits of mjtState within mjSTATE_USER that control holds; 0 where there is none
  const mjtNum* control;      // m x nstep x mj_stateSize(model, control_spec): set before the substeps
  int nrecord;                // how many fields are recorded, at most SN_MAXRECORD
  const char* const* record;  // their names: any of mjData that has a fixed size
  void* const* out;           // for each field m x nstep x elements of the field, in the field's type
} snRollout;

// Most fields that a rollout records.
#define SN_MAXRECORD 32

//---------------------------------- make ----------------------------------

// Sets the defaults: CPU, double precision, all threads, seed 0, no hooks, no functions.
MJAPI void sn_defaultBatchOptions(snBatchOptions* options);

// Makes n simulations, simulation i of models[which[i]] (which NULL: all of models[0]), all in the initial state. The
// models are copied. options may be NULL. Returns NULL when that is impossible; message (at most size bytes, may be
// NULL) says why.
MJAPI snBatch* sn_makeBatch(const mjModel* const* models, int nmodel, const int* which, int n,
                            const snBatchOptions* options, char* message, int size);

// Ends the threads and frees everything, fields too. NULL is allowed.
MJAPI void sn_deleteBatch(snBatch* b);

// Number of simulations.
MJAPI int sn_batchSize(const snBatch* b);

// Number of threads, the caller's included.
MJAPI int sn_batchThreads(const snBatch* b);

// How many simulations of a model run side by side in vector registers, 1: they run one by one. Where that is measured
// while the batch runs, the answer may change from call to call.
MJAPI int sn_batchLanes(const snBatch* b, int model);

// Bytes that the batch holds for all its simulations together; data of threads and models are not counted.
MJAPI int64_t sn_batchMemory(const snBatch* b);

//---------------------------------- fields ----------------------------------

// A field of mjData over the simulations of one model, in their order. State and inputs (time, qpos, qvel, act,
// history, qacc_warmstart, plugin_state, ctrl, qfrc_applied, xfrc_applied, eq_active, mocap_pos, mocap_quat, userdata)
// are writable: what is written is the state of the next call. Any other field (xpos, sensordata, energy, ncon ...) is
// bound by the first request, zero until the next call, and from then on refreshed by each; after steps it belongs to
// the state before the last one, as with mj_step. Forces on bodies (cacc, cfrc_int, cfrc_ext) and momenta of subtrees
// are computed after the last step, as mj_rnePostConstraint and mj_subtreeVel do, where they are requested. With model
// -1, over all simulations: "status" (int, snStatus), "done" (byte), "episode" (int: resets so far), "warning" (int,
// mjNWARNING each: since the last reset), "model" and "row" (int: where a simulation is in the fields of its model).
MJAPI snStatus sn_batchField(snBatch* b, int model, const char* name, snField* field);

// Copies a field to the caller's memory, or from there into a writable one: field->shape[0] rows of field->stride[0]
// bytes. On a GPU it waits for the copy; on the CPU it is a copy like any other.
MJAPI snStatus sn_batchRead(snBatch* b, const snField* field, void* to);
MJAPI snStatus sn_batchWrite(snBatch* b, const snField* field, const void* from);

// The field as a DLPack tensor, which frameworks take over without a copy; whoever has it calls its deleter. The data
// are the batch's and end with it. NULL: a field of structs, or no memory.
MJAPI snTensor* sn_fieldTensor(const snField* field);

// Lists of varying length: "contact" (mjContact) or a member of it ("contact.dist", "contact.pos" ...), "efc_force" and
// the other arrays over constraint rows. capacity is the number of rows per simulation; the rest is zero. Field "ncon"
// or "nefc" tells how many there were; where more than capacity, the status is SN_WARNING.
MJAPI snStatus sn_batchList(snBatch* b, int model, const char* name, int capacity, snField* field);

// Casts rays in every simulation of a model: the field has the distance to the nearest geom along each, -1 where there
// is none, and is refreshed by each computation as bound fields are. Each call adds a field; the description is copied.
MJAPI snStatus sn_batchRays(snBatch* b, int model, const snRays* rays, snField* field);

// Gives every simulation of a model values of its own for a field of mjModel ("body_mass", "geom_friction",
// "opt.timestep" ...), at first those of the model. Numbers can be expanded, and integers that are no structure; fields
// of meshes, skins and textures cannot.
MJAPI snStatus sn_batchExpand(snBatch* b, int model, const char* name, snField* field);

// Runs mj_setConst for each simulation: what the model derives from expanded fields (inverse weights, subtree masses
// ...) follows them, and is expanded itself.
MJAPI snStatus sn_batchSetConst(snBatch* b, const snSelection* which);

// Gives a simulation the values of another model, made of the same parts as its own: fields that differ are expanded.
// Sizes, indices, types, meshes, textures and names must be equal. State stays as it is.
MJAPI snStatus sn_batchSetModel(snBatch* b, int sim, const mjModel* m);

// A copy of a simulation's model with its expanded values; free with mj_deleteModel. NULL when there is none such.
MJAPI mjModel* sn_batchGetModel(snBatch* b, int sim);

// Copies a simulation's state into d, which was made for its model. With an mjData per simulation, and where something
// sleeps, everything is copied; what is no state may be left from a call that failed.
MJAPI snStatus sn_batchGetData(snBatch* b, int sim, mjData* d);

// Gives a simulation the n numbers that sn_getAnchors (sinew/contact.h) wrote of such a copy: what its contacts
// remember, which resets and states forget. SN_ERROR: they make no sense, or nothing of its model sticks; then nothing
// changes.
MJAPI snStatus sn_batchSetAnchors(snBatch* b, int sim, const mjtNum* anchors, int n);

// A size ("nq"), option ("opt.timestep"), statistic ("stat.extent") or array ("body_mass") of one model, where it lies
// in it: for bindings, which know fields by name. Its dimensions are those of the array, none for a single number;
// sizes are not writable. SN_ERROR: there is no such field.
MJAPI snStatus sn_modelField(const mjModel* m, const char* name, snField* field);

// The same for a field of mjData that has a fixed size. With d NULL only its type and shape, and no address.
MJAPI snStatus sn_dataField(const mjModel* m, const mjData* d, const char* name, snField* field);

//---------------------------------- calls ----------------------------------
// Each returns SN_ERROR when a simulation failed or the call made no sense, SN_WARNING when one raised a warning. A
// simulation that raises an error, or whose state or acceleration is no usable number, keeps the state that it had
// before the call; the others finish.

// mj_step, substeps times. On a GPU it returns when the work is on the stream: sn_batchStatus says what it came to.
MJAPI snStatus sn_batchStep(snBatch* b, const snSelection* which, int substeps);

// mj_forward.
MJAPI snStatus sn_batchForward(snBatch* b, const snSelection* which);

// The initial state (key -1) or a keyframe, then options.reset. Derived fields are those of the last computation until
// sn_batchForward or the next step.
MJAPI snStatus sn_batchReset(snBatch* b, const snSelection* which, int key);

// The initial state with the parts in sig (bits of mjtState) replaced by rows of state, one per selected simulation,
// sn_batchStateSize(b, sig) numbers apart. options.reset is not called.
MJAPI snStatus sn_batchResetState(snBatch* b, const snSelection* which, const mjtNum* state, int sig);

// Writes the parts in sig of the selected simulations to rows of state, as sn_batchResetState reads them.
MJAPI snStatus sn_batchGetState(snBatch* b, const snSelection* which, mjtNum* state, int sig);

// Numbers in a row of state: the largest mj_stateSize of the models; -1 when sig has bits that do not exist.
MJAPI int sn_batchStateSize(const snBatch* b, int sig);

// Steps and records. The selected simulations must agree in the sizes of controls and records. A simulation that fails
// has the last good values in its remaining records.
MJAPI snStatus sn_batchRollout(snBatch* b, const snSelection* which, const snRollout* rollout);

//---------------------------------- status ----------------------------------

// Waits until the device has done what was asked of it; on the CPU that is so when a call returns.
MJAPI snStatus sn_batchWait(snBatch* b);

// What the last call that touched a simulation came to for it; on a GPU it waits for that.
MJAPI snStatus sn_batchStatus(const snBatch* b, int sim);

// Its message, "" where the status is SN_OK. With sim -1: what the last call on the batch complained about.
MJAPI const char* sn_batchMessage(const snBatch* b, int sim);

// Inside hooks and callbacks: index of the simulation that the calling thread computes, -1 outside of a batch.
MJAPI int sn_batchCurrent(void);

// Inside hooks and the functions of the options: the simulation that the calling thread computes has failed, as by
// mju_error, but the call returns, and the failure counts once the present step has ended. For functions that must not
// be left by a jump, such as those of interpreters. The first message is kept. Outside of a batch nothing happens.
MJAPI void sn_batchFail(const char* message);

//---------------------------------- random numbers ----------------------------------

// The stream of a seed with two numbers of its own. Batches use (options.seed, sim, episode).
MJAPI snRandom sn_makeRandom(uint64_t seed, uint32_t stream, uint32_t substream);

// Next 32 random bits (Philox 4x32-10).
MJAPI uint32_t sn_randomBits(snRandom* random);

// Uniform in [low, high).
MJAPI mjtNum sn_randomUniform(snRandom* random, mjtNum low, mjtNum high);

// Normal with mean 0 and deviation 1; the same bits on every machine.
MJAPI mjtNum sn_randomNormal(snRandom* random);

#ifdef __cplusplus
}
#endif

#endif  // SINEW_BATCH_H_
