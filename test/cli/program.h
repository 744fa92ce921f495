// Running the `sinew` program in tests: arguments in; exit code, output and files out. Every test program has a folder
// of its own, which is the working folder of what it runs and is removed at the end.
#pragma once

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PROGRAM_ARGS = 32, PROGRAM_OUTPUT = 1 << 18 };

static char programRoot[512];    // of the source tree
static char programFolder[512];  // of this test
static char programOut[PROGRAM_OUTPUT], programErr[PROGRAM_OUTPUT];

__attribute__((unused)) static int programSetup(void** state) {
  (void)state;
  if (!getcwd(programRoot, sizeof(programRoot))) return -1;
  snprintf(programFolder, sizeof(programFolder), "/tmp/sinew-test-XXXXXX");
  return mkdtemp(programFolder) ? chdir(programFolder) : -1;
}

static int removeEntry(const char* path, const struct stat* info, int flag, struct FTW* walk) {
  (void)info;
  (void)flag;
  (void)walk;
  return remove(path);
}

__attribute__((unused)) static int programTeardown(void** state) {
  (void)state;
  return chdir(programRoot) || nftw(programFolder, removeEntry, 16, FTW_DEPTH | FTW_PHYS);
}

// the path of a file of the source tree, in one of four places that take turns
__attribute__((unused)) static const char* source(const char* name) {
  static char path[4][1024];
  static int turn;
  char* const at = path[turn++ % 4];
  snprintf(at, sizeof(path[0]), "%s/%s", programRoot, name);
  return at;
}

static void slurp(const char* path, char* text) {
  FILE* const file = fopen(path, "rb");
  const size_t n = file ? fread(text, 1, PROGRAM_OUTPUT - 1, file) : 0;
  text[n] = 0;
  if (file) fclose(file);
}

// starts the program with its output in two files, or in out where that is not negative
static pid_t programStart(const char* const* args, int out) {
  const char* argv[PROGRAM_ARGS + 2] = {SINEW_PROGRAM};
  int n = 1;
  while (args[n - 1]) {
    argv[n] = args[n - 1];
    n++;
  }
  argv[n] = NULL;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (out >= 0) {
    posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
  } else {
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, ".stdout", O_WRONLY | O_CREAT | O_TRUNC, 0600);
  }
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, ".stderr", O_WRONLY | O_CREAT | O_TRUNC, 0600);
  extern char** environ;
  pid_t child = -1;
  const int failed = posix_spawn(&child, SINEW_PROGRAM, &actions, NULL, (char* const*)argv, environ);
  posix_spawn_file_actions_destroy(&actions);
  return failed ? -1 : child;
}

// its exit code; 256 + signal when it was killed
static int programWait(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  slurp(".stdout", programOut);
  slurp(".stderr", programErr);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 256 + WTERMSIG(status);
}

__attribute__((unused)) static int programRun(const char* const* args) {
  const pid_t child = programStart(args, -1);
  return child > 0 ? programWait(child) : -1;
}

// RUN("info", "model.xml") runs the program and gives its exit code; what it printed is in programOut and programErr
#define RUN(...)         programRun((const char* const[]){__VA_ARGS__, NULL})

#define assert_out(text) assert_non_null(strstr(programOut, text))
#define assert_err(text) assert_non_null(strstr(programErr, text))

// the number after "name": in JSON, wherever it stands first; NAN without one
__attribute__((unused)) static double jsonNumber(const char* json, const char* name) {
  char key[64];
  snprintf(key, sizeof(key), "\"%s\": ", name);
  const char* const at = strstr(json, key);
  return at ? strtod(at + strlen(key), NULL) : __builtin_nan("");
}

// 1: brackets and quotes are balanced and commas stand where they belong: enough to catch what a writer does wrong
__attribute__((unused)) static int jsonIsValid(const char* json) {
  char open[64];
  int depth = 0, afterComma = 0, n = 0;
  for (const char* c = json; *c; c++) {
    if (strchr(" \n", *c)) continue;
    if (*c == '"') {
      for (c++; *c && *c != '"'; c++) c += *c == '\\';
      if (!*c) return 0;
    } else if (*c == '{' || *c == '[') {
      if (depth == 64) return 0;
      open[depth++] = *c;
    } else if (*c == '}' || *c == ']') {
      if (!depth || afterComma || open[--depth] != (*c == '}' ? '{' : '[')) return 0;
    } else if (*c == ',') {
      if (afterComma || !depth) return 0;
      afterComma = 1;
      continue;
    }
    afterComma = 0;
    n++;
  }
  return depth == 0 && n > 0;
}

__attribute__((unused)) static void writeText(const char* path, const char* text) {
  FILE* const file = fopen(path, "wb");
  if (!file) abort();
  fputs(text, file);
  fclose(file);
}

__attribute__((unused)) static long fileSize(const char* path) {
  struct stat info;
  return stat(path, &info) ? -1 : (long)info.st_size;
}
