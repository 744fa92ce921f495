// Hashes of models and data; see bits.h. SINEW_BITS names a folder: nothing is compared there, what is found is
// written.
#include "support/bits.h"

#include <errno.h>
#include <math.h>
#include <mujoco/mjxmacro.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/fields.h"
#include "support/oracle.h"

enum { NROOM = 8192 };

typedef struct {
  uint32_t key, hash;
} Entry;

static Entry known[NROOM];
static int nknown;
static FILE* written;
static int foreign;  // 1: other elementary functions than those of the record

// how often something of each key was compared in this program
static Entry times[NROOM];
static int ntimes;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

// ---------------------------------------------------------------- hashes

uint64_t bit_addBytes(uint64_t hash, const void* bytes, size_t n) {
  for (size_t i = 0; i < n; i++) hash = (hash ^ ((const unsigned char*)bytes)[i]) * 1099511628211u;
  return hash;
}

// what is no number has many forms
uint64_t bit_addNumbers(uint64_t hash, const mjtNum* numbers, size_t n) {
  for (size_t i = 0; i < n; i++) {
    const mjtNum number = isnan(numbers[i]) ? 12345 : numbers[i];
    hash = bit_addBytes(hash, &number, sizeof(number));
  }
  return hash;
}

static uint64_t hashField(uint64_t hash, const MdlField* f, const mjModel* m, const void* owner) {
  const size_t bytes = mdl_bytes(f, m, NULL);
  const void* const array = *mdl_pointer(f, owner);
  if (!bytes || !array || f->type == MDL_WORD) return hash;
  if (f->type == MDL_NUM) return bit_addNumbers(hash, array, bytes / sizeof(mjtNum));
  return bit_addBytes(hash, array, bytes);
}

static uint32_t folded(uint64_t hash) {
  return (uint32_t)(hash >> 32 ^ hash);
}

uint32_t bit_key(const char* text) {
  return folded(bit_addBytes(14695981039346656037u, text, strlen(text)));
}

uint32_t bit_ofModel(const mjModel* m) {
  uint64_t hash = 14695981039346656037u;
  for (int i = 0; i < mdl_nsizes; i++) {
    const mjtSize size = mdl_size(m, i);
    if (strcmp(mdl_sizes[i].name, "nbuffer") != 0) hash = bit_addBytes(hash, &size, sizeof(size));
  }
  for (int i = 0; i < mdl_nmodelFields; i++) hash = hashField(hash, &mdl_modelFields[i], m, m);
#define X(type, name) hash = bit_addBytes(hash, &m->opt.name, sizeof(m->opt.name));
  MJOPTION_SCALARS
#undef X
#define X(name, n) hash = bit_addNumbers(hash, m->opt.name, n);
  MJOPTION_VECTORS
#undef X
  hash = bit_addBytes(hash, &m->vis, sizeof(m->vis));
  return folded(bit_addBytes(hash, &m->stat, sizeof(m->stat)));
}

uint32_t bit_ofData(const mjModel* m, const mjData* d) {
  uint64_t hash = bit_addNumbers(14695981039346656037u, &d->time, 1);
  hash = bit_addNumbers(hash, d->energy, 2);
  for (int i = 0; i < mdl_ndataFields; i++) hash = hashField(hash, &mdl_dataFields[i], m, d);
  const int counts[] = {d->ncon, d->nefc, d->ne, d->nf, d->nl};
  return folded(bit_addBytes(hash, counts, sizeof(counts)));
}

// the system's elementary functions
static uint32_t ofSystem(void) {
  mjtNum numbers[6];
  uint64_t hash = 14695981039346656037u;
  for (int i = 1; i < 5000; i++) {
    const double x = 0.0123 * i;
    numbers[0] = sin(x), numbers[1] = cos(x), numbers[2] = exp(x / 20), numbers[3] = log(x), numbers[4] = pow(x, 0.3);
    numbers[5] = atan2(x, 1.7);
    hash = bit_addNumbers(hash, numbers, 6);
  }
  return folded(hash);
}

// ---------------------------------------------------------------- what is known

static void readKnown(void) {
  const char* const folder = getenv("SINEW_BITS");
  char path[500];
  if (folder) {
    snprintf(path, sizeof(path), "%s/%d.txt", folder, (int)getpid());
    written = fopen(path, "w");
    if (written) fprintf(written, "%08x %08x\n", 0, ofSystem());
    return;
  }
  // tests run in the root of the repository
  FILE* const file = fopen("test/support/bits.txt", "r");
  if (!file) return;
  while (nknown < NROOM && fscanf(file, "%8x %8x", &known[nknown].key, &known[nknown].hash) == 2) nknown++;
  fclose(file);
  foreign = nknown && !known[0].key && known[0].hash != ofSystem();
}

static int byKey(const void* a, const void* b) {
  const uint32_t x = ((const Entry*)a)->key, y = ((const Entry*)b)->key;
  return (x > y) - (x < y);
}

static void check(uint32_t key, uint32_t hash, int data) {
  static int ready = 0;
  pthread_mutex_lock(&lock);
  if (!ready) readKnown();
  ready = 1;
  if (written) {
    fprintf(written, "%08x %08x\n", key, hash);
    fflush(written);
  }
  pthread_mutex_unlock(&lock);
  const Entry wanted = {key, 0};
  const Entry* const found = bsearch(&wanted, known, (size_t)nknown, sizeof(Entry), byKey);
  if (!found || found->hash == hash || (data && foreign)) return;
  fprintf(stderr, "%s other bits (%08x) than recorded in test/support/bits.txt (%08x %08x); see scripts/bits.sh\n",
          data ? "a test leaves" : "a compiled model has", hash, key, found->hash);
  abort();
}

void bit_checkModel(const mjModel* m, uint32_t key) {
  check(key, bit_ofModel(m), 0);
}

// which time it is that something of this key is compared
static int countOf(uint32_t key) {
  pthread_mutex_lock(&lock);
  int k = 0;
  while (k < ntimes && times[k].key != key) k++;
  if (k == ntimes && ntimes < NROOM) times[ntimes++] = (Entry){key, 0};
  const int count = k < ntimes ? (int)times[k].hash++ : -1;
  pthread_mutex_unlock(&lock);
  return count;
}

void bit_check(uint64_t hash, uint32_t key) {
  char where[200];
  snprintf(where, sizeof(where), "%s %08x %d%s", program_invocation_short_name, key, countOf(key),
           orc_isThere() ? " beside the reference" : "");
  check(bit_key(where), folded(hash), 1);
}

void bit_checkData(const mjModel* m, const mjData* d, uint32_t key) {
  bit_check(bit_ofData(m, d), key);
}
