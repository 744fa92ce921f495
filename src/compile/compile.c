// mj_compile: the order of the work, and the one place where a compilation ends, well or not.
#include "compile/flex.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "model/make.h"
#include "spec/graft.h"
#include "model/invariants.h"

// -------------------------------------------------------------------------------------------- warnings

// warnings of the engine and of plugins while this thread compiles, the first ones where there are too many
static _Thread_local char warnings[500];

static void keepWarning(const char* message) {
  const size_t used = strlen(warnings);
  snprintf(warnings + used, sizeof(warnings) - used, "%s%s", used ? "\n" : "", message);
}

// -------------------------------------------------------------------------------------------- work

static void checkStart(Cmp* c) {
  const SpcModel* const spec = c->spec;
  if (spec->attached) cmp_fail(c, NULL, "cannot compile child spec if attached by reference to a parent spec");
  if (spec->world->child[SPC_JOINT].count)
    cmp_fail(c, spec->world->child[SPC_JOINT].at[0], "joint found in world body");
}

// a moving body needs mass, its own or that of bodies fixed to it
static int hasMass(const CmpBody* body) {
  const double* const I = body->s.inertia;
  if (body->s.mass >= mjMINVAL && I[0] >= mjMINVAL && I[1] >= mjMINVAL && I[2] >= mjMINVAL) return 1;
  for (int i = 0; i < body->bodies.n; i++) {
    const CmpBody* const child = body->bodies.at[i];
    if (!child->joints.n && hasMass(child)) return 1;
  }
  return 0;
}

static void checkMasses(Cmp* c) {
  for (int i = 1; i < cmp_count(c, SPC_BODY); i++) {
    const CmpBody* const body = CMP_AT(c, SPC_BODY, CmpBody, i);
    if (body->joints.n && !hasMass(body)) {
      cmp_fail(c, body->head.e, "mass and inertia of moving bodies must be larger than mjMINVAL");
    }
  }
}

// spec → resolved structs
static void resolve(Cmp* c) {
  checkStart(c);
  BAS_CHECK(spc_assertModel(c->spec));
  cmp_collect(c, spc_keysRestore(c->spec));
  cmp_reach(c, CMP_COLLECTED);
  BAS_CHECK(cmp_assertLists(c));
  if (cmp_count(c, SPC_BODY) + cmp_count(c, SPC_FLEX) >= 65534)
    cmp_fail(c, NULL, "number of bodies plus flexes must be less than 65534");
  cmp_userSizes(c);
  cmp_indexAssets(c);
  cmp_compileAssets(c);
  cmp_chooseShapes(c);
  cmp_reach(c, CMP_ASSETS);
  cmp_compileTree(c);
  if (c->s.compiler.fusestatic) cmp_fuseStatic(c);
  cmp_reach(c, CMP_TREE);
  cmp_compileFlexes(c);
  cmp_compileSkins(c);
  cmp_compilePairs(c);
  cmp_compileExcludes(c);
  cmp_compileEqualities(c);
  cmp_compileTendons(c);
  cmp_compileActuators(c);
  cmp_compileSensors(c);
  cmp_compileCustom(c);
  cmp_compilePlugins(c);
  if (c->s.compiler.discardvisual) cmp_discardVisual(c);
  checkMasses(c);
  cmp_reach(c, CMP_RESOLVED);
  BAS_CHECK(cmp_assertLists(c));
}

// resolved structs → mjModel
static void build(Cmp* c, mjModel* dest) {
  mjModel sizes;
  cmp_sizes(c, &sizes);
  c->m = mdl_make(dest, &sizes);
  if (!c->m) cmp_fail(c, NULL, "could not create mjModel");
  mjModel* const m = c->m;
  m->opt = c->s.option;
  m->vis = c->s.visual;
  cmp_copyNames(c, m);
  cmp_copyTree(c, m);
  cmp_copyPlugins(c, m);
  cmp_copyAssets(c, m);
  cmp_copyFlexes(c, m);
  cmp_compileKeys(c, m);
  cmp_copyObjects(c, m);
  cmp_countMoment(m);
  cmp_reach(c, CMP_BUILT);
  cmp_finish(c);
  cmp_choosePhysics(c);
  cmp_storeShapes(c);
  cmp_chooseGrip(c);
  cmp_reach(c, CMP_DONE);
  BAS_CHECK(mdl_assertModel(m));
}

// elements learn their places in the model; those that are not part of it have none
static void publishIds(Cmp* c) {
  for (int kind = 0; kind < SPC_KINDS; kind++) {
    for (int i = 0; i < c->list[kind].n; i++) {
      CmpHead* const head = c->list[kind].at[i];
      head->e->id = head->id;
    }
  }
  c->spec->head.base.signature = c->m->signature;
  cmp_storeForSaving(c->spec, c->m);

  // where their state is
  for (int i = 0; i < cmp_count(c, SPC_JOINT); i++) {
    const CmpJoint* const joint = CMP_AT(c, SPC_JOINT, CmpJoint, i);
    joint->head.e->state = (SpcState){
        {joint->qposadr, joint->dofadr},
        {cmp_nq(joint),  cmp_nv(joint)}
    };
  }
  for (int i = 0; i < cmp_count(c, SPC_ACTUATOR); i++) {
    const CmpActuator* const actuator = CMP_AT(c, SPC_ACTUATOR, CmpActuator, i);
    const int count = c->m->actuator_actnum[i];
    actuator->head.e->state = (SpcState){
        {count ? c->m->actuator_actadr[i] : 0, i},
        {count,                                1}
    };
  }
  for (int i = 0; i < cmp_count(c, SPC_BODY); i++) {
    const CmpBody* const body = CMP_AT(c, SPC_BODY, CmpBody, i);
    const int id = body->mocapid;
    body->head.e->state = id < 0 ? (SpcState){0} : (SpcState){
        {3 * id, 4 * id},
        {3, 4}
    };
  }
}

// -------------------------------------------------------------------------------------------- entry

mjModel* cmp_run(SpcModel* spec, const mjVFS* vfs, mjModel* dest) {
  Cmp* const c = calloc(1, sizeof(Cmp));
  BasCapture* const capture = calloc(1, sizeof(BasCapture));
  if (!c || !capture) {
    free(c);
    free(capture);
    mj_deleteModel(dest);
    spc_fail(spec, "Error: out of memory");
    return NULL;
  }
  c->spec = spec;
  c->s = spec->spec;
  c->vfs = vfs;
  warnings[0] = 0;
  const BasHandler oldWarning = _mjPRIVATE__get_tls_warning_fn();
  _mjPRIVATE__set_tls_warning_fn(keepWarning);
  BasCapture* const outer = bas_setCapture(capture);

  // three ways to come back: done, a failure of the compiler, an error of the engine
  int failed = 1;
  if (setjmp(capture->back)) {
    snprintf(c->error, sizeof(c->error), "Error: engine error: %.900s", capture->message);
  } else if (!setjmp(c->escape)) {
    resolve(c);
    build(c, dest);
    publishIds(c);
    cmp_storeKeys(c);
    spec->compiled = 1;
    spec->edited = 0;
    failed = 0;
  }

  bas_setCapture(outer);
  _mjPRIVATE__set_tls_warning_fn(oldWarning);
  mjModel* m = c->m;
  if (c->d) mj_deleteData(c->d);
  if (c->open) mju_closeResource(c->open);
  if (failed) {
    mj_deleteModel(m ? m : dest);
    m = NULL;
    spc_fail(spec, "%s%s%s", c->error, *warnings ? "\n" : "", warnings);
  } else {
    snprintf(spec->error, sizeof(spec->error), "%s", warnings);
    spec->warning = *warnings != 0;
  }
  cmp_freeAssets(c);
  cmp_freeFlexes(c);
  cmp_freeMemory(c);
  free(c);
  free(capture);
  return m;
}

mjModel* mj_compile(mjSpec* s, const mjVFS* vfs) {
  return cmp_run(spc_model(s), vfs, NULL);
}
