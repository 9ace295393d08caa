/* SPDX-License-Identifier: Apache-2.0 */
/* mpi_nccl_trainer CASE [ITERATIONS]: ranks that meet over MPI and train with NCCL. */
#include "tests/integration/nccl/trainer.h"

#include <mpi.h>

#include <stdlib.h>
#include <string.h>

int main(int count, char** words) {
  const int iterations = count > 2 ? atoi(words[2]) : 40;
  ncclUniqueId id;
  int rank, size, code;
  MPI_Init(&count, &words);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  memset(&id, 0, sizeof(id));
  if (rank == 0) ncclGetUniqueId(&id);
  MPI_Bcast(&id, sizeof(id), MPI_BYTE, 0, MPI_COMM_WORLD);
  code = train(count > 1 ? words[1] : "fine", iterations, rank, size, id);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return code;
}
