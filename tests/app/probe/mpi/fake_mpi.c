/* SPDX-License-Identifier: Apache-2.0 */
/* An MPI library for one process that says it is rank 0 of 2: what it does takes no time. Its handles are ints, as those
 * of MPICH, and its functions have the shape that every MPI gives them. */
#include "tests/app/probe/mpi/fake_mpi.h"

static int is_initialized;

int PMPI_Init(int* count, char*** words) {
  (void)count;
  (void)words;
  is_initialized = 1;
  return 0;
}

int PMPI_Initialized(int* flag) {
  *flag = is_initialized;
  return 0;
}

int PMPI_Finalize(void) {
  return 0;
}

int PMPI_Comm_rank(int comm, int* rank) {
  (void)comm;
  *rank = 0;
  return 0;
}

int PMPI_Comm_size(int comm, int* size) {
  (void)comm;
  *size = 2;
  return 0;
}

int PMPI_Barrier(int comm) {
  return comm == FAKE_WORLD ? 0 : 1;
}

int PMPI_Allreduce(const void* in, void* out, int count, int type, int op, int comm) {
  (void)in;
  (void)out;
  (void)count;
  (void)type;
  (void)op;
  return comm == FAKE_WORLD ? 0 : 1;
}

int MPI_Init(int* count, char*** words) {
  return PMPI_Init(count, words);
}

int MPI_Finalize(void) {
  return PMPI_Finalize();
}

int MPI_Barrier(int comm) {
  return PMPI_Barrier(comm);
}

int MPI_Allreduce(const void* in, void* out, int count, int type, int op, int comm) {
  return PMPI_Allreduce(in, out, count, type, op, comm);
}
