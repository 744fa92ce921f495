// Numbers as text: what is read and what is not, and that no locale changes it, in the module and in all that reads or
// writes numbers with it.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <sinew/sinew.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "support/locale.h"
#include "ui/ui.h"

static void oneNumber(void** state) {
  (void)state;
  static const struct {
    const char* text;
    double value;
    int used;
  } cases[] = {
      {"0.5",        0.5,      3},
      {" \t\n-1e-3", -1e-3,    8},
      {"1.5kg",      1.5,      3},
      {".25 7",      0.25,     3},
      {"0x1p-2",     0.25,     6},
      {"inf",        INFINITY, 3},
      {"1,5",        1,        1},
      {"1e400",      INFINITY, 5},
      {"-",          0,        0},
      {"",           0,        0},
      {"kg",         0,        0},
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    const char *end = NULL, *endFloat = NULL;
    assert_true(sn_readNumber(cases[i].text, &end) == cases[i].value);
    assert_int_equal(end - cases[i].text, cases[i].used);
    assert_true(sn_readNumber(cases[i].text, NULL) == cases[i].value);
    assert_true(bas_readFloat(cases[i].text, &endFloat) == (float)cases[i].value);
    assert_ptr_equal(end, endFloat);
  }
  // single precision is rounded once: halfway between two floats but for the last digit
  const char* end;
  assert_true(bas_readFloat("1.000000059604644775390626", &end) == 1 + 0x1p-23f);
}

// what a type cannot hold, or not with all of its digits, is told from what is no number; single precision rounds once
static void rangesOfTypes(void** state) {
  (void)state;
  static const struct {
    const char* text;
    int doubles, floats;
  } cases[] = {
      {"1 1e400",      BAS_RANGE,     BAS_RANGE    },
      {"1 -1e39",      2,             BAS_RANGE    },
      {"1 1e-40",      2,             BAS_RANGE    },
      {"1 -1e-310",    BAS_RANGE,     BAS_RANGE    },
      {"1e-9999 x",    BAS_RANGE,     BAS_RANGE    },
      {"x 1e-9999",    BAS_NO_NUMBER, BAS_NO_NUMBER},
      {"0e-9999 -inf", 2,             2            },
      {"0x1p-149 nan", 2,             2            },
  };
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
    double wide[2];
    float narrow[2];
    const char* bad = NULL;
    assert_int_equal(bas_readDoubles(cases[i].text, wide, 2, &bad), cases[i].doubles);
    if (cases[i].doubles < 0)
      assert_ptr_equal(bad, cases[i].text + (cases[i].text[1] == ' ' ? 2 * (*cases[i].text != 'x') : 0));
    assert_int_equal(bas_readFloats(cases[i].text, narrow, 2, &bad), cases[i].floats);
    assert_int_equal(bas_readFloats(cases[i].text, NULL, 0, &bad), cases[i].floats);
  }
  float value[2];
  const char* bad = NULL;
  assert_int_equal(bas_readFloats("1.000000059604644775390626 -3", value, 2, &bad), 2);
  assert_true(value[0] == 1 + 0x1p-23f && value[1] == -3);
}

static void manyNumbers(void** state) {
  (void)state;
  double value[3] = {7, 7, 7};
  int whole[3];
  const char* bad = NULL;
  assert_int_equal(bas_readDoubles(" 1 2.5\t-3e1\n", value, 3, &bad), 3);
  assert_true(value[0] == 1 && value[1] == 2.5 && value[2] == -30);
  assert_int_equal(bas_readDoubles("4 5 6", value, 1, &bad), 3);
  assert_true(value[0] == 4 && value[1] == 2.5);
  assert_int_equal(bas_readDoubles("", value, 3, &bad), 0);
  assert_int_equal(bas_readDoubles("1 2x 3", value, 3, &bad), -1);
  assert_string_equal(bad, "2x 3");
  assert_int_equal(bas_readInts("1 -2", whole, 3, &bad), 2);
  assert_int_equal(whole[1], -2);
  assert_int_equal(bas_readInts("1 2.5", whole, 3, &bad), -1);
  assert_string_equal(bad, "2.5");
  assert_int_equal(bas_readInts("2147483648", whole, 3, &bad), -1);

  // at the beginning of a text, whatever follows
  assert_int_equal(bas_readLeading("1 2 x 3", value, 3), 2);
  assert_int_equal(bas_readLeading("1 2 3 4", value, 3), 3);
  assert_int_equal(bas_readLeading("1e 2e- 3e", value, 3), 3);
  assert_true(value[0] == 1 && value[1] == 2 && value[2] == 3);
  assert_int_equal(bas_readLeading("1e1e 2", value, 3), 1);
  assert_true(value[0] == 10);
  assert_int_equal(bas_readLeading("x", value, 3), 0);
}

static void writing(void** state) {
  (void)state;
  static const double values[] = {0.1, 1.0 / 3, -1e300, 5e-324, 123456789, 0x1p-1074 * 3, M_PI};
  for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
    char text[BAS_NUMBER];
    const char* end;
    const int length = bas_writeDouble(values[i], text);
    assert_int_equal(length, strlen(text));
    assert_true(bas_readDouble(text, &end) == values[i] && !*end);
    bas_writeFloat((float)values[i], text);
    assert_true((float)bas_readDouble(text, &end) == (float)values[i] && !*end);
  }
  char text[BAS_NUMBER];
  assert_int_equal(bas_writeShort(2.0 / 3, 3, text), 5);
  assert_string_equal(text, "0.667");
}

// -------------------------------------------------------------------------------------------- decimal commas

// everything above, in a process whose decimal point is a comma
static void otherLocale(void** state) {
  if (!sup_commaLocale()) skip();
  oneNumber(state);
  manyNumbers(state);
  writing(state);
  sup_plainLocale();
}

// a model with numbers in its XML and in files of every kind of text
static mjModel* loadFiles(mjVFS* vfs) {
  static const struct {
    const char *name, *text;
  } files[] = {
      {"solid.stl",
       "solid s\n"
       "facet normal 0 0 1\nouter loop\nvertex 0.5 0 0\nvertex 0 0.5 0\nvertex 0 0 0\nendloop\nendfacet\n"
       "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 0 0 0.25\nvertex 0.5 0 0\nendloop\nendfacet\n"
       "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 0 0.5 0\nvertex 0 0 0.25\nendloop\nendfacet\n"
       "facet normal 0 0 1\nouter loop\nvertex 0.5 0 0\nvertex 0 0 0.25\nvertex 0 0.5 0\nendloop\nendfacet\n"
       "endsolid s\n"                                                                                },
      {"wave.obj",  "v 0.5 0 0\nv 0 0.5 0\nv 0 0 0.25\nv 0 0 0\nf 1 2 3\nf 2 1 4\nf 3 2 4\nf 1 3 4\n"},
      {"tet.msh",
       "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 0.5 0 0\n3 0 0.5 0\n4 0 0 0.25\n$EndNodes\n"
       "$Elements\n1\n1 4 2 1 1 1 2 3 4\n$EndElements\n"                                             },
      {"model.xml",
       "<mujoco><asset><mesh file='solid.stl'/><mesh file='wave.obj'/></asset><worldbody>"
       "<body pos='0.125 0 1'><freejoint/><geom type='mesh' mesh='solid'/></body>"
       "<body pos='0.5 0.25 2'><freejoint/><geom type='mesh' mesh='wave'/></body>"
       "<flexcomp name='f' type='gmsh' file='tet.msh' dim='3' mass='1.5'/></worldbody></mujoco>"     },
  };
  mj_defaultVFS(vfs);
  for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
    assert_int_equal(mj_addBufferVFS(vfs, files[i].name, files[i].text, (int)strlen(files[i].text)), 0);
  }
  char error[500] = "";
  mjModel* const m = mj_loadXML("model.xml", vfs, error, sizeof(error));
  if (!m) fail_msg("%s", error);
  return m;
}

static void modelsOfOtherLocales(void** state) {
  (void)state;
  mjVFS vfs;
  mjModel* const plain = loadFiles(&vfs);
  mj_deleteVFS(&vfs);
  if (!sup_commaLocale()) skip();
  mjModel* const comma = loadFiles(&vfs);
  mj_deleteVFS(&vfs);
  sup_plainLocale();

  // the same bytes
  static char bytes[2][1 << 20];
  const int size = (int)mj_sizeModel(plain);
  assert_true(size < (int)sizeof(bytes[0]) && size == (int)mj_sizeModel(comma));
  mj_saveModel(plain, NULL, bytes[0], size);
  mj_saveModel(comma, NULL, bytes[1], size);
  assert_memory_equal(bytes[0], bytes[1], (size_t)size);
  assert_true(plain->body_pos[3] == 0.125);
  mj_deleteModel(plain);
  mj_deleteModel(comma);
}

static void fieldsOfOtherLocales(void** state) {
  (void)state;
  if (!sup_commaLocale()) skip();
  mjtNum value[2] = {0.5, -0.125};
  mjuiItem it = {.type = mjITEM_EDITNUM, .pdata = value};
  it.edit.nelem = 2;
  char text[mjMAXUITEXT];
  ui_editPrint(text, &it);
  assert_string_equal(text, "0.5  -0.125");
  assert_true(ui_editStore("0.75 2.5", &it));
  assert_true(value[0] == 0.75 && value[1] == 2.5);

  // ranges of a slider
  const mjuiDef table[] = {
      {mjITEM_SECTION, "s", 1, NULL, "", 0},
      {mjITEM_SLIDERNUM,             "x", 2, value, "0.25 1.5", 0},
      {.type = mjITEM_END           }
  };
  static mjUI ui;
  mjui_add(&ui, table);
  assert_true(ui.sect[0].item[0].slider.range[0] == 0.25 && ui.sect[0].item[0].slider.range[1] == 1.5);
  sup_plainLocale();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(oneNumber),
      cmocka_unit_test(rangesOfTypes),
      cmocka_unit_test(manyNumbers),
      cmocka_unit_test(writing),
      cmocka_unit_test(otherLocale),
      cmocka_unit_test(modelsOfOtherLocales),
      cmocka_unit_test(fieldsOfOtherLocales),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
