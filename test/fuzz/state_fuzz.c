// States: any bytes as the state of a model, by mj_setState, and then a step. The first bytes choose the model and the
// parts of the state that are set; the rest are its numbers, as they are.
#include "fuzz_model.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

// one of each thing that has a state: histories, activations, mocap, sleep, tendons, flexes, plugins' worth of sensors
static const char* const MODELS[] = {
    ("<mujoco><worldbody><body><joint name='j'/><geom size='.1'/></body><body pos='1 0 0'><joint name='k' type='ball'/>"
     "<geom size='.1'/></body></worldbody><actuator><motor joint='j' delay='.01' nsample='4'/>"
     "<general joint='j' dyntype='filter' dynprm='.1'/></actuator>"
     "<sensor><jointpos joint='j' delay='.01' nsample='3'/><ballquat joint='k'/></sensor></mujoco>"),
    ("<mujoco><option integrator='implicit'/><worldbody><geom type='plane' size='1 1 1'/><body mocap='true'>"
     "<geom size='.1'/></body><body pos='0 0 .3'><freejoint/><geom type='box' size='.1 .1 .1'/></body></worldbody>"
     "</mujoco>"),
    ("<mujoco><option><flag sleep='enable'/></option><worldbody><geom type='plane' size='1 1 1'/>"
     "<body pos='0 0 .1'><freejoint/><geom size='.1'/></body><body pos='.15 0 .1'><freejoint/><geom size='.1'/></body>"
     "</worldbody></mujoco>"),
    ("<mujoco><option integrator='RK4'/><worldbody><site name='a'/><body pos='0 0 1'><joint axis='0 1 0' "
     "limited='true' "
     "range='-1 1'/><geom type='capsule' size='.05 .2'/><site name='b' pos='.1 0 0'/></body></worldbody>"
     "<tendon><spatial name='t' limited='true' range='0 2'><site site='a'/><site site='b'/></spatial></tendon>"
     "<actuator><muscle tendon='t' lengthrange='.1 2'/></actuator></mujoco>"),
    ("<mujoco><worldbody><flexcomp name='f' type='grid' count='3 3 1' spacing='.1 .1 .1' dim='2' pos='0 0 1' mass='1'>"
     "<elasticity young='1e3'/></flexcomp></worldbody></mujoco>"),
};
enum { NMODEL = sizeof(MODELS) / sizeof(MODELS[0]) };

// made once: new data for each input would be most of the time
static mjData* dataOf(uint8_t choice, const mjModel** m) {
  static mjModel* model[NMODEL];
  static mjData* data[NMODEL];
  const int i = choice % NMODEL;
  if (!model[i]) {
    char error[500];
    mjSpec* const spec = mj_parseXMLString(MODELS[i], NULL, error, sizeof(error));
    model[i] = spec ? mj_compile(spec, NULL) : NULL;
    if (!model[i]) __builtin_trap();
    mj_deleteSpec(spec);
    data[i] = mj_makeData(model[i]);
  }
  *m = model[i];
  return data[i];
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 4) return 0;
  mju_user_warning = fuzzIgnore;
  const mjModel* m;
  mjData* const d = dataOf(data[0], &m);
  const int sig = (data[1] | data[2] << 8) & ((1 << mjNSTATE) - 1);
  const int nstep = 1 + data[3] % 3;
  const size_t count = (size_t)mj_stateSize(m, sig);
  double* const state = calloc(count + 1, sizeof(double));
  memcpy(state, data + 4, size - 4 < count * sizeof(double) ? size - 4 : count * sizeof(double));

  mju_user_error = fuzzLeave;
  if (!setjmp(fuzzBack)) {
    mj_resetData(m, d);
    mj_setState(m, d, state, sig);
    mj_forward(m, d);
    for (int i = 0; i < nstep; i++) mj_step(m, d);
    mj_getState(m, d, state, sig);
  }
  mju_user_error = NULL;
  free(state);
  return 0;
}
