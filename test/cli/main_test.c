// The program without and with wrong commands; help of every command; output that cannot be written.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <sinew/sinew.h>

#include "cli/program.h"

static const char* const commands[] = {"run", "picture", "info", "check", "convert", "compare", "bench", "api-status"};
enum { NCOMMAND = sizeof(commands) / sizeof(commands[0]) };

static void helpListsCommandsAndCodes(void** state) {
  (void)state;
  assert_int_equal(RUN("--help"), 0);
  for (int i = 0; i < NCOMMAND; i++) assert_out(commands[i]);
  assert_out("exit codes:");
  assert_out("130");
}

static void withoutCommandShowsHelpAndFails(void** state) {
  (void)state;
  assert_int_equal(programRun((const char* const[]){NULL}), 2);
  assert_out("usage: sinew");
}

static void everyCommandHasHelpWithExamples(void** state) {
  (void)state;
  for (int i = 0; i < NCOMMAND; i++) {
    assert_int_equal(RUN(commands[i], "--help"), 0);
    char usage[64];
    snprintf(usage, sizeof(usage), "usage: sinew %s", commands[i]);
    assert_out(usage);
    assert_out("examples:");
    assert_out("--json");
    char* const first = strdup(programOut);
    assert_int_equal(RUN("help", commands[i]), 0);
    assert_string_equal(first, programOut);
    free(first);
  }
}

static void versionNamesBoth(void** state) {
  (void)state;
  assert_int_equal(RUN("--version"), 0);
  char version[40];
  snprintf(version, sizeof(version), "sinew %s,", sn_version());
  assert_out(version);
  assert_out("MuJoCo 3.5.0");
}

static void misspeltCommandsGetSuggestions(void** state) {
  (void)state;
  static const char* const words[][2] = {
      {"rnu",        "run"       },
      {"pciture",    "picture"   },
      {"inof",       "info"      },
      {"chekc",      "check"     },
      {"convrt",     "convert"   },
      {"compre",     "compare"   },
      {"benhc",      "bench"     },
      {"api_status", "api-status"}
  };
  for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
    assert_int_equal(RUN(words[i][0]), 2);
    char text[64];
    snprintf(text, sizeof(text), "did you mean 'sinew %s'?", words[i][1]);
    assert_err(text);
  }
  assert_int_equal(RUN("quux"), 2);
  assert_null(strstr(programErr, "did you mean"));
}

static void misspeltOptionsGetSuggestions(void** state) {
  (void)state;
  assert_int_equal(RUN("run", "--tiem", "3"), 2);
  assert_err("did you mean '--time'?");
  assert_int_equal(RUN("info", "--jsn"), 2);
  assert_err("did you mean '--json'?");
  assert_int_equal(RUN("bench", "x.xml", "--reverence=y"), 2);
  assert_err("did you mean '--reference'?");
  assert_int_equal(RUN("run", "-z"), 2);
}

static void valuesAreChecked(void** state) {
  (void)state;
  assert_int_equal(RUN("run", "--time", "soon"), 2);
  assert_err("--time needs a number");
  assert_int_equal(RUN("run", "--steps", "1.5"), 2);
  assert_err("whole number");
  assert_int_equal(RUN("run", "--steps"), 2);
  assert_err("--steps needs a value");
  assert_int_equal(RUN("run", "--json=yes"), 2);
  assert_err("takes no value");
}

// what bash offers for a line of words, the last of which is unfinished
static void complete(const char* words, char* offered, size_t size) {
  char command[1024];
  snprintf(command, sizeof(command),
           "bash -c 'source <(%s --completion); COMP_WORDS=(%s); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _sinew; "
           "echo \"${COMPREPLY[*]}\"' 2>&1",
           SINEW_PROGRAM, words);
  FILE* const bash = popen(command, "r");
  assert_non_null(bash);
  const size_t n = fread(offered, 1, size - 1, bash);
  offered[n] = 0;
  assert_int_equal(pclose(bash), 0);
}

static void bashCompletesWords(void** state) {
  (void)state;
  char offered[4096];
  complete("sinew co", offered, sizeof(offered));
  assert_string_equal(offered, "convert compare\n");
  complete("sinew run model.xml --int", offered, sizeof(offered));
  assert_string_equal(offered, "--integrator\n");
  complete("sinew run --solver N", offered, sizeof(offered));
  assert_string_equal(offered, "Newton\n");
  complete("sinew run --flag grav", offered, sizeof(offered));
  assert_string_equal(offered, "gravity=on gravity=off\n");
  complete("sinew picture --show shad", offered, sizeof(offered));
  assert_string_equal(offered, "shadow=on shadow=off\n");
  // names of files are left to bash
  complete("sinew info sc", offered, sizeof(offered));
  assert_string_equal(offered, "\n");
}

static void fullDiskIsReported(void** state) {
  (void)state;
  const int full = open("/dev/full", O_WRONLY);
  assert_true(full >= 0);
  const char* const args[] = {"api-status", NULL};
  assert_int_equal(programWait(programStart(args, full)), 4);
  assert_err("cannot write to standard output: No space left on device");
  close(full);
}

static void closedPipeIsSilent(void** state) {
  (void)state;
  int ends[2];
  assert_int_equal(pipe(ends), 0);
  close(ends[0]);
  const char* const args[] = {"api-status", NULL};
  assert_int_equal(programWait(programStart(args, ends[1])), 141);
  assert_string_equal(programErr, "");
  close(ends[1]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(helpListsCommandsAndCodes),
      cmocka_unit_test(withoutCommandShowsHelpAndFails),
      cmocka_unit_test(everyCommandHasHelpWithExamples),
      cmocka_unit_test(versionNamesBoth),
      cmocka_unit_test(misspeltCommandsGetSuggestions),
      cmocka_unit_test(misspeltOptionsGetSuggestions),
      cmocka_unit_test(valuesAreChecked),
      cmocka_unit_test(fullDiskIsReported),
      cmocka_unit_test(closedPipeIsSilent),
      cmocka_unit_test(bashCompletesWords),
  };
  return cmocka_run_group_tests(tests, programSetup, programTeardown);
}
