// The thread pool: every task runs once, errors reach the joiner, workers have stacks of their own.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/sanitize.h"
#include "base/stack.h"
#include "base/thread.h"
#include "support/catch.h"
#include "support/oracle.h"

#define NARENA (1 << 20)
#define NTASK  1000

static void* square(void* arg) {
  const intptr_t x = (intptr_t)arg;
  return (void*)(x * x);
}

static void tasks_run_once_and_return(void** state) {
  (void)state;
  for (size_t nthread = 0; nthread < 5; nthread++) {
    mjThreadPool* const pool = mju_threadPoolCreate(nthread);
    assert_int_equal(pool->nworker, nthread);
    assert_int_equal(mju_threadPoolNumberOfThreads(pool), nthread);
    static mjTask tasks[NTASK];
    for (intptr_t i = 0; i < NTASK; i++) {
      mju_defaultTask(&tasks[i]);
      assert_int_equal(tasks[i].status, mjTASK_NEW);
      tasks[i].func = square;
      tasks[i].args = (void*)i;
      mju_threadPoolEnqueue(pool, &tasks[i]);
    }
    for (intptr_t i = NTASK - 1; i >= 0; i--) {
      mju_taskJoin(&tasks[i]);
      assert_int_equal((intptr_t)tasks[i].args, i * i);
      assert_int_equal(tasks[i].status, mjTASK_COMPLETED);
    }

    // a finished task must be made new before it runs again
    assert_non_null(strstr(CATCH(mju_threadPoolEnqueue(pool, &tasks[0])), "not mjTASK_NEW"));
    mju_threadPoolDestroy(pool);
  }
  mju_threadPoolDestroy(NULL);
}

static void* failing(void* arg) {
  mju_error("task %d failed", *(int*)arg);
  *(int*)arg = -1;
  return arg;
}

static void errors_are_raised_by_the_joiner(void** state) {
  (void)state;
  mjThreadPool* const pool = mju_threadPoolCreate(3);
  mjTask tasks[30];
  int numbers[30];
  for (int i = 0; i < 30; i++) {
    numbers[i] = i;
    mju_defaultTask(&tasks[i]);
    tasks[i].func = failing;
    tasks[i].args = &numbers[i];
    mju_threadPoolEnqueue(pool, &tasks[i]);
  }
  for (int i = 0; i < 30; i++) {
    char expected[40];
    snprintf(expected, sizeof(expected), "task %d failed", i);
    const char* const message = CATCH(mju_taskJoin(&tasks[i]));
    assert_non_null(message);
    assert_string_equal(message, expected);

    // once; and the code behind the error did not run
    assert_null(CATCH(mju_taskJoin(&tasks[i])));
    assert_int_equal(numbers[i], i);
  }

  // the pool still works, and an error nobody asks for is a warning
  mju_defaultTask(&tasks[0]);
  tasks[0].func = square;
  tasks[0].args = (void*)(intptr_t)5;
  mju_threadPoolEnqueue(pool, &tasks[0]);
  mju_taskJoin(&tasks[0]);
  assert_int_equal((intptr_t)tasks[0].args, 25);
  mju_defaultTask(&tasks[1]);
  tasks[1].func = failing;
  tasks[1].args = &numbers[1];
  mju_threadPoolEnqueue(pool, &tasks[1]);
  mju_user_warning = catchCount;
  catchNwarning = 0;
  mju_threadPoolDestroy(pool);
  mju_user_warning = NULL;
  assert_int_equal(catchNwarning, 1);
  assert_string_equal(catchWarning, "error in a task that was not joined: task 1 failed");
}

// what a worker does with its own stack and the common arena
typedef struct {
  mjData* d;
  size_t worker;
  const char* problem;
  int* array;
} Job;

static void* useMemory(void* arg) {
  Job* const job = arg;
  job->worker = mju_threadPoolCurrentWorkerId((mjThreadPool*)job->d->threadpool);
  for (int round = 0; round < 20; round++) {
    mj_markStack(job->d);
    int* const a = mj_stackAllocInt(job->d, 100);
    mj_markStack(job->d);
    mjtNum* const b = mj_stackAllocNum(job->d, 50);
    for (int i = 0; i < 100; i++) a[i] = (int)job->worker * 1000 + i;
    for (int i = 0; i < 50; i++) b[i] = (double)job->worker;
    mj_freeStack(job->d);
    for (int i = 0; i < 100; i++) {
      if (a[i] != (int)job->worker * 1000 + i) job->problem = "stack shared with another thread";
    }
    mj_freeStack(job->d);
  }
  job->array = mj_arenaAllocByte(job->d, 64 * sizeof(int), sizeof(int));
  for (int i = 0; i < 64; i++) job->array[i] = (int)(intptr_t)job;
  return arg;
}

static void workers_have_their_own_stacks(void** state) {
  (void)state;
  mjData* const d = arenaMake(NARENA);
  mjThreadPool* const pool = mju_threadPoolCreate(3);
  mj_markStack(d);
  int* const mine = mj_stackAllocInt(d, 10);
  for (int i = 0; i < 10; i++) mine[i] = i;
  mju_bindThreadPool(d, pool);
  assert_string_equal(CATCH(mju_bindThreadPool(d, pool)), "Thread Pool already bound to mjData");

  enum { NJOB = 200 };
  static mjTask tasks[NJOB];
  static Job jobs[NJOB];
  for (int i = 0; i < NJOB; i++) {
    jobs[i] = (Job){.d = d};
    mju_defaultTask(&tasks[i]);
    tasks[i].func = useMemory;
    tasks[i].args = &jobs[i];
    mju_threadPoolEnqueue(pool, &tasks[i]);
  }

  // the owner's stack is in use at the same time
  Job own = {.d = d};
  useMemory(&own);
  assert_int_equal(own.worker, 0);
  for (int i = 0; i < NJOB; i++) mju_taskJoin(&tasks[i]);
  for (int i = 0; i < NJOB; i++) {
    assert_null(jobs[i].problem);
    assert_in_range(jobs[i].worker, 1, 3);
    for (int k = 0; k < 64; k++) assert_int_equal(jobs[i].array[k], (int)(intptr_t)&jobs[i]);
    assert_true(d->maxuse_threadstack[jobs[i].worker] >= 800);
  }
  assert_int_equal(d->parena, (NJOB + 1) * 64 * sizeof(int));

  // the owner's frame from before the binding is intact
  for (int i = 0; i < 10; i++) assert_int_equal(mine[i], i);
  mj_freeStack(d);

  // arena arrays stop where the shards begin
  assert_null(mj_arenaAllocByte(d, NARENA / 2 + 4096, 1));
  assert_non_null(strstr(CATCH(mj_stackAllocByte(d, NARENA / 4, 1)), "stack overflow"));
  mju_threadPoolDestroy(pool);
  arenaFree(d);
}

static void* overflow(void* arg) {
  mj_stackAllocByte(arg, NARENA, 1);
  return arg;
}

static void binding_checks_the_arena(void** state) {
  (void)state;
  mjData* const d = arenaMake(NARENA);
  mjThreadPool* const pool = mju_threadPoolCreate(2);
  assert_non_null(CATCH(mju_bindThreadPool(d, NULL)));
  assert_int_equal(d->threadpool, 0);
  d->narena = 100;
  assert_string_equal(CATCH(mju_bindThreadPool(d, pool)), "Arena is not large enough for 3 shards");
  assert_int_equal(d->threadpool, 0);
  d->narena = NARENA;
  mj_markStack(d);
  mj_stackAllocByte(d, NARENA / 2, 1);
  assert_non_null(strstr(CATCH(mju_bindThreadPool(d, pool)), "larger than a shard"));
  mj_freeStack(d);

  // a worker's overflow is the joiner's error
  mju_bindThreadPool(d, pool);
  mjTask task;
  mju_defaultTask(&task);
  task.func = overflow;
  task.args = d;
  mju_threadPoolEnqueue(pool, &task);
  assert_non_null(strstr(CATCH(mju_taskJoin(&task)), "stack overflow"));
  mju_threadPoolDestroy(pool);
  arenaFree(d);
}

// pieces that take a while, of which some fail
typedef struct {
  int begun[40], ended[40];
  int running;
} Pieces;

static void slowPiece(void* arg, int i) {
  Pieces* const p = arg;
  __atomic_add_fetch(&p->running, 1, __ATOMIC_SEQ_CST);
  p->begun[i]++;
  nanosleep(&(struct timespec){.tv_nsec = i % 3 ? 1000000 : 1000}, NULL);
  __atomic_sub_fetch(&p->running, 1, __ATOMIC_SEQ_CST);
  if (i == 7 || i == 3 || i == 30) mju_error("piece %d failed", i);
  p->ended[i]++;
}

// every piece runs once and has ended when the call returns, whoever failed; the message is the first piece's
static void all_pieces_end_before_an_error_returns(void** state) {
  (void)state;
  for (size_t nthread = 0; nthread < 5; nthread++) {
    mjThreadPool* const pool = nthread ? bas_poolUpTo(nthread) : NULL;
    Pieces p = {0};
    char message[BAS_MESSAGE];
    assert_int_equal(bas_runAll(pool, &(BasWork){.run = slowPiece, .arg = &p, .n = 40}, message), 3);
    assert_string_equal(message, "piece 3 failed");
    assert_int_equal(__atomic_load_n(&p.running, __ATOMIC_SEQ_CST), 0);
    for (int i = 0; i < 40; i++) {
      assert_int_equal(p.begun[i], 1);
      assert_int_equal(p.ended[i], i != 7 && i != 3 && i != 30);
    }

    // no error, no piece
    assert_int_equal(bas_runAll(pool, &(BasWork){.run = slowPiece, .arg = &p, .n = 3}, message), -1);
    assert_int_equal(bas_runAll(pool, &(BasWork){.run = slowPiece, .arg = &p, .n = 0}, message), -1);
    assert_int_equal(p.begun[2] + p.begun[3], 3);
    mju_threadPoolDestroy(pool);
  }
}

// a piece whose worker shares out work itself, with all other workers busy
static mjThreadPool* sharedPool;
static void nestedPiece(void* arg, int i) {
  Pieces* const p = arg;
  Pieces inner = {0};
  char message[BAS_MESSAGE];
  p->begun[i] = bas_runAll(sharedPool, &(BasWork){.run = slowPiece, .arg = &inner, .n = 3}, message) == -1;
  for (int k = 0; k < 3; k++) p->ended[i] += inner.ended[k];
}

static void work_can_be_shared_out_by_workers(void** state) {
  (void)state;
  sharedPool = mju_threadPoolCreate(2);
  Pieces p = {0};
  char message[BAS_MESSAGE];
  assert_int_equal(bas_runAll(sharedPool, &(BasWork){.run = nestedPiece, .arg = &p, .n = 10}, message), -1);
  for (int i = 0; i < 10; i++) assert_true(p.begun[i] == 1 && p.ended[i] == 3);
  mju_threadPoolDestroy(sharedPool);
}

// fills a piece of its thread's stack and fails
static void leave(void* arg, int i) {
  mj_markStack(arg);
  mj_stackAllocByte(arg, 1000, 8);
  nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
  mju_error("left %d", i);
}

// stacks of all threads come back after errors
static void stacks_are_put_back(void** state) {
  (void)state;
  mjThreadPool* const pool = mju_threadPoolCreate(3);
  for (int bound = 0; bound < 2; bound++) {
    mjData* const d = arenaMake(NARENA);
    if (bound) mju_bindThreadPool(d, pool);
    mj_markStack(d);
    int* const mine = mj_stackAllocInt(d, 1);
    *mine = 5;
    const size_t room = mj_stackBytesAvailable(d);
    BasStackMark mark;
    bas_stackRemember(d, &mark);

    // far more than fits, were it kept
    for (int round = 0; round < 40; round++) {
      char message[BAS_MESSAGE];
      assert_int_equal(bas_runAll(bound ? pool : NULL, &(BasWork){.run = leave, .arg = d, .n = 40}, message), 0);
      assert_string_equal(message, "left 0");
      bas_stackPutBack(d, &mark);
    }
    assert_int_equal(mj_stackBytesAvailable(d), room);
    assert_int_equal(*mine, 5);
    mj_freeStack(d);
    arenaFree(d);
  }
  mju_threadPoolDestroy(pool);
}

// the owner's part of a bound mjData lies where the reference puts it
static void shards_equal_the_reference(void** state) {
  (void)state;
  if (!orc_available() || BAS_ASAN) skip();
  mjData* const a = arenaMake(NARENA);
  mjData* const b = arenaMake(NARENA);
  mjThreadPool* const pa = mju_threadPoolCreate(3);
  mjThreadPool* const pb = ORC(mju_threadPoolCreate)(3);
  assert_int_equal(pa->nworker, pb->nworker);
  mj_markStack(a);
  ORC(mj_markStack)(b);
  mju_bindThreadPool(a, pa);
  ORC(mju_bindThreadPool)(b, pb);
  for (size_t n = 1; n < 3000; n = 2 * n + 1) {
    char* const x = mj_stackAllocByte(a, n, 8);
    char* const y = ORC(mj_stackAllocByte)(b, n, 8);
    assert_int_equal(x - (char*)a->arena, y - (char*)b->arena);
    assert_int_equal(a->maxuse_threadstack[0], b->maxuse_threadstack[0]);
  }
  mj_freeStack(a);
  ORC(mj_freeStack)(b);
  assert_int_equal(a->pstack, b->pstack);
  mju_threadPoolDestroy(pa);
  ORC(mju_threadPoolDestroy)(pb);
  arenaFree(a);
  arenaFree(b);
}

static void markPiece(void* arg, int i) {
  ((int*)arg)[i] = 1;
}

// a child has no workers: its tasks run where they are asked for
static void forked_children_go_on_alone(void** state) {
  (void)state;
  mjThreadPool* const pool = mju_threadPoolCreate(3);
  fflush(NULL);
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    mjTask task;
    mju_defaultTask(&task);
    task.func = square;
    task.args = (void*)(intptr_t)7;
    mju_threadPoolEnqueue(pool, &task);
    mju_taskJoin(&task);
    int done[20] = {0};
    char message[BAS_MESSAGE];
    const int failed = bas_runAll(pool, &(BasWork){.run = markPiece, .arg = done, .n = 20}, message);
    int all = 1;
    for (int i = 0; i < 20; i++) all &= done[i];
    const int good = (intptr_t)task.args == 49 && failed < 0 && all && mju_threadPoolNumberOfThreads(pool) == 3;
    mju_threadPoolDestroy(pool);
    _exit(good ? 0 : 1);
  }
  int status = -1;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(status, 0);
  mju_threadPoolDestroy(pool);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(forked_children_go_on_alone),       cmocka_unit_test(tasks_run_once_and_return),
      cmocka_unit_test(errors_are_raised_by_the_joiner),   cmocka_unit_test(workers_have_their_own_stacks),
      cmocka_unit_test(binding_checks_the_arena),          cmocka_unit_test(all_pieces_end_before_an_error_returns),
      cmocka_unit_test(work_can_be_shared_out_by_workers), cmocka_unit_test(stacks_are_put_back),
      cmocka_unit_test(shards_equal_the_reference),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
