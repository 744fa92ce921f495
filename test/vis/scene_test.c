// Scenes: what is drawn for every option, against the reference and by facts that hold without it.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "support/catch.h"
#include "support/model.h"
#include "support/plugin.h"
#include "support/stage.h"

#define MAXGEOM 20000

//---------------------------------- comparison --------------------------------------------------------------------

typedef struct {
  Stage stage;
  mjvScene our, ref;
  mjvOption opt;
  mjvPerturb pert;
  mjvCamera cam;
  char what[100];  // option that is being compared, for messages
  int errors;
} Compare;

static void differ(Compare* c, const char* what, int i, double our, double ref) {
  if (c->errors++ > 10) return;
  print_error("%s, %s: %s of %d is %.9g, expected %.9g\n", c->stage.name, c->what, what, i, our, ref);
}

static void sameInt(Compare* c, const char* what, int i, int our, int ref) {
  if (our != ref) differ(c, what, i, our, ref);
}

// floats that stand for the same number
static void sameFloats(Compare* c, const char* what, int id, const float* our, const float* ref, int n) {
  float scale = 1;
  for (int i = 0; i < n; i++) scale = fmaxf(scale, fabsf(ref[i]));
  for (int i = 0; i < n; i++) {
    if (isnan(our[i]) && isnan(ref[i])) continue;
    if (!(fabsf(our[i] - ref[i]) <= 2e-6f * scale)) {
      differ(c, what, id, our[i], ref[i]);
      return;
    }
  }
}

static void sameGeom(Compare* c, int i, const mjvGeom* our, const mjvGeom* ref) {
#define INT(field)       sameInt(c, #field, i, our->field, ref->field)
#define FLOATS(field, n) sameFloats(c, #field, i, our->field, ref->field, n)
#define FLOAT(field)     sameFloats(c, #field, i, &our->field, &ref->field, 1)
  INT(type), INT(dataid), INT(objtype), INT(objid), INT(category), INT(matid), INT(texcoord), INT(segid);
  FLOATS(size, 3), FLOATS(pos, 3), FLOATS(mat, 9), FLOATS(rgba, 4);
  FLOAT(emission), FLOAT(specular), FLOAT(shininess), FLOAT(reflectance), FLOAT(modelrbound);
  if (strcmp(our->label, ref->label) != 0 && c->errors++ < 10) {
    print_error("%s, %s: label of %d is '%s', expected '%s'\n", c->stage.name, c->what, i, our->label, ref->label);
  }
}

static void sameLight(Compare* c, int i, const mjvLight* our, const mjvLight* ref) {
  INT(id), INT(type), INT(texid), INT(headlight), INT(castshadow);
  FLOATS(pos, 3), FLOATS(dir, 3), FLOATS(attenuation, 3), FLOAT(cutoff), FLOAT(exponent);
  FLOATS(ambient, 3), FLOATS(diffuse, 3), FLOATS(specular, 3), FLOAT(bulbradius), FLOAT(intensity), FLOAT(range);
}

static void sameScene(Compare* c) {
  const mjvScene *const our = &c->our, *const ref = &c->ref;
  const int i = -1;
  INT(ngeom), INT(nlight), INT(nflex), INT(nskin), INT(status), INT(enabletransform);
  INT(flexvertopt), INT(flexedgeopt), INT(flexfaceopt), INT(flexskinopt);
  for (int k = 0; k < our->ngeom && k < ref->ngeom && c->errors < 10; k++)
    sameGeom(c, k, our->geoms + k, ref->geoms + k);
  for (int k = 0; k < our->nlight && k < ref->nlight; k++) sameLight(c, k, our->lights + k, ref->lights + k);
  for (int k = 0; k < 2; k++) {
    sameFloats(c, "camera", k, (const float*)(our->camera + k), (const float*)(ref->camera + k), 15);
    sameInt(c, "orthographic", k, our->camera[k].orthographic, ref->camera[k].orthographic);
  }
  const mjtByte* const flags = c->opt.flags;
  if (flags[mjVIS_SKIN] && our->nskin) {
    sameFloats(c, "skinvert", 0, our->skinvert, ref->skinvert, 3 * (int)c->stage.m->nskinvert);
    sameFloats(c, "skinnormal", 0, our->skinnormal, ref->skinnormal, 3 * (int)c->stage.m->nskinvert);
  }
  if (!flags[mjVIS_FLEXVERT] && !flags[mjVIS_FLEXEDGE] && !flags[mjVIS_FLEXFACE] && !flags[mjVIS_FLEXSKIN]) return;
  for (int f = 0; f < our->nflex; f++) {
    const int first = our->flexfaceadr[f], n = our->flexfaceused[f];
    sameInt(c, "flexfaceadr", f, first, ref->flexfaceadr[f]);
    sameInt(c, "flexfacenum", f, our->flexfacenum[f], ref->flexfacenum[f]);
    sameInt(c, "flexfaceused", f, n, ref->flexfaceused[f]);
    if (n != ref->flexfaceused[f]) continue;
    sameFloats(c, "flexface", f, our->flexface + 9 * first, ref->flexface + 9 * first, 9 * n);
    sameFloats(c, "flexnormal", f, our->flexnormal + 9 * first, ref->flexnormal + 9 * first, 9 * n);
    if (c->stage.m->flex_texcoordadr[f] < 0) continue;
    sameFloats(c, "flextexcoord", f, our->flextexcoord + 6 * first, ref->flextexcoord + 6 * first, 6 * n);
  }
  if (our->nflex) sameFloats(c, "flexvert", 0, our->flexvert, ref->flexvert, 3 * (int)c->stage.m->nflexvert);
}
#undef INT
#undef FLOATS
#undef FLOAT

static void compare(Compare* c, const char* kind, const char* name) {
  mjvCamera cam = c->cam;
  snprintf(c->what, sizeof(c->what), "%s %s", kind, name);
  mjv_updateScene(c->stage.m, c->stage.d, &c->opt, &c->pert, &c->cam, mjCAT_ALL, &c->our);
  ORC(mjv_updateScene)(c->stage.m, c->stage.ref, &c->opt, &c->pert, &cam, mjCAT_ALL, &c->ref);
  sameScene(c);
}

// every flag alone turned over, every label and frame, and everything at once
static void compareOptions(Compare* c) {
  mjv_defaultOption(&c->opt);
  compare(c, "default", "");
  for (int i = 0; i < mjNVISFLAG; i++) {
    mjv_defaultOption(&c->opt);
    c->opt.flags[i] = !c->opt.flags[i];
    compare(c, "flag", mjVISSTRING[i][0]);
  }
  for (int all = 0; all < 2; all++) {
    for (int label = 0; label < mjNLABEL; label++) {
      mjv_defaultOption(&c->opt);
      if (all) memset(c->opt.flags, 1, mjNVISFLAG);
      c->opt.label = label;
      c->opt.flags[mjVIS_ISLAND] = label & 1;
      c->opt.flags[mjVIS_INERTIA] = label == mjLABEL_SELECTION;
      c->opt.flags[mjVIS_CONTACTSPLIT] = label & 1;
      compare(c, all ? "everything and label" : "label", mjLABELSTRING[label]);
    }
    for (int frame = 0; frame < mjNFRAME; frame++) {
      mjv_defaultOption(&c->opt);
      if (all) memset(&c->opt.geomgroup, 1, offsetof(mjvOption, bvh_depth) - offsetof(mjvOption, geomgroup));
      c->opt.frame = frame;
      c->opt.bvh_depth = frame;
      c->opt.flags[mjVIS_FLEXSKIN] = 0;
      c->opt.flags[mjVIS_FLEXFACE] = 1;
      c->opt.flags[mjVIS_TENDON] = c->opt.flags[mjVIS_STATIC] = frame & 1;
      compare(c, all ? "everything and frame" : "frame", mjFRAMESTRING[frame]);
    }
  }
}

// something is selected, dragged and pushed
static void disturb(Compare* c, Rnd* rnd, int round) {
  const mjModel* const m = c->stage.m;
  mjv_defaultPerturb(&c->pert);
  c->pert.select = m->nbody > 1 ? 1 + rnd_below(rnd, (int)m->nbody - 1) : 0;
  c->pert.flexselect = (int)m->nflex - 1;
  c->pert.skinselect = (int)m->nskin - 1;
  c->pert.active = round % 4;
  c->pert.active2 = round / 2 % 4;
  for (int i = 0; i < 3; i++) c->pert.localpos[i] = rnd_uniform(rnd, -0.1, 0.1);
  for (int i = 0; i < 3; i++) c->pert.refselpos[i] = rnd_uniform(rnd, -1, 1);
  for (int i = 0; i < 6 * m->nbody; i++)
    c->stage.ref->xfrc_applied[i] = rnd_below(rnd, 3) ? 0 : rnd_uniform(rnd, -1, 1);
}

// all options in a few states, each so many steps after a random start; takes over the model
static int compareModel(const char* name, mjModel* m, int rounds, int steps) {
  Compare c = {.stage = stg_open(name, m)};
  Rnd rnd = {17};
  mjv_makeScene(m, &c.our, MAXGEOM);
  ORC(mjv_makeScene)(m, &c.ref, MAXGEOM);
  mjv_defaultFreeCamera(m, &c.cam);
  for (int round = 0; round < rounds; round++) {
    stg_randomize(&c.stage, &rnd, 0.2 * round);
    disturb(&c, &rnd, round);

    // settle a little, so that there are contacts, islands and sensor readings
    for (int k = 0; k < steps * round; k++) ORC(mj_step)(m, c.stage.ref);
    stg_forward(&c.stage);
    m->vis.global.bvactive = round & 1;
    m->vis.global.ellipsoidinertia = round & 1;
    if (m->ncam && round == 1) c.cam.type = mjCAMERA_FIXED, c.cam.fixedcamid = 0;
    compareOptions(&c);
  }
  mjv_freeScene(&c.our);
  ORC(mjv_freeScene)(&c.ref);
  stg_close(&c.stage);
  mj_deleteModel(m);
  return c.errors;
}

static void ourModelsAgree(void** state) {
  (void)state;
  static const struct {
    const char* path;
    int rounds;
  } MODELS[] = {
      {"test/models/actuators.xml",  3},
      {"test/models/assets.xml",     3},
      {"test/models/equality.xml",   3},
      {"test/models/flex.xml",       3},
      {"test/models/joints.xml",     3},
      {"test/models/sensors.xml",    3},
      {"test/models/shapes.xml",     3},
      {"test/models/sleepers.xml",   3},
      {"test/models/tendons.xml",    3},
      {"test/models/wraps.xml",      3},
      {"test/models/tactile.xml",    3},
      {"test/models/sensor_zoo.xml", 3},
      {"scenes/humanoid.xml",        3},
      {"scenes/muscle_arm.xml",      3},
      {"scenes/studio.xml",          3},
      {"scenes/terrain.xml",         3},
      {"scenes/engine.xml",          3},
      {"scenes/puppet.xml",          3},
      {"scenes/sensor_bench.xml",    3},
      {"scenes/cogs.xml",            1},
  };
  int errors = 0;
  for (size_t k = 0; k < sizeof(MODELS) / sizeof(MODELS[0]); k++) {
    char error[500] = "";
    mjModel* const m = mj_loadXML(MODELS[k].path, NULL, error, sizeof(error));
    if (!m) fail_msg("%s: %s", MODELS[k].path, error);
    errors += compareModel(MODELS[k].path, m, MODELS[k].rounds, 20);
  }
  assert_int_equal(errors, 0);
}

// ropes: hanging, nearly vertical, taut, held by a limit, and one that is no rope because an actuator pulls
static const char* const ROPES =
    "<mujoco><visual><quality numslices='9'/></visual><worldbody>"
    "<site name='a' pos='0 0 2'/><site name='b' pos='1 0.3 2.2'/><site name='c' pos='0.002 0 1.9'/>"
    "<site name='d' pos='4 0 2' rgba='1 1 0 1'/><body pos='0.5 1 1.5'><freejoint/><geom size='0.1'/><site "
    "name='e'/></body>"
    "</worldbody><tendon>"
    "<spatial name='hanging' stiffness='1' springlength='0 1.5' rgba='0 1 0 1'><site site='a'/><site "
    "site='b'/></spatial>"
    "<spatial stiffness='1' springlength='0 1'><site site='a'/><site site='c'/></spatial>"
    "<spatial stiffness='1' springlength='0 1'><site site='a'/><site site='d'/></spatial>"
    "<spatial limited='true' range='0 3'><site site='b'/><site site='e'/></spatial>"
    "<spatial name='pulled' stiffness='1' springlength='0 3'><site site='b'/><site site='e'/></spatial>"
    "</tendon><actuator><motor tendon='pulled'/></actuator></mujoco>";

// cloth with texture coordinates on a floor, a solid that is interpolated and held by bodies of its own
static const char* const SOFT =
    "<mujoco><worldbody><geom type='plane' size='2 2 0.1'/>"
    "<flexcomp name='cloth' type='grid' dim='2' count='4 4 1' spacing='0.1 0.1 0.1' pos='0 0 0.005' radius='0.01'"
    " mass='0.2' texcoord='0 0 .3 0 .6 0 1 0 0 .3 .3 .3 .6 .3 1 .3 0 .6 .3 .6 .6 .6 1 .6 0 1 .3 1 .6 1 1 1'>"
    "<contact selfcollide='none'/></flexcomp>"
    "<flexcomp name='jelly' type='grid' dim='3' count='3 3 3' spacing='0.1 0.1 0.1' pos='1 0 0.1' radius='0.01'"
    " dof='quadratic' mass='0.5'><contact internal='false' selfcollide='none'/></flexcomp>"
    "</worldbody></mujoco>";

// boxes that touch and fall asleep together
static const char* const SLEEPY =
    "<mujoco><option><flag sleep='enable'/></option><worldbody><geom type='plane' size='0 0 0.1'/>"
    "<body pos='0 0 0.1'><freejoint/><geom type='box' size='0.1 0.1 0.1'/></body>"
    "<body pos='0 0 0.3'><freejoint/><geom type='box' size='0.1 0.1 0.1'/></body>"
    "<body pos='1 0 0.1'><freejoint/><geom type='box' size='0.1 0.1 0.1'/></body>"
    "<body pos='1 1 3'><freejoint/><geom type='box' size='0.1 0.1 0.1'/></body></worldbody></mujoco>";

static void specialCasesAgree(void** state) {
  (void)state;
  int errors = compareModel("ropes", tst_string(ROPES), 3, 20);
  errors += compareModel("soft", tst_string(SOFT), 2, 5);

  // left alone, the boxes sleep; the falling one is awake
  mjModel* const m = tst_string(SLEEPY);
  Compare c = {.stage = stg_open("sleepy", m)};
  mjv_makeScene(m, &c.our, MAXGEOM);
  ORC(mjv_makeScene)(m, &c.ref, MAXGEOM);
  mjv_defaultFreeCamera(m, &c.cam);
  mjv_defaultPerturb(&c.pert);
  for (int k = 0; k < 200; k++) ORC(mj_step)(m, c.stage.ref);
  orc_mirror(m, c.stage.d, c.stage.ref);
  assert_true(c.stage.d->body_awake[1] == mjS_ASLEEP && c.stage.d->body_awake[4] == mjS_AWAKE);
  compareOptions(&c);
  mjv_freeScene(&c.our);
  ORC(mjv_freeScene)(&c.ref);
  stg_close(&c.stage);
  mj_deleteModel(m);
  assert_int_equal(errors + c.errors, 0);
}

static void skinsAgree(void** state) {
  (void)state;
  Stage s = stg_open("skin", tst_model("assets"));
  assert_true(s.m->nskin > 0);
  Rnd rnd = {2};
  stg_randomize(&s, &rnd, 0.3);
  stg_forward(&s);
  mjvScene our = {0}, ref = {0};
  mjv_makeScene(s.m, &our, 10);
  ORC(mjv_makeScene)(s.m, &ref, 10);
  void (*const old)(const char*) = mju_user_warning;
  mju_user_warning = catchCount;
  catchNwarning = 0;
  mjv_updateSkin(s.m, s.d, &our);
  mju_user_warning = old;
  assert_int_equal(catchNwarning, 1);
  void (** const theirs)(const char*) = ORC(mju_user_warning);
  *theirs = catchCount;
  ORC(mjv_updateSkin)(s.m, s.ref, &ref);
  *theirs = NULL;
  assert_int_equal(catchNwarning, 2);
  for (int i = 0; i < 3 * s.m->nskinvert; i++) {
    assert_true(fabsf(our.skinvert[i] - ref.skinvert[i]) < 1e-6f);
    assert_true(fabsf(our.skinnormal[i] - ref.skinnormal[i]) < 2e-6f);
  }
  mjv_freeScene(&our);
  ORC(mjv_freeScene)(&ref);
  stg_close(&s);
  mj_deleteModel(s.m);
}

//---------------------------------- selecting and printing --------------------------------------------------------

// our scene of a model at rest, all parts of flexes and skins shown
typedef struct {
  mjModel* m;
  mjData* d;
  mjvScene scn;
  mjvOption opt;
} Shown;

static Shown show(mjModel* m, int orthographic) {
  Shown s = {.m = m, .d = mj_makeData(m)};
  mjvCamera cam;
  m->vis.global.orthographic = orthographic;
  if (orthographic) m->vis.global.fovy = (float)(2 * m->stat.extent);
  mjv_makeScene(m, &s.scn, 1000);
  mjv_defaultOption(&s.opt);
  mjv_defaultFreeCamera(m, &cam);
  mj_forward(m, s.d);
  mjv_updateScene(m, s.d, &s.opt, NULL, &cam, mjCAT_ALL, &s.scn);
  return s;
}

static void hide(Shown* s) {
  mjv_freeScene(&s->scn);
  mj_deleteData(s->d);
  mj_deleteModel(s->m);
}

static void selectionAgrees(void** state) {
  (void)state;
  static const char* const MODELS[] = {"flex", "assets", "shapes"};
  Rnd rnd = {23};
  for (int k = 0; k < 6; k++) {
    Shown s = show(tst_model(MODELS[k / 2]), k % 2);
    int met = 0;
    for (int i = 0; i < 300; i++) {
      const mjtNum x = rnd_uniform(&rnd, 0, 1), y = rnd_uniform(&rnd, 0, 1);
      mjtNum point[2][3] = {{0}, {0}};
      int id[2][3], body[2];
      body[0] = mjv_select(s.m, s.d, &s.opt, 1.3, x, y, &s.scn, point[0], id[0], id[0] + 1, id[0] + 2);
      body[1] = ORC(mjv_select)(s.m, s.d, &s.opt, 1.3, x, y, &s.scn, point[1], id[1], id[1] + 1, id[1] + 2);
      assert_int_equal(body[0], body[1]);
      assert_memory_equal(id[0], id[1], sizeof(id[0]));
      for (int c = 0; c < 3; c++) assert_true(fabs(point[0][c] - point[1][c]) < 1e-9);
      met += body[0] >= 0;
    }
    assert_true(met > 5);
    hide(&s);
  }
}

// the whole of a text file that a dump wrote
static char* dumped(const char* path) {
  int size = 0;
  char* const text = (char*)tst_readFile(path, &size);
  assert_non_null(text);
  text[size - 1] = 0;  // the last line is empty
  remove(path);
  return text;
}

static void dumpsAgree(void** state) {
  (void)state;
  Shown s = show(tst_model("flex"), 0);
  static const char* const FORMAT[] = {"% -9.2g", "%.3f"};
  for (int k = 0; k < 2; k++) {
    s.scn.enabletransform = (mjtByte)k;
    mj_printFormattedScene(&s.scn, "vis_scene_ours.tmp", FORMAT[k]);
    ORC(mj_printFormattedScene)(&s.scn, "vis_scene_theirs.tmp", FORMAT[k]);
    char *const ours = dumped("vis_scene_ours.tmp"), *const theirs = dumped("vis_scene_theirs.tmp");
    assert_string_equal(ours, theirs);
    free(ours);
    free(theirs);
  }
  hide(&s);
}

//---------------------------------- facts -------------------------------------------------------------------------

static const char* const XML =
    "<mujoco><asset><material name='red' rgba='1 0 0 1' reflectance='0.3'/></asset><worldbody>"
    "<geom name='floor' type='plane' size='0 0 0.1' group='1'/><light name='lamp' pos='0 0 3'/>"
    "<body name='mover' pos='0 0 0.1'><freejoint name='loose'/><geom name='ball' size='0.1' material='red'/>"
    "<geom name='ghost' size='0.1' rgba='1 1 1 0' contype='0' conaffinity='0'/><site name='tip' pos='0 0 0.1'/></body>"
    "<body name='hidden' pos='1 0 1'><joint/><geom type='box' size='0.1 0.1 0.1' group='4'/></body>"
    "</worldbody></mujoco>";

static const mjvGeom* find(const mjvScene* scn, int objtype, int objid) {
  for (int i = 0; i < scn->ngeom; i++) {
    if (scn->geoms[i].objtype == objtype && scn->geoms[i].objid == objid) return scn->geoms + i;
  }
  return NULL;
}

static void update(Shown* s) {
  mjvCamera cam;
  mjv_defaultFreeCamera(s->m, &cam);
  mjv_updateScene(s->m, s->d, &s->opt, NULL, &cam, mjCAT_ALL, &s->scn);
}

static void groupsAndCategoriesHide(void** state) {
  (void)state;
  Shown s = show(tst_string(XML), 0);
  const int floor = mj_name2id(s.m, mjOBJ_GEOM, "floor"), ball = mj_name2id(s.m, mjOBJ_GEOM, "ball");

  // the box is in a hidden group, the ghost is transparent: two geoms and a site remain
  assert_int_equal(s.scn.ngeom, 3);
  assert_int_equal(find(&s.scn, mjOBJ_GEOM, floor)->category, mjCAT_STATIC);
  const mjvGeom* const red = find(&s.scn, mjOBJ_GEOM, ball);
  assert_true(red->category == mjCAT_DYNAMIC && red->rgba[0] == 1 && red->rgba[1] == 0 && red->reflectance == 0.3f);
  for (int i = 0; i < s.scn.ngeom; i++) assert_int_equal(s.scn.geoms[i].segid, i);
  assert_int_equal(s.scn.nlight, 2);
  assert_true(s.scn.lights[0].headlight && s.scn.lights[1].id == 0);

  s.opt.flags[mjVIS_STATIC] = 0;
  update(&s);
  assert_null(find(&s.scn, mjOBJ_GEOM, floor));
  s.opt.geomgroup[4] = s.opt.flags[mjVIS_TRANSPARENT] = 1;
  s.opt.geomgroup[0] = 0;
  update(&s);
  assert_int_equal(s.scn.ngeom, 2);
  assert_true(s.scn.geoms[0].rgba[3] == s.m->vis.map.alpha);
  hide(&s);
}

static void decorationsFollowTheirFlags(void** state) {
  (void)state;
  Shown s = show(tst_string(XML), 0);
  const int plain = s.scn.ngeom;
  static const struct {
    int flag, added;
  } CASES[] = {
      {mjVIS_JOINT,        2},
      {mjVIS_LIGHT,        1},
      {mjVIS_COM,          2},
      {mjVIS_INERTIA,      2},
      {mjVIS_CONTACTPOINT, 1},
      {mjVIS_CAMERA,       0},
      {mjVIS_AUTOCONNECT,  0},
  };
  for (size_t k = 0; k < sizeof(CASES) / sizeof(CASES[0]); k++) {
    mjv_defaultOption(&s.opt);
    s.opt.flags[CASES[k].flag] = 1;
    update(&s);
    assert_int_equal(s.scn.ngeom, plain + CASES[k].added);
    for (int i = plain; i < s.scn.ngeom; i++) assert_int_equal(s.scn.geoms[i].category, mjCAT_DECOR);
  }
  mjv_defaultOption(&s.opt);
  s.opt.frame = mjFRAME_BODY;
  s.opt.label = mjLABEL_BODY;
  update(&s);
  assert_int_equal(s.scn.ngeom, plain + 2 * 3 + 2);
  assert_string_equal(s.scn.geoms[s.scn.ngeom - 1].label, "hidden");
  hide(&s);
}

static void fullScenesWarnOnce(void** state) {
  (void)state;
  Shown s = show(tst_string(XML), 0);
  mjv_makeScene(s.m, &s.scn, 2);
  void (*const old)(const char*) = mju_user_warning;
  mju_user_warning = catchCount;
  catchNwarning = 0;
  update(&s);
  mju_user_warning = old;
  assert_true(s.scn.ngeom == 2 && s.scn.status == 1 && s.d->warning[mjWARN_VGEOMFULL].number == 1);
  assert_int_equal(catchNwarning, 1);
  s.opt.geomgroup[0] = s.opt.sitegroup[0] = 0;
  update(&s);
  assert_true(s.scn.ngeom == 1 && s.scn.status == 0);
  hide(&s);
}

static void middleOfTheWindowSelects(void** state) {
  (void)state;
  Shown s = show(tst_string(XML), 0);
  mjvCamera cam;
  mjtNum point[3];
  int geom, flex, skin;
  mjv_defaultFreeCamera(s.m, &cam);
  mju_copy3(cam.lookat, s.d->xpos + 3);
  mjv_updateCamera(s.m, s.d, &cam, &s.scn);
  assert_int_equal(mjv_select(s.m, s.d, &s.opt, 1, 0.5, 0.5, &s.scn, point, &geom, &flex, &skin), 1);
  assert_true(geom == mj_name2id(s.m, mjOBJ_GEOM, "ball") && flex == -1 && skin == -1);
  assert_true(fabs(mju_dist3(point, s.d->xpos + 3) - 0.1) < 1e-6);

  // above the horizon there is nothing
  cam.elevation = 30;
  mjv_updateCamera(s.m, s.d, &cam, &s.scn);
  assert_int_equal(mjv_select(s.m, s.d, &s.opt, 1, 0.5, 1, &s.scn, point, &geom, &flex, &skin), -1);
  hide(&s);
}

// flexes are held at the nearest vertex, or at the node of its octant, skins by the body that moves the vertex most
static void flexesAndSkinsAreHeld(void** state) {
  (void)state;
  Shown s = show(
      tst_string(
          "<mujoco><worldbody>"
          "<flexcomp name='cloth' type='grid' dim='2' count='3 3 1' spacing='.2 .2 .2' radius='.01' mass='1'/>"
          "<flexcomp name='block' type='grid' dim='3' count='3 3 3' spacing='.2 .2 .2' pos='5 0 0' dof='trilinear'"
          " radius='.01' mass='1'><contact internal='false' selfcollide='none'/></flexcomp>"
          "<body name='a' pos='10 0 0'><freejoint/><geom size='.01'/></body><body name='b' pos='10 1 0'><freejoint/>"
          "<geom size='.01'/></body></worldbody><deformable><skin vertex='-.2 -.2 0 .2 -.2 0 0 .2 0' face='0 1 2'>"
          "<bone body='a' bindpos='0 0 0' bindquat='1 0 0 0' vertid='0 1 2' vertweight='.9 .2 .6'/>"
          "<bone body='b' bindpos='0 1 0' bindquat='1 0 0 0' vertid='0 1 2' vertweight='.1 .8 .4'/></skin></deformable>"
          "</mujoco>"),
      0);
  // a place that is looked at from above; what is found there
  static const struct {
    mjtNum at[2], point[3];
    const char* body;
    int flex, skin;
  } cases[] = {
      {{.17, .04},    {.2, 0, 0},     "cloth_7", 0,  -1},
      {{-.18, -.17},  {-.2, -.2, 0},  "cloth_0", 0,  -1},
      {{5.15, -.13},  {5.2, -.2, .2}, NULL,      1,  -1},
      {{9.85, -.15},  {9.8, -.2, 0},  "a",       -1, 0 },
      {{10.15, -.15}, {10.2, -.2, 0}, "b",       -1, 0 },
      {{10, .15},     {10, .2, 0},    "a",       -1, 0 },
  };
  s.opt.flags[mjVIS_FLEXFACE] = s.opt.flags[mjVIS_FLEXSKIN] = s.opt.flags[mjVIS_SKIN] = 1;
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    mjvCamera cam;
    mjtNum point[3];
    int geom, flex, skin;
    mjv_defaultFreeCamera(s.m, &cam);
    mju_copy(cam.lookat, cases[i].at, 2);
    cam.lookat[2] = 0;
    cam.distance = 3;
    cam.elevation = -90;
    mjv_updateScene(s.m, s.d, &s.opt, NULL, &cam, mjCAT_ALL, &s.scn);
    const int body = mjv_select(s.m, s.d, &s.opt, 1, 0.5, 0.5, &s.scn, point, &geom, &flex, &skin);
    assert_true(body > 0 && geom == -1);
    assert_int_equal(flex, cases[i].flex);
    assert_int_equal(skin, cases[i].skin);
    if (cases[i].body) assert_int_equal(body, mj_name2id(s.m, mjOBJ_BODY, cases[i].body));
    if (mju_dist3(point, cases[i].point) > 1e-6) fail_msg("%zu: %g %g %g", i, point[0], point[1], point[2]);
    if (flex == 1) assert_true(mju_dist3(point, s.d->xpos + 3 * body) < 1e-6);
  }
  hide(&s);
}

static void flexFacesCoverTheirSurface(void** state) {
  (void)state;
  Shown s = show(tst_model("flex"), 0);
  for (int f = 0; f < s.m->nflex; f++) {
    const int dim = s.m->flex_dim[f], shells = s.m->flex_shellnum[f];
    const int expected = dim == 1 ? 0 : dim == 2 ? 2 * (s.m->flex_elemnum[f] + shells) : shells;
    assert_int_equal(s.scn.flexfaceused[f], expected);
    assert_true(expected <= s.scn.flexfacenum[f]);

    // normals have unit length
    const float* normal = s.scn.flexnormal + 9 * s.scn.flexfaceadr[f];
    for (int k = 0; k < 3 * expected; k++, normal += 3) {
      const float square = normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2];
      assert_true(fabsf(square - 1) < 1e-5f);
    }
  }
  hide(&s);
}

// a plugin that puts one arrow into the scene
static void drawArrow(const mjModel* m, mjData* d, const mjvOption* opt, mjvScene* scn, int instance) {
  (void)opt;
  mjvGeom* const geom = scn->geoms + scn->ngeom++;
  mjv_initGeom(geom, mjGEOM_NONE, NULL, NULL, NULL, NULL);
  mjv_connector(geom, mjGEOM_ARROW, 0.01, d->xpos, d->xipos + 3 * (m->nbody - 1));
  geom->objid = instance;
  geom->segid = 99;
}

static void pluginsDrawFirst(void** state) {
  (void)state;
  mjpPlugin plugin;
  mjp_defaultPlugin(&plugin);
  plugin.name = "test.arrow";
  plugin.capabilityflags = mjPLUGIN_PASSIVE;
  plugin.nstate = plg_noState;
  plugin.compute = plg_noForce;
  plugin.visualize = drawArrow;
  mjp_registerPlugin(&plugin);
  Shown s = show(tst_string("<mujoco><extension><plugin plugin='test.arrow'/></extension><worldbody>"
                            "<body pos='0 0 1'><plugin plugin='test.arrow'/><geom size='0.1'/></body>"
                            "</worldbody></mujoco>"),
                 0);
  assert_int_equal(s.scn.ngeom, 2);
  assert_true(s.scn.geoms[0].type == mjGEOM_ARROW && s.scn.geoms[0].segid == 99 && s.scn.geoms[0].size[2] == 1);
  assert_int_equal(s.scn.geoms[1].segid, 1);
  hide(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(groupsAndCategoriesHide), cmocka_unit_test(decorationsFollowTheirFlags),
      cmocka_unit_test(fullScenesWarnOnce),      cmocka_unit_test(middleOfTheWindowSelects),
      cmocka_unit_test(flexesAndSkinsAreHeld),   cmocka_unit_test(flexFacesCoverTheirSurface),
      cmocka_unit_test(pluginsDrawFirst),        cmocka_unit_test(ourModelsAgree),
      cmocka_unit_test(specialCasesAgree),       cmocka_unit_test(skinsAgree),
      cmocka_unit_test(selectionAgrees),         cmocka_unit_test(dumpsAgree),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
