// Steps of shapes that are not convex: distance fields in the reference, exact meshes in ours, both libraries in one
// process. Run it in the root of the repository.
//
//   bench_exact REFERENCE.so OURS.so SDF_PLUGIN.so
//
// The scenes are bench/shapes/*.xml, with the reference's own settings for distance fields; ours get the same text with
// the shapes as exact meshes. The libraries take turns every few steps; times are the processor's. A line gives the
// median of five rounds: steps a second of each, their ratio (above 1: ours is faster), contacts a step, and where the
// last body is at the end.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mujoco/mujoco.h>

#include "support.h"

enum { ROUNDS = 5, STEPS = 400, TURN = 10, TEXT = 20000 };

static const struct {
  const char *name, *reference, *ours;
} SCENES[] = {
    {"nut on a bolt",                 "nut",          "nut"  },
    {"peg in a hole",                 "peg",          "peg"  },
    {"chain of five links",           "chain",        "chain"},
    {"the same, field of the plugin", "chain_plugin", "chain"},
    {"mug held by its handle",        "mug",          "mug"  },
};

typedef struct {
  __typeof__(&mj_loadXML) load;
  __typeof__(&mj_makeData) makeData;
  __typeof__(&mj_deleteData) deleteData;
  __typeof__(&mj_deleteModel) deleteModel;
  __typeof__(&mj_resetData) reset;
  __typeof__(&mj_resetDataKeyframe) resetKey;
  __typeof__(&mj_step) step;
  __typeof__(&mj_defaultVFS) openFiles;
  __typeof__(&mj_addBufferVFS) addFile;
  __typeof__(&mj_deleteVFS) closeFiles;
  mjModel* m;
  mjData* d;
  double seconds, contacts;
} Library;

static Library openLibrary(const char* path) {
  void* const h = bch_open(path);
  return (Library){.load = bch_symbol(h, "mj_loadXML"),
                   .makeData = bch_symbol(h, "mj_makeData"),
                   .deleteData = bch_symbol(h, "mj_deleteData"),
                   .deleteModel = bch_symbol(h, "mj_deleteModel"),
                   .reset = bch_symbol(h, "mj_resetData"),
                   .resetKey = bch_symbol(h, "mj_resetDataKeyframe"),
                   .step = bch_symbol(h, "mj_step"),
                   .openFiles = bch_symbol(h, "mj_defaultVFS"),
                   .addFile = bch_symbol(h, "mj_addBufferVFS"),
                   .closeFiles = bch_symbol(h, "mj_deleteVFS")};
}

// the text of a scene; ends the program when there is none
static void readScene(const char* name, char text[TEXT]) {
  char path[300];
  snprintf(path, sizeof(path), "bench/shapes/%s.xml", name);
  FILE* const file = fopen(path, "rb");
  const size_t n = file ? fread(text, 1, TEXT - 1, file) : 0;
  if (!n) {
    fprintf(stderr, "%s: cannot be read\n", path);
    exit(2);
  }
  text[n] = 0;
  fclose(file);
}

// every place of a text gets another one
static void replace(char text[TEXT], const char* from, const char* to) {
  char result[TEXT];
  size_t used = 0;
  const char* at = text;
  for (const char* next; (next = strstr(at, from)); at = next + strlen(from)) {
    used += (size_t)snprintf(result + used, TEXT - used, "%.*s%s", (int)(next - at), at, to);
  }
  snprintf(result + used, TEXT - used, "%s", at);
  memcpy(text, result, TEXT);
}

static void loadScene(Library* lib, const char* text) {
  char error[500] = "";
  mjVFS files;
  lib->openFiles(&files);
  lib->addFile(&files, "scene.xml", text, (int)strlen(text));
  lib->m = lib->load("scene.xml", &files, error, sizeof(error));
  lib->closeFiles(&files);
  if (!lib->m) {
    fprintf(stderr, "%s\n", error);
    exit(2);
  }
  lib->d = lib->makeData(lib->m);
}

static void takeTurn(Library* lib) {
  const double start = bch_clock(CLOCK_THREAD_CPUTIME_ID);
  for (int i = 0; i < TURN; i++) {
    lib->step(lib->m, lib->d);
    lib->contacts += lib->d->ncon / (double)STEPS;
  }
  lib->seconds += bch_clock(CLOCK_THREAD_CPUTIME_ID) - start;
}

static void benchScene(Library lib[2], const char* name) {
  double rate[2][ROUNDS], ratio[ROUNDS];
  for (int r = 0; r < ROUNDS; r++) {
    for (int k = 0; k < 2; k++) {
      lib[k].seconds = lib[k].contacts = 0;
      if (lib[k].m->nkey) lib[k].resetKey(lib[k].m, lib[k].d, 0);
      if (!lib[k].m->nkey) lib[k].reset(lib[k].m, lib[k].d);
    }
    for (int i = 0; i < STEPS; i += TURN) {
      for (int k = 0; k < 2; k++) takeTurn(lib + k);
    }
    for (int k = 0; k < 2; k++) rate[k][r] = STEPS / lib[k].seconds;
    ratio[r] = rate[1][r] / rate[0][r];
  }
  printf("%-32s %8.0f %8.0f  %5.2fx  %5.1f %5.1f contacts, last body at", name, bch_median(rate[0], ROUNDS),
         bch_median(rate[1], ROUNDS), bch_median(ratio, ROUNDS), lib[0].contacts, lib[1].contacts);
  for (int k = 0; k < 2; k++) {
    const mjtNum* x = lib[k].d->xpos + 3 * (lib[k].m->nbody - 1);
    printf(" (%.4f %.4f %.4f)", x[0], x[1], x[2]);
  }
  printf("\n");
  fflush(stdout);
}

int main(int argc, char** argv) {
  if (argc != 4) {
    fprintf(stderr, "usage: %s REFERENCE.so OURS.so SDF_PLUGIN.so\n", argv[0]);
    return 2;
  }
  Library lib[2] = {openLibrary(argv[1]), openLibrary(argv[2])};
  __typeof__(&mj_loadPluginLibrary) loadPlugin = bch_symbol(bch_open(argv[1]), "mj_loadPluginLibrary");
  loadPlugin(argv[3]);
  printf("%-32s %8s %8s  steps a second\n", "", "fields", "exact");
  for (size_t i = 0; i < sizeof(SCENES) / sizeof(SCENES[0]); i++) {
    char text[2][TEXT];
    readScene(SCENES[i].reference, text[0]);
    readScene(SCENES[i].ours, text[1]);
    replace(text[1], "<mujoco ", "<mujoco xmlns:sinew=\"urn:sinew\" ");
    replace(text[1], "type=\"sdf\"", "type=\"mesh\"");
    replace(text[1], "<mesh ", "<mesh sinew:shape=\"exact\" ");
    for (int k = 0; k < 2; k++) loadScene(lib + k, text[k]);
    benchScene(lib, SCENES[i].name);
    for (int k = 0; k < 2; k++) {
      lib[k].deleteData(lib[k].d);
      lib[k].deleteModel(lib[k].m);
    }
  }
  return 0;
}
