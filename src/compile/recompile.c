// mj_recompile: compiles again into the same mjModel and mjData and carries the state over, element by element.
// Elements remember their ids of the last compilation; what is new starts at its initial value.
#include <stdlib.h>
#include <string.h>

#include "compile/compile.h"
#include "step/data.h"

// state of one element: where it was, and its values
typedef struct {
  SpcElement* e;
  int n[2];
  mjtNum value[2][7];  // qpos and qvel; act and ctrl; mocap position and orientation
  mjtNum* act;         // of an actuator with several states
} Saved;

typedef struct {
  Saved* at;
  int n;
} State;

static int jointSize(int type, int* nv) {
  *nv = type == mjJNT_FREE ? 6 : type == mjJNT_BALL ? 3 : 1;
  return type == mjJNT_FREE ? 7 : type == mjJNT_BALL ? 4 : 1;
}

static void saveElement(Saved* saved, SpcElement* e, const mjModel* m, const mjData* d) {
  const int id = e->id;
  saved->e = e;
  if (e->kind == SPC_JOINT && id >= 0 && id < m->njnt) {
    saved->n[0] = jointSize(m->jnt_type[id], &saved->n[1]);
    memcpy(saved->value[0], d->qpos + m->jnt_qposadr[id], (size_t)saved->n[0] * sizeof(mjtNum));
    memcpy(saved->value[1], d->qvel + m->jnt_dofadr[id], (size_t)saved->n[1] * sizeof(mjtNum));
  } else if (e->kind == SPC_ACTUATOR && id >= 0 && id < m->nu) {
    saved->n[0] = m->actuator_actnum[id];
    saved->n[1] = 1;
    saved->value[1][0] = d->ctrl[id];
    if (saved->n[0] > 0) {
      saved->act = malloc((size_t)saved->n[0] * sizeof(mjtNum));
      if (saved->act) memcpy(saved->act, d->act + m->actuator_actadr[id], (size_t)saved->n[0] * sizeof(mjtNum));
    }
  } else if (e->kind == SPC_BODY && id >= 0 && id < m->nbody && m->body_mocapid[id] >= 0) {
    saved->n[0] = 3;
    saved->n[1] = 4;
    memcpy(saved->value[0], d->mocap_pos + 3 * m->body_mocapid[id], 3 * sizeof(mjtNum));
    memcpy(saved->value[1], d->mocap_quat + 4 * m->body_mocapid[id], 4 * sizeof(mjtNum));
  }
}

static State saveState(const SpcModel* spec, const mjModel* m, const mjData* d) {
  static const SpcKindId kinds[] = {SPC_JOINT, SPC_ACTUATOR, SPC_BODY};
  SpcList list = {0};
  for (int k = 0; k < 3; k++) spc_collect(spec, kinds[k], &list);
  State state = {calloc((size_t)list.count + 1, sizeof(Saved)), list.count};
  if (!state.at) state.n = 0;
  for (int i = 0; i < state.n; i++) saveElement(&state.at[i], list.at[i], m, d);
  spc_listFree(&list);
  return state;
}

// puts values back where the element is now, as long as it still has the same shape
static void restoreElement(const Saved* saved, const mjModel* m, mjData* d) {
  const int id = saved->e->id;
  if (!saved->n[1] || id < 0) return;
  if (saved->e->kind == SPC_JOINT) {
    int nv;
    if (jointSize(m->jnt_type[id], &nv) != saved->n[0]) return;
    memcpy(d->qpos + m->jnt_qposadr[id], saved->value[0], (size_t)saved->n[0] * sizeof(mjtNum));
    memcpy(d->qvel + m->jnt_dofadr[id], saved->value[1], (size_t)nv * sizeof(mjtNum));
  } else if (saved->e->kind == SPC_ACTUATOR) {
    d->ctrl[id] = saved->value[1][0];
    if (saved->act && m->actuator_actnum[id] == saved->n[0]) {
      memcpy(d->act + m->actuator_actadr[id], saved->act, (size_t)saved->n[0] * sizeof(mjtNum));
    }
  } else if (m->body_mocapid[id] >= 0) {
    memcpy(d->mocap_pos + 3 * m->body_mocapid[id], saved->value[0], 3 * sizeof(mjtNum));
    memcpy(d->mocap_quat + 4 * m->body_mocapid[id], saved->value[1], 4 * sizeof(mjtNum));
  }
}

int mj_recompile(mjSpec* s, const mjVFS* vfs, mjModel* m, mjData* d) {
  SpcModel* const spec = spc_model(s);
  const mjtNum time = d ? d->time : 0;
  State state = {0};
  if (m && d) state = saveState(spec, m, d);

  // a failure has deleted the model; its data are of no use either
  mjModel* const made = cmp_run(spec, vfs, m);
  if (!made && d) mj_deleteData(d);
  if (made && d) {
    stp_remakeData(made, d);
    for (int i = 0; i < state.n; i++) restoreElement(&state.at[i], made, d);
    d->time = time;
  }
  for (int i = 0; i < state.n; i++) free(state.at[i].act);
  free(state.at);
  return made ? 0 : -1;
}
