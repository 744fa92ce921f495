// Plugin instances live and die with mjData: init, copy, reset, destroy.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/fields.h"
#include "model/make.h"
#include "support/model.h"

// an instance holds one number; all calls are counted
static int ninit, ndestroy, ncopy, nreset, refuse;

static int nstate(const mjModel* m, int instance) {
  (void)m, (void)instance;
  return 2;
}
static int init(const mjModel* m, mjData* d, int instance) {
  (void)m;
  ninit++;
  if (refuse == instance + 1) return -1;
  int* number = malloc(sizeof(int));
  *number = 100 + instance;
  d->plugin_data[instance] = (uintptr_t)number;
  return 0;
}
static void destroy(mjData* d, int instance) {
  ndestroy++;
  free((void*)d->plugin_data[instance]);
}
static void copy(mjData* dest, const mjModel* m, const mjData* src, int instance) {
  (void)m;
  ncopy++;
  *(int*)dest->plugin_data[instance] = *(const int*)src->plugin_data[instance];
}
static void reset(const mjModel* m, mjtNum* state, void* data, int instance) {
  (void)m, (void)instance;
  nreset++;
  state[0] = *(int*)data;
}

// a pendulum with two instances of the plugin
static mjModel* pluginModel(void) {
  mjpPlugin plugin;
  mjp_defaultPlugin(&plugin);
  plugin.name = "sinew.test.counter";
  plugin.capabilityflags = mjPLUGIN_PASSIVE;
  plugin.nstate = nstate;
  plugin.init = init;
  plugin.destroy = destroy;
  plugin.copy = copy;
  plugin.reset = reset;
  const int slot = mjp_registerPlugin(&plugin);
  mjModel* base = tst_model("pendulum");
  mjModel sizes = *base;
  sizes.nplugin = 2;
  sizes.npluginattr = 2;
  sizes.npluginstate = 4;
  mjModel* m = mdl_make(NULL, &sizes);

  // the rest is the pendulum's
  for (int i = 0; i < mdl_nmodelFields; i++) {
    const size_t bytes = mdl_bytes(mdl_modelFields + i, base, NULL);
    if (bytes) memcpy(*mdl_pointer(mdl_modelFields + i, m), *mdl_pointer(mdl_modelFields + i, base), bytes);
  }
  m->plugin[0] = m->plugin[1] = slot;
  m->plugin_stateadr[1] = 2;
  m->plugin_statenum[0] = m->plugin_statenum[1] = 2;
  mj_deleteModel(base);
  return m;
}

static void instancesFollowData(void** state) {
  (void)state;
  mjModel* m = pluginModel();
  mjData* d = mj_makeData(m);
  assert_int_equal(ninit, 2);
  assert_int_equal(nreset, 2);
  assert_int_equal(d->nplugin, 2);
  assert_true(d->plugin_state[0] == 100 && d->plugin_state[2] == 101);

  // a reset keeps the instances; their state is what they make of it
  d->plugin_state[1] = 5;
  *(int*)d->plugin_data[1] = 7;
  mj_resetData(m, d);
  assert_int_equal(nreset, 4);
  assert_true(d->plugin_state[1] == 5 && d->plugin_state[2] == 7);

  // copies have instances of their own
  mjData* other = mj_copyData(NULL, m, d);
  assert_int_equal(ncopy, 2);
  assert_ptr_not_equal((void*)other->plugin_data[1], (void*)d->plugin_data[1]);
  assert_int_equal(*(int*)other->plugin_data[1], 7);
  assert_true(other->plugin_state[2] == 7);
  mj_deleteData(other);
  mj_deleteData(d);
  assert_int_equal(ndestroy, ninit);
  mj_deleteModel(m);
}

// an instance that cannot start: the others are destroyed, the caller gets an error
static jmp_buf back;
static void raise(const char* message) {
  assert_string_equal(message, "mj_makeData: plugin->init failed for plugin id 1");
  longjmp(back, 1);
}

static void failedInstancesLeaveNothing(void** state) {
  (void)state;
  mjModel* m = pluginModel();
  ninit = ndestroy = 0;
  refuse = 2;
  mju_user_error = raise;
  if (!setjmp(back)) {
    mj_makeData(m);
    fail_msg("no error was raised");
  }
  refuse = 0;
  mju_user_error = NULL;
  assert_int_equal(ninit, 2);
  assert_int_equal(ndestroy, 1);
  mj_deleteModel(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(instancesFollowData),
      cmocka_unit_test(failedInstancesLeaveNothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
