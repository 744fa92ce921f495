// Loading models from whatever file they are in, and the words that options use for their settings.
#pragma once

#include <mujoco/mujoco.h>

#include "support/options.h"

enum { CLI_ERROR_SIZE = 1024 };

typedef struct {
  mjModel* m;
  mjSpec* spec;                  // NULL for binary models
  char name[256];                // file name without folders
  char error[CLI_ERROR_SIZE];    // why m is NULL
  char warning[CLI_ERROR_SIZE];  // what the compiler says about a model that is good
} CliModel;

// Loads MJCF, URDF or MJB, told apart by content; path NULL is the scene inside the program. Prints nothing: returns
// CLI_OK, or CLI_INPUT with model->error. Freed by cli_freeModel in both cases.
int cli_tryModel(const char* path, CliModel* model);

// The same, with the message and an excerpt of the source printed.
int cli_loadModel(const char* path, CliModel* model);
void cli_freeModel(CliModel* model);

// Name of an object as plain text; "body 3" where it has none.
enum { CLI_NAME_SIZE = 128 };
const char* cli_nameOf(const mjModel* m, mjtObj type, int id, char text[CLI_NAME_SIZE]);

// Number and type of the elements that a kind of models of sinew/physics.h belongs to; mjOBJ_UNKNOWN: the whole
// model, 1.
int cli_physicsElements(const mjModel* m, int kind, mjtObj* type);

// Words for integrator, solver, cone and flags as in MJCF, ended by NULL.
extern const char* const cli_integrators[];
extern const char* const cli_solvers[];
extern const char* const cli_cones[];
extern const char* const cli_jacobians[];

// Applies "--integrator", "--solver" and "--flag NAME=on|off"; texts may be NULL. CLI_OK, or CLI_USAGE after a message.
int cli_setOptions(mjModel* m, const char* integrator, const char* solver, const CliList* flags);

// Flag number i by its MJCF name, NULL after the last. on: whether the feature is on in m; usual: by default.
const char* cli_flag(int i);
int cli_flagOn(const mjModel* m, int i);
int cli_flagUsual(int i);

// Tells that there is no keyframe, camera or actuator of that name, and which is meant. Returns CLI_USAGE.
int cli_unknownObject(const mjModel* m, mjtObj type, const char* word);

// The joint that made the state not finite or huge and what of it, -1 while the state is good.
int cli_badJoint(const mjModel* m, const mjData* d, const char** what);

// The same as a text for people, with the time of the state: 1 when it is bad.
int cli_unstable(const mjModel* m, const mjData* d, double time, char* text, size_t size);

// Resets d to a keyframe given by name or number, NULL is the initial state.
int cli_resetTo(const mjModel* m, mjData* d, const char* key);

// The scene inside the program.
extern const char cli_sceneName[];
extern const unsigned char cli_sceneText[];
extern const int cli_sceneSize;
