// Models, data, specs and scenes under the reference's names.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "compat/engine.h"
#include "support/catch.h"
#include "support/model.h"
#include "support/near.h"
#include "support/oracle.h"

//---------------------------------- data ----------------------------------

// raw data, plugins and a reset are what mj_makeData does
static void rawData(void** state) {
  (void)state;
  mjModel *chain = tst_model("chain"), *boxes = tst_model("boxes");
  mjData *d = NULL, *made = mj_makeData(boxes);

  // new
  mj_makeRawData(&d, chain);
  assert_non_null(d);
  assert_int_equal(d->nplugin, 0);
  assert_int_equal(d->nv_awake, chain->nv);
  mj_initPlugin(chain, d);
  mj_resetData(chain, d);
  mj_step(chain, d);

  // for another model, at the same address
  mjData* const before = d;
  mj_makeRawData(&d, boxes);
  assert_ptr_equal(d, before);
  assert_int_equal(d->nbuffer, made->nbuffer);
  mj_initPlugin(boxes, d);
  mj_resetData(boxes, d);
  for (int i = 0; i < 20; i++) {
    mj_step(boxes, d);
    mj_step(boxes, made);
  }
  orc_sameBytes(d->qpos, made->qpos, (size_t)boxes->nq * sizeof(mjtNum));
  orc_sameBytes(d->qvel, made->qvel, (size_t)boxes->nv * sizeof(mjtNum));
  mjData* ref = NULL;
  ORC(mj_makeRawData)(&ref, boxes);
  assert_int_equal(ref->nbuffer, d->nbuffer);
  assert_int_equal(ref->nparent_awake, boxes->nbody);
  ORC(mj_deleteData)(ref);

  // sizes that cannot be: a warning, and what was given stays valid to delete
  const mjtSize nq = boxes->nq;
  void (*const old)(const char*) = mju_user_warning;
  mju_user_warning = catchCount;
  catchNwarning = 0;
  boxes->nq = -1;
  mjData* none = NULL;
  mj_makeRawData(&none, boxes);
  mj_makeRawData(&d, boxes);
  boxes->nq = nq;
  mju_user_warning = old;
  assert_int_equal(catchNwarning, 2);
  assert_null(none);
  mj_deleteData(d);
  mj_deleteData(made);
  mj_deleteModel(chain);
  mj_deleteModel(boxes);
}

static int ninit, ndestroy, fails;

static int initInstance(const mjModel* m, mjData* d, int instance) {
  (void)m;
  d->plugin_data[instance] = (uintptr_t)++ninit;
  return fails ? -1 : 0;
}

static void destroyInstance(mjData* d, int instance) {
  (void)d, (void)instance;
  ndestroy++;
}

static int noState(const mjModel* m, int instance) {
  (void)m, (void)instance;
  return 0;
}

static void noForce(const mjModel* m, mjData* d, int instance, int capability) {
  (void)m, (void)d, (void)instance, (void)capability;
}

static void plugins(void** state) {
  (void)state;
  mjpPlugin plugin;
  mjp_defaultPlugin(&plugin);
  plugin.name = "compat.test.passive";
  plugin.capabilityflags = mjPLUGIN_PASSIVE;
  plugin.nstate = noState;
  plugin.init = initInstance;
  plugin.compute = noForce;
  plugin.destroy = destroyInstance;
  mjp_registerPlugin(&plugin);
  mjModel* m = tst_string(
      "<mujoco><extension><plugin plugin='compat.test.passive'/></extension><worldbody>"
      "<body><joint/><geom size='.1'/><plugin plugin='compat.test.passive'/></body></worldbody></mujoco>");
  ninit = ndestroy = fails = 0;
  mjData* d = NULL;
  mj_makeRawData(&d, m);
  assert_int_equal(ninit, 0);
  mj_initPlugin(m, d);
  assert_int_equal(ninit, 1);
  assert_int_equal(d->nplugin, 1);
  mj_resetData(m, d);
  mj_deleteData(d);
  assert_int_equal(ndestroy, 1);

  // an instance that fails ends the data
  d = NULL;
  mj_makeRawData(&d, m);
  fails = 1;
  assert_non_null(strstr(CATCH(mj_initPlugin(m, d)), "plugin id 0"));
  mj_deleteModel(m);
}

//---------------------------------- references ----------------------------------

// what both say about a model with one wrong value
static void expectWrong(const mjModel* m, const char* field) {
  const char* message = mj_validateReferences(m);
  assert_non_null(message);
  if (!strstr(message, field)) printf("%s is wrong: %s\n", field, message);
  assert_non_null(strstr(message, field));
  const char* theirs = ORC(mj_validateReferences)(m);
  assert_non_null(theirs);
  assert_non_null(strstr(theirs, field));
}

#define WRONG(array, i, value, field) \
  do {                                \
    const int keep = m->array[i];     \
    m->array[i] = (value);            \
    expectWrong(m, field);            \
    m->array[i] = keep;               \
  } while (0)

static void references(void** state) {
  (void)state;
  for (int i = 0; tst_models[i]; i++) {
    mjModel* m = tst_model(tst_models[i]);
    assert_null(mj_validateReferences(m));
    mj_deleteModel(m);
  }

  mjModel* m = tst_string(
      "<mujoco><asset><hfield name='h' nrow='2' ncol='3' size='1 1 1 1'/>"
      "<texture name='t' type='2d' width='2' height='3' builtin='flat'/></asset><worldbody>"
      "<body name='b1'><joint name='j1'/><joint/><geom name='g1' size='1' condim='6'/><site name='s1'/></body>"
      "<body name='b2'><joint name='j2'/><geom name='g2' size='1'/></body></worldbody>"
      "<contact><pair geom1='g1' geom2='g2'/><exclude body1='b1' body2='b2'/></contact>"
      "<equality><connect anchor='0 0 0' body1='b1'/><weld body1='b1' body2='b2'/></equality>"
      "<sensor><framepos objtype='site' objname='s1' reftype='body' refname='b1'/></sensor>"
      "<custom><tuple name='u'><element objtype='body' objname='b1'/></tuple></custom></mujoco>");
  assert_null(mj_validateReferences(m));
  WRONG(jnt_bodyid, 0, 3, "jnt_bodyid");
  WRONG(body_jntnum, 1, 5, "body_jntadr");
  WRONG(body_jntadr, 1, -2, "body_jntadr");
  m->body_jntadr[1] += 5;
  WRONG(body_jntnum, 1, -3, "body_jntnum");
  m->body_jntadr[1] -= 5;
  WRONG(geom_condim, 0, 7, "geom_condim");
  WRONG(geom_condim, 0, -1, "geom_condim");
  WRONG(hfield_adr, 0, -2, "hfield_adr");
  WRONG(hfield_ncol, 0, 4, "hfield_adr");
  WRONG(tex_height, 0, 4, "tex_adr");
  WRONG(pair_signature, 0, (1 << 16) | 5, "pair_body1");
  WRONG(pair_signature, 0, (5 << 16) | 1, "pair_body2");
  WRONG(exclude_signature, 0, (1 << 16) | 4, "exclude_body1");
  WRONG(exclude_signature, 0, (4 << 16) | 2, "exclude_body2");
  WRONG(eq_obj1id, 0, -1, "eq_obj1id");
  WRONG(eq_obj1id, 1, 3, "eq_obj1id");
  WRONG(eq_obj2id, 0, -2, "eq_obj2id");
  WRONG(eq_obj2id, 1, 3, "eq_obj2id");
  WRONG(sensor_objtype, 0, -1, "sensor_objtype");
  WRONG(sensor_objid, 0, 1, "sensor_objid");
  WRONG(sensor_reftype, 0, -1, "sensor_reftype");
  WRONG(sensor_refid, 0, 3, "sensor_refid");
  WRONG(tuple_objtype, 0, -1, "tuple_objtype");
  WRONG(tuple_objid, 0, 3, "tuple_objid");
  m->tex_adr[0] = -2;
  expectWrong(m, "tex_adr");
  m->tex_adr[0] = 0;
  assert_null(mj_validateReferences(m));
  mj_deleteModel(m);
}

//---------------------------------- text, specs and scenes ----------------------------------

typedef void (*Print)(const char*, int, int, const int*, const int*, const int*, const int*, const int*, FILE*);

static char* printed(Print print, const mjModel* m, int diag) {
  char* text = NULL;
  size_t size = 0;
  FILE* file = open_memstream(&text, &size);
  const int nv = (int)m->nv, super[] = {1, 0, 3};
  print("D", nv, nv, m->D_rowadr, diag ? m->D_diag : NULL, m->D_rownnz, NULL, m->D_colind, file);
  print("D", nv < 3 ? nv : 3, nv, m->D_rowadr, NULL, m->D_rownnz, super, m->D_colind, file);
  print("none", 0, nv, m->D_rowadr, NULL, m->D_rownnz, NULL, m->D_colind, file);
  print("wide", 3, 301, m->D_rowadr, NULL, m->D_rownnz, NULL, m->D_colind, file);
  fclose(file);
  return text;
}

static void sparsityPictures(void** state) {
  (void)state;
  const int adr[] = {0, 1}, nnz[] = {1, 2}, col[] = {0, 0, 1}, diag[] = {0, 1};
  char* text = NULL;
  size_t size = 0;
  FILE* file = open_memstream(&text, &size);
  mj_printSparsity("two", 2, 2, adr, diag, nnz, NULL, col, file);
  fclose(file);
  assert_string_equal(text, "two\n----\n D  |\n xD |\n----\n\n");
  free(text);
  const char* names[] = {"chain", "tendons"};
  for (int i = 0; i < 4; i++) {
    mjModel* m = tst_model(names[i % 2]);
    char *ours = printed(mj_printSparsity, m, i / 2), *theirs = printed(ORC(mj_printSparsity), m, i / 2);
    orc_sameText(ours, theirs);
    free(ours);
    free(theirs);
    mj_deleteModel(m);
  }
}

static void attachedSpecs(void** state) {
  (void)state;
  char error[500] = "";
  mjSpec* parent = mj_parseXMLString("<mujoco><worldbody/></mujoco>", NULL, error, sizeof(error));
  mjSpec* child = mj_parseXMLString(
      "<mujoco model='kid'><worldbody><body name='b'><joint/><geom size='.1'/></body></worldbody></mujoco>", NULL,
      error, sizeof(error));
  assert_non_null(parent);
  assert_non_null(child);

  // the parent finds it by name, and frees it in the end
  assert_null(mjs_findSpec(parent, "kid"));
  mjs_addSpec(parent, child);
  assert_ptr_equal(mjs_findSpec(parent, "kid"), child);
  mj_deleteSpec(parent);

  mjSpec* p = ORC(mj_parseXMLString)("<mujoco><worldbody/></mujoco>", NULL, error, sizeof(error));
  mjSpec* c = ORC(mj_parseXMLString)("<mujoco model='kid'><worldbody/></mujoco>", NULL, error, sizeof(error));
  ORC(mjs_addSpec)(p, c);
  assert_ptr_equal(ORC(mjs_findSpec)(p, "kid"), c);
  ORC(mj_deleteSpec)(p);
}

// what a whole scene gets; n numbers, none of them by chance
static void sameFloats(const float* a, const float* b, int n, double tol) {
  for (int i = 0; i < n; i++) assert_near(a[i], b[i], tol);
}

static void surfaces(void** state) {
  (void)state;
  const char* names[] = {"flex", "assets"};
  int nflexvert = 0, nskinvert = 0;
  for (int k = 0; k < 2; k++) {
    mjModel* m = tst_model(names[k]);
    mjData* d = mj_makeData(m);
    mjvScene whole, parts, theirs;
    mjvOption opt;
    mjvCamera cam;
    mjv_defaultOption(&opt);
    mjv_defaultCamera(&cam);
    mjv_defaultScene(&whole);
    mjv_defaultScene(&parts);
    mjv_defaultScene(&theirs);
    mjv_makeScene(m, &whole, 1000);
    mjv_makeScene(m, &parts, 1000);
    opt.flags[mjVIS_SKIN] = opt.flags[mjVIS_FLEXSKIN] = opt.flags[mjVIS_FLEXEDGE] = 1;
    mj_forward(m, d);
    mjv_updateScene(m, d, &opt, NULL, &cam, mjCAT_ALL, &whole);
    mjv_updateActiveFlex(m, d, &parts, &opt);
    mjv_updateActiveSkin(m, d, &parts, &opt);
    sameFloats(whole.flexvert, parts.flexvert, 3 * (int)m->nflexvert, 0);
    sameFloats(whole.skinvert, parts.skinvert, 3 * (int)m->nskinvert, 0);
    sameFloats(whole.skinnormal, parts.skinnormal, 3 * (int)m->nskinvert, 0);
    nflexvert += (int)m->nflexvert;
    nskinvert += (int)m->nskinvert;
    // positions are single precision
    mjData* ref = ORC(mj_makeData)(m);
    ORC(mj_forward)(m, ref);
    ORC(mjv_makeScene)(m, &theirs, 1000);
    ORC(mjv_updateActiveFlex)(m, ref, &theirs, &opt);
    ORC(mjv_updateActiveSkin)(m, ref, &theirs, &opt);
    sameFloats(theirs.flexvert, parts.flexvert, 3 * (int)m->nflexvert, 1e-6);
    sameFloats(theirs.skinvert, parts.skinvert, 3 * (int)m->nskinvert, 1e-6);
    sameFloats(theirs.skinnormal, parts.skinnormal, 3 * (int)m->nskinvert, 1e-5);
    for (int f = 0; f < m->nflex; f++) assert_int_equal(theirs.flexfaceused[f], parts.flexfaceused[f]);
    ORC(mjv_freeScene)(&theirs);
    ORC(mj_deleteData)(ref);
    mjv_freeScene(&whole);
    mjv_freeScene(&parts);
    mj_deleteData(d);
    mj_deleteModel(m);
  }
  assert_true(nflexvert > 0 && nskinvert > 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rawData),          cmocka_unit_test(plugins),       cmocka_unit_test(references),
      cmocka_unit_test(sparsityPictures), cmocka_unit_test(attachedSpecs), cmocka_unit_test(surfaces),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
