// Choices of models: attributes, entries, files, changes between steps, and what is refused.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "physics/flexes.h"
#include "support/catch.h"

#define ACTUATOR(attributes)                                                                          \
  "<mujoco><worldbody><body><joint name=\"j\" type=\"slide\"/><geom size=\".1\"/></body></worldbody>" \
  "<actuator><general name=\"a\" joint=\"j\" " attributes "/></actuator></mujoco>"

static void assertText(const mjModel* m, const char* name, const char* text) {
  const int id = mj_name2id(m, mjOBJ_TEXT, name);
  assert_true(id >= 0);
  assert_string_equal(m->text_data + m->text_adr[id], text);
}

static void assertNumbers(const mjModel* m, const char* name, const mjtNum* number, int n) {
  const int id = mj_name2id(m, mjOBJ_NUMERIC, name);
  assert_true(id >= 0);
  assert_int_equal(m->numeric_size[id], n);
  for (int i = 0; i < n; i++) {
    assert_near(m->numeric_data[m->numeric_adr[id] + i], number[i], 1e-14 * fabs(number[i]));
  }
}

static void step(TstScene* s, int n) {
  for (int i = 0; i < n; i++) mj_step(s->m, s->d);
}

//---------------------------------- attributes ----------------------------------

static void attributesBecomeEntries(void** state) {
  (void)state;
  mjModel* m =
      tst_string(SHEET("sinew:contact=\"xpbd\" sinew:substeps=\"4\"",
                       "sinew:bending=\"bridson\" sinew:bend_damping=\".01\" sinew:elasticity=\"neo_hookean\""));
  assertText(m, "sinew:contact", "xpbd");
  assertNumbers(m, "sinew:contact", (mjtNum[]){50, 4, 1}, 3);
  assertText(m, "sinew:bending:sheet", "bridson");
  assertNumbers(m, "sinew:bending:sheet", (mjtNum[]){1e5 / 2.6 * (.01 * .01 * .01) / 24, .01}, 2);
  assertText(m, "sinew:elasticity:sheet", "neo_hookean");
  assertNumbers(m, "sinew:elasticity:sheet", (mjtNum[]){1e5, .3, .01}, 3);
  mjtNum param[SN_MAXPARAM];
  assert_string_equal(sn_getModel(m, SN_CONTACT, 0, param)->name, "xpbd");
  assert_true(param[1] == 4);
  assert_string_equal(sn_getModel(m, SN_BENDING, 0, NULL)->name, "bridson");
  mj_deleteModel(m);

  // nothing chosen: nothing kept
  m = tst_string(SHEET("", ""));
  assert_int_equal(m->ntext, 0);
  assert_int_equal(m->nnumeric, 0);
  assert_string_equal(sn_getModel(m, SN_BENDING, 0, NULL)->name, "cotangent");
  mj_deleteModel(m);
}

static void defaultsClassesGiveAttributes(void** state) {
  (void)state;
  mjModel* m = tst_string(
      "<mujoco><default><general sinew:model=\"series_elastic\" sinew:params=\"5 6 7\"/>"
      "<default class=\"soft\"><general sinew:k=\"9\"/></default></default><worldbody><body>"
      "<joint name=\"j\" type=\"slide\"/><geom size=\".1\"/></body></worldbody><actuator>"
      "<general name=\"a\" joint=\"j\"/><general class=\"soft\" joint=\"j\"/></actuator></mujoco>");
  assertNumbers(m, "sinew:actuation:a", (mjtNum[]){5, 6, 7}, 3);
  assertNumbers(m, "sinew:actuation:#1", (mjtNum[]){9, 6, 7}, 3);
  assert_int_equal(m->na, 2);
  mj_deleteModel(m);

  // one that names another model starts from that model's defaults, not from the parameters of the class
  m = tst_string(
      "<mujoco><default><general sinew:model=\"series_elastic\" sinew:params=\"5 6 7\" sinew:k=\"8\"/><default "
      "class=\"servo\"><general sinew:model=\"pid\" sinew:kd=\"3\"/></default></default><worldbody><body>"
      "<joint name=\"j\" type=\"slide\"/><geom size=\".1\"/></body></worldbody><actuator>"
      "<general class=\"servo\" joint=\"j\"/><general joint=\"j\" sinew:model=\"pid\"/>"
      "<general joint=\"j\" sinew:model=\"builtin\"/><general joint=\"j\"/></actuator></mujoco>");
  assertNumbers(m, "sinew:actuation:#0", (mjtNum[]){100, 0, 3, 1e9, 0}, 5);
  assertNumbers(m, "sinew:actuation:#1", (mjtNum[]){100, 0, 0, 1e9, 0}, 5);
  assert_string_equal(sn_getModel(m, SN_ACTUATION, 2, NULL)->name, "builtin");
  assertNumbers(m, "sinew:actuation:#3", (mjtNum[]){8, 6, 7}, 3);
  mj_deleteModel(m);
}

// a saved file gives the attributes back, and the same model
static void savedAndLoadedIsTheSame(void** state) {
  (void)state;
  const char* const texts[] = {
      SHEET("sinew:contact=\"xpbd\" sinew:substeps=\"4\"", "sinew:bending=\"bridson\""),
      ACTUATOR("sinew:model=\"dc_motor\" sinew:inductance=\".1\""),
      "<mujoco><default><general sinew:model=\"series_elastic\" sinew:k=\"8\" "
      "sinew:damping=\"3\"/></default><worldbody>"
      "<body><joint name=\"j\"/><geom size=\".1\"/></body></worldbody><actuator><general joint=\"j\" "
      "sinew:model=\"pid\" sinew:kd=\"3\"/><general joint=\"j\"/></actuator></mujoco>",
      "<mujoco><size nuserdata=\"2\"/><default><motor sinew:model=\"pid\"/></default><worldbody><body>"
      "<joint name=\"j\"/><geom size=\".1\"/></body></worldbody><actuator><motor joint=\"j\" sinew:ki=\"3\"/>"
      "</actuator><keyframe><key qpos=\"1\" sinew:userdata=\"3 4\"/></keyframe></mujoco>",
  };
  for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
    char error[500], saved[2][60000];
    mjModel* model[2];
    const char* text = texts[i];
    for (int k = 0; k < 2; k++, text = saved[0]) {
      mjSpec* spec = mj_parseXMLString(text, NULL, error, sizeof(error));
      assert_non_null(spec);
      model[k] = mj_compile(spec, NULL);
      assert_non_null(model[k]);
      assert_int_equal(mj_saveXMLString(spec, saved[k], sizeof(saved[k]), error, sizeof(error)), 0);
      mj_deleteSpec(spec);
    }
    assert_string_equal(saved[0], saved[1]);
    assert_non_null(strstr(saved[0], "sinew:"));
    assert_non_null(strstr(saved[0], "xmlns:sinew=\"urn:sinew\""));
    assert_null(strstr(saved[0], "<custom>"));
    const int size = (int)mj_sizeModel(model[0]);
    assert_int_equal(size, mj_sizeModel(model[1]));
    char* bytes[2] = {malloc((size_t)size), malloc((size_t)size)};
    for (int k = 0; k < 2; k++) mj_saveModel(model[k], NULL, bytes[k], size);
    assert_memory_equal(bytes[0], bytes[1], (size_t)size);
    for (int k = 0; k < 2; k++) {
      free(bytes[k]);
      mj_deleteModel(model[k]);
    }
  }
}

// copies and binary files carry the choices: they move alike
static void copiesMoveAlike(void** state) {
  (void)state;
  TstScene a =
      tst_openScene(SHEET("timestep=\".0005\"", "sinew:bending=\"bridson\" sinew:elasticity=\"corotational\""));
  mjModel* copy = mj_copyModel(NULL, a.m);
  const int size = (int)mj_sizeModel(a.m);
  void* bytes = malloc((size_t)size);
  mj_saveModel(a.m, NULL, bytes, size);
  mjModel* loaded = mj_loadModelBuffer(bytes, size);
  free(bytes);
  a.d->qvel[5] = 1;
  mjModel* const models[2] = {copy, loaded};
  mjData* data[2];
  for (int k = 0; k < 2; k++) {
    data[k] = mj_makeData(models[k]);
    data[k]->qvel[5] = 1;
    for (int i = 0; i < 20; i++) mj_step(models[k], data[k]);
  }
  step(&a, 20);
  for (int k = 0; k < 2; k++) {
    assert_memory_equal(a.d->qpos, data[k]->qpos, (size_t)a.m->nq * sizeof(mjtNum));
    mj_deleteData(data[k]);
    mj_deleteModel(models[k]);
  }
  tst_closeScene(&a);
}

// specs are edited by programs: attributes go along with copies and attached models
static void specsCarryAttributes(void** state) {
  (void)state;
  char error[500];
  mjSpec* spec = mj_parseXMLString(SHEET("", ""), NULL, error, sizeof(error));
  assert_null(sn_setAttribute(mjs_findElement(spec, mjOBJ_FLEX, "sheet"), "bending", "bridson"));
  assert_null(sn_setAttribute(spec->element, "contact", "compliant"));
  assert_non_null(sn_setAttribute(mjs_addSite(mjs_findBody(spec, "base"), NULL)->element, "bending", "bridson"));
  mjSpec* copy = mj_copySpec(spec);
  mjSpec* parent = mj_parseXMLString("<mujoco><worldbody><frame name=\"f\"/></worldbody></mujoco>", NULL, error, 500);
  mjs_attach(mjs_findFrame(parent, "f")->element, mjs_findBody(spec, "base")->element, "p_", "");
  mjModel *m = mj_compile(copy, NULL), *attached = mj_compile(parent, NULL);
  assertText(m, "sinew:bending:sheet", "bridson");
  assertText(m, "sinew:contact", "compliant");
  assertText(attached, "sinew:bending:p_sheet", "bridson");
  mj_deleteModel(m);
  mj_deleteModel(attached);
  mj_deleteSpec(copy);
  mj_deleteSpec(parent);
  mj_deleteSpec(spec);
}

//---------------------------------- refused ----------------------------------

static void wrongAttributesAreErrors(void** state) {
  (void)state;
  static const struct {
    const char *xml, *message;
  } wrong[] = {
      {SHEET("",                                                     "sinew:bending=\"brisdon\""),                                                         "unknown bending model 'brisdon', did you mean 'bridson'?"},
      {SHEET("",                                                            "sinew:bending=\"xpbd\""),                                                                                                                                         "unknown bending model 'xpbd', which is a model of contact"},
      {SHEET("", "sinew:bendin=\"bridson\""),"unknown attribute 'sinew:bendin', did you mean 'bending'?"},
      {SHEET("",                                 "sinew:bending=\"bridson\" sinew:bend_dampign=\"1\""),                                                                                                              "did you mean 'bend_damping'?"},
      {SHEET("",                                                     "sinew:bending=\"bridson\" sinew:bend_damping=\"-1\""),
       "parameter 'bend_damping' is -1, must be in [0, 1000]"},
      {SHEET("",                                                            "sinew:bending=\"bridson\" sinew:bend_damping=\"nan\""),                                                                                                                                         "parameter 'bend_damping' is"},
      {SHEET("",       "sinew:bending_params=\"1 2\""),                                                                                           "'sinew:bending_params' needs 'sinew:bending'"},
      {SHEET("","sinew:elasticity=\"neo_hookean\" sinew:poisson=\".5\""),"parameter 'poisson' is 0.5"},
      {SHEET("",                                                     "sinew:elasticity=\"mooney_rivlin\""),
       "has dim 2, which elasticity model 'mooney_rivlin' does not have"},
      {CUBE("",                                                            "sinew:bending=\"bridson\"",                                                                                                                                         "young=\"1e4\""), "bending is for dim 2"},
      {CUBE("",                                "sinew:elasticity=\"neo_hookean\"",                                                                                                                                                                                                                                                            "young=\"0\""), "needs parameter 'young'"},
      {ACTUATOR("sinew:model=\"series_elastic\" sinew:params=\"1 2\""),"'sinew:params' has 2 values, must have 3"                                                                                 },
      {ACTUATOR("sinew:model=\"series_elastic\" sinew:params=\"1 2 x\""),                                                      "is not a number"                                                   },
      {ACTUATOR("sinew:model=\"series_elastic\" dyntype=\"integrator\""),                                      "dyntype must be none"                                                                                                                         },
      {SHEET("sinew:contact=\"xpbd\" integrator=\"RK4\"",""),"needs the integrator Euler"},
      {SHEET("sinew:contat=\"xpbd\"",                                                            ""),                                                                                  "did you mean 'contact'?"},
      {"<mujoco><worldbody><site size=\"1\" sinew:model=\"x\"/></worldbody></mujoco>",
       "unrecognized attribute: 'sinew:model'"},
      {"<mujoco><sinew:thing/></mujoco>",                                                            "unrecognized element"                            },
      {"<mujoco><size nuserdata=\"2\"/><keyframe><key sinew:userdata=\"1\"/></keyframe></mujoco>",
       "has 1 values, must have 2"},
  };
  for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
    const char* message = whyNot(wrong[i].xml);
    if (!strstr(message, wrong[i].message)) fail_msg("expected '%s' in '%s'", wrong[i].message, message);
    assert_non_null(strstr(message, "line 1"));
  }
}

// the file and the line are those of the element
static void errorsNameFileAndLine(void** state) {
  (void)state;
  static const char text[] =
      "<mujoco>\n<worldbody><body><joint name=\"j\"/><geom size=\".1\"/></body></worldbody>\n"
      "<actuator>\n<motor name=\"m\" joint=\"j\" sinew:model=\"pdi\"/></actuator></mujoco>";
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "bad.xml", text, (int)strlen(text));
  char error[500];
  assert_null(mj_loadXML("bad.xml", &vfs, error, sizeof(error)));
  mj_deleteVFS(&vfs);
  assert_non_null(strstr(error, "did you mean 'pid'?"));
  assert_non_null(strstr(error, "line 4"));
  assert_non_null(strstr(error, "bad.xml"));
  assert_non_null(strstr(error, "'m'"));
}

// the name of a model of another kind, for every kind
static void modelsOfOtherKinds(void** state) {
  (void)state;
  assert_non_null(strstr(whyNot(SHEET("", "sinew:bending=\"neo_hookean\"")),
                         "unknown bending model 'neo_hookean', which is a model of elasticity"));
  assert_non_null(strstr(whyNot(SHEET("", "sinew:elasticity=\"bridson\"")),
                         "unknown elasticity model 'bridson', which is a model of bending"));
  assert_non_null(
      strstr(whyNot(SHEET("sinew:contact=\"pid\"", "")), "unknown contact model 'pid', which is a model of actuation"));
  assert_non_null(
      strstr(whyNot(ACTUATOR("sinew:model=\"xpbd\"")), "unknown actuation model 'xpbd', which is a model of contact"));
}

// an element without area or volume at rest: the file that has it does not load, and in C nothing changes
static void degenerateElements(void** state) {
  (void)state;
#define DIRECT(dim, points, elements, attributes)                                            \
  "<mujoco><worldbody><body name=\"base\"><flexcomp name=\"odd\" type=\"direct\" dim=\"" dim \
  "\" radius=\".001\" mass=\"1\" point=\"" points "\" element=\"" elements "\" " attributes  \
  "><contact selfcollide=\"none\"/></flexcomp></body></worldbody></mujoco>"
  static const char* const flat[] = {
      DIRECT("3", "0 0 0 1 0 0 0 1 0 0 0 1 2 0 0 3 0 0", "0 1 2 3 0 1 4 5",
             "sinew:elasticity=\"neo_hookean\" sinew:young=\"1e4\" sinew:poisson=\".2\""),
      DIRECT("2", "0 0 0 1 0 0 0 1 0 2 0 0", "0 1 2 0 1 3",
             "sinew:elasticity=\"neo_hookean\" sinew:young=\"1e4\" sinew:poisson=\".2\" sinew:thickness=\".01\""),
      DIRECT("2", "0 0 0 1 0 0 0 1 0 2 0 0", "0 1 2 0 1 3", "sinew:bending=\"bridson\" sinew:bend_stiffness=\"1\""),
  };
  for (int k = 0; k < 3; k++) {
    const char* message = whyNot(flat[k]);
    assert_non_null(
        strstr(message, k ? "element 1 of flex 0 has no area at rest" : "element 1 of flex 0 has no volume at rest"));
    assert_non_null(strstr(message, "Element name 'odd'"));
  }
  mjModel* m = tst_string(DIRECT("3", "0 0 0 1 0 0 0 1 0 0 0 1 2 0 0 3 0 0", "0 1 2 3 0 1 4 5", ""));
  assert_non_null(strstr(sn_setElasticity(m, 0, "neo_hookean", (mjtNum[]){1e4, 0.2, 1}), "element 1 of flex 0"));
  assert_int_equal(m->ntext, 0);
  mj_deleteModel(m);

  // small is not flat: tetrahedra of ten micrometres are as good as others
  m = tst_string(DIRECT("3", "0 0 0 1e-5 0 0 0 1e-5 0 0 0 1e-5", "0 1 2 3",
                        "sinew:elasticity=\"neo_hookean\" sinew:young=\"1e4\" sinew:poisson=\".2\""));
  mjData* d = mj_makeData(m);
  d->qpos[0] = 1e-6;
  mj_forward(m, d);
  assert_true(fabs(d->qfrc_spring[0]) > 1e-9);
  mj_deleteData(d);
  mj_deleteModel(m);
}

static void wrongChoicesChangeNothing(void** state) {
  (void)state;
  mjModel* m = tst_string(SHEET("", ""));
  void* buffer = m->buffer;
  assert_non_null(strstr(sn_setBending(m, 1, "bridson", NULL), "there is no flex 1"));
  assert_non_null(strstr(sn_setBending(m, 0, "bridson", (mjtNum[]){-1, 0}), "'bend_stiffness' is -1"));
  assert_non_null(strstr(sn_setBending(m, 0, "bridson", (mjtNum[]){NAN, 0}), "'bend_stiffness'"));
  assert_non_null(strstr(sn_setContact(m, "neo_hookean", NULL), "which is a model of elasticity"));
  assert_ptr_equal(m->buffer, buffer);
  assert_int_equal(m->ntext, 0);
  mj_deleteModel(m);
}

// entries that were written by hand are as good as attributes; wrong ones are errors of mj_makeData
static void handMadeEntries(void** state) {
  (void)state;
#define CUSTOM(entries)                                                                           \
  "<mujoco><custom>" entries                                                                      \
  "</custom><worldbody><body><joint name=\"j\"/><geom size=\".1\"/></body></worldbody><actuator>" \
  "<motor name=\"a\" joint=\"j\"/></actuator></mujoco>"
  mjModel* wrong =
      tst_string(CUSTOM("<text name=\"sinew:contact\" data=\"xpbd\"/>"
                        "<numeric name=\"sinew:contact\" data=\"1 1 1\"/>"));
  wrong->text_data[1] = 'q';
  assert_non_null(strstr(CATCH(mj_makeData(wrong)), "unknown contact model 'xqbd' in the custom text 'sinew:contact'"));
  wrong->text_data[1] = 'p';
  wrong->numeric_data[0] = 0;
  assert_non_null(strstr(CATCH(mj_makeData(wrong)), "'iterations' is 0"));
  wrong->numeric_data[0] = 1;
  wrong->numeric_size[0] = 2;
  assert_non_null(strstr(CATCH(mj_makeData(wrong)), "has 3 parameters, the custom numeric 'sinew:contact' has 2"));
  mj_deleteModel(wrong);
  wrong =
      tst_string(CUSTOM("<text name=\"sinew:actuation:a\" data=\"dc_motor\"/>"
                        "<numeric name=\"sinew:actuation:a\" data=\"1 0 1 1 0 0 1 9 9 0 1 1\"/>"));
  wrong->numeric_data[1] = 1;
  assert_non_null(strstr(CATCH(mj_makeData(wrong)), "has 1 states, actuator 0 has 0"));
  mj_deleteModel(wrong);
  mjModel* m = tst_string(CUSTOM("<text name=\"sinew:actuation:#0\" data=\"dc_motor\"/>"));
  mjData* d = mj_makeData(m);
  d->ctrl[0] = 3;
  mj_forward(m, d);
  assert_near(d->actuator_force[0], 0.3, 1e-12);
  mj_deleteData(d);
  mj_deleteModel(m);
}

//---------------------------------- between steps ----------------------------------

// what is chosen acts at the next step, as in a simulation that always had it, and the way back leads to the same bits
static void choicesActAtTheNextStep(void** state) {
  (void)state;
  TstScene a = tst_openScene(SHEET("timestep=\".0005\"", "")), b = tst_openScene(SHEET("timestep=\".0005\"", ""));
  TstScene c = tst_openScene(SHEET("timestep=\".0005\"", "sinew:bending=\"bridson\""));
  for (int i = 0; i < a.m->nv; i++) a.d->qvel[i] = b.d->qvel[i] = c.d->qvel[i] = sin(7 * i);
  step(&a, 3);
  assert_null(sn_setBending(a.m, 0, "bridson", NULL));
  mj_resetData(a.m, a.d);
  for (int i = 0; i < a.m->nv; i++) a.d->qvel[i] = sin(7 * i);
  step(&a, 5);
  step(&c, 5);
  assert_memory_equal(a.d->qpos, c.d->qpos, (size_t)a.m->nq * sizeof(mjtNum));
  step(&b, 5);
  assert_memory_not_equal(a.d->qpos, b.d->qpos, (size_t)a.m->nq * sizeof(mjtNum));

  // parameters may be edited in place
  mjtNum* stiffness = a.m->numeric_data + a.m->numeric_adr[mj_name2id(a.m, mjOBJ_NUMERIC, "sinew:bending:sheet")];
  *stiffness *= 10;
  step(&a, 1);
  step(&c, 1);
  step(&a, 1);
  step(&c, 1);
  assert_memory_not_equal(a.d->qpos, c.d->qpos, (size_t)a.m->nq * sizeof(mjtNum));

  // back to the default
  assert_null(sn_setBending(a.m, 0, "cotangent", NULL));
  mj_resetData(a.m, a.d);
  for (int i = 0; i < a.m->nv; i++) a.d->qvel[i] = sin(7 * i);
  step(&a, 5);
  assert_memory_equal(a.d->qpos, b.d->qpos, (size_t)a.m->nq * sizeof(mjtNum));
  tst_closeScene(&a);
  tst_closeScene(&b);
  tst_closeScene(&c);
}

// data that was copied goes on as the original, whatever was chosen when
static void copiedDataGoesOn(void** state) {
  (void)state;
  TstScene a = tst_openScene(SHEET("timestep=\".0005\"", ""));
  mjData* before = mj_copyData(NULL, a.m, a.d);
  assert_null(sn_setElasticity(a.m, 0, "neo_hookean", NULL));
  a.d->qvel[2] = 1;
  step(&a, 3);
  mjData* after = mj_copyData(NULL, a.m, a.d);
  mj_copyData(before, a.m, a.d);
  step(&a, 3);
  for (int i = 0; i < 3; i++) {
    mj_step(a.m, before);
    mj_step(a.m, after);
  }
  assert_memory_equal(a.d->qpos, before->qpos, (size_t)a.m->nq * sizeof(mjtNum));
  assert_memory_equal(a.d->qpos, after->qpos, (size_t)a.m->nq * sizeof(mjtNum));
  mj_deleteData(before);
  mj_deleteData(after);
  tst_closeScene(&a);
}

//---------------------------------- the material of a compiled model ----------------------------------

static void materialIsReadBack(void** state) {
  (void)state;
  mjModel* m = tst_string(CUBE("", "", "young=\"3e4\" poisson=\".2\""));
  mjtNum param[SN_MAXPARAM];
  assert_null(sn_setElasticity(m, 0, "neo_hookean", NULL));
  sn_getModel(m, SN_ELASTICITY, 0, param);
  assert_near(param[0], 3e4, 1e-6);
  assert_near(param[1], 0.2, 1e-9);
  mj_deleteModel(m);
  m = tst_string(SHEET("", ""));
  assert_null(sn_setElasticity(m, 0, "neo_hookean", NULL));
  sn_getModel(m, SN_ELASTICITY, 0, param);
  assert_near(param[0], 1e5, 1e-5);
  assert_near(param[1], 0.3, 1e-9);
  assert_near(param[2], 0.01, 1e-9);
  assert_null(sn_setBending(m, 0, "bridson", NULL));
  sn_getModel(m, SN_BENDING, 0, param);
  assert_near(param[0] / (1e5 / 2.6 * 1e-6 / 24), 1, 1e-9);
  mj_deleteModel(m);
}

//---------------------------------- registry ----------------------------------

static mjtNum halfForce(const snActuator* a) {
  return a->param[0] * a->ctrl;
}

static void usersModels(void** state) {
  (void)state;
  static const snParam params[] = {
      {"scale", 0.5, 0, 1, "of the control"}
  };
  static const snActuation half = {
      .info = {"half", "half of what is asked for", 1, params},
        .apply = halfForce
  };
  static const snActuation broken = {
      .info = {"broken", "no function", 0, NULL}
  };
  const int before = sn_modelCount(SN_ACTUATION);
  assert_int_equal(sn_registerActuation(&broken), -1);
  assert_int_equal(sn_registerActuation(&half), before);
  assert_int_equal(sn_registerActuation(&half), -1);
  assert_ptr_equal(sn_findModel(SN_ACTUATION, "half"), &half.info);
  TstScene s = tst_openScene(ACTUATOR("sinew:model=\"half\" sinew:scale=\".25\""));
  s.d->ctrl[0] = 8;
  mj_forward(s.m, s.d);
  assert_true(s.d->actuator_force[0] == 2);
  tst_closeScene(&s);
}

// examples/power_law.c, a library that was built outside of ours: with power 1 it is Neo-Hookean
static void modelsOfOtherLibraries(void** state) {
  (void)state;
  mj_loadPluginLibrary(POWER_LAW);
  assert_non_null(sn_findModel(SN_ELASTICITY, "power"));
  TstScene a =
      tst_openScene(CUBE("timestep=\".0005\"", "sinew:elasticity=\"neo_hookean\"", "young=\"1e3\" poisson=\".3\""));
  TstScene b =
      tst_openScene(CUBE("timestep=\".0005\"", "sinew:elasticity=\"power\" sinew:power=\"1\" sinew:thickness=\"1\"",
                         "young=\"1e3\" poisson=\".3\""));
  for (int i = 0; i < a.m->nv; i++) a.d->qvel[i] = b.d->qvel[i] = 0.5 * sin(i);
  step(&a, 50);
  step(&b, 50);
  for (int i = 0; i < a.m->nq; i++) assert_near(a.d->qpos[i], b.d->qpos[i], 1e-9);

  // and with more it is another material, also in implicit steps, by differences
  assert_null(sn_setElasticity(b.m, 0, "power", (mjtNum[]){1e3, 0.3, 1, 3}));
  b.m->opt.integrator = mjINT_IMPLICITFAST;
  step(&a, 50);
  step(&b, 50);
  assert_int_equal(b.d->warning[mjWARN_BADQACC].number, 0);
  assert_memory_not_equal(a.d->qpos, b.d->qpos, (size_t)a.m->nq * sizeof(mjtNum));
  tst_closeScene(&a);
  tst_closeScene(&b);
}

// wrong arguments have answers
static void wrongArguments(void** state) {
  (void)state;
  mjModel* m = tst_string(SHEET("", ""));
  const mjtNum number[1] = {0};
  assert_string_equal(sn_setBending(NULL, 0, "bridson", NULL), "m is NULL");
  assert_non_null(strstr(sn_setContact(m, NULL, NULL), "unknown contact model ''"));
  assert_non_null(strstr(sn_setActuation(m, 0, "pid", NULL), "there is no actuator 0"));
  assert_string_equal(sn_setPhysics(m, NULL), "physics is NULL");
  assert_string_equal(sn_setPhysics(NULL, &sn_physicsSoft), "m is NULL");
  assert_string_equal(sn_setKeyUserdata(m, 0, NULL), "userdata is NULL");
  assert_non_null(strstr(sn_setKeyUserdata(m, 0, number), "there is no key 0"));
  assert_non_null(sn_setAttribute(NULL, "bending", "bridson"));
  assert_null(sn_keyUserdata(NULL, 0));
  assert_null(sn_getModel(m, SN_BENDING, 1, NULL));
  assert_null(sn_getModel(m, SN_NKIND, 0, NULL));
  assert_null(sn_modelAt(SN_BENDING, -1));
  assert_null(sn_findModel(SN_BENDING, NULL));
  assert_null(sn_kindName((snKind)-1));
  assert_int_equal(sn_registerContact(NULL), -1);
  mj_deleteModel(m);
}

static void keyframesHoldUserdata(void** state) {
  (void)state;
  TstScene s = tst_openScene(
      "<mujoco><size nuserdata=\"3\"/><worldbody><body><joint/><geom size=\".1\"/></body></worldbody><keyframe>"
      "<key name=\"k\" qpos=\"1\" sinew:userdata=\"1 2 3\"/><key qpos=\"2\"/></keyframe></mujoco>");
  sn_resetDataKeyframe(s.m, s.d, 0);
  assert_true(s.d->qpos[0] == 1 && s.d->userdata[2] == 3);
  assert_null(sn_keyUserdata(s.m, 1));
  sn_resetDataKeyframe(s.m, s.d, 1);
  assert_true(s.d->qpos[0] == 2 && s.d->userdata[2] == 0);
  assert_null(sn_setKeyUserdata(s.m, 1, (mjtNum[]){4, 5, 6}));
  assert_true(sn_keyUserdata(s.m, 1)[1] == 5);
  assert_true(sn_keyUserdata(s.m, 0)[1] == 2);
  assert_non_null(sn_setKeyUserdata(s.m, 2, (mjtNum[]){4, 5, 6}));
  tst_closeScene(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(attributesBecomeEntries),
      cmocka_unit_test(defaultsClassesGiveAttributes),
      cmocka_unit_test(savedAndLoadedIsTheSame),
      cmocka_unit_test(copiesMoveAlike),
      cmocka_unit_test(specsCarryAttributes),
      cmocka_unit_test(wrongAttributesAreErrors),
      cmocka_unit_test(errorsNameFileAndLine),
      cmocka_unit_test(modelsOfOtherKinds),
      cmocka_unit_test(degenerateElements),
      cmocka_unit_test(wrongChoicesChangeNothing),
      cmocka_unit_test(handMadeEntries),
      cmocka_unit_test(choicesActAtTheNextStep),
      cmocka_unit_test(copiedDataGoesOn),
      cmocka_unit_test(materialIsReadBack),
      cmocka_unit_test(usersModels),
      cmocka_unit_test(wrongArguments),
      cmocka_unit_test(modelsOfOtherLibraries),
      cmocka_unit_test(keyframesHoldUserdata),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
