// Records, their fingerprints and the files they are kept in; see record.h.
#include "golden/record.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/random.h"

enum { REC_ZERO, REC_FEW, REC_MANY, REC_EXACT, REC_UNSTABLE };

static const char MAGIC[8] = {'S', 'N', 'G', 'O', 'L', 'D', '1', '\n'};

// what is still noise when nothing depends on the input: rounding in another order
#define REC_DIGITS       11
#define REC_DIGITS_FLOAT 6
// fewer digits than these say nothing: the record is left out
#define REC_DIGITS_MIN 3
// magnitudes below are noise where the true value is zero
#define REC_TINY 1e-13
// repetitions with nudged inputs
#define REC_PASSES   3
#define REC_NPAYLOAD 4
#define REC_MESSAGES 12

typedef struct {
  uint32_t name;
  uint32_t n;
  uint8_t kind, digits;
  double payload[REC_NPAYLOAD];
  uint64_t hash;
} Record;

struct Rec {
  int writing, pass;
  Rnd noise;
  char scope[200];
  const char* label;

  // when writing: what the first run gave, with all numbers; what repetitions are compared with
  Record* record;
  double** numbers;
  size_t nrecord, capacity, next;

  // when comparing
  FILE* file;
  int errors, ended;
};

//---------------------------------- fingerprints ----------------------------------

static uint64_t hashBytes(const void* data, size_t size, uint64_t hash) {
  const unsigned char* const byte = data;
  for (size_t i = 0; i < size; i++) hash = (hash ^ byte[i]) * 0x100000001B3u;
  return hash;
}

#define HASH_START 0xCBF29CE484222325u

static uint32_t nameHash(const Rec* rec, const char* name) {
  const uint64_t hash = hashBytes(name, strlen(name), hashBytes(rec->scope, strlen(rec->scope), HASH_START));
  return (uint32_t)(hash ^ (hash >> 32));
}

// weights of either sign between 1/2 and 3/2, so that neither exchanged nor opposite elements cancel
static void sums(Record* record, const double* x, size_t n) {
  double largest = 0, sum = 0, moment = 0;
  Rnd rnd = {n};
  for (size_t i = 0; i < n; i++) {
    const double u = rnd_uniform(&rnd, -1, 1), weight = u < 0 ? u - 0.5 : u + 0.5;
    largest = fmax(largest, fabs(x[i]));
    sum += weight * x[i];
    moment += weight * x[i] * ((double)i + 0.5) / (double)n;
  }
  record->payload[0] = largest;
  record->payload[1] = sum;
  record->payload[2] = moment;
}

static double largestOf(const double* x, size_t n) {
  double largest = 0;
  for (size_t i = 0; i < n; i++) largest = fmax(largest, fabs(x[i]));
  return largest;
}

static Record fingerprint(const double* x, size_t n) {
  Record record = {.n = (uint32_t)n};
  int zero = 1;
  for (size_t i = 0; i < n; i++) zero = zero && x[i] == 0;
  if (zero) {
    record.kind = REC_ZERO;
  } else if (n <= REC_NPAYLOAD) {
    record.kind = REC_FEW;
    memcpy(record.payload, x, n * sizeof(double));
  } else {
    record.kind = REC_MANY;
    sums(&record, x, n);
  }
  return record;
}

//---------------------------------- file ----------------------------------

static void writeRecord(FILE* file, const Record* record) {
  fwrite(&record->name, 4, 1, file);
  fwrite(&record->n, 4, 1, file);
  fwrite(&record->kind, 1, 1, file);
  fwrite(&record->digits, 1, 1, file);
  if (record->kind == REC_FEW) fwrite(record->payload, sizeof(double), record->n, file);
  if (record->kind == REC_MANY) fwrite(record->payload, sizeof(double), 3, file);
  if (record->kind == REC_EXACT) fwrite(&record->hash, sizeof(uint64_t), 1, file);
}

// 1: a record was read
static int readRecord(FILE* file, Record* record) {
  memset(record, 0, sizeof(*record));
  size_t ok = fread(&record->name, 4, 1, file);
  ok = ok && fread(&record->n, 4, 1, file) && fread(&record->kind, 1, 1, file) && fread(&record->digits, 1, 1, file);
  size_t count = record->kind == REC_FEW ? record->n : record->kind == REC_MANY ? 3 : 0;
  if (!ok || count > REC_NPAYLOAD) return 0;
  if (count) ok = fread(record->payload, sizeof(double), count, file) == count;
  if (record->kind == REC_EXACT) ok = fread(&record->hash, sizeof(uint64_t), 1, file) == 1;
  return ok != 0;
}

//---------------------------------- writing ----------------------------------

static void fatal(const Rec* rec, const char* name, const char* message) {
  fprintf(stderr, "%s: %s%s: %s\n", rec->label, rec->scope, name, message);
  exit(1);
}

// what the first run gave; x may be NULL for exact records
static void keep(Rec* rec, Record record, const double* x) {
  if (rec->nrecord == rec->capacity) {
    rec->capacity = rec->capacity ? 2 * rec->capacity : 1024;
    rec->record = realloc(rec->record, rec->capacity * sizeof(Record));
    rec->numbers = realloc(rec->numbers, rec->capacity * sizeof(double*));
  }
  double* copy = NULL;
  if (x && record.n) {
    copy = malloc(record.n * sizeof(double));
    memcpy(copy, x, record.n * sizeof(double));
  }
  rec->record[rec->nrecord] = record;
  rec->numbers[rec->nrecord++] = copy;
}

// lowers the digits of a record by how far a repetition is from the first run
static void repeat(Rec* rec, const char* name, Record record, const double* x) {
  if (rec->next == rec->nrecord || rec->record[rec->next].name != record.name) fatal(rec, name, "not repeated");
  Record* const first = rec->record + rec->next;
  const double* const old = rec->numbers[rec->next++];
  if (first->n != record.n || (record.kind == REC_EXACT && first->hash != record.hash)) first->kind = REC_UNSTABLE;
  if (first->kind == REC_UNSTABLE || !x || !record.n) return;
  double error = 0;
  for (size_t i = 0; i < record.n; i++) error = fmax(error, fabs(x[i] - old[i]));
  const double scale = largestOf(old, record.n);
  if (first->kind == REC_ZERO) {
    if (error > REC_TINY) first->kind = REC_UNSTABLE;
    return;
  }
  const int digits = error > 0 ? (int)floor(-log10(1000 * error / scale)) : first->digits;
  if (digits < first->digits) first->digits = (uint8_t)(digits > 0 ? digits : 0);
  if (first->digits < REC_DIGITS_MIN) first->kind = REC_UNSTABLE;
}

int rec_write(const char* path, RecCase run, const void* arg) {
  Rec rec = {.writing = 1, .label = path};
  for (rec.pass = 0; rec.pass <= REC_PASSES; rec.pass++) {
    rec.noise.state = (uint64_t)rec.pass;
    rec.next = 0;
    rec.scope[0] = '\0';
    run(&rec, arg);
    if (rec.pass && rec.next != rec.nrecord) fatal(&rec, "end", "not repeated");
  }
  FILE* const file = fopen(path, "wb");
  if (!file) return 1;
  fwrite(MAGIC, sizeof(MAGIC), 1, file);
  size_t unstable = 0;
  for (size_t i = 0; i < rec.nrecord; i++) {
    writeRecord(file, rec.record + i);
    unstable += rec.record[i].kind == REC_UNSTABLE;
    free(rec.numbers[i]);
  }
  printf("%-40s %6zu records, %zu left out, %ld bytes\n", path, rec.nrecord, unstable, ftell(file));
  free(rec.record);
  free(rec.numbers);
  return fclose(file);
}

//---------------------------------- comparing ----------------------------------

static void complain(Rec* rec, const char* name, const char* what, double golden, double ours) {
  if (rec->errors++ < REC_MESSAGES) {
    printf("%s: %s%s: %s golden %.17g ours %.17g\n", rec->label, rec->scope, name, what, golden, ours);
  }
}

static void compareNumbers(Rec* rec, const char* name, const Record* gold, const Record* our, const double* x) {
  const double tolerance = pow(10, -gold->digits), largest = largestOf(x, our->n);
  if (gold->kind == REC_ZERO || our->kind == REC_ZERO) {
    const double golden = gold->kind == REC_ZERO ? 0 : largestOf(gold->payload, gold->kind == REC_MANY ? 1 : gold->n);
    if (golden > REC_TINY || largest > REC_TINY) complain(rec, name, "largest", golden, largest);
    return;
  }
  if (gold->kind == REC_FEW) {
    const double scale = fmax(largestOf(gold->payload, gold->n), REC_TINY / tolerance);
    for (uint32_t i = 0; i < gold->n; i++) {
      if (!(fabs(gold->payload[i] - x[i]) <= tolerance * scale)) complain(rec, name, "value", gold->payload[i], x[i]);
    }
    return;
  }
  // errors of the elements add up as a random walk does
  const double limit = tolerance * fmax(gold->payload[0], REC_TINY / tolerance) * 2 * sqrt(gold->n);
  const double error = our->payload[1] - gold->payload[1], moment = our->payload[2] - gold->payload[2];
  if (!(fabs(our->payload[0] - gold->payload[0]) <= limit)) {
    complain(rec, name, "largest", gold->payload[0], our->payload[0]);
  } else if (!(fabs(error) <= limit && fabs(moment) <= limit)) {
    char what[80];
    snprintf(what, sizeof(what), "of %u elements, about %.1f, sum", gold->n, moment / error * gold->n - 0.5);
    complain(rec, name, what, gold->payload[1], our->payload[1]);
  }
}

static void compare(Rec* rec, const char* name, const Record* our, const double* x) {
  Record gold;
  if (rec->ended) return;
  if (!readRecord(rec->file, &gold) || gold.name != our->name) {
    complain(rec, name, "another record is expected here; the golden data may need `make golden`;", 0, 0);
    rec->ended = 1;
    return;
  }
  if (gold.kind == REC_UNSTABLE) return;
  if (gold.n != our->n) {
    complain(rec, name, "count", gold.n, our->n);
  } else if ((gold.kind == REC_EXACT) != (our->kind == REC_EXACT)) {
    complain(rec, name, "kind", gold.kind, our->kind);
  } else if (gold.kind == REC_EXACT) {
    if (gold.hash != our->hash) complain(rec, name, "hash", (double)gold.hash, (double)our->hash);
  } else {
    compareNumbers(rec, name, &gold, our, x);
  }
}

int rec_compare(const char* path, RecCase run, const void* arg) {
  Rec rec = {.label = path, .file = fopen(path, "rb")};
  char magic[sizeof(MAGIC)];
  if (!rec.file) return -1;
  if (fread(magic, sizeof(MAGIC), 1, rec.file) != 1 || memcmp(magic, MAGIC, sizeof(MAGIC)) != 0) {
    fclose(rec.file);
    return -1;
  }
  run(&rec, arg);
  Record gold;
  if (!rec.ended && readRecord(rec.file, &gold)) complain(&rec, "end", "records are missing", 1, 0);
  fclose(rec.file);
  return rec.errors;
}

//---------------------------------- recording ----------------------------------

static void add(Rec* rec, const char* name, Record record, const double* x) {
  record.name = nameHash(rec, name);
  if (!rec->writing) {
    compare(rec, name, &record, x);
  } else if (rec->pass == 0) {
    keep(rec, record, x);
  } else {
    repeat(rec, name, record, x);
  }
}

void rec_scope(Rec* rec, const char* format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(rec->scope, sizeof(rec->scope), format, args);
  va_end(args);
}

// numbers that are none count as large ones
static double bounded(double x) {
  return isnan(x) ? 1e20 : fmax(-1e30, fmin(1e30, x));
}

static void addNumbers(Rec* rec, const char* name, double* x, size_t n, int digits) {
  for (size_t i = 0; i < n; i++) x[i] = bounded(x[i]);
  Record record = fingerprint(x, n);
  record.digits = (uint8_t)digits;
  add(rec, name, record, x);
  free(x);
}

void rec_num(Rec* rec, const char* name, const double* x, size_t n) {
  double* const copy = malloc((n + 1) * sizeof(double));
  if (n) memcpy(copy, x, n * sizeof(double));
  addNumbers(rec, name, copy, n, REC_DIGITS);
}

void rec_float(Rec* rec, const char* name, const float* x, size_t n) {
  double* const wide = malloc((n + 1) * sizeof(double));
  for (size_t i = 0; i < n; i++) wide[i] = (double)x[i];
  addNumbers(rec, name, wide, n, REC_DIGITS_FLOAT);
}

void rec_bytes(Rec* rec, const char* name, const void* x, size_t size) {
  const Record record = {.n = (uint32_t)size, .kind = REC_EXACT, .hash = hashBytes(x, size, HASH_START)};
  add(rec, name, record, NULL);
}

void rec_int(Rec* rec, const char* name, const int* x, size_t n) {
  rec_bytes(rec, name, x, n * sizeof(int));
}

void rec_text(Rec* rec, const char* name, const char* text) {
  rec_bytes(rec, name, text, strlen(text));
}

double rec_nudge(Rec* rec, double x) {
  return rec->pass ? x + fmax(fabs(x), 0.01) * rnd_uniform(&rec->noise, -1e-14, 1e-14) : x;
}
