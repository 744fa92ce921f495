// Messages between the ranks of `mpirun`.
#include <mpi.h>
#include <stddef.h>
#include <time.h>

#include "modules/modules.h"

static int start(int* rank, int* size) {
  int provided = 0;
  if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS) return 0;
  return MPI_Comm_rank(MPI_COMM_WORLD, rank) == MPI_SUCCESS && MPI_Comm_size(MPI_COMM_WORLD, size) == MPI_SUCCESS;
}

static void finish(void) {
  MPI_Finalize();
}

// Messages go in pieces that MPI copies at once: a larger one would be fetched from the sender's memory later, and
// whoever waits for it would wait for ever if the sender died meanwhile.
enum { PIECE = 2048 };

static int pieceSize(int size, int at) {
  return size - at < PIECE ? size - at : PIECE;
}

static void send(int to, const void* bytes, int size) {
  for (int at = 0; at < size; at += PIECE) {
    MPI_Send((const char*)bytes + at, pieceSize(size, at), MPI_BYTE, to, 0, MPI_COMM_WORLD);
  }
}

// looks every now and then: a blocking call would burn a core and could not be interrupted
static int receive(int from, void* bytes, int size, int (*stop)(void)) {
  int source = from < 0 ? MPI_ANY_SOURCE : from;
  for (int at = 0; at < size; at += PIECE) {
    MPI_Status status;
    for (int there = 0; !there;) {
      MPI_Iprobe(source, 0, MPI_COMM_WORLD, &there, &status);
      if (!there && stop()) return -1;
      if (!there) nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
    }
    source = status.MPI_SOURCE;
    MPI_Recv((char*)bytes + at, pieceSize(size, at), MPI_BYTE, source, 0, MPI_COMM_WORLD, &status);
  }
  return source;
}

__attribute__((visibility("default"))) extern const ModMpi sinew_mpi;
const ModMpi sinew_mpi = {start, finish, send, receive};
