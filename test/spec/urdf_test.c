// URDF: what links, joints and the <mujoco> extension become, which files are refused and where, and that the models
// equal the reference's field by field.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "compile/same.h"
#include "support/random.h"

#define ROBOT(content) "<robot name='r'>" content "</robot>"
#define BALL           "<geometry><sphere radius='.1'/></geometry>"
#define LINK(name)     "<link name='" name "'><collision>" BALL "</collision></link>"
#define JOINT(name, type, parent, child, more) \
  "<joint name='" name "' type='" type "'><parent link='" parent "'/><child link='" child "'/>" more "</joint>"
#define INERTIAL(more, mass, inertia) "<inertial>" more "<mass value='" mass "'/><inertia " inertia "/></inertial>"
#define SETTINGS(attributes)          "<mujoco><compiler " attributes "/></mujoco>"
#define KEEP                          SETTINGS("discardvisual='false' fusestatic='false'")

// our model of a robot, compared with the reference's where that is available
static mjModel* same(const char* xml) {
  assert_int_equal(differencesOf(xml), 0);
  mjModel* const m = compileText(xml);
  assert_non_null(m);
  return m;
}

static void assert_close(const mjtNum* value, int n, const double* expected) {
  for (int i = 0; i < n; i++) {
    if (fabs(value[i] - expected[i]) > 1e-12) fail_msg("[%d] is %.17g, expected %.17g", i, value[i], expected[i]);
  }
}
#define CLOSE(value, ...) \
  assert_close(value, sizeof((double[]){__VA_ARGS__}) / sizeof(double), (const double[]){__VA_ARGS__})

static int idOf(const mjModel* m, mjtObj type, const char* name) {
  const int id = mj_name2id(m, type, name);
  if (id < 0) fail_msg("there is no '%s'", name);
  return id;
}

// -------------------------------------------------------------------------------------------- joints

static void everyTypeOfJoint(void** state) {
  (void)state;
  static const struct {
    const char* type;
    int njnt, first, nv;
    const char* last;  // name of the last joint
  } table[] = {
      {"revolute",   1, mjJNT_HINGE, 1, "j"   },
      {"continuous", 1, mjJNT_HINGE, 1, "j"   },
      {"prismatic",  1, mjJNT_SLIDE, 1, "j"   },
      {"floating",   1, mjJNT_FREE,  6, "j"   },
      {"spherical",  1, mjJNT_BALL,  3, "j"   },
      {"planar",     3, mjJNT_SLIDE, 3, "j_RZ"},
      {"fixed",      0, 0,           0, NULL  },
  };
  for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
    char xml[1000];
    snprintf(xml, sizeof(xml),
             ROBOT(LINK("a") LINK("b") "<joint name='j' type='%s'><parent link='a'/><child link='b'/>"
                                       "<origin xyz='1 2 3' rpy='.1 .2 .3'/><axis xyz='3 0 4'/>"
                                       "<dynamics damping='2' friction='.5'/></joint>"),
             table[i].type);
    mjModel* const m = same(xml);
    assert_int_equal(m->njnt, table[i].njnt);
    assert_int_equal(m->nv, table[i].nv);
    assert_int_equal(m->nbody, m->njnt ? 2 : 1);
    for (int k = 0; k < m->nv; k++) CLOSE(m->dof_damping + k, 2), CLOSE(m->dof_frictionloss + k, .5);
    if (m->njnt) {
      assert_int_equal(m->jnt_type[0], table[i].first);
      assert_string_equal(mj_id2name(m, mjOBJ_JOINT, m->njnt - 1), table[i].last);
      CLOSE(m->body_pos + 3, 1, 2, 3);
    }
    if (m->nv == 1) CLOSE(m->jnt_axis, .6, 0, .8);
    mj_deleteModel(m);
  }
}

static void planarJointMovesInItsPlane(void** state) {
  (void)state;
  mjModel* const m = same(ROBOT(LINK("a") LINK("b") JOINT("p", "planar", "a", "b", "<axis xyz='0 2 0'/>")));
  assert_string_equal(mj_id2name(m, mjOBJ_JOINT, 0), "p_TX");
  assert_string_equal(mj_id2name(m, mjOBJ_JOINT, 1), "p_TY");
  assert_int_equal(m->jnt_type[2], mjJNT_HINGE);
  CLOSE(m->jnt_axis + 6, 0, 1, 0);
  for (int i = 0; i < 2; i++) CLOSE(m->jnt_axis + 3 * i + 1, 0);
  mj_deleteModel(m);
}

static void limitsAndEfforts(void** state) {
  (void)state;
  static const struct {
    const char* limit;
    int limited, forcelimited;
    double lower, upper, effort;
  } table[] = {
      {"lower='-1' upper='2' effort='7' velocity='x'", 1, 1, -1, 2,  7},
      {"lower='-1' upper='2' effort='-7'",             1, 1, -1, 2,  7},
      {"lower='-1'",                                   0, 0, -1, 0,  0},
      {"upper='1'",                                    0, 0, 0,  1,  0},
      {"lower='1' upper='-1'",                         0, 0, 1,  -1, 0},
      {"lower='0' upper='0' effort='0'",               0, 0, 0,  0,  0},
      {"lower='' upper='1'",                           0, 0, 0,  1,  0},
  };
  for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
    char xml[1000];
    snprintf(xml, sizeof(xml), ROBOT(LINK("a") LINK("b") JOINT("j", "revolute", "a", "b", "<limit %s/>")),
             table[i].limit);
    mjModel* const m = same(xml);
    assert_int_equal(m->jnt_limited[0], table[i].limited);
    assert_int_equal(m->jnt_actfrclimited[0], table[i].forcelimited);
    CLOSE(m->jnt_range, table[i].lower, table[i].upper);
    CLOSE(m->jnt_actfrcrange, -table[i].effort, table[i].effort);
    mj_deleteModel(m);
  }
}

// -------------------------------------------------------------------------------------------- links

static void shapesColorsAndNames(void** state) {
  (void)state;
  mjModel* const m =
      same(ROBOT(KEEP "<material name='red'><color rgba='1 0 0 1'/></material>"
                      "<link name='a'><collision name='b'><geometry><box size='1 2 3'/></geometry></collision>"
                      "<visual name='b'><origin xyz='1 2 3' rpy='0 0 1'/><geometry><cylinder radius='.1' length='.6'/>"
                      "</geometry><material name='red'/></visual>"
                      "<collision name='c'><geometry><capsule radius='.2' length='.8'/></geometry></collision>"
                      "<visual>" BALL "<material name='x'><color rgba='0 1 0 .5'/></material></visual></link>"));
  assert_int_equal(m->ngeom, 4);
  static const int types[] = {mjGEOM_BOX, mjGEOM_CYLINDER, mjGEOM_CAPSULE, mjGEOM_SPHERE};
  for (int i = 0; i < 4; i++) {
    assert_int_equal(m->geom_type[i], types[i]);
    assert_int_equal(m->geom_group[i], i % 2);
    assert_int_equal(m->geom_contype[i], !(i % 2));
  }
  CLOSE(m->geom_size, .5, 1, 1.5, .1, .3, 0, .2, .4, 0, .1);
  CLOSE(m->geom_pos + 3, 1, 2, 3);
  CLOSE(m->geom_quat + 4, cos(.5), 0, 0, sin(.5));
  CLOSE(m->body_mass + 1, 1000 * (6 + mjPI * .04 * (.8 + 4. / 3 * .2)));

  // a collision has the color of the visual before it, the first geom keeps a repeated name
  static const float colors[4][4] = {
      {.5f, .5f, .5f, 1  },
      {1,   0,   0,   1  },
      {1,   0,   0,   1  },
      {0,   1,   0,   .5f}
  };
  assert_memory_equal(m->geom_rgba, colors, sizeof(colors));
  assert_int_equal(idOf(m, mjOBJ_GEOM, "b"), 0);
  assert_int_equal(idOf(m, mjOBJ_GEOM, "c"), 2);
  assert_int_equal(m->name_geomadr[1] > 0 && m->names[m->name_geomadr[1]] == 0, 1);
  mj_deleteModel(m);
}

static void inertiaIsGivenOrFromGeoms(void** state) {
  (void)state;
  mjModel* m = same(ROBOT(LINK("a") "<link name='b'>" INERTIAL(
      "<origin xyz='1 2 3'/>", "4",
      "ixx='2' iyy='3' izz='4' ixy='0' ixz='0' iyz='0'") "<collision>" BALL "</collision></link>" LINK("c")
                              JOINT("j", "revolute", "a", "b", "") JOINT("k", "revolute", "a", "c", "")));
  CLOSE(m->body_mass + 1, 4, 4000. / 3 * mjPI * .001);
  CLOSE(m->body_ipos + 3, 1, 2, 3);
  CLOSE(m->body_inertia + 3, 4, 3, 2);
  mj_deleteModel(m);

  // all zero is unknown; the rotation of the origin stays without effect on a full inertia
  m = same(ROBOT(SETTINGS("boundinertia='.25'") LINK("a") "<link name='b'>" INERTIAL(
      "<origin rpy='1 0 0'/>", "4", "ixx='0' iyy='0' izz='0' ixy='0' ixz='0' iyz='0'") "</link>" JOINT("j", "revolute",
                                                                                                       "a", "b", "")));
  CLOSE(m->body_inertia + 3, .25, .25, .25);
  CLOSE(m->body_iquat + 4, cos(.5), sin(.5), 0, 0);
  mj_deleteModel(m);
  m = same(ROBOT(LINK("a") "<link name='b'>" INERTIAL(
      "<origin rpy='1 0 0'/>", "4", "ixx='5' iyy='4' izz='3' ixy='0' ixz='0' iyz='0'") "</link>" JOINT("j", "revolute",
                                                                                                       "a", "b", "")));
  CLOSE(m->body_iquat + 4, 1, 0, 0, 0);
  mj_deleteModel(m);
}

static void worldIsALink(void** state) {
  (void)state;
  mjModel* m = same(ROBOT(LINK("world") LINK("a") JOINT("j", "revolute", "world", "a", "<origin xyz='1 0 0'/>")));
  assert_int_equal(m->nbody, 2);
  assert_int_equal(m->geom_bodyid[0], 0);
  CLOSE(m->body_pos + 3, 1, 0, 0);
  mj_deleteModel(m);

  // links without a parent are fixed to it; order: tree by tree, children as their joints stand
  m = same(ROBOT(SETTINGS("fusestatic='false'") LINK("b") LINK("a") LINK("d") LINK("c") LINK("world")
                     JOINT("1", "revolute", "a", "c", "") JOINT("2", "revolute", "a", "d", "")));
  static const char* order[] = {"world", "b", "a", "c", "d"};
  for (int i = 0; i < m->nbody; i++) assert_string_equal(mj_id2name(m, mjOBJ_BODY, i), order[i]);
  assert_int_equal(m->nbody, 5);
  mj_deleteModel(m);
}

// -------------------------------------------------------------------------------------------- meshes

static const char TETRAHEDRON[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";

#define MESH(attributes) "<collision><geometry><mesh " attributes "/></geometry></collision>"

// one link with meshes; files: foot.obj, hand/foot.obj
static mjModel* withMeshes(const char* xml, char* error, int nerror) {
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "foot.obj", TETRAHEDRON, sizeof(TETRAHEDRON) - 1);
  mj_addBufferVFS(&vfs, "hand/foot.obj", TETRAHEDRON, sizeof(TETRAHEDRON) - 1);
  mj_addBufferVFS(&vfs, "foot1.obj", TETRAHEDRON, sizeof(TETRAHEDRON) - 1);
  mj_addBufferVFS(&vfs, "robot.urdf", xml, (int)strlen(xml));
  error[0] = 0;
  mjModel* const m = mj_loadXML("robot.urdf", &vfs, error, nerror);
  mj_deleteVFS(&vfs);
  return m;
}

static void meshesByNameAndScale(void** state) {
  (void)state;
  char error[500];
  mjModel* m =
      withMeshes(ROBOT("<link name='a'>" MESH("filename='package://robot/meshes/foot.obj'")
                           MESH("filename='foot.obj' scale='2 2 2'") MESH("filename='x\\foot.obj' scale='1 1 1'")
                               MESH("filename='foot.obj' scale='2 2 2'") "</link>"),
                 error, sizeof(error));
  assert_non_null(m);
  assert_int_equal(m->nmesh, 2);
  assert_string_equal(mj_id2name(m, mjOBJ_MESH, 0), "foot");
  assert_string_equal(mj_id2name(m, mjOBJ_MESH, 1), "foot1");
  CLOSE(m->mesh_scale, 1, 1, 1, 2, 2, 2);

  // what is used again has the plain name, that is the first size
  static const int used[] = {0, 1, 0, 0};
  assert_memory_equal(m->geom_dataid, used, sizeof(used));
  mj_deleteModel(m);

  // folders count only where paths are not stripped
  m = withMeshes(ROBOT(SETTINGS("strippath='false'") "<link name='a'>" MESH("filename='hand/foot.obj'") "</link>"),
                 error, sizeof(error));
  assert_non_null(m);
  assert_string_equal(m->paths + m->mesh_pathadr[0], "hand/foot.obj");
  mj_deleteModel(m);
  assert_null(
      withMeshes(ROBOT(SETTINGS("strippath='false'") "<link name='a'>" MESH("filename='arm/none.obj'") "</link>"),
                 error, sizeof(error)));
  assert_non_null(strstr(error, "arm/none.obj"));

  // a name that the second size of another file has taken
  assert_null(withMeshes(ROBOT("<link name='a'>" MESH("filename='foot.obj'") MESH("filename='foot.obj' scale='2 1 1'")
                                   MESH("filename='foot1.obj'") "</link>"),
                         error, sizeof(error)));
  assert_non_null(strstr(error, "repeated name 'foot1' in mesh"));
}

// -------------------------------------------------------------------------------------------- settings

static void settingsOfTheExtension(void** state) {
  (void)state;
#define ARM \
  LINK("a") \
  LINK("b") \
  LINK("c") JOINT("j", "revolute", "a", "b", "<limit lower='-1' upper='1'/>") JOINT("k", "fixed", "b", "c", "")
  mjModel* m =
      same(ROBOT("<mujoco><compiler angle='degree' eulerseq='zyx' unknown='1'/><unknown/>"
                 "<option timestep='.005'><flag gravity='disable'/></option><size nuserdata='3'/></mujoco>" ARM));
  assert_int_equal(m->nbody, 2);
  assert_int_equal(m->nuserdata, 3);
  assert_true(m->opt.timestep == .005 && m->opt.disableflags == mjDSBL_GRAVITY);
  CLOSE(m->jnt_range, -1, 1);
  mj_deleteModel(m);
  m = same(ROBOT(SETTINGS("fusestatic='false'") ARM));
  assert_int_equal(m->nbody, 4);
  mj_deleteModel(m);

  // name of the root, and one without
  m = same("<ROBOT>" ARM "</ROBOT>");
  assert_string_equal(m->names, "MuJoCo Model");
  mj_deleteModel(m);
}

static char warned[500];

static void keepWarning(const char* message) {
  snprintf(warned, sizeof(warned), "%s", message);
}

static void whatIsLeftOutIsTold(void** state) {
  (void)state;
#define TURNED(inertia) \
  "<link name='a'>" INERTIAL("<origin rpy='1 0 0'/>", "1", inertia " ixy='0' ixz='0' iyz='0'") "</link>"
  static const char* robots[][2] = {
      {ROBOT(LINK("a") LINK("b") JOINT("j", "revolute",     "a", "b", "<mimic joint='k'/>")), "URDF: mimic is not read"},
      {ROBOT("<include file='nothing.urdf'/>" LINK("a")),                                "include is not followed (line 1)"                       },
      {ROBOT(TURNED("ixx='3' iyy='2' izz='2'")),                                   "rotation of an inertial"},
      {ROBOT(TURNED("ixx='3' iyy='3' izz='3'")),                                   ""},
      {ROBOT(LINK("a") "<gazebo><sensor/></gazebo><transmission name='t'/>"),                                   ""         },
  };
  void (*const before)(const char*) = mju_user_warning;
  mju_user_warning = keepWarning;
  for (size_t i = 0; i < sizeof(robots) / sizeof(robots[0]); i++) {
    warned[0] = 0;
    mj_deleteModel(same(robots[i][0]));
    const char* const expected = robots[i][1];
    if (!strstr(warned, expected) || !*warned != !*expected) fail_msg("'%s' expected, got '%s'", expected, warned);
  }

  // the model itself is good: no error text, which bindings take for a failure
  mjSpec* const s = mj_parseXMLString(robots[0][0], NULL, NULL, 0);
  mj_deleteModel(mj_compile(s, NULL));
  assert_int_equal(mjs_isWarning(s), 0);
  assert_string_equal(mjs_getError(s), "");
  mj_deleteSpec(s);
  mju_user_warning = before;
}

// -------------------------------------------------------------------------------------------- errors

static void brokenRobotsAreRefused(void** state) {
  (void)state;
  // each on the second line of the text
  // clang-format off
  static const char* table[][2] = {
      {"<link/>", "missing: 'name'\nElement 'link', line 2"},
      {LINK("a"), "repeated URDF name: 'a'\nElement 'link', line 2"},
      {JOINT("j", "fixed", "a", "x", ""), "there is no link 'x'\nElement 'child', line 2"},
      {JOINT("j", "fixed", "x", "b", ""), "there is no link 'x'\nElement 'parent', line 2"},
      {JOINT("j", "fixed", "a", "c", "") JOINT("k", "fixed", "b", "c", ""),
       "multiple parents: 'c'\nElement 'joint', line 2"},
      {JOINT("j", "fixed", "a", "b", "") JOINT("k", "fixed", "b", "a", ""), "'a' hangs in a loop of joints"},
      {JOINT("j", "fixed", "a", "a", ""), "'a' hangs in a loop of joints"},
      {JOINT("j", "ball", "a", "b", ""), "invalid joint type 'ball'"},
      {"<joint name='j'><parent link='a'/><child link='b'/></joint>", "missing: 'type'\nElement 'joint', line 2"},
      {"<joint type='fixed'><parent link='a'/><child link='b'/></joint>", "missing: 'name'\nElement 'joint', line 2"},
      {"<joint name='j' type='fixed'><child link='b'/></joint>", "missing element: 'parent'"},
      {"<joint name='j' type='fixed'><parent/><child link='b'/></joint>", "missing: 'link'\nElement 'parent', line 2"},
      {JOINT("j", "fixed", "a", "b", "<parent link='a'/>"), "repeated element: 'parent'"},
      {JOINT("j", "revolute", "a", "b", "<axis/>"), "missing: 'xyz'\nElement 'axis', line 2"},
      {JOINT("j", "revolute", "a", "b", "<axis xyz='1 0'/>"), "'xyz' does not have enough data"},
      {JOINT("j", "revolute", "a", "b", "<axis xyz='0 0 0'/>"), "axis too small"},
      {JOINT("j", "revolute", "a", "b", "<origin rpy='1 2 3 4'/>"), "'rpy' has too much data"},
      {JOINT("j", "revolute", "a", "b", "<limit effort='5 Nm'/>"), "bad format in attribute 'effort'"},
      {JOINT("j", "revolute", "a", "b", "") JOINT("j", "revolute", "a", "c", ""),
       "repeated name 'j' in joint\nElement 'joint', line 2"},
      {"<link name='world'/>" JOINT("j", "revolute", "a", "world", ""), "joint found in world body"},
      {"<link name='d'><collision/></link>", "missing element: 'geometry'\nElement 'collision', line 2"},
      {"<link name='d'><collision><geometry><cone/></geometry></collision></link>",
       "box, cylinder, sphere, capsule or mesh"},
      {"<link name='d'><collision><geometry><box size='1'/></geometry></collision></link>",
       "'size' does not have enough data"},
      {"<link name='d'><collision><geometry><box size=''/></geometry></collision></link>",
       "required attribute missing: 'size'"},
      {"<link name='d'>" MESH("scale='1 1 1'") "</link>", "missing: 'filename'\nElement 'mesh', line 2"},
      {"<link name='d'>" MESH("filename='dir/'") "</link>", "mesh file without a name"},
      {"<link name='d'>" MESH("filename='a.obj' scale='2'") "</link>", "'scale' does not have enough data"},
      {"<link name='d'>" MESH("filename='a.obj' scale=''") "</link>", "'scale'\nElement 'mesh', line 2"},
      {"<link name='d'><inertial><mass value='1'/></inertial></link>", "missing element: 'inertia'"},
      {"<link name='d'><inertial><mass value='1'/><inertia ixx='1'/></inertial></link>",
       "missing: 'iyy'\nElement 'inertia', line 2"},
      {"<link name='d'><visual><material/></visual></link>", "missing: 'name'\nElement 'material', line 2"},
      {"<material name='m'><color/></material>", "missing: 'rgba'\nElement 'color', line 2"},
      {"<material name='m'><color rgba='1 1 1'/></material>", "'rgba' does not have enough data"},
      {"<mujoco><option timestep='x'/></mujoco>", "bad format in attribute 'timestep'"},
      {"<mujoco><compiler/><compiler/></mujoco>", "repeated element: 'compiler'"},
      {"<mujoco/><mujoco/>", "repeated element: 'mujoco'"},
  };
  // clang-format on
  for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
    char xml[2000];
    snprintf(xml, sizeof(xml), "<robot name='r'>" LINK("a") LINK("b") LINK("c") "\n%s\n</robot>", table[i][0]);
    const char* const error = errorOf(xml);
    if (!strstr(error, table[i][1])) fail_msg("%s:\n'%s' expected, got '%s'", table[i][0], table[i][1], error);
    if (!orc_available()) continue;
    char reason[500] = "";
    mjSpec* const s = ORC(mj_parseXMLString)(xml, NULL, reason, sizeof(reason));
    mjModel* const m = s ? ORC(mj_compile)(s, NULL) : NULL;
    if (m) fail_msg("the reference accepts %s", table[i][0]);
    if (s) ORC(mj_deleteSpec)(s);
  }
}

// a robot that is a chain of links
static char* chain(int length) {
  char* const text = malloc((size_t)length * 400 + 100);
  int n = sprintf(text, "<robot name='chain'>");
  for (int i = 0; i < length; i++) {
    n += sprintf(text + n,
                 "<link name='l%d'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' "
                 "iyz='0'/></inertial></link>",
                 i);
    if (i)
      n += sprintf(text + n, "<joint name='j%d' type='fixed'><parent link='l%d'/><child link='l%d'/></joint>", i, i - 1,
                   i);
  }
  sprintf(text + n, "</robot>");
  return text;
}

static void deepTreesAreBounded(void** state) {
  (void)state;
  char* text = chain(3000);
  mjModel* const m = compileText(text);
  assert_non_null(m);
  assert_int_equal(m->nbody, 1);
  mj_deleteModel(m);
  free(text);
  text = chain(100000);
  assert_non_null(strstr(errorOf(text), "links are nested too deeply"));
  free(text);
}

// every prefix of a file is refused with a message, or is a model; nothing is left behind (sanitizers)
static void cutAnywhere(void** state) {
  (void)state;
  const char* const xml =
      ROBOT(KEEP LINK("a") "<link name='b'><visual name='v'><origin xyz='1 2 3'/>" BALL
                           "<material name='m'><color rgba='1 1 1 1'/></material></visual></link>" JOINT(
                               "j", "planar", "a", "b", "<limit effort='1'/>"));
  char* const text = strdup(xml);
  for (size_t n = strlen(xml); n-- > 0;) {
    text[n] = 0;
    char error[500] = "";
    assert_null(mj_parseXMLString(text, NULL, error, sizeof(error)));
    assert_true(error[0] != 0);
  }
  free(text);
}

// -------------------------------------------------------------------------------------------- files

static const char* const GRIPPER = "test/models/gripper.urdf";

static void aRobotFromAFile(void** state) {
  (void)state;
  char error[500] = "";
  mjModel* const m = mj_loadXML(GRIPPER, NULL, error, sizeof(error));
  if (!m) fail_msg("%s", error);
  assert_string_equal(error, "");
  assert_string_equal(m->names, "gripper");

  // the post is fixed to the world and becomes part of it, its visual is gone
  assert_int_equal(m->nbody, 5);
  assert_int_equal(m->ngeom, 4);
  assert_int_equal(m->nmesh, 0);
  assert_int_equal(m->geom_bodyid[idOf(m, mjOBJ_GEOM, "post")], 0);
  CLOSE(m->geom_pos + 3 * idOf(m, mjOBJ_GEOM, "post"), 0, 0, .6);
  CLOSE(m->body_pos + 3 * idOf(m, mjOBJ_BODY, "carriage"), .2, 0, .6);
  const int lift = idOf(m, mjOBJ_JOINT, "lift");
  CLOSE(m->jnt_range + 2 * lift, -.4, .4);
  CLOSE(m->jnt_actfrcrange + 2 * lift, -200, 200);
  CLOSE(m->dof_damping + m->jnt_dofadr[lift], 50);
  const double finger = 1000 * mjPI * 1e-4 * (.08 + 4. / 3 * .01);
  assert_true(fabs(mj_getTotalmass(m) - (2.5 + 2 * finger)) < 1e-12);

  if (orc_available()) {
    mjModel* const ref = ORC(mj_loadXML)(GRIPPER, NULL, error, sizeof(error));
    assert_int_equal(differences(m, ref), 0);
    ORC(mj_deleteModel)(ref);
  }
  mj_deleteModel(m);
}

static void savedAndAttached(void** state) {
  (void)state;
  char error[500] = "";
  mjModel* const m = mj_loadXML(GRIPPER, NULL, error, sizeof(error));
  const char* const path = "gripper_saved.xml";
  if (!mj_saveLastXML(path, m, error, sizeof(error))) fail_msg("%s", error);
  mjModel* const again = mj_loadXML(path, NULL, error, sizeof(error));
  remove(path);
  if (!again) fail_msg("%s", error);
  assert_int_equal(differences(again, m), 0);
  mj_deleteModel(again);

  // as a part of an MJCF model
  mjModel* const both = same(
      "<mujoco><asset><model name='hand' file='test/models/gripper.urdf'/></asset><worldbody>"
      "<attach model='hand' body='palm' prefix='left-'/><attach model='hand' prefix='right-'/></worldbody></mujoco>");
  assert_int_equal(both->njnt, 3 + 4);
  idOf(both, mjOBJ_JOINT, "left-wrist");
  idOf(both, mjOBJ_JOINT, "right-lift");
  mj_deleteModel(both);
  mj_deleteModel(m);
  mj_freeLastXML();
}

// -------------------------------------------------------------------------------------------- random robots

// numbers in [-1, 1); drawn before they are used, because arguments have no order
static void draw(Rnd* rnd, double* v, int n) {
  for (int i = 0; i < n; i++) v[i] = rnd_uniform(rnd, -1, 1);
}

// a link with shapes and colors, and sometimes an inertia of its own; returns the length of the text
static int randomLink(Rnd* rnd, char* text, int i) {
  double v[16];
  draw(rnd, v, 16);
  int n = sprintf(text, "<link name='l%d'>", i);
  if (rnd_below(rnd, 2)) {
    n += sprintf(text + n, "<inertial><origin xyz='%g %g %g' rpy='%g 0 0'/><mass value='%g'/>", v[0], v[1], v[2], v[3],
                 1.5 + v[4]);
    n += sprintf(text + n, "<inertia ixx='%g' iyy='%g' izz='%g' ixy='%g' ixz='%g' iyz='%g'/></inertial>", 2 + v[5],
                 2 + v[6], 2 + v[7], .1 * v[8], .1 * v[9], .1 * v[10]);
  }
  n += sprintf(text + n, "<visual><origin rpy='%g %g %g'/>" BALL, v[0], v[5], v[11]);
  n += sprintf(text + n, "<material name='m'><color rgba='%g 1 0 1'/></material></visual>", fabs(v[12]));
  n += sprintf(text + n, "<collision><origin xyz='%g %g %g'/><geometry><box size='%g 1 1'/></geometry></collision>",
               v[13], v[14], v[15], 1.5 + v[1]);
  return n + sprintf(text + n, "</link>");
}

static int randomJoint(Rnd* rnd, char* text, int i) {
  static const char* types[] = {"revolute", "continuous", "prismatic", "fixed", "fixed", "planar", "spherical"};
  const char* const type = types[rnd_below(rnd, 7)];
  const int parent = rnd_below(rnd, i);
  double v[12];
  draw(rnd, v, 12);
  int n = sprintf(text, "<joint name='j%d' type='%s'><parent link='l%d'/><child link='l%d'/>", i, type, parent, i);
  n += sprintf(text + n, "<origin xyz='%g %g %g' rpy='%g %g %g'/><axis xyz='%g %g %g'/>", v[0], v[1], v[2], 3 * v[3],
               3 * v[4], 3 * v[5], v[6], v[7], v[8]);
  return n + sprintf(text + n, "<dynamics damping='%g'/><limit lower='0' upper='%g' effort='%g'/></joint>", fabs(v[9]),
                     v[10], v[11]);
}

static void randomRobot(Rnd* rnd, char* text) {
  static const char* flag[] = {"false", "true"};
  const int count = 1 + rnd_below(rnd, 8), visuals = rnd_below(rnd, 2), fuse = rnd_below(rnd, 2);
  int n = sprintf(text, "<robot name='r'>" SETTINGS("discardvisual='%s' fusestatic='%s' balanceinertia='true'"),
                  flag[visuals], flag[fuse]);
  for (int i = 0; i < count; i++) {
    n += randomLink(rnd, text + n, i);
    if (i) n += randomJoint(rnd, text + n, i);
  }
  sprintf(text + n, "</robot>");
}

static void randomRobots(void** state) {
  (void)state;
  Rnd rnd = {20};
  char* const text = malloc(20000);
  for (int i = 0; i < 60; i++) {
    randomRobot(&rnd, text);
    mj_deleteModel(same(text));
  }
  free(text);
}

static void quiet(const char* message) {
  (void)message;
}

int main(void) {
  mju_user_warning = quiet;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(everyTypeOfJoint),
      cmocka_unit_test(planarJointMovesInItsPlane),
      cmocka_unit_test(limitsAndEfforts),
      cmocka_unit_test(shapesColorsAndNames),
      cmocka_unit_test(inertiaIsGivenOrFromGeoms),
      cmocka_unit_test(worldIsALink),
      cmocka_unit_test(meshesByNameAndScale),
      cmocka_unit_test(settingsOfTheExtension),
      cmocka_unit_test(whatIsLeftOutIsTold),
      cmocka_unit_test(brokenRobotsAreRefused),
      cmocka_unit_test(deepTreesAreBounded),
      cmocka_unit_test(cutAnywhere),
      cmocka_unit_test(aRobotFromAFile),
      cmocka_unit_test(savedAndAttached),
      cmocka_unit_test(randomRobots),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
