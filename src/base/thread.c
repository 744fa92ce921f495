// The thread pool: a fixed set of workers that take tasks from one queue in the order of arrival.
// A worker never runs an error handler. Its mju_error jumps back here, the message is kept with the address of
// the task, and the thread that joins the task raises it; messages nobody joined become warnings when the pool goes.
//
// The library itself shares work by bas_runAll only. It does not go through the queue, because a step does that dozens
// of times: the caller shows its work to the workers, which look for it while they wait, and pieces are taken from one
// counter by the caller and by whoever came. Each piece records its error, all of them end before anyone raises.
#include "base/thread.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/error.h"
#include "base/stack.h"

// Waiting is done in rounds: SHORT_ROUNDS of one pause each, some tens of nanoseconds, which is how late a worker comes
// to work in pieces; then of about a microsecond, with the time slice offered to others. A worker sleeps after
// WORKER_ROUNDS without anything to do; fewer cost a system call per task in a stepping loop, more burn CPU.
#define SHORT_ROUNDS  1000
#define WORKER_ROUNDS 1200

// a joiner that has waited this many rounds for a long task looks only every JOIN_SLEEP nanoseconds
#define JOIN_ROUNDS 3000
#define JOIN_SLEEP  20000

// One call of bas_runAll, shared by the threads that take part.
typedef struct {
  const BasWork* work;
  int next;              // piece that nobody has taken yet
  pthread_mutex_t lock;  // of what follows
  int failed;            // first piece that failed, -1: none
  char* message;         // and what it said
} Run;

// Where such a call shows its work. There are two: the second is for calls inside a piece of the first, so that threads
// that have nothing left to do there help with what takes longest.
enum { LEVELS = 2 };

typedef struct {
  Run* run;     // NULL: none
  int claimed;  // 1: a thread has its work here, or waits for the last ones to leave it
  int inside;   // threads that look at run or take part
} Board;

// What stands behind the public mjThreadPool: the queue is a ring that grows when it is full.
typedef struct Pool {
  mjThreadPool shared;  // public part; must be first
  size_t nthread;       // workers that were started
  pthread_t* threads;
  pthread_mutex_t lock;   // of everything below up to closing
  pthread_cond_t filled;  // for sleeping workers: the queue has a task, or closing is set
  mjTask** ring;
  size_t capacity, first;
  size_t count;           // written under the lock, also read without it
  int sleepers;           // workers that wait for filled; written under the lock, also read without it
  int closing;            // written under the lock, also read without it
  Board board[LEVELS];    // work in pieces
  pthread_mutex_t arena;  // taken around arena allocations of mjData bound to this pool
  int orphaned;           // 1: the process was forked and the workers stayed behind
  struct Pool* next;      // of all pools
} Pool;

// An error that waits for its joiner.
typedef struct Failure {
  struct Failure* next;
  const Pool* pool;
  const mjTask* task;
  char message[BAS_MESSAGE];
} Failure;

// who the calling thread is: workers know their pool and number
static _Thread_local const Pool* threadPool = NULL;
static _Thread_local size_t threadNumber = 0;

// how many pieces of work the calling thread is in, one inside the other
static _Thread_local int pieceDepth = 0;

// failures of all pools: mju_taskJoin is given a task only. nfailure is read without the lock.
static pthread_mutex_t failureLock = PTHREAD_MUTEX_INITIALIZER;
static Failure* failures = NULL;
static int nfailure = 0;

//---------------------------------- forks ----------------------------------
// A forked child has the pools of its parent without their workers. It goes on with them alone: what would be handed to
// a worker runs on the thread that asks. Locks are made anew, because a worker may have held them.

static pthread_mutex_t poolLock = PTHREAD_MUTEX_INITIALIZER;
static Pool* pools = NULL;

static void beforeFork(void) {
  pthread_mutex_lock(&poolLock);
  pthread_mutex_lock(&failureLock);
}

static void afterFork(void) {
  pthread_mutex_unlock(&failureLock);
  pthread_mutex_unlock(&poolLock);
}

static void inChild(void) {
  for (Pool* pool = pools; pool; pool = pool->next) {
    pool->orphaned = 1;
    pool->count = 0;
    memset(pool->board, 0, sizeof(pool->board));
    pthread_mutex_init(&pool->lock, NULL);
    pthread_mutex_init(&pool->arena, NULL);
    pthread_cond_init(&pool->filled, NULL);
  }
  afterFork();
}

static void registerForks(void) {
  pthread_atfork(beforeFork, afterFork, inChild);
}

static void listPool(Pool* pool) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, registerForks);
  pthread_mutex_lock(&poolLock);
  pool->next = pools;
  pools = pool;
  pthread_mutex_unlock(&poolLock);
}

static void unlistPool(const Pool* pool) {
  pthread_mutex_lock(&poolLock);
  Pool** link = &pools;
  while (*link && *link != pool) link = &(*link)->next;
  if (*link) *link = pool->next;
  pthread_mutex_unlock(&poolLock);
}

//---------------------------------- failures ----------------------------------

static void addFailure(Failure* failure) {
  pthread_mutex_lock(&failureLock);
  failure->next = failures;
  failures = failure;
  __atomic_add_fetch(&nfailure, 1, __ATOMIC_RELEASE);
  pthread_mutex_unlock(&failureLock);
}

// unlink and return a failure of this task, or of any task of this pool (the other is NULL); NULL: there is none
static Failure* takeFailure(const mjTask* task, const Pool* pool) {
  if (__atomic_load_n(&nfailure, __ATOMIC_ACQUIRE) == 0) return NULL;
  pthread_mutex_lock(&failureLock);
  Failure** link = &failures;
  while (*link && (*link)->task != task && (*link)->pool != pool) link = &(*link)->next;
  Failure* const found = *link;
  if (found) {
    *link = found->next;
    __atomic_sub_fetch(&nfailure, 1, __ATOMIC_RELEASE);
  }
  pthread_mutex_unlock(&failureLock);
  return found;
}

// a failure that nobody joined still reaches the user
static void reportUnjoined(Failure* failure) {
  char message[BAS_MESSAGE];
  memcpy(message, failure->message, sizeof(message));
  free(failure);
  mju_warning("error in a task that was not joined: %s", message);
}

// run a task; an error inside ends it and is kept for the joiner
static void execute(const Pool* pool, mjTask* task) {
  BasCapture capture;
  BasCapture* const outer = bas_setCapture(&capture);
  if (setjmp(capture.back) == 0) {
    task->args = task->func(task->args);
  } else {
    // a failure that cannot be stored must not pass as success
    Failure* const failure = malloc(sizeof(Failure));
    if (!failure) abort();
    failure->task = task;
    failure->pool = pool;
    memcpy(failure->message, capture.message, sizeof(failure->message));
    addFailure(failure);
  }
  bas_setCapture(outer);
  __atomic_store_n(&task->status, mjTASK_COMPLETED, __ATOMIC_RELEASE);
}

// one round of waiting: short ones first, for what is nearly there
static void waitRound(int round) {
  for (int i = 0; i < (round < SHORT_ROUNDS ? 1 : 16); i++) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
  }
  if (round >= SHORT_ROUNDS) sched_yield();
}

// one round of a joiner: what it waits for is short, mostly
static void waitToJoin(int* round) {
  if (*round < JOIN_ROUNDS) {
    waitRound(*round);
  } else {
    nanosleep(&(struct timespec){.tv_nsec = JOIN_SLEEP}, NULL);
    --*round;
  }
}

//---------------------------------- work in pieces ----------------------------------
// A thread counts itself in before it looks at a board, and the caller clears the board before it looks at the count,
// in one order for all: either the thread finds nothing, or the caller waits for it.

// keep the error of the first piece, so that what is raised does not depend on who was faster
static void recordFailure(Run* run, int piece, const char* message) {
  pthread_mutex_lock(&run->lock);
  if (run->failed < 0 || piece < run->failed) {
    run->failed = piece;
    snprintf(run->message, BAS_MESSAGE, "%s", message);
  }
  pthread_mutex_unlock(&run->lock);
}

// take pieces until there are none; an error inside ends its piece
static void takePieces(Run* run, int level) {
  const BasWork* const work = run->work;
  const int depth = pieceDepth;
  pieceDepth = level + 1;
  BasCapture capture;
  BasCapture* const outer = bas_setCapture(&capture);
  volatile int piece = -1;
  if (setjmp(capture.back)) recordFailure(run, piece, capture.message);
  while ((piece = __atomic_fetch_add(&run->next, 1, __ATOMIC_RELAXED)) < work->n) work->run(work->arg, piece);
  bas_setCapture(outer);
  pieceDepth = depth;
}

// takes part in what is on at a level; 0: there is nothing, or nothing is left of it
static int takePart(Pool* pool, int level) {
  Board* const board = pool->board + level;
  if (!__atomic_load_n(&board->run, __ATOMIC_RELAXED)) return 0;
  __atomic_add_fetch(&board->inside, 1, __ATOMIC_SEQ_CST);
  Run* const run = __atomic_load_n(&board->run, __ATOMIC_SEQ_CST);
  const int left = run && __atomic_load_n(&run->next, __ATOMIC_RELAXED) < run->work->n;
  if (left) takePieces(run, level);
  __atomic_sub_fetch(&board->inside, 1, __ATOMIC_RELEASE);
  return left;
}

// 1: something is on
static int isOn(const Pool* pool) {
  for (int level = 0; level < LEVELS; level++) {
    if (__atomic_load_n(&pool->board[level].run, __ATOMIC_SEQ_CST)) return 1;
  }
  return 0;
}

// the board for the calling thread's work, NULL: it is done alone, since others have theirs there or it is too deep
// inside pieces
static Board* claim(Pool* pool) {
  if (!pool || pool->orphaned || !pool->nthread || pieceDepth >= LEVELS) return NULL;
  Board* const board = pool->board + pieceDepth;
  int none = 0;
  const int mine = __atomic_compare_exchange_n(&board->claimed, &none, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
  return mine ? board : NULL;
}

// shows the work to the workers, and wakes those that sleep
static void show(Pool* pool, Board* board, Run* run) {
  __atomic_store_n(&board->run, run, __ATOMIC_SEQ_CST);
  if (!__atomic_load_n(&pool->sleepers, __ATOMIC_SEQ_CST)) return;
  pthread_mutex_lock(&pool->lock);
  pthread_cond_broadcast(&pool->filled);
  pthread_mutex_unlock(&pool->lock);
}

// takes it away again and waits for those who take part; meanwhile it helps with what they have inside their pieces
static void hide(Pool* pool, Board* board) {
  __atomic_store_n(&board->run, NULL, __ATOMIC_SEQ_CST);
  for (int round = 0; __atomic_load_n(&board->inside, __ATOMIC_SEQ_CST); round++) {
    if (board == pool->board && takePart(pool, 1)) round = 0;
    waitToJoin(&round);
  }
  __atomic_store_n(&board->claimed, 0, __ATOMIC_RELEASE);
}

int bas_runAll(mjThreadPool* thread_pool, const BasWork* work, char message[BAS_MESSAGE]) {
  Pool* const pool = (Pool*)thread_pool;
  Run run = {.work = work, .lock = PTHREAD_MUTEX_INITIALIZER, .failed = -1, .message = message};
  Board* const board = work->n > 1 ? claim(pool) : NULL;
  if (board) show(pool, board, &run);
  takePieces(&run, pieceDepth);
  if (board) hide(pool, board);
  pthread_mutex_destroy(&run.lock);
  return run.failed;
}

int bas_inPiece(void) {
  return pieceDepth > 0;
}

//---------------------------------- workers ----------------------------------

// take the oldest task under the lock; NULL: the queue is empty
static mjTask* popTask(Pool* pool) {
  if (pool->count == 0) return NULL;
  mjTask* const task = pool->ring[pool->first];
  pool->first = (pool->first + 1) % pool->capacity;
  __atomic_store_n(&pool->count, pool->count - 1, __ATOMIC_RELAXED);
  return task;
}

static mjTask* popLocked(Pool* pool) {
  pthread_mutex_lock(&pool->lock);
  mjTask* const task = popTask(pool);
  pthread_mutex_unlock(&pool->lock);
  return task;
}

// looks for tasks and for work in pieces without the lock for a while; NULL: nothing came
static mjTask* lookForTask(Pool* pool) {
  for (int round = 0; round < WORKER_ROUNDS && !__atomic_load_n(&pool->closing, __ATOMIC_RELAXED); round++) {
    mjTask* const task = __atomic_load_n(&pool->count, __ATOMIC_RELAXED) > 0 ? popLocked(pool) : NULL;
    if (task) return task;
    if (takePart(pool, 1) || takePart(pool, 0)) round = 0;
    waitRound(round);
  }
  return NULL;
}

// sleeps until there is something to do, or the pool closes
static void sleepUntilAsked(Pool* pool) {
  pthread_mutex_lock(&pool->lock);
  __atomic_add_fetch(&pool->sleepers, 1, __ATOMIC_SEQ_CST);
  while (pool->count == 0 && !pool->closing && !isOn(pool)) {
    pthread_cond_wait(&pool->filled, &pool->lock);
  }
  __atomic_sub_fetch(&pool->sleepers, 1, __ATOMIC_SEQ_CST);
  pthread_mutex_unlock(&pool->lock);
}

// next task in order, NULL when the pool closes and nothing is left
static mjTask* nextTask(Pool* pool) {
  for (;;) {
    mjTask* const task = lookForTask(pool);
    if (task) return task;
    if (__atomic_load_n(&pool->closing, __ATOMIC_RELAXED)) return popLocked(pool);
    sleepUntilAsked(pool);
  }
}

typedef struct {
  Pool* pool;
  size_t number;
} WorkerArgs;

static void* work(void* arg) {
  const WorkerArgs self = *(WorkerArgs*)arg;
  free(arg);
  threadPool = self.pool;
  threadNumber = self.number;
  for (mjTask* task; (task = nextTask(self.pool)) != NULL;) execute(self.pool, task);
  return NULL;
}

// start worker number n (from 1); 0: the system refused
static int startWorker(Pool* pool, size_t number) {
  WorkerArgs* const args = malloc(sizeof(WorkerArgs));
  if (!args) return 0;
  *args = (WorkerArgs){pool, number};
  if (pthread_create(&pool->threads[number - 1], NULL, work, args) == 0) return 1;
  free(args);
  return 0;
}

// let the queue run empty and end the workers
static void stopWorkers(Pool* pool) {
  if (pool->orphaned) return;
  pthread_mutex_lock(&pool->lock);
  __atomic_store_n(&pool->closing, 1, __ATOMIC_RELAXED);
  pthread_cond_broadcast(&pool->filled);
  pthread_mutex_unlock(&pool->lock);
  for (size_t i = 0; i < pool->nthread; i++) pthread_join(pool->threads[i], NULL);
}

static void freePool(Pool* pool) {
  unlistPool(pool);
  pthread_cond_destroy(&pool->filled);
  pthread_mutex_destroy(&pool->lock);
  pthread_mutex_destroy(&pool->arena);
  free(pool->threads);
  free(pool->ring);
  free(pool);
}

// a pool with as many of the threads as the system gives; NULL: no memory
static Pool* makePool(size_t nthread) {
  Pool* const pool = calloc(1, sizeof(Pool));
  pthread_t* const threads = calloc(nthread + 1, sizeof(pthread_t));
  if (!pool || !threads) {
    free(pool);
    free(threads);
    return NULL;
  }
  pool->shared.nworker = (int)nthread;
  pool->threads = threads;
  pthread_mutex_init(&pool->lock, NULL);
  pthread_mutex_init(&pool->arena, NULL);
  pthread_cond_init(&pool->filled, NULL);
  listPool(pool);

  // workers do not read nthread, so it may grow while they start
  while (pool->nthread < nthread && startWorker(pool, pool->nthread + 1)) pool->nthread++;
  return pool;
}

mjThreadPool* mju_threadPoolCreate(size_t number_of_threads) {
  // the public count is what was asked for; workers are bounded as mjData's statistics are
  const size_t nthread = number_of_threads < mjMAXTHREAD ? number_of_threads : mjMAXTHREAD;
  Pool* const pool = makePool(nthread);
  if (!pool) {
    mju_error("Could not allocate memory");
    return NULL;
  }
  pool->shared.nworker = (int)number_of_threads;
  if (pool->nthread < nthread) {
    const size_t started = pool->nthread;
    stopWorkers(pool);
    freePool(pool);
    mju_error("mju_threadPoolCreate: could start only %zu of %zu threads", started, nthread);
    return NULL;
  }
  return &pool->shared;
}

mjThreadPool* bas_poolUpTo(size_t number_of_threads) {
  Pool* const pool = makePool(number_of_threads < mjMAXTHREAD ? number_of_threads : mjMAXTHREAD);
  if (pool && pool->nthread) return &pool->shared;
  if (pool) freePool(pool);
  return NULL;
}

// append under the lock; 0: no memory
static int append(Pool* pool, mjTask* task) {
  if (pool->count == pool->capacity) {
    const size_t capacity = pool->capacity ? 2 * pool->capacity : 64;
    mjTask** const ring = malloc(capacity * sizeof(mjTask*));
    if (!ring) return 0;
    for (size_t i = 0; i < pool->count; i++) ring[i] = pool->ring[(pool->first + i) % pool->capacity];
    free(pool->ring);
    pool->ring = ring;
    pool->capacity = capacity;
    pool->first = 0;
  }
  pool->ring[(pool->first + pool->count) % pool->capacity] = task;
  __atomic_store_n(&pool->count, pool->count + 1, __ATOMIC_RELAXED);
  return 1;
}

// give the task to a worker; 0: no memory
static int hand(Pool* pool, mjTask* task) {
  pthread_mutex_lock(&pool->lock);
  const int appended = append(pool, task);
  const int wake = appended && pool->sleepers > 0;
  pthread_mutex_unlock(&pool->lock);
  if (wake) pthread_cond_signal(&pool->filled);
  return appended;
}

void mju_threadPoolEnqueue(mjThreadPool* thread_pool, mjTask* task) {
  Pool* const pool = (Pool*)thread_pool;
  if (__atomic_exchange_n(&task->status, mjTASK_QUEUED, __ATOMIC_ACQ_REL) != mjTASK_NEW) {
    mju_error("mju_threadPoolEnqueue: task->status is not mjTASK_NEW");
    return;
  }

  // an earlier run of the same task may have failed unnoticed
  Failure* const stale = takeFailure(task, NULL);
  if (stale) reportUnjoined(stale);

  // without workers the task would wait for ever
  if (pool->nthread == 0 || pool->orphaned) {
    execute(pool, task);
    return;
  }

  if (!hand(pool, task)) {
    __atomic_store_n(&task->status, mjTASK_NEW, __ATOMIC_RELEASE);
    mju_error("Could not allocate memory");
  }
}

void mju_threadPoolDestroy(mjThreadPool* thread_pool) {
  if (!thread_pool) return;
  Pool* const pool = (Pool*)thread_pool;
  stopWorkers(pool);
  for (Failure* failure; (failure = takeFailure(NULL, pool)) != NULL;) reportUnjoined(failure);
  freePool(pool);
}

void mju_bindThreadPool(mjData* d, void* thread_pool) {
  if (d->threadpool) {
    mju_error("Thread Pool already bound to mjData");
    return;
  }
  if (!thread_pool) {
    mju_error("mju_bindThreadPool: thread_pool is NULL");
    return;
  }
  d->threadpool = (uintptr_t)thread_pool;
  bas_shardStack(d);
}

void mju_defaultTask(mjTask* task) {
  *task = (mjTask){.func = NULL, .args = NULL, .status = mjTASK_NEW};
}

// wait until the task has ended
static void await(const mjTask* task) {
  for (int round = 0; __atomic_load_n(&task->status, __ATOMIC_ACQUIRE) != mjTASK_COMPLETED; round++) waitToJoin(&round);
}

void mju_taskJoin(mjTask* task) {
  await(task);

  // raise what the worker met, here, with nothing held
  Failure* const failure = takeFailure(task, NULL);
  if (!failure) return;
  char message[BAS_MESSAGE];
  memcpy(message, failure->message, sizeof(message));
  free(failure);
  mju_error_raw(message);
}

//---------------------------------- what memory asks ----------------------------------

size_t mju_threadPoolNumberOfThreads(mjThreadPool* pool) {
  return ((const Pool*)pool)->nthread;
}

size_t mju_threadPoolCurrentWorkerId(mjThreadPool* pool) {
  return threadPool == (const Pool*)pool ? threadNumber : 0;
}

void mju_threadPoolLockAllocMutex(mjThreadPool* pool) {
  pthread_mutex_lock(&((Pool*)pool)->arena);
}
void mju_threadPoolUnlockAllocMutex(mjThreadPool* pool) {
  pthread_mutex_unlock(&((Pool*)pool)->arena);
}
