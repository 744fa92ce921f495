// Threads: a pool of workers and the tasks they run.
//
// The functions are in mujoco.h: mju_threadPoolCreate, mju_defaultTask, mju_threadPoolEnqueue,
// mju_taskJoin. Results of a simulation do not depend on the number of threads.
//
// Include this header alone for the types; mujoco.h includes it.

#ifndef MUJOCO_INCLUDE_MJTHREAD_H_
#define MUJOCO_INCLUDE_MJTHREAD_H_

#define mjMAXTHREAD 128  // most workers in a pool

// Life of a task.
typedef enum mjtTaskStatus_ {
  mjTASK_NEW = 0,   // not handed over yet
  mjTASK_QUEUED,    // waiting or running
  mjTASK_COMPLETED  // done
} mjtTaskStatus;

// What a task runs; its argument is mjTask.args. The returned pointer is not used.
typedef void* (*mjfTask)(void*);

// The public head of a thread pool.
struct mjThreadPool_ {
  int nworker;  // workers
};
typedef struct mjThreadPool_ mjThreadPool;

// One piece of work. Owned by the program, which keeps it alive until it is joined.
struct mjTask_ {
  mjfTask func;         // what to run
  void* args;           // its argument
  volatile int status;  // mjtTaskStatus, written by the worker
};
typedef struct mjTask_ mjTask;

#endif
