/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SHARDLENS_TESTS_FAKE_MPI_H
#define SHARDLENS_TESTS_FAKE_MPI_H

/* What a program uses of fake_mpi.c, as its mpi.h would say it. */

enum { FAKE_WORLD = 0x44000000, FAKE_DOUBLE = 0x4c00080b };

int MPI_Init(int* count, char*** words);
int MPI_Finalize(void);
int MPI_Barrier(int comm);
int MPI_Allreduce(const void* in, void* out, int count, int type, int op, int comm);
int PMPI_Init(int* count, char*** words);
int PMPI_Initialized(int* flag);
int PMPI_Finalize(void);
int PMPI_Comm_rank(int comm, int* rank);
int PMPI_Comm_size(int comm, int* size);
int PMPI_Barrier(int comm);
int PMPI_Allreduce(const void* in, void* out, int count, int type, int op, int comm);

#endif
