// mj_recompile: compiles again into the same mjModel and mjData and carries the state over, element by element.
// Elements remember where their state was since the last compilation, so the old mjModel is not looked at: programs may
// give an empty one to be filled. What is new starts at its initial value.
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "compile/compile.h"
#include "step/data.h"

// state of one element: what it was and whose
typedef struct {
  SpcElement* e;
  int count[2];
  size_t offset[2];  // in the values
} Saved;

typedef struct {
  Saved* at;
  mjtNum* value;
  int n;
  const SpcModel* spec;
  const mjData* d;
} State;

// the two arrays that hold the state of a kind
static void arraysOf(const mjData* d, SpcKindId kind, mjtNum* array[2]) {
  array[0] = kind == SPC_JOINT ? d->qpos : kind == SPC_ACTUATOR ? d->act : d->mocap_pos;
  array[1] = kind == SPC_JOINT ? d->qvel : kind == SPC_ACTUATOR ? d->ctrl : d->mocap_quat;
}

static void saveState(void* arg) {
  State* const state = arg;
  const mjData* const d = state->d;
  static const SpcKindId kinds[] = {SPC_JOINT, SPC_ACTUATOR, SPC_BODY};
  SpcList list = SPC_TEMPORARY;
  for (int k = 0; k < 3; k++) spc_collect(state->spec, kinds[k], &list);
  size_t total = 0;
  for (int i = 0; i < list.count; i++) {
    for (int k = 0; k < 2; k++) total += (size_t)list.at[i]->state.count[k];
  }
  state->at = calloc((size_t)list.count + 1, sizeof(Saved));
  state->value = malloc((total + 1) * sizeof(mjtNum));
  size_t used = 0;
  for (int i = 0; state->at && state->value && i < list.count; i++) {
    const SpcState* const place = &list.at[i]->state;
    Saved* const saved = &state->at[state->n++];
    mjtNum* array[2];
    arraysOf(d, list.at[i]->kind, array);
    saved->e = list.at[i];
    for (int k = 0; k < 2; k++) {
      const size_t count = (size_t)place->count[k];
      saved->count[k] = place->count[k];
      saved->offset[k] = used;
      if (count) memcpy(state->value + used, array[k] + place->address[k], count * sizeof(mjtNum));
      used += count;
    }
  }
  spc_listFree(&list);
}

// puts values back where the element is now, as long as it still has the same shape
static void restoreState(const State* state, mjData* d) {
  for (int i = 0; i < state->n; i++) {
    const Saved* const saved = &state->at[i];
    const SpcState* const place = &saved->e->state;
    mjtNum* array[2];
    arraysOf(d, saved->e->kind, array);
    for (int k = 0; k < 2; k++) {
      const int count = saved->count[k];
      if (!count || count != place->count[k]) continue;
      memcpy(array[k] + place->address[k], state->value + saved->offset[k], (size_t)count * sizeof(mjtNum));
    }
  }
}

int mj_recompile(mjSpec* s, const mjVFS* vfs, mjModel* m, mjData* d) {
  SpcModel* const spec = spc_model(s);
  const mjtNum time = d ? d->time : 0;
  State state = {.spec = spec, .d = d};
  char error[BAS_MESSAGE];
  const int saved = !d || (bas_attempt(saveState, &state, error) && state.at && state.value);
  if (!saved) {
    mj_deleteModel(m);
    spc_fail(spec, "Error: out of memory");
  }

  // a failure has deleted the model; its data are of no use either
  mjModel* const made = saved ? cmp_run(spec, vfs, m) : NULL;
  if (!made && d) mj_deleteData(d);
  if (made && d) {
    stp_remakeData(made, d);
    restoreState(&state, d);
    d->time = time;
  }
  free(state.at);
  free(state.value);
  return made ? 0 : -1;
}
