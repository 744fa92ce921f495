// The public headers describe the reference's binary interface. Most of this test happens when it is compiled: layout.h
// holds static assertions. At run time the same assertions are compiled against the reference's own headers, when they
// are installed, and C++ programs are compiled against ours, when there is a C++ compiler.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <dlfcn.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "layout.h"
#include "support/oracle.h"

//---------------------------------- helpers -----------------------------------------------------------------------

// 1: the command succeeds
static int succeeds(const char* command) {
  char quiet[3000];
  snprintf(quiet, sizeof(quiet), "%s >/dev/null 2>&1", command);
  return system(quiet) == 0;
}

// 1: the program compiles with this compiler and options
static int compiles(const char* compiler, const char* program, const char* suffix) {
  char path[100] = "/tmp/sinew_abi_XXXXXX", source[120], command[2000];
  const int descriptor = mkstemp(path);
  assert_true(descriptor >= 0);
  snprintf(source, sizeof(source), "%s.%s", path, suffix);
  FILE* file = fopen(source, "w");
  assert_non_null(file);
  fputs(program, file);
  fclose(file);
  snprintf(command, sizeof(command), "%s -fsyntax-only %s", compiler, source);
  const int good = succeeds(command);
  remove(source);
  remove(path);
  return good;
}

//---------------------------------- tests -------------------------------------------------------------------------

// the table is not empty, and the assertions are about this many numbers
static void tableIsComplete(void** state) {
  (void)state;
  int structs = 0, fields = 0, enums = 0, variables = 0;
#define STRUCT(type, bytes)               structs++;
#define FIELD(type, field, offset, bytes) fields++;
#define ENUM(name, value)                 enums++;
#define VARIABLE(name, bytes)             variables++;
#include "layout.inc"
#undef STRUCT
#undef FIELD
#undef ENUM
#undef VARIABLE
  assert_int_equal(structs, 62);
  assert_int_equal(fields, 1683);
  assert_int_equal(enums, 508);
  assert_int_equal(variables, 20);
}

// the same numbers hold for the reference's headers
static void referenceHeadersAgree(void** state) {
  (void)state;
  if (!orc_available() || !succeeds("cc --version")) skip();
  Dl_info info;
  assert_true(dladdr(orc_symbol("mj_version"), &info) != 0);
  char library[2000], command[3000];
  snprintf(library, sizeof(library), "%s", info.dli_fname);
  const char* folder = dirname(library);
  snprintf(command, sizeof(command), "test -f %s/include/mujoco/mujoco.h", folder);
  if (!succeeds(command)) skip();
  snprintf(command, sizeof(command), "cc -std=c17 -w -fsyntax-only -I%s/include -Itest/abi -x c test/abi/layout.h",
           folder);
  assert_true(succeeds(command));
}

// C++ programs can use the headers
static void cppProgramsInclude(void** state) {
  (void)state;
  if (!succeeds("c++ --version")) skip();
  static const char* const CPP = "c++ -std=c++17 -Wall -Wextra -Werror -Iinclude";
  static const char* const USE =
      "#include <mujoco/mujoco.h>\n"
      "static_assert(sizeof(mjOption) == 304);\n"
      "static_assert(sizeof(mjData) == %zu && sizeof(mjModel) == %zu);\n"
      "double use(const mjModel* m, mjData* d, mjSpec* s) {\n"
      "  mj_step(m, d); mj_defaultOption(&s->option); mjs_setString(s->modelname, \"x\");\n"
      "  return d->qpos[0] + m->opt.timestep; }\n";
  char program[1000];
  snprintf(program, sizeof(program), USE, sizeof(mjData), sizeof(mjModel));
  assert_true(compiles(CPP, program, "cc"));

  // strings and vectors are the standard library's
  assert_true(
      compiles(CPP,
               "#include <mujoco/mujoco.h>\n"
               "#include <type_traits>\n"
               "template <class A, class B> constexpr bool same = std::is_same_v<A, B>;\n"
               "static_assert(same<mjString, std::string> && same<mjStringVec, std::vector<std::string>>);\n"
               "static_assert(same<mjIntVec, std::vector<int>> && same<mjByteVec, std::vector<std::byte>>);\n"
               "static_assert(same<mjIntVecVec, std::vector<std::vector<int>>>);\n"
               "static_assert(same<mjFloatVec, std::vector<float>> && same<mjDoubleVec, std::vector<double>>);\n"
               "static_assert(same<mjFloatVecVec, std::vector<std::vector<float>>>);\n"
               "int use(mjSpec* s, mjsMesh* m) { return (int)(s->modelname->size() + m->uservert->size()); }\n",
               "cc"));
}

// every header stands alone, in C and in C++
static void headersStandAlone(void** state) {
  (void)state;
  if (!succeeds("cc --version")) skip();
  static const char* const HEADERS[] = {"mjdata",   "mjexport",    "mjmacro",  "mjmodel",  "mjplugin",
                                        "mjrender", "mjsan",       "mjspec",   "mjthread", "mjtnum",
                                        "mjui",     "mjvisualize", "mjxmacro", "mujoco"};
  const int cpp = succeeds("c++ --version");
  for (size_t i = 0; i < sizeof(HEADERS) / sizeof(HEADERS[0]); i++) {
    char program[200];
    snprintf(program, sizeof(program), "#include <mujoco/%s.h>\nextern int x;\n", HEADERS[i]);
    if (!compiles("cc -std=c11 -Wall -Wextra -Werror -Iinclude", program, "c")) fail_msg("%s.h in C", HEADERS[i]);
    if (cpp && !compiles("c++ -std=c++17 -Wall -Wextra -Werror -Iinclude", program, "cc")) {
      fail_msg("%s.h in C++", HEADERS[i]);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tableIsComplete),
      cmocka_unit_test(referenceHeadersAgree),
      cmocka_unit_test(cppProgramsInclude),
      cmocka_unit_test(headersStandAlone),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
