// What Sinew adds to the compatible API: callbacks that belong to one simulation, functions that return a
// status where the compatible ones end the process, specs of compiled models, and exact files.
#ifndef SINEW_SINEW_H_
#define SINEW_SINEW_H_

#include <mujoco/mujoco.h>

#ifdef __cplusplus
extern "C" {
#endif

//---------------------------------- which library ----------------------------------

// The version of Sinew, such as "0.1.0"; mj_versionString() is that of the compatible interface.
MJAPI const char* sn_version(void);

// The instruction set that the vector kernels use on this machine: "scalar", "v2", "v3", "v4" (x86-64 levels), "neon"
// or "simd128" (WebAssembly). Results are the same with all of them.
MJAPI const char* sn_kernels(void);

//---------------------------------- hooks ----------------------------------

// The callbacks mjcb_* exist once per process. Hooks do the same jobs for one mjData, each with the context that was
// set with them; where a hook is set, the process-wide callback of the same name is not called for that mjData.
typedef struct snHooks_ {
  void* context;                                                // handed to every hook
  void (*passive)(const mjModel* m, mjData* d, void* context);  // after the built-in forces; adds to qfrc_passive
  void (*control)(const mjModel* m, mjData* d, void* context);  // before actuation; sets ctrl or applied forces
  void (*sensor)(const mjModel* m, mjData* d, int stage, void* context);  // computes sensors of type mjSENS_USER
  int (*contactfilter)(const mjModel* m, mjData* d, int geom1, int geom2, void* context);  // 1: drop the pair
  mjtNum (*act_dyn)(const mjModel* m, const mjData* d, int id, void* context);   // act_dot of mjDYN_USER actuators
  mjtNum (*act_gain)(const mjModel* m, const mjData* d, int id, void* context);  // gain of mjGAIN_USER actuators
  mjtNum (*act_bias)(const mjModel* m, const mjData* d, int id, void* context);  // bias of mjBIAS_USER actuators

  // derivative of the whole force of an actuator with act_gain or act_bias with respect to its velocity, for the
  // implicit integrators; NULL: the hooks are compared at neighbouring values of actuator_velocity
  mjtNum (*act_vel)(const mjModel* m, const mjData* d, int id, void* context);
} snHooks;

// Sets the hooks of d (copied; NULL removes them). They stay through resets and go along with mj_copyData.
MJAPI void sn_setHooks(mjData* d, const snHooks* hooks);

// The hooks of d; all members are NULL where none are set.
MJAPI const snHooks* sn_getHooks(const mjData* d);

//---------------------------------- status ----------------------------------
// Functions that return where those without sn would end the process. After SN_ERROR the scratch stack of d is as it
// was before the call, and d can be reset, copied, deleted or stepped again. message may be NULL; at most size bytes
// are written to it.

// What a call came to. Negative: it failed.
typedef enum snStatus_ {
  SN_OK = 0,       // done
  SN_WARNING = 1,  // done, but a warning was raised: d->warning tells which
  SN_ERROR = -1    // not done: the message says why
} snStatus;

// mj_step with a status.
MJAPI snStatus sn_step(const mjModel* m, mjData* d, char* message, int size);

// mj_forward with a status.
MJAPI snStatus sn_forward(const mjModel* m, mjData* d, char* message, int size);

// mj_inverse with a status.
MJAPI snStatus sn_inverse(const mjModel* m, mjData* d, char* message, int size);

//---------------------------------- numbers ----------------------------------

// The number that a text begins with, read as models are read: a decimal point is a point in every locale, where strtod
// follows the process's. *end (unless end is NULL) is what follows the number; text itself where there is none.
// For the attributes of plugins (mj_getPluginConfig) and files of one's own.
MJAPI double sn_readNumber(const char* text, const char** end);

//---------------------------------- back to a spec ----------------------------------

// A spec of a compiled model, which may come from an MJB file: it can be edited, compiled, and saved as MJCF at once.
// Compiled again it gives the same model, meshes to the precision of their vertices. What compiling threw away is not
// there: default classes, frames, names of files. Objects without a name that others refer to are given one. MJCF has
// no place for pixels, so that pictures are saved as their mean colour, nor for positions of pinned nodes of flexes.
// NULL: error (unless it is NULL) says why; at most error_sz bytes are written. Delete the spec with mj_deleteSpec.
MJAPI mjSpec* sn_decompile(const mjModel* m, char* error, int error_sz);

//---------------------------------- compiled models ----------------------------------

// Keeps compiled models in a folder, which is made where it is missing: from here on mj_loadXML without a VFS looks
// there first, in this process and in later ones, and gives the same model without reading meshes and pictures again. A
// model is found by the content of every file that was read for it; when one of them changes it is compiled anew.
// Damaged entries are passed over; files of the folder can be deleted at any time. Models with plugins, and those that
// loading warns of, are not kept. NULL: no more.
// SN_ERROR: the folder cannot be used, message (unless it is NULL) says why, and nothing changes.
MJAPI snStatus sn_cacheModels(const char* folder, char* message, int size);

//---------------------------------- saving ----------------------------------

// Sets how many significant digits the numbers have in the MJCF that this thread saves, and returns how many they had:
// 17 at first, with which the saved model is exactly the one in memory. The reference writes 6.
MJAPI int sn_saveDigits(int digits);

#ifdef __cplusplus
}
#endif

#endif  // SINEW_SINEW_H_
