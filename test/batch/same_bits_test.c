// A batch gives the bits of a loop over mj_step: any model, any number of threads, every instruction set, with
// parameters per simulation, several models at once, rollouts and resets.
#include "batch/worlds.h"

#include <glob.h>

#include "math/simd/kernels.h"

// sanitizers take many times as long, and look for what shows in the first steps; NBAD is the step in which
// one fails
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
enum { NSIM = 9, NSTEP = 4, NBAD = 2, NMODEL = 5, NSCENE_STEP = 1 };
#else
enum { NSIM = 9, NSTEP = 25, NBAD = 10, NMODEL = 30, NSCENE_STEP = 6 };
#endif

// derived fields that are compared too
static const char* const DERIVED[] = {"xpos", "qacc",           "sensordata", "energy",
                                      "ncon", "actuator_force", "qfrc_bias",  "cvel"};
enum { NDERIVED = sizeof(DERIVED) / sizeof(DERIVED[0]), NCONTACT = 500 };

// the address of a derived field in d, and its bytes
static const void* derived(const mjModel* m, const mjData* d, int k, size_t* bytes) {
  const struct {
    const void* data;
    size_t bytes;
  } fields[NDERIVED] = {
      {d->xpos,           sizeof(mjtNum) * 3 * (size_t)m->nbody  },
      {d->qacc,           sizeof(mjtNum) * (size_t)m->nv         },
      {d->sensordata,     sizeof(mjtNum) * (size_t)m->nsensordata},
      {d->energy,         sizeof(mjtNum) * 2                     },
      {&d->ncon,          sizeof(int)                            },
      {d->actuator_force, sizeof(mjtNum) * (size_t)m->nu         },
      {d->qfrc_bias,      sizeof(mjtNum) * (size_t)m->nv         },
      {d->cvel,           sizeof(mjtNum) * 6 * (size_t)m->nbody  },
  };
  *bytes = fields[k].bytes;
  return fields[k].data;
}

// the loop: one mjData per simulation, stepped with the inputs of the test
static void loopSteps(const mjModel* m, mjData* d, int sim, int step, int substeps) {
  wld_inputs(m, (uint64_t)sim, (uint64_t)step, d->ctrl, d->xfrc_applied);
  for (int i = 0; i < substeps; i++) mj_step(m, d);
}

static snBatch* makeBatch(const mjModel* const* models, int nmodel, const int* which, int n, int nthread) {
  snBatchOptions options;
  sn_defaultBatchOptions(&options);
  options.nthread = nthread;
  char message[500];
  snBatch* const b = sn_makeBatch(models, nmodel, which, n, &options, message, sizeof(message));
  if (!b) fail_msg("%s", message);
  return b;
}

static void compareDerived(const mjModel* m, const mjData* d, const snField* bound, const snField* dist, int row,
                           const char* what) {
  for (int k = 0; k < NDERIVED; k++) {
    size_t bytes;
    const void* const expected = derived(m, d, k, &bytes);
    assert_int_equal(bound[k].stride[0], bytes);
    if (!wld_same(wld_row(bound + k, row), expected, bytes)) fail_msg("%s: %s of row %d", what, DERIVED[k], row);
  }
  assert_true(d->ncon <= NCONTACT);
  for (int i = 0; i < d->ncon; i++) assert_memory_equal(wld_row(dist, row) + i, &d->contact[i].dist, sizeof(mjtNum));
}

// all simulations of one model against the loop
static void compare(const mjModel* m, const char* what, int nthread, int nstep) {
  snBatch* const b = makeBatch(&m, 1, NULL, NSIM, nthread);
  const snField ctrl = wld_field(b, 0, "ctrl"), xfrc = wld_field(b, 0, "xfrc_applied");
  snField bound[NDERIVED], dist;
  for (int k = 0; k < NDERIVED; k++) bound[k] = wld_field(b, 0, DERIVED[k]);
  assert_int_equal(sn_batchList(b, 0, "contact.dist", NCONTACT, &dist), SN_OK);
  mjData* d[NSIM];
  for (int i = 0; i < NSIM; i++) d[i] = mj_makeData(m);

  for (int step = 0; step < nstep; step++) {
    for (int i = 0; i < NSIM; i++) {
      wld_inputs(m, (uint64_t)i, (uint64_t)step, wld_row(&ctrl, i), wld_row(&xfrc, i));
      loopSteps(m, d[i], i, step, 1 + step % 2);
    }
    const snStatus status = sn_batchStep(b, NULL, 1 + step % 2);
    if (status == SN_ERROR) fail_msg("%s: %s", what, sn_batchMessage(b, -1));
    for (int i = 0; i < NSIM; i++) {
      wld_compareState(b, i, m, d[i], what);
      compareDerived(m, d[i], bound, &dist, i, what);
    }
  }
  for (int i = 0; i < NSIM; i++) mj_deleteData(d[i]);
  sn_deleteBatch(b);
}

static void randomModels(void** state) {
  (void)state;
  for (int seed = 1; seed <= NMODEL; seed++) {
    mjModel* const m = wld_random((uint64_t)seed);
    char what[40];
    snprintf(what, sizeof(what), "random model %d", seed);
    for (int nthread = 1; nthread <= 4; nthread *= 2) compare(m, what, nthread, NSTEP);
    mj_deleteModel(m);
  }
}

// every scene: delays and histories, muscles, sleeping trees, equalities, mocap, flexes, meshes, rays ...
static void ownModels(void** state) {
  (void)state;
  glob_t files;
  assert_int_equal(glob("scenes/*.xml", 0, NULL, &files), 0);
  assert_int_equal(glob("test/models/*.xml", GLOB_APPEND, NULL, &files), 0);
  assert_true(files.gl_pathc > 40);
  for (size_t i = 0; i < files.gl_pathc; i++) {
    mjModel* const m = wld_file(files.gl_pathv[i]);
    if (m->nv < 400) compare(m, files.gl_pathv[i], 2, NSCENE_STEP);
    mj_deleteModel(m);
  }
  globfree(&files);
}

static void everyInstructionSet(void** state) {
  (void)state;
  static const char* kernels[] = {"scalar", "v2", "v3", "v4", "neon"};
  const char* const before = mth_kernelName();
  mjModel* const m = wld_random(3);
  for (size_t i = 0; i < sizeof(kernels) / sizeof(kernels[0]); i++) {
    if (mth_kernelSelect(kernels[i])) compare(m, kernels[i], 2, NSTEP);
  }
  mth_kernelSelect(before);
  mj_deleteModel(m);
}

//---------------------------------- parameters ----------------------------------

// numbers of some fields, changed in the same way for a simulation of a batch and for a model of its own
static void vary(mjtNum* value, int64_t n, uint64_t seed) {
  Rnd rnd = {seed};
  for (int64_t i = 0; i < n; i++) value[i] *= rnd_uniform(&rnd, .8, 1.25);
}

static const char* const VARIED[] = {"body_mass",   "geom_friction", "dof_damping", "actuator_gainprm", "opt.timestep",
                                     "opt.gravity", "qpos0",         "body_pos",    "geom_size",        "jnt_range"};
enum { NVARIED = sizeof(VARIED) / sizeof(VARIED[0]) };

static void varyModel(mjModel* m, int sim) {
  const struct {
    mjtNum* data;
    int64_t n;
  } fields[NVARIED] = {
      {m->body_mass,        m->nbody       },
      {m->geom_friction,    3 * m->ngeom   },
      {m->dof_damping,      m->nv          },
      {m->actuator_gainprm, mjNGAIN * m->nu},
      {&m->opt.timestep,    1              },
      {m->opt.gravity,      3              },
      {m->qpos0,            m->nq          },
      {m->body_pos,         3 * m->nbody   },
      {m->geom_size,        3 * m->ngeom   },
      {m->jnt_range,        2 * m->njnt    },
  };
  for (int k = 0; k < NVARIED; k++) vary(fields[k].data, fields[k].n, (uint64_t)(sim * NVARIED + k));
}

static void varyBatch(snBatch* b, int model, int row, int sim) {
  for (int k = 0; k < NVARIED; k++) {
    snField field;
    if (sn_batchExpand(b, model, VARIED[k], &field) != SN_OK) fail_msg("%s", sn_batchMessage(b, -1));
    vary(wld_row(&field, row), field.stride[0] / (int64_t)sizeof(mjtNum), (uint64_t)(sim * NVARIED + k));
  }
}

// Three models of different sizes, every second simulation with parameters of its own, constants brought up to date,
// one that diverges: every simulation is what a loop gives, and the diverging one keeps its state.
static void severalModels(void** state) {
  (void)state;
  enum { N = 24, BAD = 7 };
  mjModel* const base[3] = {wld_random(5), wld_random(11), wld_file("scenes/quadruped.xml")};
  int which[N], row[N], count[3] = {0};
  for (int i = 0; i < N; i++) {
    which[i] = i * 7 % 3;
    row[i] = count[which[i]]++;
  }
  for (int nthread = 1; nthread <= 4; nthread *= 2) {
    snBatch* const b = makeBatch((const mjModel* const*)base, 3, which, N, nthread);
    mjModel* m[N];
    mjData* d[N];
    // what follows from the others may come first
    snField weights;
    for (int i = 0; i < 3; i++) assert_int_equal(sn_batchExpand(b, i, "dof_invweight0", &weights), SN_OK);
    for (int i = 0; i < N; i++) {
      m[i] = mj_copyModel(NULL, base[which[i]]);
      if (i % 2) {
        varyModel(m[i], i);
        varyBatch(b, which[i], row[i], i);
      }
      d[i] = mj_makeData(m[i]);
      mj_setConst(m[i], d[i]);
      mj_resetData(m[i], d[i]);
    }
    assert_int_equal(sn_batchSetConst(b, NULL), SN_OK);
    assert_int_equal(sn_batchReset(b, NULL, -1), SN_OK);

    // every model as the batch sees it is the one of the loop
    for (int i = 0; i < N; i++) {
      mjModel* const seen = sn_batchGetModel(b, i);
      const int size = (int)mj_sizeModel(m[i]);
      unsigned char *bytes = malloc((size_t)size), *expected = malloc((size_t)size);
      mj_saveModel(seen, NULL, bytes, size);
      mj_saveModel(m[i], NULL, expected, size);
      assert_memory_equal(bytes, expected, (size_t)size);
      free(bytes);
      free(expected);
      mj_deleteModel(seen);
    }

    for (int step = 0; step < NSTEP; step++) {
      for (int i = 0; i < N; i++) {
        const snField ctrl = wld_field(b, which[i], "ctrl"), xfrc = wld_field(b, which[i], "xfrc_applied");
        const snField qvel = wld_field(b, which[i], "qvel");
        wld_inputs(m[i], (uint64_t)i, (uint64_t)step, wld_row(&ctrl, row[i]), wld_row(&xfrc, row[i]));
        if (i == BAD && step == NBAD) wld_row(&qvel, row[i])[0] = 1e12;
        if (i == BAD && step >= NBAD) {
          wld_inputs(m[i], (uint64_t)i, (uint64_t)step, d[i]->ctrl, d[i]->xfrc_applied);
          d[i]->qvel[0] = 1e12;
        } else {
          loopSteps(m[i], d[i], i, step, 2);
        }
      }
      assert_int_equal(sn_batchStep(b, NULL, 2), step < NBAD ? SN_OK : SN_ERROR);
      for (int i = 0; i < N; i++) {
        wld_compareState(b, i, m[i], d[i], "several models");
        assert_int_equal(sn_batchStatus(b, i), i == BAD && step >= NBAD ? SN_ERROR : SN_OK);
      }
    }
    assert_non_null(strstr(sn_batchMessage(b, BAD), "QVEL"));
    for (int i = 0; i < N; i++) {
      mj_deleteData(d[i]);
      mj_deleteModel(m[i]);
    }
    sn_deleteBatch(b);
  }
  for (int k = 0; k < 3; k++) mj_deleteModel(base[k]);
}

//---------------------------------- rollouts ----------------------------------

static void rollouts(void** state) {
  (void)state;
  mjModel* const m = wld_random(8);
  enum { T = 20, K = 4 };
  const int selected[K] = {6, 1, 8, 3}, nu = (int)m->nu, nq = (int)m->nq, ns = (int)m->nsensordata;
  mjtNum* const control = malloc(sizeof(mjtNum) * (size_t)(K * T * nu));
  Rnd rnd = {5};
  for (int i = 0; i < K * T * nu; i++) control[i] = rnd_uniform(&rnd, -1, 1);
  mjtNum* const qpos = malloc(sizeof(mjtNum) * (size_t)(K * T * nq));
  mjtNum* const sensor = malloc(sizeof(mjtNum) * (size_t)(K * T * ns));
  const char* const record[] = {"qpos", "sensordata"};
  void* const out[] = {qpos, sensor};
  const snRollout rollout = {T, 2, mjSTATE_CTRL, control, 2, record, out};

  for (int nthread = 1; nthread <= 2; nthread++) {
    snBatch* const b = makeBatch((const mjModel* const*)&m, 1, NULL, NSIM, nthread);
    assert_int_equal(sn_batchRollout(b, &(snSelection){.index = selected, .n = K}, &rollout), SN_OK);
    for (int k = 0; k < K; k++) {
      mjData* const d = mj_makeData(m);
      for (int t = 0; t < T; t++) {
        mju_copy(d->ctrl, control + (k * T + t) * nu, nu);
        mj_step(m, d);
        mj_step(m, d);
        assert_memory_equal(qpos + (k * T + t) * nq, d->qpos, sizeof(mjtNum) * (size_t)nq);
        assert_memory_equal(sensor + (k * T + t) * ns, d->sensordata, sizeof(mjtNum) * (size_t)ns);
      }
      wld_compareState(b, selected[k], m, d, "rollout");
      mj_deleteData(d);
    }

    // those that were not selected stayed
    mjData* const fresh = mj_makeData(m);
    wld_compareState(b, 0, m, fresh, "not selected");
    mj_deleteData(fresh);
    sn_deleteBatch(b);
  }
  free(control);
  free(qpos);
  free(sensor);
  mj_deleteModel(m);
}

//---------------------------------- what is left out ----------------------------------

// a swinging camera and light over a foot that stands: one tree, all of whose dofs are in one island
static const char* const WATCHED =
    "<mujoco><worldbody><geom type='plane' size='1 1 .1'/><body name='a' pos='0 0 .3'><joint type='slide' axis='0 0 "
    "1'/>"
    "<geom size='.1' pos='0 0 -.205'/><body><joint axis='0 1 0' limited='true' range='-5 5'/>"
    "<geom type='capsule' size='.02 .05' pos='.2 0 0'/><camera pos='.3 0 0'/><light pos='.1 0 "
    "0'/></body></body></worldbody>"
    "</mujoco>";

// Poses of cameras and lights and the number of islands are those of a loop for whoever asks, and asking changes
// nothing else: in calls of several steps, where only the last is looked at, and in rollouts.
static void watched(void** state) {
  (void)state;
  mjModel* const m = tst_string(WATCHED);
  for (int asks = 0; asks < 2; asks++) {
    snBatch* const b = makeBatch((const mjModel* const*)&m, 1, NULL, NSIM, 1);
    snField camera, light, islands;
    if (asks) {
      assert_int_equal(sn_batchField(b, 0, "cam_xpos", &camera), SN_OK);
      assert_int_equal(sn_batchField(b, 0, "light_xdir", &light), SN_OK);
      assert_int_equal(sn_batchField(b, 0, "nisland", &islands), SN_OK);
    }
    mjtNum recorded[NSIM * 2][3];
    const char* const record[] = {asks ? "cam_xpos" : "xpos"};
    void* const out[] = {recorded};
    assert_int_equal(sn_batchStep(b, NULL, 3), SN_OK);
    mjData* const d = mj_makeData(m);
    for (int i = 0; i < 3; i++) mj_step(m, d);
    wld_compareState(b, NSIM - 1, m, d, "watched");
    if (asks) {
      assert_memory_equal((mjtNum*)camera.data + 3 * (NSIM - 1), d->cam_xpos, sizeof(mjtNum) * 3);
      assert_memory_equal((mjtNum*)light.data + 3 * (NSIM - 1), d->light_xdir, sizeof(mjtNum) * 3);
      assert_int_equal(((int*)islands.data)[NSIM - 1], 1);
      assert_int_equal(d->nisland, 1);
      const snRollout rollout = {2, 2, 0, NULL, 1, record, out};
      assert_int_equal(sn_batchRollout(b, NULL, &rollout), SN_OK);
      for (int i = 0; i < 4; i++) mj_step(m, d);
      assert_memory_equal(recorded[2 * NSIM - 1], d->cam_xpos, sizeof(mjtNum) * 3);
      wld_compareState(b, NSIM - 1, m, d, "watched rollout");
    }
    mj_deleteData(d);
    sn_deleteBatch(b);
  }
  mj_deleteModel(m);
}

//---------------------------------- resets ----------------------------------

// keyframes, masks, given states
static void resets(void** state) {
  (void)state;
  mjModel* const m = wld_random(9);
  snBatch* const b = makeBatch((const mjModel* const*)&m, 1, NULL, NSIM, 2);
  assert_int_equal(sn_batchStep(b, NULL, 7), SN_OK);
  mjData *stepped = mj_makeData(m), *fresh = mj_makeData(m), *keyed = mj_makeData(m);
  for (int i = 0; i < 7; i++) mj_step(m, stepped);
  mj_resetDataKeyframe(m, keyed, 0);

  const mjtByte mask[NSIM] = {1, 0, 0, 1};
  assert_int_equal(sn_batchReset(b, &(snSelection){.mask = mask, .n = NSIM}, -1), SN_OK);
  const int five = 5;
  assert_int_equal(sn_batchReset(b, &(snSelection){.index = &five, .n = 1}, 0), SN_OK);
  for (int i = 0; i < NSIM; i++) wld_compareState(b, i, m, mask[i] ? fresh : i == 5 ? keyed : stepped, "reset");

  // a state goes out and in
  const int size = sn_batchStateSize(b, mjSTATE_PHYSICS), from = 1, to = 0;
  mjtNum* const saved = malloc(sizeof(mjtNum) * (size_t)size);
  assert_int_equal(sn_batchGetState(b, &(snSelection){.index = &from, .n = 1}, saved, mjSTATE_PHYSICS), SN_OK);
  assert_int_equal(sn_batchResetState(b, &(snSelection){.index = &to, .n = 1}, saved, mjSTATE_PHYSICS), SN_OK);
  mj_setState(m, fresh, saved, mjSTATE_PHYSICS);
  wld_compareState(b, 0, m, fresh, "given state");

  const int* const episode = wld_field(b, -1, "episode").data;
  assert_int_equal(episode[0], 2);
  assert_int_equal(episode[1], 0);
  assert_int_equal(episode[5], 1);
  free(saved);
  mj_deleteData(stepped);
  mj_deleteData(fresh);
  mj_deleteData(keyed);
  sn_deleteBatch(b);
  mj_deleteModel(m);
}

static void randomise(const mjModel* m, mjData* d, int sim, snRandom* random, void* context) {
  (void)context;
  assert_int_equal(sim, sn_batchCurrent());
  for (int i = 0; i < m->nv; i++) d->qvel[i] = sn_randomNormal(random);
}

// the fastest simulations end
static int fast(const mjModel* m, const mjData* d, int sim, void* context) {
  (void)sim;
  (void)context;
  return mju_norm(d->qvel, (int)m->nv) > 3.5;
}

// random starts and automatic resets do not depend on threads, and are what a loop does
static void automaticResets(void** state) {
  (void)state;
  enum { N = 40 };
  mjModel* const m = wld_random(12);
  for (snAutoReset mode = SN_RESET_NEVER; mode <= SN_RESET_NEXT; mode++) {
    for (int nthread = 1; nthread <= 4; nthread *= 2) {
      snBatchOptions o;
      sn_defaultBatchOptions(&o);
      o.nthread = nthread;
      o.seed = 42;
      o.reset = randomise;
      o.done = fast;
      o.autoreset = mode;
      snBatch* const b = sn_makeBatch((const mjModel* const*)&m, 1, NULL, N, &o, NULL, 0);
      assert_non_null(b);
      const mjtByte* const done = wld_field(b, -1, "done").data;
      const int* const episode = wld_field(b, -1, "episode").data;
      assert_int_equal(sn_batchReset(b, NULL, -1), SN_OK);
      mjData* const d = mj_makeData(m);
      mjtNum* final = malloc(sizeof(mjtNum) * (size_t)sn_batchStateSize(b, mjSTATE_INTEGRATION));
      int ended = 0;
      for (int step = 0; step < 12; step++) assert_int_equal(sn_batchStep(b, NULL, 3), SN_OK);

      // the loop, simulation by simulation
      for (int sim = 0; sim < N; sim++) {
        int count = 0, over = 0;
        mj_resetData(m, d);
        snRandom random = sn_makeRandom(42, (uint32_t)sim, (uint32_t)++count);
        for (int i = 0; i < m->nv; i++) d->qvel[i] = sn_randomNormal(&random);
        for (int step = 0; step < 12; step++) {
          int begin = mode == SN_RESET_NEXT && over;
          if (!begin) {
            for (int i = 0; i < 3; i++) mj_step(m, d);
            over = fast(m, d, sim, NULL);
            ended += over;
            begin = mode == SN_RESET_SAME && over;
          } else {
            over = 0;
          }
          if (!begin) continue;
          mj_resetData(m, d);
          random = sn_makeRandom(42, (uint32_t)sim, (uint32_t)++count);
          for (int i = 0; i < m->nv; i++) d->qvel[i] = sn_randomNormal(&random);
        }
        wld_compareState(b, sim, m, d, "automatic reset");
        assert_int_equal(done[sim], over);
        assert_int_equal(episode[sim], count);
      }
      assert_true(ended > 0);
      free(final);
      mj_deleteData(d);
      sn_deleteBatch(b);
    }
  }
  mj_deleteModel(m);
}

// what a step leaves out is computed where it is asked for, bound or recorded, as the functions for it do
static void onRequest(void** state) {
  (void)state;
  mjModel* const m = wld_random(5);
  mjData* const d = mj_makeData(m);
  snBatch* const b = makeBatch((const mjModel* const*)&m, 1, NULL, 2, 1);
  snField force, momentum, ctrl;
  assert_int_equal(sn_batchField(b, 0, "cfrc_int", &force), SN_OK);
  assert_int_equal(sn_batchField(b, 0, "subtree_angmom", &momentum), SN_OK);
  assert_int_equal(sn_batchField(b, 0, "ctrl", &ctrl), SN_OK);
  for (int k = 0; k < m->nu; k++) d->ctrl[k] = ((mjtNum*)wld_row(&ctrl, 1))[k] = 0.3;
  for (int i = 0; i < 4; i++) mj_step(m, d);
  mj_rnePostConstraint(m, d);
  mj_subtreeVel(m, d);
  assert_int_equal(sn_batchStep(b, NULL, 4), SN_OK);
  assert_true(mju_norm(d->cfrc_int, 6 * (int)m->nbody) > 0 && mju_norm(d->subtree_angmom, 3 * (int)m->nbody) > 0);
  assert_memory_equal(wld_row(&force, 1), d->cfrc_int, sizeof(mjtNum) * 6 * (size_t)m->nbody);
  assert_memory_equal(wld_row(&momentum, 1), d->subtree_angmom, sizeof(mjtNum) * 3 * (size_t)m->nbody);

  // after mj_forward too
  mj_forward(m, d);
  mj_rnePostConstraint(m, d);
  assert_int_equal(sn_batchForward(b, NULL), SN_OK);
  assert_memory_equal(wld_row(&force, 1), d->cfrc_int, sizeof(mjtNum) * 6 * (size_t)m->nbody);
  sn_deleteBatch(b);
  mj_deleteData(d);
  mj_deleteModel(m);
}

// what rarely sampled sensors hold between their samples does not outlive a reset, also where trees sleep
static void samplesEnd(void** state) {
  (void)state;
  enum { N = 3 };
  mjModel* const m = tst_string(
      "<mujoco><option timestep='.01'><flag sleep='enable'/></option><worldbody><geom type='plane' size='5 5 .1'/>"
      "<body pos='0 0 .0999' sleep='init'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
      "<body pos='1 0 1'><joint name='j' type='slide' axis='0 0 1'/><geom size='.1'/></body></worldbody>"
      "<sensor><jointpos joint='j'/><jointvel joint='j' nsample='4' interval='.2 -.1'/>"
      "<jointpos joint='j' nsample='4' interval='.05'/></sensor></mujoco>");
  snBatch* const b = sn_makeBatch((const mjModel* const*)&m, 1, NULL, N, NULL, NULL, 0);
  mjData* const d = mj_makeData(m);
  const snField sensor = wld_field(b, 0, "sensordata");
  for (int round = 0; round < 3; round++) {
    for (int k = 0; k < 30; k++) {
      assert_int_equal(sn_batchStep(b, NULL, 1), SN_OK);
      mj_step(m, d);
      for (int i = 0; i < N; i++) {
        const size_t size = sizeof(mjtNum) * (size_t)m->nsensordata;
        if (memcmp(wld_row(&sensor, i), d->sensordata, size) != 0) fail_msg("round %d, step %d", round, k);
      }
    }
    assert_true(d->sensordata[0] < -.1);
    assert_int_equal(sn_batchReset(b, NULL, -1), SN_OK);
    mj_resetData(m, d);
  }
  mj_deleteData(d);
  sn_deleteBatch(b);
  mj_deleteModel(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(samplesEnd),    cmocka_unit_test(randomModels),
      cmocka_unit_test(ownModels),     cmocka_unit_test(everyInstructionSet),
      cmocka_unit_test(severalModels), cmocka_unit_test(rollouts),
      cmocka_unit_test(resets),        cmocka_unit_test(automaticResets),
      cmocka_unit_test(onRequest),     cmocka_unit_test(watched),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
