// What threads could bring: the longest path through a step on so many threads, and what of it nobody shares.
//
//   bench_threads MODEL.xml [THREADS [STEPS [WARM]]]
//
// Two copies of a simulation take turns, one alone and one with a pool bound to it. The pool's pieces run one after the
// other on the calling thread, each is timed and given to whichever of the threads would be free first. What it takes
// to hand pieces over is not in it, and neither is what cores take away from each other: it is an upper bound that can
// be had on a busy machine, where steps that other programs interrupted are left out.
//
// The list below the ratio says where the path is walked by one thread: from what was shared last to what is shared
// next, then the work in that and the longest path through it, all in microseconds a step. Functions are places in the
// program: addr2line -f -e bench_threads names them.
//
// This file stands in the place of base/thread.c, which it includes, so that nothing of it is in the library.
#define bas_runAll runOnPool
#include "base/thread.c"
#undef bas_runAll
int bas_runAll(mjThreadPool* pool, const BasWork* work, char message[BAS_MESSAGE]);

#include <link.h>
#include <math.h>
#include <mujoco/mujoco.h>

#include "support.h"

enum { MAXTHREAD = 64, MAXPIECE = 1024, MAXINNER = 4096, MAXPLACE = 256, MAXSTEPS = 2000, FIRST = 5 };

// a step counts if the processor was ours for so much of its time
static const double OURS = 0.97;

// what asking for the time takes
static double clockCost = 0;

static double now(void) {
  return bch_clock(CLOCK_MONOTONIC);
}

//---------------------------------- the path ----------------------------------

typedef void (*PieceRun)(void* arg, int piece);

// work inside a piece: where in the piece it was shared, and the pieces it has
typedef struct {
  double before;  // time the piece took until then, without other such work
  int first, n;   // its pieces
} Inner;

typedef struct {
  double alone;     // all that the piece does itself
  int first, last;  // such works of the piece
} Piece;

static int nthread = 2, recording = 0, depth = 0;
static double path = 0;     // of the step so far
static double resumed = 0;  // when the caller went on alone
static PieceRun lastPlace = NULL;

static Piece piece[MAXPIECE];
static Inner inner[MAXINNER];
static double innerPiece[MAXINNER];
static int ninner = 0, ninnerPiece = 0;
static double pieceStart = 0, pieceInner = 0;  // of the piece that runs

// where the caller was alone, and where work was shared
typedef struct {
  PieceRun from, to;   // NULL: the step's start or end
  double alone;        // between the two
  double work, spent;  // of what `to` shared: all pieces, and the longest path through them
} Place;

static Place place[MAXPLACE];
static int nplace = 0, nkept = 0;
static Place kept[MAXPLACE];

static Place* placeOf(PieceRun from, PieceRun to) {
  for (int i = 0; i < nplace; i++) {
    if (place[i].from == from && place[i].to == to) return place + i;
  }
  if (nplace == MAXPLACE) return place;
  place[nplace] = (Place){.from = from, .to = to};
  return place + nplace++;
}

// one of the threads on the way through the pieces of a call
typedef struct {
  double time, walked;  // now, and how much of its piece it has done alone
  int piece, next;      // -1: none; its next work inside
  int there;            // 1: it has come to that
  int idle;
} Walker;

// the pieces of a work inside, first come, first served by the walker and by those that are idle by then
static void walkInner(Walker* walker, int self, const Inner* in) {
  double freeAt[MAXTHREAD], end = walker[self].time;
  for (int k = 0; k < nthread; k++) {
    freeAt[k] = k == self ? walker[self].time : walker[k].idle ? fmax(walker[k].time, walker[self].time) : INFINITY;
  }
  for (int i = 0; i < in->n; i++) {
    int first = self;
    for (int k = 0; k < nthread; k++) first = freeAt[k] < freeAt[first] ? k : first;
    freeAt[first] += innerPiece[in->first + i];
    end = fmax(end, freeAt[first]);
  }
  for (int k = 0; k < nthread; k++) {
    if (walker[k].idle) walker[k].time = freeAt[k];
  }
  walker[self].time = end;
}

// The pieces of one call: first come, first served. Work inside a piece is helped with by threads that have found
// nothing left outside. Returns when the last one ends.
static double schedule(int n) {
  Walker walker[MAXTHREAD] = {0};
  for (int k = 0; k < nthread; k++) walker[k].piece = -1;
  double end = 0;
  for (int taken = 0;;) {
    // the one that is furthest behind goes on
    int self = -1;
    for (int k = 0; k < nthread; k++) {
      if (!walker[k].idle && (self < 0 || walker[k].time < walker[self].time)) self = k;
    }
    if (self < 0) return end;
    Walker* w = walker + self;
    if (w->piece < 0) {
      if (taken == n) {
        w->idle = 1;
      } else {
        w->piece = taken++;
        w->next = piece[w->piece].first;
        w->walked = 0;
      }
      continue;
    }
    const Piece* p = piece + w->piece;
    const double upTo = w->next < p->last ? inner[w->next].before : p->alone;
    if (!w->there) {
      w->time += upTo - w->walked;
      w->walked = upTo;
      w->there = 1;
      continue;
    }
    w->there = 0;
    if (w->next < p->last) {
      walkInner(walker, self, inner + w->next++);
    } else {
      w->piece = -1;
      end = fmax(end, w->time);
    }
  }
}

static void runInner(const BasWork* work) {
  if (ninner >= MAXINNER || ninnerPiece + work->n > MAXINNER) {
    for (int i = 0; i < work->n; i++) work->run(work->arg, i);
    return;
  }
  const double begin = now();
  Inner* const in = inner + ninner++;
  *in = (Inner){begin - pieceStart - pieceInner, ninnerPiece, work->n};
  ninnerPiece += work->n;
  double t = begin;
  depth++;
  for (int i = 0; i < work->n; i++) {
    work->run(work->arg, i);
    const double next = now();
    innerPiece[in->first + i] = next - t - clockCost;
    t = next;
  }
  depth--;
  pieceInner += t - begin + clockCost;
}

// the pieces of a call of the step itself, one after the other; returns how long the caller would take for them
static double runPieces(const BasWork* work, double start, double* total) {
  ninner = ninnerPiece = 0;
  depth = 1;
  double t = start;
  for (int i = 0; i < work->n; i++) {
    pieceStart = t;
    pieceInner = 0;
    piece[i].first = ninner;
    work->run(work->arg, i);
    piece[i].last = ninner;
    const double next = now();
    piece[i].alone = next - t - pieceInner - clockCost;
    *total += next - t;
    t = next;
  }
  depth = 0;
  return schedule(work->n);
}

int bas_runAll(mjThreadPool* pool, const BasWork* work, char message[BAS_MESSAGE]) {
  if (!recording) return runOnPool(pool, work, message);
  const int before = pieceDepth;
  pieceDepth = depth + 1;
  if (depth >= 2 || work->n > MAXPIECE) {
    for (int i = 0; i < work->n; i++) work->run(work->arg, i);
  } else if (depth == 1) {
    runInner(work);
  } else {
    const double start = now(), alone = start - resumed - clockCost;
    Place* const at = placeOf(lastPlace, work->run);
    const double longest = runPieces(work, start, &at->work);
    at->alone += alone;
    at->spent += longest;
    path += alone + longest;
    lastPlace = work->run;
    resumed = now();
  }
  pieceDepth = before;
  return -1;
}

//---------------------------------- steps ----------------------------------

static double stepAlone(const mjModel* m, mjData* d) {
  const double cpu = bch_clock(CLOCK_THREAD_CPUTIME_ID), start = now();
  mj_step(m, d);
  const double time = now() - start - clockCost;
  return bch_clock(CLOCK_THREAD_CPUTIME_ID) - cpu < OURS * time ? -1 : time;
}

static double stepShared(const mjModel* m, mjData* d) {
  path = 0;
  lastPlace = NULL;
  recording = 1;
  memcpy(kept, place, sizeof(place));
  nkept = nplace;
  const double cpu = bch_clock(CLOCK_THREAD_CPUTIME_ID), start = now();
  resumed = now();
  mj_step(m, d);
  const double alone = now() - resumed - clockCost;
  const double time = now() - start;
  recording = 0;
  if (bch_clock(CLOCK_THREAD_CPUTIME_ID) - cpu < OURS * time) {
    memcpy(place, kept, sizeof(place));
    nplace = nkept;
    return -1;
  }
  placeOf(lastPlace, NULL)->alone += alone;
  return path + alone;
}

static int moreAlone(const void* a, const void* b) {
  const double x = ((const Place*)a)->alone, y = ((const Place*)b)->alone;
  return (x < y) - (x > y);
}

// where the program lies in memory: the first entry is the program itself
static int programAt(struct dl_phdr_info* info, size_t size, void* base) {
  (void)size;
  *(uintptr_t*)base = info->dlpi_addr;
  return 1;
}

static void printPlaces(int nstep) {
  uintptr_t base = 0;
  dl_iterate_phdr(programAt, &base);
  qsort(place, (size_t)nplace, sizeof(Place), moreAlone);
  printf("    alone     work     path   from to\n");
  for (int i = 0; i < nplace; i++) {
    const Place* p = place + i;
    if (p->alone / nstep < 1e-6 && p->work / nstep < 1e-6) continue;
    printf("%9.1f%9.1f%9.1f   %#lx %#lx\n", 1e6 * p->alone / nstep, 1e6 * p->work / nstep, 1e6 * p->spent / nstep,
           p->from ? (unsigned long)((uintptr_t)p->from - base) : 0,
           p->to ? (unsigned long)((uintptr_t)p->to - base) : 0);
  }
}

static void measureClock(void) {
  clockCost = 1;
  for (int k = 0; k < 100; k++) {
    const double start = now();
    for (int i = 0; i < 99; i++) now();
    const double cost = (now() - start) / 100;
    if (cost < clockCost) clockCost = cost;
  }
}

// both simulations in turns; prints what came out
static void measure(const mjModel* m, mjData* a, mjData* b, int nstep) {
  static double alone[MAXSTEPS], shared[MAXSTEPS];
  int na = 0, ns = 0;
  for (int i = -FIRST; i < nstep; i++) {
    if (i == 0) nplace = 0;
    const double x = stepAlone(m, a), y = stepShared(m, b);
    if (i >= 0 && x > 0) alone[na++] = x;
    if (i >= 0 && y > 0) shared[ns++] = y;
  }
  const int same = !memcmp(a->qpos, b->qpos, sizeof(mjtNum) * (size_t)m->nq);
  const double x = 1e6 * bch_median(alone, na), y = 1e6 * bch_median(shared, ns);
  printf(
      "one thread %.1f us, path of %d threads %.1f us, ratio %.2f; %d rows, %d islands, %s bits, of %d steps %d and "
      "%d\n",
      x, nthread, y, x / y, b->nefc, b->nisland, same ? "same" : "OTHER", nstep, na, ns);
  printPlaces(ns);
}

int main(int argc, char** argv) {
  if (argc > 2) nthread = atoi(argv[2]);
  const int nstep = argc > 3 ? atoi(argv[3]) : 400, warm = argc > 4 ? atoi(argv[4]) : 200;
  if (argc < 2 || nthread < 2 || nthread > MAXTHREAD || nstep < 1 || nstep > MAXSTEPS) {
    fprintf(stderr, "usage: bench_threads MODEL.xml [THREADS [STEPS [WARM]]]\n");
    return 2;
  }
  char error[1000] = "";
  mjModel* const m = mj_loadXML(argv[1], NULL, error, sizeof(error));
  if (!m) {
    fprintf(stderr, "bench_threads: %s\n", error);
    return 1;
  }
  mjData *const a = mj_makeData(m), *const b = mj_makeData(m);
  mjThreadPool* const pool = mju_threadPoolCreate((size_t)nthread - 1);
  for (int i = 0; i < warm; i++) mj_step(m, a);
  mj_copyData(b, m, a);
  mju_bindThreadPool(b, pool);
  measureClock();
  measure(m, a, b, nstep);
  mj_deleteData(a);
  mj_deleteData(b);
  mju_threadPoolDestroy(pool);
  mj_deleteModel(m);
  return 0;
}
