// What is printed about models, data and scenes: words exactly, numbers as numbers.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "golden/cases.h"
#include "golden/fields.h"
#include "golden/state.h"

// words and numbers of a file apart; what follows "signature" is a library's own business
static void recordFile(Rec* rec, const char* name, const char* path) {
  FILE* const file = fopen(path, "r");
  if (!file) {
    rec_text(rec, name, "no file");
    return;
  }
  size_t nword = 0, nnumber = 0, room = 1 << 20;
  char* const words = malloc(room);
  double* const numbers = malloc(room * sizeof(double));
  char word[1000];
  while (fscanf(file, "%999s", word) == 1 && nword + 1001 < room && nnumber < room) {
    char* end;
    const double number = strtod(word, &end);
    if (*end == '\0') {
      numbers[nnumber++] = number;
    } else {
      nword += (size_t)sprintf(words + nword, "%s ", word);
    }
  }
  fclose(file);
  words[nword] = '\0';
  rec_text(rec, name, words);
  rec_num(rec, name, numbers, nnumber);
  free(words);
  free(numbers);
}

// how the solution was found and how much memory that took
static void forgetPath(mjData* d) {
  d->signature = 0;
  memset(d->solver, 0, sizeof(d->solver));
  memset(d->solver_niter, 0, sizeof(d->solver_niter));
  memset(d->solver_nnz, 0, sizeof(d->solver_nnz));
  d->maxuse_arena = d->maxuse_stack = 0;
  if (d->nefc) memset(d->efc_state, 0, sizeof(int) * (size_t)d->nefc);
  if (d->nisland) memset(d->iefc_state, 0, sizeof(int) * (size_t)d->nefc);
}

void gold_print(Rec* rec, const void* arg) {
  mjModel* const m = gold_load(arg);
  st_tighten(m);
  m->signature = 0;
  mjData* const d = mj_makeData(m);
  char path[] = "/tmp/sinew_golden_XXXXXX";
  const int handle = mkstemp(path);
  if (handle >= 0) close(handle);
  mj_printFormattedModel(m, path, "%.9g");
  recordFile(rec, "model", path);
  st_set(rec, m, d, 1);
  mj_forward(m, d);
  forgetPath(d);
  const size_t narena = d->narena, nbuffer = d->nbuffer;
  d->narena = d->nbuffer = 0;
  mj_printFormattedData(m, d, path, "%.9g");
  d->narena = narena;
  d->nbuffer = nbuffer;
  recordFile(rec, "data", path);
  mjvScene scn;
  mjvOption opt;
  mjvCamera cam;
  mjv_defaultScene(&scn);
  mjv_makeScene(m, &scn, 2000);
  mjv_defaultOption(&opt);
  mjv_defaultFreeCamera(m, &cam);
  mjv_updateScene(m, d, &opt, NULL, &cam, mjCAT_ALL, &scn);
  mj_printFormattedScene(&scn, path, "%.6g");
  recordFile(rec, "scene", path);
  mjv_freeScene(&scn);
  remove(path);
  mj_deleteData(d);
  mj_deleteModel(m);
}
