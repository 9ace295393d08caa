/* SPDX-License-Identifier: Apache-2.0 */
/* A program that knows nothing of ShardLens: `solver CASE [ITERATIONS]` iterates a small field over all ranks and
 * prints its sum. CASE hides a fault in one rank, or is an odd but sound use of MPI. */
#define _GNU_SOURCE
#include <mpi.h>

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { kCells = 256 };

static int rank, size, iterations;
static double cells[kCells], sums[kCells];

static int is(const char* name, const char* what) {
  return strcmp(name, what) == 0;
}

static void work(int i) {
  int k;
  for (k = 0; k < kCells; ++k) cells[k] = cells[k] * 0.5 + rank + i * 0.25 + k;
}

/* One iteration as it should be: halo, sum, barrier. */
static void iterate(int i) {
  const int next = (rank + 1) % size;
  const int before = (rank + size - 1) % size;
  double halo = 0;
  MPI_Request requests[2];
  work(i);
  MPI_Irecv(&halo, 1, MPI_DOUBLE, before, i, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(&cells[0], 1, MPI_DOUBLE, next, i, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  cells[kCells - 1] += halo;
  MPI_Allreduce(cells, sums, kCells, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Bcast(&sums[1], 4, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

static void report(void) {
  double sum = 0;
  int k;
  for (k = 0; k < kCells; ++k) sum += sums[k];
  if (rank == 0) printf("sum %.17g\n", sum);
}

/* Groups by parity, one that leaves a rank out, copies, and one of the rank itself. */
static void communicators(void) {
  MPI_Comm parity, some, copy;
  int i, one = 1, all = 0;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &parity);
  MPI_Comm_set_name(parity, rank % 2 == 0 ? "even" : "odd");
  for (i = 0; i < 5; ++i) MPI_Allreduce(&one, &all, 1, MPI_INT, MPI_SUM, parity);
  MPI_Comm_split(MPI_COMM_WORLD, rank == 0 ? MPI_UNDEFINED : 1, rank, &some);
  if (some != MPI_COMM_NULL) {
    for (i = 0; i < 3; ++i) MPI_Barrier(some);
    MPI_Comm_free(&some);
  }
  for (i = 0; i < iterations; ++i) {
    MPI_Comm_dup(i % 2 == 0 ? parity : MPI_COMM_WORLD, &copy);
    MPI_Barrier(copy);
    MPI_Comm_free(&copy);
  }
  MPI_Comm_dup(MPI_COMM_SELF, &copy);
  MPI_Barrier(copy);
  MPI_Comm_free(&copy);
  MPI_Comm_free(&parity);
}

/* Each kind of call once and more. */
static void calls(void) {
  double* many = calloc((size_t)size * kCells, sizeof(double));
  int i, flag = 0;
  MPI_Request request;
  MPI_Status status;
  for (i = 0; i < 4; ++i) {
    MPI_Allreduce(MPI_IN_PLACE, cells, kCells, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    /* In place, the root's own count and type are ignored. */
    MPI_Gather(rank == 1 ? MPI_IN_PLACE : cells, 8, rank == 1 ? MPI_DATATYPE_NULL : MPI_DOUBLE, many, 8, MPI_DOUBLE, 1,
               MPI_COMM_WORLD);
    MPI_Allgather(cells, 8, MPI_DOUBLE, many, 8, MPI_DOUBLE, MPI_COMM_WORLD);
    MPI_Alltoall(many, 8, MPI_DOUBLE, many + 8 * size, 8, MPI_DOUBLE, MPI_COMM_WORLD);
    MPI_Reduce(cells, sums, kCells, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Scan(cells, sums, 4, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Iallreduce(cells, sums, kCells, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request);
    work(i);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    do {
      MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    } while (!flag);
  }
  if (rank == 0) {
    for (i = 1; i < size; ++i) MPI_Recv(many, 4, MPI_DOUBLE, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &status);
    MPI_Send(cells, 4, MPI_DOUBLE, MPI_PROC_NULL, 7, MPI_COMM_WORLD);
  } else {
    MPI_Ssend(cells, 4, MPI_DOUBLE, 0, 7, MPI_COMM_WORLD);
  }
  free(many);
}

static void* other(void* comm) {
  int i;
  for (i = 0; i < iterations; ++i) MPI_Barrier(*(MPI_Comm*)comm);
  return NULL;
}

/* Two threads, each with a communicator of its own. */
static void threads(void) {
  pthread_t thread;
  MPI_Comm one, two;
  MPI_Comm_dup(MPI_COMM_WORLD, &one);
  MPI_Comm_dup(MPI_COMM_WORLD, &two);
  pthread_create(&thread, NULL, other, &one);
  other(&two);
  pthread_join(thread, NULL);
}

static void forks(void) {
  if (fork() == 0) exit(7); /* with exit handlers */
  wait(NULL);
}

static void fault(const char* name, int i) {
  int wrong = 4;
  const int is_here = rank == 1 && i == iterations / 2;
  if (is(name, "straggler") && rank == 1) usleep(50000); /* long against the turns of a busy scheduler, over enough steps */
  if (is(name, "missing") && !is_here) MPI_Barrier(MPI_COMM_WORLD);
  if (is(name, "size") && i == iterations / 2) {
    if (rank == 1) wrong = 3;
    MPI_Bcast(sums, wrong, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  }
  if (is(name, "dies") && is_here) raise(SIGKILL);
  if (is(name, "stops") && is_here) raise(SIGSTOP);
  if (is(name, "exits") && is_here) exit(3);
  if (is(name, "aborts") && is_here) MPI_Abort(MPI_COMM_WORLD, 5);
  while (is(name, "hangs") && is_here) pause();
}

int main(int count, char** words) {
  const char* const name = count > 1 ? words[1] : "fine";
  int provided = 0;
  int i;
  iterations = count > 2 ? atoi(words[2]) : 40;
  if (is(name, "never")) return 0;
  if (is(name, "threads")) MPI_Init_thread(&count, &words, MPI_THREAD_MULTIPLE, &provided);
  if (!is(name, "threads")) MPI_Init(&count, &words);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (is(name, "forks")) forks();
  if (is(name, "communicators")) communicators();
  if (is(name, "calls")) calls();
  if (is(name, "threads") && provided == MPI_THREAD_MULTIPLE) threads();
  for (i = 0; i < iterations; ++i) {
    iterate(i);
    fault(name, i);
  }
  report();
  MPI_Finalize();
  return 0;
}
