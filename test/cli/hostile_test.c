// Nothing of a model is interpreted by what the program hands it to: gnuplot and its pictures, table programs that
// open CSV, terminals that show messages.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <mujoco/mujoco.h>

#include "cli/program.h"

// -------------------------------------------------------------------------------------------- models

// text as the value of an XML attribute; every character as its number, so that none has a meaning to the reader
static void printAttribute(FILE* file, const char* name, const char* text) {
  fprintf(file, " %s=\"", name);
  for (const unsigned char* c = (const unsigned char*)text; *c; c++) {
    if (*c < 0x80) {
      fprintf(file, "&#%d;", *c);
    } else {
      fputc(*c, file);
    }
  }
  fputs("\"", file);
}

// bodies with a hinge each, the names of hinges, bodies and sensors as given
static void writeModel(const char* path, const char* const* names, int n) {
  FILE* const file = fopen(path, "wb");
  assert_non_null(file);
  fputs("<mujoco><worldbody>", file);
  for (int i = 0; i < n; i++) {
    fprintf(file, "<body pos='%d 0 0'", i);
    printAttribute(file, "name", names[i]);
    fputs("><joint", file);
    printAttribute(file, "name", names[i]);
    fputs("/><geom size='0.1' pos='0.3 0 0'/></body>", file);
  }
  fputs("</worldbody><sensor>", file);
  for (int i = 0; i < n; i++) {
    fputs("<jointpos", file);
    printAttribute(file, "name", names[i]);
    printAttribute(file, "joint", names[i]);
    fputs("/>", file);
  }
  fputs("</sensor><keyframe><key", file);
  printAttribute(file, "name", names[0]);
  fputs("/></keyframe></mujoco>", file);
  fclose(file);
}

// -------------------------------------------------------------------------------------------- gnuplot

static void namesAreNotCommands(void** state) {
  (void)state;
  const char* const names[] = {"`touch PWNED`",     "$(touch PWNED)",   "';!touch PWNED;'",    "\";!touch PWNED;\"",
                               "@x`touch PWNED`\\", "\n!touch PWNED\n", "\\\n!touch PWNED\n#", "'.`touch PWNED`.'"};
  writeModel("`touch PWNED`.xml", names, 8);
  writeText(".gnuplot", "!touch PWNED\n");
  assert_int_equal(RUN("run", "`touch PWNED`.xml", "--steps", "5", "--plot", "a.svg", "--plot", "joints,sensors=a.png"),
                   0);
  assert_true(fileSize("a.svg") > 100);
  assert_true(fileSize("a.png") > 100);
  assert_int_equal(fileSize("PWNED"), -1);
}

// the way gnuplot's SVG writes a text
static const char* escaped(const char* text) {
  static char out[256];
  char* at = out;
  for (; *text; text++) {
    const char* const word = *text == '&' ? "&amp;" : *text == '<' ? "&lt;" : NULL;
    at += word ? sprintf(at, "%s", word) : sprintf(at, "%c", *text);
  }
  *at = 0;
  return out;
}

// every printable character of ASCII is shown as it is
static void namesAreShownAsTheyAre(void** state) {
  (void)state;
  char text[8][16];
  const char* names[8];
  for (int i = 0; i < 8; i++) {
    names[i] = text[i];
    for (int k = 0; k < 12; k++) text[i][k] = (char)(0x20 + 12 * i + k < 0x7f ? 0x20 + 12 * i + k : 'x');
    text[i][12] = 0;
  }
  writeModel("ascii.xml", names, 8);
  assert_int_equal(RUN("run", "ascii.xml", "--steps", "5", "--plot", "joints=ascii.svg"), 0);
  static char svg[PROGRAM_OUTPUT];
  slurp("ascii.svg", svg);
  for (int i = 0; i < 8; i++) assert_non_null(strstr(svg, escaped(names[i])));
}

// -------------------------------------------------------------------------------------------- CSV

// cells of the first line that a table program would compute, whatever it takes for the end of a cell
static int formulas(const char* text) {
  int n = 0, open = 1;
  for (; *text && *text != '\n'; text++) {
    n += open && strchr("=+-@", *text);
    open = strchr(",;|\t\" ", *text) != NULL;
  }
  return n;
}

static void cellsAreNotFormulas(void** state) {
  (void)state;
  const char* const names[] = {"=1+1", "+1", "-1", "@SUM(1)", "a,=2", "b;=2", "\"=3", "c\t=4", " =5", "d\n=6"};
  writeModel("cells.xml", names, 10);
  assert_int_equal(RUN("run", "cells.xml", "--steps", "2", "--sensors", "s.csv", "--states", "q.csv"), 0);
  static char csv[PROGRAM_OUTPUT];
  slurp("s.csv", csv);
  assert_int_equal(formulas(csv), 0);
  assert_non_null(strstr(csv, "'=1+1,'+1,'-1,'@SUM(1)"));

  // one line of names, as many as numbers below it
  assert_int_equal(RUN("compare", "s.csv", "s.csv"), 0);
  assert_int_equal(RUN("compare", "q.csv", "q.csv"), 0);
}

// -------------------------------------------------------------------------------------------- terminals

// 1: printable ASCII, line breaks, tabs, and UTF-8 beyond the control characters
static int isPlain(const char* text) {
  for (const unsigned char* c = (const unsigned char*)text; *c; c++) {
    if ((*c < 0x20 && *c != '\n' && *c != '\t') || *c == 0x7f) return 0;
    if (*c == 0xc2 && c[1] < 0xa0) return 0;
    if (*c == 0xe2 && c[1] == 0x80 && c[2] >= 0xaa && c[2] <= 0xae) return 0;
  }
  return 1;
}

#define assert_plain()                \
  do {                                \
    assert_true(isPlain(programOut)); \
    assert_true(isPlain(programErr)); \
  } while (0)

// what terminals act on: clear the screen, set the title, C1 in both forms, turned text
static const char* const sequences[] = {"\033[2J\033[31m",
                                        "\033]0;title\007",
                                        "\xc2\x9b"
                                        "2J",
                                        "\x9b"
                                        "31m",
                                        "\xe2\x80\xaegnp",
                                        "\177\b\r\v\f\016"};

// every subcommand on a binary model with control characters in all names
static void namesDoNotReachTheTerminal(void** state) {
  (void)state;
  const char* const plain[] = {"wide_name_a", "wide_name_b", "wide_name_c",
                               "wide_name_d", "wide_name_e", "wide_name_f"};
  writeModel("plain.xml", plain, 6);
  char error[500] = "";
  mjModel* const m = mj_loadXML("plain.xml", NULL, error, sizeof(error));
  assert_non_null(m);
  const int* const adr[] = {m->name_bodyadr + 1, m->name_jntadr, m->name_sensoradr};
  for (int i = 0; i < 6; i++) {
    for (int k = 0; k < 3; k++) memcpy(m->names + adr[k][i], sequences[i], strlen(sequences[i]));
  }
  memcpy(m->names + m->name_keyadr[0], sequences[0], strlen(sequences[0]));
  mj_saveModel(m, "bad.mjb", NULL, 0);
  mj_deleteModel(m);

  assert_int_equal(RUN("info", "bad.mjb"), 0);
  assert_out("?[2J?[31m");
  assert_plain();
  assert_int_equal(RUN("info", "bad.mjb", "--json"), 0);
  assert_plain();
  assert_true(jsonIsValid(programOut));
  assert_int_equal(RUN("check", "bad.mjb", "--all"), 0);
  assert_plain();
  assert_int_equal(RUN("check", "bad.mjb", "--all", "--json"), 0);
  assert_plain();
  assert_int_equal(RUN("run", "bad.mjb", "--steps", "3", "--states", "-"), 0);
  assert_plain();
  assert_int_equal(RUN("run", "bad.mjb", "--steps", "3", "--key", "none"), 2);
  assert_plain();
  assert_int_equal(RUN("run", "bad.mjb", "--steps", "3", "--plot", "sensors,joints=bad.svg", "--sensors", "bad.npy"),
                   0);
  assert_plain();
  assert_int_equal(RUN("compare", "bad.mjb", "plain.xml"), 1);
  assert_plain();
  assert_int_equal(RUN("compare", "bad.npy", "bad.npy"), 0);
  assert_plain();
  assert_int_equal(RUN("convert", "bad.mjb", "-", "--to", "txt"), 0);
  assert_plain();
  static char svg[PROGRAM_OUTPUT];
  slurp("bad.svg", svg);
  assert_true(isPlain(svg));
}

// lines that are shown because they are wrong
static void excerptsDoNotReachTheTerminal(void** state) {
  (void)state;
  for (size_t i = 0; i < sizeof(sequences) / sizeof(sequences[0]); i++) {
    char text[512];
    snprintf(text, sizeof(text), "<mujoco>\n  <worldbody><body name='%s'><wrong/></body></worldbody>\n</mujoco>\n",
             sequences[i]);
    writeText("wrong.xml", text);
    assert_int_equal(RUN("check", "wrong.xml"), 1);
    assert_plain();
    assert_int_equal(RUN("info", "wrong.xml"), 3);
    assert_plain();
    assert_int_equal(RUN("check", "wrong.xml", "--json"), 1);
    assert_plain();
    assert_true(jsonIsValid(programOut));

    // the name of a file
    char path[64];
    snprintf(path, sizeof(path), "%s.xml", sequences[i]);
    writeText(path, "<mujoco/>");
    assert_int_equal(RUN("check", path), 0);
    assert_plain();
    assert_int_equal(RUN("info", path, "--nonsense"), 2);
    assert_plain();
    assert_int_equal(RUN("info", path), 0);
    assert_plain();
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(namesAreNotCommands),           cmocka_unit_test(namesAreShownAsTheyAre),
      cmocka_unit_test(cellsAreNotFormulas),           cmocka_unit_test(namesDoNotReachTheTerminal),
      cmocka_unit_test(excerptsDoNotReachTheTerminal),
  };
  return cmocka_run_group_tests(tests, programSetup, programTeardown);
}
