// Compiled, turned back into a spec, compiled again: the same model, directly and by way of a file.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <sinew/sinew.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compile/same.h"
#include "scenes/scene.h"
#include "step/plugin_scenes.h"
#include "support/model.h"

// -------------------------------------------------------------------------------------------- comparison

// what cannot be the same: names of files, the scale that a file was read with, the mesh that a primitive was fitted to
static const char* const LOST[] = {"npaths",       "paths",      "mesh_pathadr", "tex_pathadr", "hfield_pathadr",
                                   "skin_pathadr", "mesh_scale", "geom_dataid",  NULL};

// What follows from the coordinates of meshes, which were rounded to single precision in one frame and are rounded
// again in another: hulls and polygons of nearly coplanar faces, boxes, and the frame itself, which shapes of equal
// moments leave open. That the vertices stay where they were in their bodies is compared instead.
static const char* const OF_MESHES[] = {"nmeshgraph",
                                        "nmeshpoly",
                                        "nmeshpolyvert",
                                        "nmeshpolymap",
                                        "noct",
                                        "nbvh",
                                        "nbvhstatic",
                                        "bvh_depth",
                                        "bvh_child",
                                        "bvh_nodeid",
                                        "bvh_aabb",
                                        "oct_depth",
                                        "oct_child",
                                        "oct_aabb",
                                        "oct_coeff",
                                        "geom_size",
                                        "geom_aabb",
                                        "geom_rbound",
                                        "geom_pos",
                                        "geom_quat",
                                        "geom_sameframe",
                                        "dof_length",
                                        "mesh_vert",
                                        "mesh_normal",
                                        "mesh_graph",
                                        "mesh_graphadr",
                                        "mesh_pos",
                                        "mesh_quat",
                                        "mesh_polynum",
                                        "mesh_polyadr",
                                        "mesh_polynormal",
                                        "mesh_polyvertadr",
                                        "mesh_polyvertnum",
                                        "mesh_polyvert",
                                        "mesh_polymapadr",
                                        "mesh_polymapnum",
                                        "mesh_polymap",
                                        "mesh_bvhadr",
                                        "mesh_bvhnum",
                                        "mesh_octadr",
                                        "mesh_octnum",
                                        "body_bvhadr",
                                        "geom_bvhadr",
                                        NULL};

// pictures become one colour in a file, which has three channels at least, and six sides of a cube
static const char* const OF_PICTURES[] = {"ntexdata", "tex_data", "tex_adr", "tex_nchannel", "tex_height", NULL};

static int isIn(const char* const* list, const char* name) {
  for (; list && *list; list++) {
    if (!strcmp(*list, name)) return 1;
  }
  return 0;
}

typedef struct {
  const mjModel *before, *after;
  int file;  // 1: by way of a file
} Pair;

static int skips(const Pair* p, const char* name) {
  return isIn(LOST, name) || (p->before->nmesh && isIn(OF_MESHES, name)) || (p->file && isIn(OF_PICTURES, name)) ||
         !strcmp(name, "nbuffer");
}

// largest difference in a field, relative to the largest value; single precision is kept to its own digits
static int fieldDiffers(const Pair* p, const MdlField* field) {
  const long n = (long)(mdl_rows(field, p->before, NULL) * mdl_columns(field, p->before));
  const void *const a = *mdl_pointer(field, p->before), *const b = *mdl_pointer(field, p->after);
  const double tolerance = field->type == MDL_FLOAT ? 1e-6 : p->before->nmesh ? 1e-7 : 1e-11;
  double largest = 0, error = 0;
  for (long i = 0; i < n; i++) {
    const double x = numberAt(a, field->type, i), y = numberAt(b, field->type, i);
    largest = fmax(largest, fabs(x));
    if (!(isnan(x) && isnan(y))) error = fmax(error, fabs(x - y) >= 0 ? fabs(x - y) : INFINITY);
  }
  const int whole = field->type != MDL_FLOAT && field->type != MDL_NUM;
  if (error <= (whole ? 0 : tolerance * (1 + largest))) return 0;
  fprintf(stderr, "%s: off by %g, values up to %g\n", field->name, error, largest);
  return 1;
}

// vertices of all geoms with meshes, in the frames of their bodies
static int meshesMoved(const Pair* p) {
  int moved = 0;
  for (int i = 0; i < p->before->ngeom; i++) {
    const int id = p->after->geom_dataid[i];
    if (p->after->geom_type[i] != mjGEOM_MESH && p->after->geom_type[i] != mjGEOM_SDF) continue;
    for (int v = 0; v < p->before->mesh_vertnum[id]; v++) {
      mjtNum point[2][3];
      for (int k = 0; k < 2; k++) {
        const mjModel* const m = k ? p->after : p->before;
        mju_f2n(point[k], m->mesh_vert + 3 * (m->mesh_vertadr[id] + v), 3);
        mju_rotVecQuat(point[k], point[k], m->geom_quat + 4 * i);
        mju_addTo3(point[k], m->geom_pos + 3 * i);
      }
      moved += mju_dist3(point[0], point[1]) > 1e-6 * (1 + p->before->geom_rbound[i]);
    }
  }
  if (moved) fprintf(stderr, "%d vertices of meshes are elsewhere\n", moved);
  return moved;
}

static int pairDiffers(const Pair* p) {
  int bad = 0;
  for (int i = 0; i < mdl_nsizes; i++) {
    if (skips(p, mdl_sizes[i].name) || mdl_size(p->before, i) == mdl_size(p->after, i)) continue;
    fprintf(stderr, "%s: %lld, was %lld\n", mdl_sizes[i].name, (long long)mdl_size(p->after, i),
            (long long)mdl_size(p->before, i));
    bad++;
  }
  for (int f = 0; f < mdl_nmodelFields && !bad; f++) {
    if (!skips(p, mdl_modelFields[f].name)) bad += fieldDiffers(p, &mdl_modelFields[f]);
  }
  bad += memcmp(&p->before->opt, &p->after->opt, sizeof(mjOption)) != 0;
  bad += memcmp(&p->before->vis, &p->after->vis, sizeof(mjVisual)) != 0;
  return bad ? bad : meshesMoved(p);
}

// -------------------------------------------------------------------------------------------- round trips

// a spec as text and back
static mjModel* throughFile(const mjSpec* spec) {
  static char text[32 << 20];
  char error[1000] = "";
  if (mj_saveXMLString(spec, text, sizeof(text), error, sizeof(error)) != 0) fail_msg("%s", error);
  return compileText(text);
}

// deletes the model; filed: the file has everything too
static void checkModel(mjModel* m, const char* name, int filed) {
  char error[1000] = "";
  assert_non_null(m);
  mjSpec* const spec = sn_decompile(m, error, sizeof(error));
  if (!spec) fail_msg("%s: %s", name, error);
  mjModel* const file = throughFile(spec);
  mjModel* const again = mj_compile(spec, NULL);
  if (!again || !file) fail_msg("%s: %s", name, mjs_getError(spec));
  if (pairDiffers(&(Pair){m, again, 0})) fail_msg("%s is another model", name);
  if (filed && pairDiffers(&(Pair){m, file, 1})) fail_msg("%s is another model in its file", name);
  mj_deleteModel(m);
  mj_deleteModel(again);
  mj_deleteModel(file);
  mj_deleteSpec(spec);
}

static void allScenes(void** state) {
  (void)state;
  for (int i = 0; i < SCENES; i++) checkModel(loadScene(sceneNames[i]), sceneNames[i], 1);
}

static void testModels(void** state) {
  (void)state;
  for (int i = 0; tst_models[i]; i++) checkModel(tst_model(tst_models[i]), tst_models[i], 1);
}

#define FLEX(attributes, inside)                                                                    \
  "<mujoco><option solver='CG'/><worldbody><body name='base' pos='0 0 1' euler='0 0 30'>"           \
  "<geom size='.01' pos='0 0 2'/><flexcomp name='f' radius='.004' mass='.5' " attributes ">" inside \
  "</flexcomp></body></worldbody></mujoco>"
#define GRID2 "type='grid' dim='2' count='5 4 1' spacing='.1 .1 .1' "
#define GRID3 "type='grid' dim='3' count='4 4 5' spacing='.1 .1 .1' "

// every dimension, kind of elasticity, interpolation, pins, edges and vertices that are constrained
static void flexes(void** state) {
  (void)state;
  static const struct {
    const char* xml;
    int filed;  // 0: MJCF has no place for positions of pinned nodes
  } cases[] = {
      {FLEX("type='grid' dim='1' count='8 1 1' spacing='.1 .1 .1'",                 "<edge stiffness='40' damping='.2'/>"),                                                       1},
      {FLEX("type='grid' dim='1' count='8 1 1' spacing='.1 .1 .1'",                 "<edge equality='true'/><pin id='0'/>"),                                                      1},
      {FLEX(GRID2,                                                                  "<elasticity young='3e4' poisson='.3' thickness='.01' elastic2d='stretch' damping='1e-3'/>"), 1},
      {FLEX(GRID2,                                                                  "<elasticity young='3e4' poisson='.2' thickness='.01' elastic2d='bend'/>"),                   1},
      {FLEX(GRID2,                                                                  "<elasticity young='3e6' poisson='.45' thickness='.002' elastic2d='both'/>"),                 1},
      {FLEX(GRID2,                                                                  "<elasticity young='3e6' poisson='0' thickness='.002' elastic2d='both'/>"),                   1},
      {FLEX(GRID2,                                                                  "<edge equality='vert'/><pin id='0 4'/><contact selfcollide='sap' internal='true'/>"),        1},
      {FLEX(GRID2 "rigid='true'",                                                   ""),                                                                                          1},
      {FLEX(GRID3,                                                                  "<elasticity young='5e4' poisson='.4' damping='.01'/><contact activelayers='1'/>"),           1},
      {FLEX(GRID3,                                                                  "<elasticity young='5e4' poisson='0'/><pin id='0 1 2'/>"),                                    1},
      {FLEX(GRID3 "dof='radial'",                                                   "<elasticity young='5e4' poisson='.1'/>"),                                                    1},
      {FLEX(GRID3 "dof='trilinear'",
       "<elasticity young='5e4' poisson='.1'/><contact selfcollide='none' internal='false'/>"),
       1                                                                                                                                                                           },
      {FLEX(GRID3 "dof='trilinear'",
       "<elasticity young='5e4' poisson='.1'/><pin id='0 3'/>"
            "<contact selfcollide='none' internal='false'/>"),
       0                                                                                                                                                                           },
      {FLEX("type='grid' dim='3' count='8 8 8' spacing='.1 .1 .1' dof='quadratic'",
       "<elasticity young='5e4' poisson='.1'/><contact selfcollide='none' internal='false'/>"),
       1                                                                                                                                                                           },
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    checkModel(compileText(cases[i].xml), cases[i].xml, cases[i].filed);
  }
}

// a surface that stretches and bends has its moduli back, not only their effect
static void moduli(void** state) {
  (void)state;
  mjModel* const m =
      compileText(FLEX(GRID2, "<elasticity young='3e6' poisson='.45' thickness='.002' elastic2d='both'/>"));
  mjSpec* const spec = sn_decompile(m, NULL, 0);
  const mjsFlex* const flex = mjs_asFlex(mjs_firstElement(spec, mjOBJ_FLEX));
  assert_true(fabs(flex->young - 3e6) < 1e-3);
  assert_true(fabs(flex->poisson - 0.45) < 1e-9);
  assert_true(fabs(flex->thickness - 0.002) < 1e-12);
  assert_int_equal(flex->elastic2d, 3);
  mj_deleteSpec(spec);
  mj_deleteModel(m);
}

// instances of their own, shared ones, on bodies, actuators, sensors, geoms and meshes
static void plugins(void** state) {
  (void)state;
  checkModel(compileText(HOLD), "arm", 1);
  checkModel(compileText(RINGS), "rings", 1);

  mjModel* const m = compileText(HOLD);
  m->plugin[0] = 1000;
  char error[100] = "";
  assert_null(sn_decompile(m, error, sizeof(error)));
  assert_string_equal(error, "the model uses a plugin that is not registered");
  assert_null(sn_decompile(m, NULL, 0));
  m->plugin[0] = 0;
  mj_deleteModel(m);
}

// -------------------------------------------------------------------------------------------- details

static void names(void** state) {
  (void)state;
  // the second geom needs a name, and the one it would get is taken
  mjSpec* const source = mj_makeSpec();
  mjsBody* const world = mjs_findBody(source, "world");
  mjsGeom* geom[2];
  for (int i = 0; i < 2; i++) {
    geom[i] = mjs_addGeom(mjs_addBody(world, NULL), NULL);
    geom[i]->size[0] = 1;
  }
  mjs_setName(geom[0]->element, "geom_1");
  mjs_setName(geom[1]->element, "other");
  mjsPair* const pair = mjs_addPair(source, NULL);
  mjs_setString(pair->geomname1, "geom_1");
  mjs_setString(pair->geomname2, "other");
  mjModel* const before = mj_compile(source, NULL);
  assert_non_null(before);
  before->names[before->name_geomadr[1]] = 0;
  mjSpec* const spec = sn_decompile(before, NULL, 0);
  assert_non_null(spec);
  mjModel* const after = mj_compile(spec, NULL);
  assert_string_equal(mj_id2name(after, mjOBJ_GEOM, 0), "geom_1");
  assert_string_equal(mj_id2name(after, mjOBJ_GEOM, 1), "geom_1_");
  assert_int_equal(after->pair_geom2[0], 1);
  mj_deleteModel(before);
  mj_deleteModel(after);
  mj_deleteSpec(spec);
  mj_deleteSpec(source);
}

// memory that was asked for, hulls of few vertices
static void settings(void** state) {
  (void)state;
  mjModel* const m = compileText(
      "<mujoco><size memory='3M'/><asset><mesh name='m' builtin='sphere' params='3' maxhullvert='20'/></asset>"
      "<worldbody><body><freejoint/><geom type='mesh' mesh='m'/></body></worldbody></mujoco>");
  mjSpec* const spec = sn_decompile(m, NULL, 0);
  mjModel* const again = mj_compile(spec, NULL);
  assert_int_equal(again->narena, 3 << 20);
  assert_int_equal(again->mesh_graph[0], m->mesh_graph[0]);
  mj_deleteModel(again);
  mj_deleteSpec(spec);
  mj_deleteModel(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(allScenes), cmocka_unit_test(testModels), cmocka_unit_test(flexes),   cmocka_unit_test(moduli),
      cmocka_unit_test(plugins),   cmocka_unit_test(names),      cmocka_unit_test(settings),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
