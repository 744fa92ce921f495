// Meshes that collide as they are: decomposed into convex parts when they are compiled, and said where they are not.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <sinew/contact.h>

#include "asset/decompose.h"
#include "asset/mesh.h"
#include "physics/flexes.h"
#include "support/catch.h"

// an L of three cubes
#define ELL_VERTEX "0 0 0  2 0 0  2 1 0  1 1 0  1 2 0  0 2 0  0 0 1  2 0 1  2 1 1  1 1 1  1 2 1  0 2 1"
#define ELL_FACE                                                                                            \
  "0 2 1 0 3 2 0 4 3 0 5 4  6 7 8 6 8 9 6 9 10 6 10 11  0 1 7 0 7 6 1 2 8 1 8 7 2 3 9 2 9 8 3 4 10 3 10 9 " \
  "4 5 11 4 11 10 5 0 6 5 6 11"
#define ELL(attributes, geom)                                                                                \
  "<mujoco xmlns:sinew=\"urn:sinew\"><asset><mesh name=\"ell\" vertex=\"" ELL_VERTEX "\" face=\"" ELL_FACE   \
  "\" "                                                                                                      \
  "scale=\".1 .1 .1\" inertia=\"exact\" " attributes                                                         \
  "/></asset><worldbody><geom name=\"floor\" type=\"plane\" size=\"5 5 1\"/><body name=\"b\" pos=\"0 0 1\">" \
  "<freejoint/><geom name=\"g\" type=\"mesh\" mesh=\"ell\" " geom                                            \
  "/><geom name=\"last\" size=\".01\" pos=\"0 0 1\"/>"                                                       \
  "</body></worldbody></mujoco>"

#define DECOMPOSED "sinew:shape=\"decomposed\""

static double hullsOf(const mjModel* m, int first) {
  double most = 0;
  for (int i = first; i < m->nmesh; i++) most = fmax(most, sn_hullExcess(m, i));
  return most;
}

//---------------------------------- parts ----------------------------------

// an L is two boxes: they stand behind the geom, collide as it did, and weigh nothing
static void test_partsOfAnEll(void** state) {
  (void)state;
  mjModel *m = tst_string(ELL(DECOMPOSED, "friction=\".3\" margin=\".01\" condim=\"4\" contype=\"6\" group=\"1\"")),
          *plain = tst_string(ELL("", "friction=\".3\" margin=\".01\" condim=\"4\" contype=\"6\" group=\"1\""));
  assert_int_equal(m->nmesh, 3);
  assert_int_equal(m->ngeom, plain->ngeom + 2);
  assert_near(sn_hullExcess(m, 0), 1.0 / 6, 1e-4);
  assert_true(hullsOf(m, 1) < 1e-4);
  const int g = mj_name2id(m, mjOBJ_GEOM, "g");
  assert_int_equal(m->geom_contype[g] | m->geom_conaffinity[g], 0);
  assert_int_equal(m->geom_group[g], 1);
  double volume = 0;
  for (int i = 1; i <= 2; i++) {
    char name[10];
    snprintf(name, sizeof(name), "g#%d", i);
    const int part = mj_name2id(m, mjOBJ_GEOM, name);
    assert_int_equal(part, g + i);
    assert_int_equal(m->geom_contype[part], 6);
    assert_int_equal(m->geom_conaffinity[part], 1);
    assert_int_equal(m->geom_condim[part], 4);
    assert_int_equal(m->geom_group[part], 3);
    assert_near(m->geom_friction[3 * part], 0.3, 0);
    assert_near(m->geom_margin[part], 0.01, 0);
    const mjtNum* half = m->geom_aabb + 6 * part + 3;
    volume += 8 * half[0] * half[1] * half[2];
  }
  assert_near(volume, 3e-3, 1e-6);
  assert_int_equal(mj_name2id(m, mjOBJ_GEOM, "last"), g + 3);

  // the body is the same
  assert_memory_equal(m->body_mass, plain->body_mass, sizeof(mjtNum) * 2);
  assert_memory_equal(m->body_inertia, plain->body_inertia, sizeof(mjtNum) * 6);
  assert_memory_equal(m->body_ipos, plain->body_ipos, sizeof(mjtNum) * 6);
  mj_deleteModel(m);
  mj_deleteModel(plain);
}

// the parts of a geom that is turned and in a frame are where the mesh is: a ball falls into the notch of the L
static void test_partsAreInPlace(void** state) {
  (void)state;
  mjtNum height[2];
  for (int k = 0; k < 2; k++) {
    char xml[3000];
    snprintf(xml, sizeof(xml),
             "<mujoco xmlns:sinew=\"urn:sinew\"><asset><mesh name=\"ell\" vertex=\"" ELL_VERTEX "\" face=\"" ELL_FACE
             "\" scale=\".1 .1 .1\" refpos=\".02 0 0\" %s/></asset><worldbody><frame pos=\"0 0 .1\" euler=\"90 0 0\">"
             "<geom type=\"mesh\" mesh=\"ell\" pos=\".01 0 0\"/></frame><body pos=\".155 -.05 .4\"><freejoint/>"
             "<geom size=\".03\"/></body></worldbody></mujoco>",
             k ? DECOMPOSED : "");
    TstScene s = tst_openScene(xml);
    for (int i = 0; i < 1000; i++) mj_step(s.m, s.d);
    height[k] = s.d->qpos[2];
    tst_closeScene(&s);
  }
  assert_near(height[1], 0.1 + 0.1 + 0.03, 2e-3);
  assert_true(height[0] < 0 || height[0] > height[1] + 0.01);
}

static void test_sameMeshSameParts(void** state) {
  (void)state;
  char error[500] = "";
  mjModel* m[2];
  for (int k = 0; k < 2; k++) {
    m[k] = mj_loadXML("scenes/contact/mug.xml", NULL, error, sizeof(error));
    if (!m[k]) fail_msg("%s", error);
  }
  assert_int_equal(m[0]->nmeshvert, m[1]->nmeshvert);
  assert_memory_equal(m[0]->mesh_vert, m[1]->mesh_vert, sizeof(float) * 3 * (size_t)m[0]->nmeshvert);
  assert_memory_equal(m[0]->geom_pos, m[1]->geom_pos, sizeof(mjtNum) * 3 * (size_t)m[0]->ngeom);
  assert_true(m[0]->nmesh > 4 && m[0]->nmesh <= 25);
  for (int k = 0; k < 2; k++) mj_deleteModel(m[k]);
}

// what is saved has the attribute and no parts; compiled again it is the same model
static void test_savedAsWritten(void** state) {
  (void)state;
  char error[500], text[8000];
  mjSpec* spec = mj_parseXMLString(ELL(DECOMPOSED " sinew:concavity=\".1\" sinew:parts=\"4\"", ""), NULL, error, 500);
  assert_non_null(spec);
  mjModel* m = mj_compile(spec, NULL);
  assert_non_null(m);
  assert_int_equal(mj_saveXMLString(spec, text, sizeof(text), error, sizeof(error)), 0);
  assert_non_null(strstr(text, "sinew:shape=\"decomposed\" sinew:concavity=\".1\" sinew:parts=\"4\""));
  assert_null(strstr(text, "g#1"));
  mjModel* again = tst_string(text);
  assert_int_equal(again->ngeom, m->ngeom);
  assert_int_equal(again->nmesh, m->nmesh);

  // compiled a second time, and copied back
  mjModel* second = mj_compile(spec, NULL);
  assert_int_equal(second->ngeom, m->ngeom);
  assert_int_equal(mjs_getId(mjs_findElement(spec, mjOBJ_GEOM, "last")), 4);
  mj_deleteModel(second);
  mj_deleteModel(again);
  mj_deleteModel(m);
  mj_deleteSpec(spec);
}

// a pair that names the geom stands for its parts, with its own settings, and is saved as it was; excluded bodies do
// not touch
static void test_pairsAndExcludes(void** state) {
  (void)state;
  static const char* const contact[] = {"", "<exclude body1=\"world\" body2=\"b\"/>",
                                        "<pair name=\"p\" geom1=\"g\" geom2=\"floor\" condim=\"1\" margin=\".02\"/>"};
  for (int k = 0; k < 4; k++) {
    char xml[3000], error[500], text[8000];
    snprintf(xml, sizeof(xml), "%s", k < 3 ? ELL(DECOMPOSED, "") : ELL(DECOMPOSED, "contype=\"0\" conaffinity=\"0\""));
    snprintf(strstr(xml, "</mujoco>"), 300,
             "<contact>%s</contact><sensor><contact geom1=\"g\" data=\"found\"/><contact geom1=\"last\" "
             "data=\"found\"/></sensor></mujoco>",
             contact[k < 3 ? k : 2]);
    mjSpec* spec = mj_parseXMLString(xml, NULL, error, sizeof(error));
    if (!spec) fail_msg("%s", error);
    TstScene s = {.m = mj_compile(spec, NULL)};
    if (!s.m) fail_msg("%s", mjs_getError(spec));
    s.d = mj_makeData(s.m);
    s.d->qpos[2] = -0.005;
    mj_forward(s.m, s.d);
    assert_int_equal(s.m->npair, k < 2 ? 0 : 2);
    assert_int_equal(s.d->ncon > 0, k != 1);
    const int first = mj_name2id(s.m, mjOBJ_GEOM, "g#1");

    // sensors that name the geom see its parts
    assert_near(s.d->sensordata[0], s.d->ncon, 0);
    assert_near(s.d->sensordata[1], 0, 0);
    for (int i = 0; i < s.d->ncon; i++) {
      assert_in_range(s.d->contact[i].geom[1], first, first + 1);
      assert_int_equal(s.d->contact[i].dim, k < 2 ? 3 : 1);
    }
    assert_int_equal(mj_saveXMLString(spec, text, sizeof(text), error, sizeof(error)), 0);
    assert_int_equal(strstr(text, "<pair") != NULL, k >= 2);
    assert_null(strstr(text, "#"));
    mj_deleteSpec(spec);
    tst_closeScene(&s);
  }
}

// rays and distances are those of the mesh, not of its parts or its hull: into the notch of the L
static void test_raysAndDistances(void** state) {
  (void)state;
  mjModel* m = tst_string(
      "<mujoco xmlns:sinew=\"urn:sinew\"><asset><mesh name=\"ell\" vertex=\"" ELL_VERTEX "\" face=\"" ELL_FACE
      "\" scale=\".1 .1 .1\" " DECOMPOSED " sinew:parts=\"1\"/><mesh name=\"ell2\" vertex=\"" ELL_VERTEX
      "\" face=\"" ELL_FACE
      "\" scale=\".1 .1 .1\"/></asset><worldbody><geom name=\"g\" type=\"mesh\" mesh=\"ell\"/>"
      "<geom name=\"ball\" size=\".01\" pos=\".17 .14 .05\"/><geom name=\"box\" type=\"box\" size=\".01 .01 .01\" "
      "pos=\".17 .14 .05\"/><geom name=\"in\" size=\".01\" pos=\".05 .08 .05\"/></worldbody></mujoco>");
  mjData* d = mj_makeData(m);
  mj_forward(m, d);
  const int g = mj_name2id(m, mjOBJ_GEOM, "g");
  mjtNum fromto[6], normal[3];
  assert_near(mj_geomDistance(m, d, g, mj_name2id(m, mjOBJ_GEOM, "ball"), 1, fromto), 0.03, 1e-6);
  assert_near(fromto[1], 0.1, 1e-6);
  assert_near(fromto[4], 0.13, 1e-6);
  assert_near(mj_geomDistance(m, d, mj_name2id(m, mjOBJ_GEOM, "box"), g, 1, fromto), 0.03, 1e-6);
  assert_near(fromto[1], 0.13, 1e-6);
  assert_near(mj_geomDistance(m, d, g, mj_name2id(m, mjOBJ_GEOM, "box"), 0.02, fromto), 0.02, 0);
  assert_near(mj_geomDistance(m, d, g, mj_name2id(m, mjOBJ_GEOM, "in"), 1, fromto), -0.06, 1e-6);

  // the only part is the hull, which rays pass
  const mjtNum from[3] = {0.19, 0.3, 0.05}, along[3] = {0, -1, 0};
  int hit = -1;
  assert_near(mj_ray(m, d, from, along, NULL, 1, -1, &hit, normal), 0.2, 1e-6);
  assert_int_equal(hit, g);
  mjtNum dist;
  mj_multiRay(m, d, from, along, NULL, 1, -1, &hit, &dist, NULL, 1, 10);
  assert_near(dist, 0.2, 1e-6);
  assert_int_equal(hit, g);
  mj_deleteData(d);
  mj_deleteModel(m);
}

// what was decomposed once is found by its content, in this process and in a folder; a damaged file is passed over
static void test_cache(void** state) {
  (void)state;
  char folder[] = "/tmp/sinew_parts_XXXXXX", command[200], message[300];
  assert_non_null(mkdtemp(folder));
  assert_int_equal(sn_cacheModels(folder, message, sizeof(message)), SN_OK);
  mjModel* m[4];
  size_t size[4];
  mj_clearCache(mj_getCache());
  for (int k = 0; k < 4; k++) {
    // made, from memory, from the folder, from a folder that is damaged
    if (k >= 2) mj_clearCache(mj_getCache());
    snprintf(command, sizeof(command), "for f in %s/*.parts; do printf x >>$f; done", folder);
    if (k == 3) assert_int_equal(system(command), 0);
    size[k] = mj_getCacheSize(mj_getCache());
    m[k] = tst_string(ELL(DECOMPOSED, ""));
    assert_int_equal(m[k]->nmesh, 3);
    assert_memory_equal(m[k]->mesh_vert, m[0]->mesh_vert, 3 * sizeof(float) * (size_t)m[0]->nmeshvert);
  }
  assert_int_equal(size[0], 0);
  assert_true(size[1] > 3 * 16 * sizeof(double));
  snprintf(command, sizeof(command), "test $(ls %s/*.parts | wc -l) = 1 && rm -r %s", folder, folder);
  assert_int_equal(system(command), 0);
  assert_int_equal(sn_cacheModels(NULL, message, sizeof(message)), SN_OK);
  for (int k = 0; k < 4; k++) mj_deleteModel(m[k]);
}

//---------------------------------- the mug ----------------------------------

// a minute in short: after four seconds the mug hangs in the hand and does not move any more, the ball is in it
static void test_sceneMug(void** state) {
  (void)state;
  char error[500] = "";
  mjModel* m = mj_loadXML("scenes/contact/mug.xml", NULL, error, sizeof(error));
  if (!m) fail_msg("%s", error);
  TstScene s = {.m = m, .d = mj_makeData(m)};
  mj_resetDataKeyframe(m, s.d, 0);
  for (int i = 0; i < 2500; i++) mj_step(s.m, s.d);
  mjtNum before[3];
  memcpy(before, s.d->sensordata, sizeof(before));
  assert_true(s.d->qpos[2] > 0.12);
  for (int i = 0; i < 500; i++) mj_step(s.m, s.d);
  for (int i = 0; i < 3; i++) assert_near(s.d->sensordata[i], before[i], 1e-6);
  const mjtNum* ball = s.d->qpos + 7;
  assert_near(ball[2] - s.d->qpos[2], 0.005 + 0.012, 1e-3);
  assert_int_equal(s.d->warning[mjWARN_BADQACC].number, 0);
  tst_closeScene(&s);
}

//---------------------------------- saying so ----------------------------------

static void test_warningOfHulls(void** state) {
  (void)state;
  static const struct {
    const char *option, *mesh, *geom;
    int warns;
  } cases[] = {
      {"",                       "",                      "",                                0},
      {"sinew:hulls=\"silent\"", "",                      "",                                0},
      {"sinew:hulls=\"warn\"",   "",                      "",                                1},
      {"sinew:hulls=\"warn\"",   "",                      "contype=\"0\" conaffinity=\"0\"", 0},
      {"sinew:hulls=\"warn\"",   DECOMPOSED,              "",                                0},
      {"sinew:hulls=\"warn\"",   "sinew:shape=\"exact\"", "",                                0},
  };
  for (size_t k = 0; k < sizeof(cases) / sizeof(cases[0]); k++) {
    char xml[3000], error[500] = "";
    snprintf(xml, sizeof(xml), ELL("%s", "%s"), cases[k].mesh, cases[k].geom);
    char all[3200];
    snprintf(all, sizeof(all), "<mujoco xmlns:sinew=\"urn:sinew\"><option %s/>%s", cases[k].option,
             strchr(xml, '>') + 1);
    mjSpec* spec = mj_parseXMLString(all, NULL, error, sizeof(error));
    mjModel* m = spec ? mj_compile(spec, NULL) : NULL;
    assert_non_null(m);
    const char* said = mjs_getError(spec);
    if ((said && strstr(said, "mesh 'ell' is not convex") != NULL) != cases[k].warns)
      fail_msg("case %d: %s", (int)k, said);
    mj_deleteModel(m);
    mj_deleteSpec(spec);
  }
  assert_non_null(strstr(whyNot("<mujoco xmlns:sinew=\"urn:sinew\"><option sinew:hulls=\"loud\"/></mujoco>"),
                         "'sinew:hulls' is 'loud', must be 'silent' or 'warn'"));
}

static void test_excess(void** state) {
  (void)state;
  mjModel* m = tst_string(ELL("", ""));
  assert_near(sn_hullExcess(m, 0), 1.0 / 6, 1e-4);
  assert_near(sn_hullExcess(m, 1), 0, 0);
  assert_near(sn_hullExcess(m, -1), 0, 0);
  assert_near(sn_hullExcess(NULL, 0), 0, 0);
  mj_deleteModel(m);
}

// what is wrong with a surface, and where: an L, one without its first face, one of which a face is turned, and two
// cubes that are in each other
static void test_flaws(void** state) {
  (void)state;
  static const struct {
    const char *vertex, *face, *says;
    int n;
  } cases[] = {
      {"0 0 0 1 0 0 1 1 0 0 1 0 0 0 1 1 0 1 1 1 1 0 1 1",
       "0 2 1 0 3 2 0 1 5 0 5 4 1 2 6 1 6 5 2 3 7 2 7 6 3 0 4 3 4 7 4 5 6 4 6 7",                                     "",                                                                  0},
      {"0 0 0 1 0 0 1 1 0 0 1 0 0 0 1 1 0 1 1 1 1 0 1 1",
       "0 2 1 0 3 2 0 1 5 0 5 4 1 2 6 1 6 5 2 3 7 2 7 6 3 0 4 3 4 7 4 5 6",                                           "3 edges with one face: the surface is open there (first: face 7)",  3},
      {"0 0 0 1 0 0 1 1 0 0 1 0 0 0 1 1 0 1 1 1 1 0 1 1",
       "0 2 1 0 3 2 0 1 5 0 5 4 1 2 6 1 6 5 2 3 7 2 7 6 3 0 4 3 4 7 4 5 6 4 7 6",                                     "edges whose faces look to different sides (first: faces 7 and 11)", 3},
      {"0 0 0 1 0 0 1 1 0 0 1 0 0 0 1 1 0 1 1 1 1 0 1 1 .5 .4 .5",
       "0 2 1 0 3 2 0 1 5 0 5 4 1 2 6 1 6 5 2 3 7 2 7 6 3 0 4 3 4 7 4 5 6 4 6 7 4 6 8",                               "1 edges with more than two faces (first: faces 10 and 12)",         3},
      {"0 0 0 1 0 0 0 1 0 0 0 1 .1 .1 .1 2 .1 .1 .1 2 .1 .1 .1 2", "0 2 1 0 1 3 0 3 2 1 2 3 4 6 5 4 5 7 4 7 6 5 6 7",
       "3 faces that cross others (first: faces 3 and",                                                                                                                                    3},
  };
  for (size_t k = 0; k < sizeof(cases) / sizeof(cases[0]); k++) {
    char xml[2000], text[500] = "x";
    snprintf(xml, sizeof(xml),
             "<mujoco><asset><mesh name=\"m\" inertia=\"shell\" vertex=\"%s\" face=\"%s\"/></asset></mujoco>",
             cases[k].vertex, cases[k].face);
    mjModel* m = tst_string(xml);
    const int n = sn_meshFlaws(m, 0, text, sizeof(text));
    if (n != cases[k].n || !strstr(text, cases[k].says)) fail_msg("case %d: %d, '%s'", (int)k, n, text);
    if (!n) assert_string_equal(text, "");
    assert_int_equal(sn_meshFlaws(m, 0, text, 10), cases[k].n);
    assert_int_equal(sn_meshFlaws(m, 1, text, sizeof(text)), 0);
    mj_deleteModel(m);
  }
}

//---------------------------------- bad input ----------------------------------

static void test_badAttributes(void** state) {
  (void)state;
  static const char* const wrong[][2] = {
      {"sinew:shape=\"round\"",                 "'sinew:shape' is 'round', must be 'hull', 'decomposed' or 'exact'"},
      {"sinew:shap=\"hull\"",                   "unknown attribute 'sinew:shap', did you mean 'shape'?"            },
      {"sinew:parts=\"4\"",                     "'sinew:parts' needs sinew:shape=\"decomposed\""                   },
      {DECOMPOSED " sinew:parts=\"0\"",         "'sinew:parts' is 0, must be in [1, 256]"                          },
      {DECOMPOSED " sinew:parts=\"2.5\"",       "must be a whole number"                                           },
      {DECOMPOSED " sinew:concavity=\"x\"",     "'x' is not a number"                                              },
      {DECOMPOSED " sinew:concavity=\".1 .2\"", "has 2 values, must have 1"                                        },
      {DECOMPOSED " sinew:concavity=\"nan\"",   "must be in [0.001, 1]"                                            },
  };
  for (size_t k = 0; k < sizeof(wrong) / sizeof(wrong[0]); k++) {
    char xml[3000];
    snprintf(xml, sizeof(xml), ELL("%s", ""), wrong[k][0]);
    const char* message = whyNot(xml);
    if (!strstr(message, wrong[k][1])) fail_msg("'%s' instead of '%s'", message, wrong[k][1]);
    assert_non_null(strstr(message, "'ell'"));
  }
}

// limits are kept, and said
static void test_limitOfParts(void** state) {
  (void)state;
  char error[500];
  mjSpec* spec = mj_parseXMLString(ELL(DECOMPOSED " sinew:parts=\"1\"", ""), NULL, error, sizeof(error));
  mjModel* m = mj_compile(spec, NULL);
  assert_non_null(m);
  assert_int_equal(m->nmesh, 2);
  assert_non_null(strstr(mjs_getError(spec), "mesh 'ell': 1 parts leave a concavity of"));
  mj_deleteModel(m);
  mj_deleteSpec(spec);
}

// slices of a ring are rings: it is opened though that saves no volume at first, whatever its size
static void test_ringsAreOpened(void** state) {
  (void)state;
  static const char* const SCALES[] = {"20 20 20", "1 1 1", ".1 .1 .1", ".1 .3 .2"};
  for (size_t i = 0; i < sizeof(SCALES) / sizeof(SCALES[0]); i++) {
    char xml[500], error[500] = "";
    snprintf(
        xml, sizeof(xml),
        "<mujoco xmlns:sinew=\"urn:sinew\"><asset><mesh name=\"ring\" file=\"scenes/assets/link.obj\" scale=\"%s\" "
        "sinew:shape=\"decomposed\"/></asset><worldbody><geom type=\"mesh\" mesh=\"ring\"/></worldbody></mujoco>",
        SCALES[i]);
    mjSpec* spec = mj_parseXMLString(xml, NULL, error, sizeof(error));
    mjModel* m = mj_compile(spec, NULL);
    // without the warning that the parts were not enough
    if (!m || *mjs_getError(spec)) fail_msg("%s: %s", SCALES[i], mjs_getError(spec));
    assert_in_range(m->nmesh, 1 + 6, 1 + 16);
    mj_deleteModel(m);
    mj_deleteSpec(spec);
  }
}

//---------------------------------- large meshes ----------------------------------

// a ring with nu × nv × 2 triangles whose surface is uneven
typedef struct {
  int nvert, nface;  // numbers, three each
  float* vert;
  int* face;
} Ring;

static Ring newRing(int nu, int nv) {
  Ring r = {3 * nu * nv, 6 * nu * nv, NULL, NULL};
  r.vert = malloc(sizeof(float) * (size_t)r.nvert);
  r.face = malloc(sizeof(int) * (size_t)r.nface);
  for (int i = 0; i < nu; i++) {
    for (int j = 0; j < nv; j++) {
      const double a = 2 * mjPI * i / nu, b = 2 * mjPI * j / nv, out = 0.3 + 0.02 * sin(7 * a) * sin(5 * b);
      float* x = r.vert + 3 * (i * nv + j);
      x[0] = (float)((1 + out * cos(b)) * cos(a));
      x[1] = (float)((1 + out * cos(b)) * sin(a));
      x[2] = (float)(out * sin(b));
      const int p = i * nv + j, q = (i + 1) % nu * nv + j, s = i * nv + (j + 1) % nv,
                t = (i + 1) % nu * nv + (j + 1) % nv;
      const int corner[6] = {p, q, t, p, t, s};
      memcpy(r.face + 6 * (i * nv + j), corner, sizeof(corner));
    }
  }
  return r;
}

static void freeRing(Ring* r) {
  free(r->vert);
  free(r->face);
}

static AstMesh compileRing(const Ring* r) {
  AstMesh mesh = {0};
  const AstMeshSource source = {
      .name = "m",
      .directory = "",
      .file = "",
      .content_type = "",
      .refquat = {1, 0, 0, 0},
      .scale = {1, 1,  1 },
      .inertia = mjMESH_INERTIA_EXACT,
      .maxhullvert = -1,
      .vert = r->vert,
      .nvert = r->nvert,
      .face = r->face,
      .nface = r->nface
  };
  if (!ast_compileMesh(&mesh, &source)) fail_msg("%s", mesh.error);
  return mesh;
}

// how far a point is outside of the hull of a part; negative within
static double outOf(double* vert, const AstSurface* hull, const float x[3]) {
  const int* graph = hull->graph.at;
  const int nface = graph[1], *face = graph + 2 + 3 * graph[0] + 3 * nface;
  double most = -1;
  for (int i = 0; i < nface; i++) {
    const double* v[3] = {vert + 3 * face[3 * i], vert + 3 * face[3 * i + 1], vert + 3 * face[3 * i + 2]};
    double a[3], b[3], n[3], from[3];
    for (int k = 0; k < 3; k++) from[k] = x[k] - v[0][k];
    mju_sub3(a, v[1], v[0]);
    mju_sub3(b, v[2], v[0]);
    mju_cross(n, a, b);
    if (mju_normalize3(n) > 1e-9) most = fmax(most, mju_dot3(n, from));
  }
  return most;
}

// the largest distance of a vertex of the ring to the part that is nearest to it
static double uncovered(const Ring* r, const AstParts* parts) {
  const AstMeshSource source = {.maxhullvert = -1};
  char error[AST_MESSAGE];
  double* out = malloc(sizeof(double) * (size_t)r->nvert);
  for (int i = 0; i < r->nvert; i++) out[i] = 1;
  for (int p = 0; p < parts->n; p++) {
    AstSurface hull = {
        .source = &source, .error = error, .vert = {parts->vert[p], 3 * parts->nvert[p]}
    };
    assert_true(ast_makeHull(&hull));
    for (int i = 0; i < r->nvert / 3; i++) out[i] = fmin(out[i], outOf(parts->vert[p], &hull, r->vert + 3 * i));
    free(hull.graph.at);
  }
  double most = -1;
  for (int i = 0; i < r->nvert / 3; i++) most = fmax(most, out[i]);
  free(out);
  return most;
}

// beyond a number of triangles cuts are chosen on fewer: work does not grow with the mesh, which is covered all the
// same
static void test_largeMeshes(void** state) {
  (void)state;
  long long work[2][2];
  for (int size = 0; size < 2; size++) {
    Ring r = newRing(48 << size, 28 << size);
    AstMesh mesh = compileRing(&r);
    for (int k = 0; k < 2; k++) {
      AstParts parts;
      const AstCut cut = {.concavity = 0.07, .most = 12, .fine = k ? 2000 : 0};
      if (!ast_decompose(&parts, &mesh, &cut)) fail_msg("%s", parts.error);
      work[size][k] = parts.work;
      assert_in_range(parts.coarse, k ? 200 : 0, k ? 800 : 0);
      assert_in_range(parts.n, 6, 12);
      assert_false(parts.exhausted);
      if (parts.concavity > 0.1) fail_msg("%d %d: concavity %g", size, k, parts.concavity);
      const double out = uncovered(&r, &parts);
      if (out > 1e-5) fail_msg("%d %d: a vertex is %g outside", size, k, out);
      ast_freeParts(&parts);
    }
    ast_freeMesh(&mesh);
    freeRing(&r);
  }
  assert_true(work[1][0] > 2 * work[0][0]);
  assert_true(2 * work[1][1] < 3 * work[0][1]);
}

// the loader says so, the second time too, when parts are found again
static void test_largeMeshesAreNamed(void** state) {
  (void)state;
  char error[500];
  Ring r = newRing(160, 160);
  for (int k = 0; k < 2; k++) {
    mjSpec* spec = mj_parseXMLString(ELL(DECOMPOSED " sinew:parts=\"1\"", ""), NULL, error, sizeof(error));
    mjsMesh* mesh = mjs_asMesh(mjs_findElement(spec, mjOBJ_MESH, "ell"));
    mjs_setFloat(mesh->uservert, r.vert, r.nvert);
    mjs_setInt(mesh->userface, r.face, r.nface);
    mjModel* m = mj_compile(spec, NULL);
    if (!m) fail_msg("%s", mjs_getError(spec));
    assert_int_equal(m->nmesh, 2);
    const char* text = mjs_getError(spec);
    if (!strstr(text, "of its 51200 triangles (more than 50000) cuts were chosen on ")) fail_msg("%s", text);
    if (!strstr(text, "1 parts leave a concavity of 0.")) fail_msg("%s", text);
    mj_deleteModel(m);
    mj_deleteSpec(spec);
  }
  freeRing(&r);
}

static const char* whyNotMesh(const char* vertex, const char* face) {
  char xml[2000];
  snprintf(xml, sizeof(xml),
           "<mujoco xmlns:sinew=\"urn:sinew\"><asset><mesh name=\"m\" vertex=\"%s\" face=\"%s\" "
           "inertia=\"shell\" " DECOMPOSED "/></asset><worldbody><geom type=\"mesh\" mesh=\"m\"/></worldbody></mujoco>",
           vertex, face);
  return whyNot(xml);
}

static void test_badSurfaces(void** state) {
  (void)state;
  static const char cube[] = "0 0 0 1 0 0 1 1 0 0 1 0 0 0 1 1 0 1 1 1 1 0 1 1";

  // without its lid, and turned inside out
  assert_non_null(strstr(whyNotMesh(cube, "0 2 1 0 3 2 0 1 5 0 5 4 1 2 6 1 6 5 2 3 7 2 7 6 3 0 4 3 4 7"),
                         "the surface is open, first at triangle 3 between vertices 4 and 5"));
  assert_non_null(strstr(whyNotMesh(cube, "0 1 2 0 2 3 0 5 1 0 4 5 1 6 2 1 5 6 2 7 3 2 6 7 3 4 0 3 7 4 4 6 5 4 7 6"),
                         "inside out"));

  // two faces back to back, and one with a triangle twice
  assert_non_null(strstr(whyNotMesh("0 0 0 1 0 0 1 1 0 0 1 0", "0 1 2 0 2 3 0 2 1 0 3 2"), "the surface is flat"));
  assert_string_equal(
      whyNotMesh(cube, "0 2 1 0 3 2 0 1 5 0 5 4 1 2 6 1 6 5 2 3 7 2 7 6 3 0 4 3 4 7 4 5 6 4 6 7 0 2 1 0 1 2"), "");
}

// triangles without sense end with a message or with parts, never otherwise
static void test_randomSurfaces(void** state) {
  (void)state;
  unsigned seed = 1;
  int made = 0;
  for (int trial = 0; trial < 60; trial++) {
    float vert[60];
    int face[90];
    const int nvert = 4 + trial % 16, nface = 4 + trial % 26;
    for (int i = 0; i < 3 * nvert; i++) {
      seed = seed * 1664525u + 1013904223u;
      vert[i] = (float)(seed >> 8) / (1 << 24) - 0.5f;
      if (trial % 3 == 0) vert[i] = (float)((int)(4 * vert[i])) / 4;
    }
    for (int i = 0; i < 3 * nface; i++) {
      seed = seed * 1664525u + 1013904223u;
      face[i] = (int)((seed >> 8) % (unsigned)nvert);
    }
    AstMesh mesh = {0};
    const AstMeshSource source = {
        .name = "m",
        .directory = "",
        .file = "",
        .content_type = "",
        .refquat = {1, 0, 0, 0},
        .scale = {1, 1,  1 },
        .inertia = mjMESH_INERTIA_SHELL,
        .needhull = 1,
        .maxhullvert = -1,
        .vert = vert,
        .nvert = 3 * nvert,
        .face = face,
        .nface = 3 * nface
    };
    if (ast_compileMesh(&mesh, &source)) {
      AstParts parts;
      const AstCut cut = {0.02, 6, trial % 4 < 2 ? 0 : 8};
      if (ast_decompose(&parts, &mesh, &cut)) {
        assert_in_range(parts.n, 0, 6);
        made++;
        ast_freeParts(&parts);
      } else {
        assert_true(*parts.error);
      }
    }
    ast_freeMesh(&mesh);
  }
  assert_in_range(made, 0, 60);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_partsOfAnEll),
      cmocka_unit_test(test_partsAreInPlace),
      cmocka_unit_test(test_sameMeshSameParts),
      cmocka_unit_test(test_savedAsWritten),
      cmocka_unit_test(test_pairsAndExcludes),
      cmocka_unit_test(test_raysAndDistances),
      cmocka_unit_test(test_cache),
      cmocka_unit_test(test_sceneMug),
      cmocka_unit_test(test_warningOfHulls),
      cmocka_unit_test(test_excess),
      cmocka_unit_test(test_flaws),
      cmocka_unit_test(test_badAttributes),
      cmocka_unit_test(test_limitOfParts),
      cmocka_unit_test(test_ringsAreOpened),
      cmocka_unit_test(test_largeMeshes),
      cmocka_unit_test(test_largeMeshesAreNamed),
      cmocka_unit_test(test_badSurfaces),
      cmocka_unit_test(test_randomSurfaces),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
