// From files to one document: buffers that end with a terminator, names of files, and assets that lie beside the
// included file which names them.
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <cmocka.h>

#include <mujoco/mujoco.h>

#include "spec/text.h"
#include "support/catch.h"

static mjModel* load(const char* name, const mjVFS* vfs) {
  char error[500] = "";
  mjModel* m = mj_loadXML(name, vfs, error, sizeof(error));
  if (!m) fail_msg("%s", error);
  return m;
}

// a string literal is often added with its terminator
static void terminatorsEndTheText(void** state) {
  (void)state;
  static const char top[] = "<mujoco><worldbody><include file='ball.xml'/></worldbody></mujoco>";
  static const char ball[] = "<mujoco><geom name='ball' size='.1'/></mujoco>\0 <not-xml";
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  assert_int_equal(mj_addBufferVFS(&vfs, "top.xml", top, sizeof(top)), 0);
  assert_int_equal(mj_addBufferVFS(&vfs, "ball.xml", ball, sizeof(ball)), 0);
  mjModel* m = load("top.xml", &vfs);
  assert_int_equal(mj_name2id(m, mjOBJ_GEOM, "ball"), 0);
  mj_deleteModel(m);
  mj_deleteVFS(&vfs);
}

// Which file an included document means: that in the model's folder for the asset, else that beside the document.
static const struct {
  const char *compiler, *present, *chosen;  // settings; file in the model's folder, NULL: none; name that is left
} places[] = {
    {"",                             "piece.obj",        "piece.obj"     },
    {"",                             NULL,               "part/piece.obj"},
    {"<compiler meshdir='shapes'/>", "shapes/piece.obj", "piece.obj"     },
    {"<compiler meshdir='shapes'/>", "piece.obj",        "part/piece.obj"},
};

static void put(const char* folder, const char* name, const char* text) {
  char path[300];
  snprintf(path, sizeof(path), "%s/%s", folder, name);
  FILE* file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
}

static void drop(const char* folder, const char* name) {
  char path[300];
  snprintf(path, sizeof(path), "%s/%s", folder, name);
  remove(path);
}

static void makeFolder(const char* folder, const char* name) {
  char path[300];
  snprintf(path, sizeof(path), "%s/%s", folder, name);
  assert_int_equal(mkdir(path, 0700), 0);
}

// a name that begins with the folder, as seen from there
static const char* below(const char* folder, const char* name) {
  const size_t length = strlen(folder);
  return strncmp(name, folder, length) ? name : name + length + 1;
}

static void assetsBesideIncludedFiles(void** state) {
  (void)state;
  static const char part[] = "<mujoco><asset><mesh file='piece.obj'/></asset></mujoco>";
  static const char piece[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  char folder[] = "/tmp/sinew-parse-XXXXXX";
  assert_non_null(mkdtemp(folder));
  makeFolder(folder, "part");
  makeFolder(folder, "shapes");
  put(folder, "part/part.xml", part);
  put(folder, "part/piece.obj", piece);
  for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
    char top[200], path[100], error[500] = "";
    snprintf(top, sizeof(top), "<mujoco>%s<include file='part/part.xml'/></mujoco>", places[i].compiler);
    snprintf(path, sizeof(path), "%s/top.xml", folder);
    put(folder, "top.xml", top);
    if (places[i].present) put(folder, places[i].present, piece);

    mjSpec* s = mj_parseXML(path, NULL, error, sizeof(error));
    if (!s) fail_msg("%s", error);
    const mjsMesh* mesh = mjs_asMesh(mjs_firstElement(s, mjOBJ_MESH));
    assert_string_equal(below(folder, mjs_getString(mesh->file)), places[i].chosen);
    mjModel* m = mj_compile(s, NULL);
    if (!m) fail_msg("%s", mjs_getError(s));
    mj_deleteModel(m);
    mj_deleteSpec(s);
    if (places[i].present) drop(folder, places[i].present);
  }
  static const char* const left[] = {"top.xml", "part/part.xml", "part/piece.obj", "part", "shapes", ""};
  for (size_t i = 0; i < sizeof(left) / sizeof(left[0]); i++) drop(folder, left[i]);
}

// bodies of a file that is meant to be included are checked, and are in no world when it is loaded by itself
static void bodiesOutsideTheWorld(void** state) {
  (void)state;
  static const struct {
    const char *inside, *expected;
  } cases[] = {
      {"<body name='b'><geom size='1'/></body>",      ""                                                      },
      {"<frame pos='1 0 0'><geom size='1'/></frame>", ""                                                      },
      {"<body><geom size='1'/></body><worldbody/>",   ""                                                      },
      {"<geom size='1'/>",                            "Schema violation: unrecognized element\nElement 'geom'"},
      {"<body unheard='1'/>",                         "unrecognized attribute: 'unheard'\nElement 'body'"     },
      {"<frame unheard='1'/>",                        "unrecognized attribute: 'unheard'\nElement 'frame'"    },
      {"<body><what/></body>",                        "unrecognized element"                                  },
      {"<worldbody><worldbody/></worldbody>",         "unrecognized element\nElement 'worldbody'"             },
      {"<worldbody xmlns:sinew='x'/>",                "World body cannot have attributes"                     },
      {"<option xmlns:sinew='x'/>",                   ""                                                      },
      {"<option xmlns:other='x'/>",                   "unrecognized attribute: 'xmlns:other'"                 },
      {"<option xmlns='x'/>",                         "unrecognized attribute: 'xmlns'"                       },
  };
  mju_user_warning = catchCount;
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    char xml[300], error[500] = "";
    snprintf(xml, sizeof(xml), "<mujoco>%s</mujoco>", cases[i].inside);
    catchNwarning = 0;
    mjSpec* s = mj_parseXMLString(xml, NULL, error, sizeof(error));
    assert_int_equal(s == NULL, *cases[i].expected != 0);
    if (!strstr(error, cases[i].expected)) fail_msg("case %zu: %s", i, error);
    assert_int_equal(catchNwarning, i < 3);
    mjModel* m = s ? mj_compile(s, NULL) : NULL;
    if (m) assert_int_equal(m->nbody + m->ngeom, 1);
    mj_deleteModel(m);
    mj_deleteSpec(s);
  }
  mju_user_warning = NULL;
}

// a resource provider that has a few files and writes down what it is asked for
static char asked[500];

static const char* provided(const char* name) {
  static const char* const files[][2] = {
      {"shelf:top.xml",    "<mujoco><include file='part.xml'/></mujoco>"                                },
      {"shelf:/part.xml",  "<mujoco><compiler meshdir='m'/><asset><mesh file='a.obj'/></asset></mujoco>"},
      {"shelf:/m/a.obj",   "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"                                       },
      {"shelf:d/top.xml",  "<mujoco><include file='part.xml'/></mujoco>"                                },
      {"shelf:d/part.xml", "<mujoco><worldbody><geom size='1'/></worldbody></mujoco>"                   },
      {"shelf:child.xml",  "<mujoco><asset><model name='c' file='part.xml'/></asset></mujoco>"          },
      {"shelf:far.xml",    "<mujoco><include file='shelf:d/more.xml'/></mujoco>"                        },
      {"shelf:d/more.xml", "<mujoco><include file='last.xml'/></mujoco>"                                },
      {"shelf:d/last.xml", "<mujoco><worldbody/></mujoco>"                                              },
  };
  for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
    if (!strcmp(files[i][0], name)) return files[i][1];
  }
  return NULL;
}

static int openProvided(mjResource* resource) {
  const size_t used = strlen(asked);
  if (!strstr(asked, resource->name)) snprintf(asked + used, sizeof(asked) - used, "%s;", resource->name);
  return provided(resource->name) != NULL;
}

static int readProvided(mjResource* resource, const void** buffer) {
  *buffer = provided(resource->name);
  return (int)strlen(*buffer);
}

static void closeProvided(mjResource* resource) {
  (void)resource;
}

// the folder of "prefix:file" is "prefix:", for included files, assets and models alike
static void foldersOfProviders(void** state) {
  (void)state;
  mjpResourceProvider p;
  mjp_defaultResourceProvider(&p);
  p.prefix = "shelf";
  p.open = openProvided;
  p.read = readProvided;
  p.close = closeProvided;
  assert_true(mjp_registerResourceProvider(&p) > 0);
  static const char* const cases[][3] = {
      {"shelf:top.xml",   "shelf:",   "shelf:top.xml;shelf:/part.xml;shelf:/m/a.obj;"                   },
      {"shelf:d/top.xml", "shelf:d/", "shelf:d/top.xml;shelf:d/part.xml;"                               },
      {"shelf:child.xml", "shelf:",   "shelf:child.xml;shelf:/part.xml;"                                },
      {"shelf:far.xml",   "shelf:",   "shelf:far.xml;shelf:d/more.xml;shelf:/last.xml;shelf:d/last.xml;"},
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    char error[500] = "";
    asked[0] = 0;
    mjSpec* s = mj_parseXML(cases[i][0], NULL, error, sizeof(error));
    if (!s) fail_msg("%s: %s", cases[i][0], error);
    assert_string_equal(mjs_getString(s->modelfiledir), cases[i][1]);
    mjModel* m = mj_compile(s, NULL);
    if (!m) fail_msg("%s", mjs_getError(s));
    assert_string_equal(asked, cases[i][2]);
    mj_deleteModel(m);
    mj_deleteSpec(s);
  }
}

// names of files are kept as they are understood: "." and ".." resolved as far as they go, one kind of separator
static const struct {
  const char *written, *kept;
} names[] = {
    {"./a.obj",          "a.obj"   },
    {"none/../a.obj",    "a.obj"   },
    {"./b/./c/../a.obj", "b/a.obj" },
    {"../a.obj",         "../a.obj"},
    {"b\\..\\c\\a.obj",  "c/a.obj" },
    {"b//a.obj",         "b//a.obj"},
    {"/top/../up/./a",   "/up/a"   },
    {"a.obj",            "a.obj"   },
};

static void namesOfFiles(void** state) {
  (void)state;
  for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
    char text[600], error[300] = "";
    snprintf(text, sizeof(text),
             "<mujoco><asset><mesh name='m' file='%s'/><hfield name='h' file='%s' size='1 1 1 1'/>"
             "<texture name='t' file='%s'/><texture name='c' type='cube' fileup='%s'/></asset></mujoco>",
             names[i].written, names[i].written, names[i].written, names[i].written);
    mjSpec* s = mj_parseXMLString(text, NULL, error, sizeof(error));
    if (!s) fail_msg("%s", error);
    const mjsTexture* cube = mjs_asTexture(mjs_findElement(s, mjOBJ_TEXTURE, "c"));
    assert_true(spc_textIs(spc_textsAt(cube->cubefiles, 2), names[i].kept));
    const mjsMesh* mesh = mjs_asMesh(mjs_findElement(s, mjOBJ_MESH, "m"));
    const mjsHField* hfield = mjs_asHField(mjs_findElement(s, mjOBJ_HFIELD, "h"));
    const mjsTexture* texture = mjs_asTexture(mjs_findElement(s, mjOBJ_TEXTURE, "t"));
    assert_string_equal(mjs_getString(mesh->file), names[i].kept);
    assert_string_equal(mjs_getString(hfield->file), names[i].kept);
    assert_string_equal(mjs_getString(texture->file), names[i].kept);
    mj_deleteSpec(s);
  }
}

// what is refused where another attribute, or the range of a number, stands against it; 1: it is accepted
static const struct {
  const char* text;
  int accepted;
  const char* message;
} limits[] = {
    {"<size memory='1M' nconmax='5'/>",                                   1, NULL                                         },
    {"<size njmax='5'/><size memory='1M'/>",                              1, NULL                                         },
    {"<size nstack='5'/><size memory='1M'/>",                             1, NULL                                         },
    {"<size memory='1M' njmax='-1' nstack='-1'/>",                        1, NULL                                         },
    {"<size memory='1M' njmax='5'/>",                                     0, "'memory' and 'njmax'"                       },
    {"<size memory='1M'/><size nstack='5'/>",                             0, "'memory' and 'nstack'"                      },
    {"<asset><texture name='t' gridlayout='R'/></asset>",                 1, NULL                                         },
    {"<asset><texture name='t' gridsize='3 4'/></asset>",                 1, NULL                                         },
    {"<asset><texture name='t' gridsize='2 1' gridlayout='.U'/></asset>", 1, NULL                                         },
    {"<asset><texture name='t' gridlayout='.U'/></asset>",                0, "gridlayout length must match gridsize"      },
    {"<asset><texture name='t' gridsize='2 2' gridlayout='.U'/></asset>", 0, "gridlayout length must match gridsize"      },
    {"<custom><numeric name='n' data='1 2.3e-308'/></custom>",            1, NULL                                         },
    {"<custom><numeric name='n' data='1 0e-999'/></custom>",              1, NULL                                         },
    {"<custom><numeric name='n' data='1 -inf'/></custom>",                1, NULL                                         },
    {"<custom><numeric name='n' data='1 1e-310'/></custom>",              0, "number is too large in attribute 'data'"    },
    {"<custom><numeric name='n' data='1 1e400'/></custom>",               0, "number is too large in attribute 'data'"    },
    {"<option timestep='1e-400'/>",                                       0, "number is too large in attribute 'timestep'"},
    {"<worldbody><geom size='1' rgba='1e-37 0 0 1'/></worldbody>",        1, NULL                                         },
    {"<worldbody><geom size='1' rgba='inf 0 0 1'/></worldbody>",          1, NULL                                         },
    {"<worldbody><geom size='1' rgba='1e-40 0 0 1'/></worldbody>",        0, "number is too large in attribute 'rgba'"    },
    {"<worldbody><geom size='1' rgba='1e39 0 0 1'/></worldbody>",         0, "number is too large in attribute 'rgba'"    },
    {"<asset><mesh name='m' vertex='0 0 1e-40'/></asset>",                0, "number is too large in attribute 'vertex'"  },
};

static void limitsOfAttributes(void** state) {
  (void)state;
  for (size_t i = 0; i < sizeof(limits) / sizeof(*limits); i++) {
    char text[300], error[500] = "";
    snprintf(text, sizeof(text), "<mujoco>%s</mujoco>", limits[i].text);
    mjSpec* s = mj_parseXMLString(text, NULL, error, sizeof(error));
    if (limits[i].accepted ? !s : s || !strstr(error, limits[i].message)) fail_msg("%s: %s", limits[i].text, error);
    mj_deleteSpec(s);
  }
}

// an axis has a direction when its square is no smaller than 1e-14
static void shortAxes(void** state) {
  (void)state;
  mjsOrientation small = {
      .type = mjORIENTATION_ZAXIS, .zaxis = {0, 9e-8, 0}
  };
  mjsOrientation large = {
      .type = mjORIENTATION_ZAXIS, .zaxis = {0, 2e-7, 0}
  };
  double quat[4] = {1, 0, 0, 0};
  assert_string_equal(mjs_resolveOrientation(quat, 0, "xyz", &small), "zaxis too small");
  assert_null(mjs_resolveOrientation(quat, 0, "xyz", &large));
  assert_true(fabs(quat[1] + sqrt(0.5)) < 1e-15);
}

// the file, the line and the element are named
static void otherRoots(void** state) {
  (void)state;
  static const char text[] = "<!-- a scene -->\n<scene><geom size='.1'/></scene>";
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  assert_int_equal(mj_addBufferVFS(&vfs, "scene.xml", text, sizeof(text)), 0);
  char error[500] = "";
  assert_null(mj_parseXML("scene.xml", &vfs, error, sizeof(error)));
  assert_string_equal(error,
                      "XML Error: Unrecognized XML model type: 'scene'\nElement 'scene', line 2\nfile scene.xml\n");
  mj_deleteVFS(&vfs);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(terminatorsEndTheText),
      cmocka_unit_test(assetsBesideIncludedFiles),
      cmocka_unit_test(bodiesOutsideTheWorld),
      cmocka_unit_test(foldersOfProviders),
      cmocka_unit_test(namesOfFiles),
      cmocka_unit_test(limitsOfAttributes),
      cmocka_unit_test(shortAxes),
      cmocka_unit_test(otherRoots),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
