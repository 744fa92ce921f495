// What Sinew adds to the compatible API: callbacks that belong to one simulation, functions that return a
// status where the compatible ones end the process, and exact files.
#ifndef SINEW_SINEW_H_
#define SINEW_SINEW_H_

#include <mujoco/mujoco.h>

#ifdef __cplusplus
extern "C" {
#endif

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

//---------------------------------- saving ----------------------------------

// Sets how many significant digits the numbers have in the MJCF that this thread saves, and returns how many they had:
// 17 at first, with which the saved model is exactly the one in memory. The reference writes 6.
MJAPI int sn_saveDigits(int digits);

#ifdef __cplusplus
}
#endif

#endif  // SINEW_SINEW_H_
