/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of MPI that the probe stands in front of: each as C calls it, as Fortran does, and as Fortran 2008 does
 * where it has a name of its own. What they do is in calls.c. */
#include "app/probe/mpi/probe.h"

#define SL_VISIBLE __attribute__((visibility("default")))
#define N SL_NONE

#define P1 sl_word a0
#define L1 a0
#define P2 sl_word a0, sl_word a1
#define L2 a0, a1
#define P3 sl_word a0, sl_word a1, sl_word a2
#define L3 a0, a1, a2
#define P4 sl_word a0, sl_word a1, sl_word a2, sl_word a3
#define L4 a0, a1, a2, a3
#define P5 sl_word a0, sl_word a1, sl_word a2, sl_word a3, sl_word a4
#define L5 a0, a1, a2, a3, a4
#define P6 sl_word a0, sl_word a1, sl_word a2, sl_word a3, sl_word a4, sl_word a5
#define L6 a0, a1, a2, a3, a4, a5
#define P7 sl_word a0, sl_word a1, sl_word a2, sl_word a3, sl_word a4, sl_word a5, sl_word a6
#define L7 a0, a1, a2, a3, a4, a5, a6
#define P8 sl_word a0, sl_word a1, sl_word a2, sl_word a3, sl_word a4, sl_word a5, sl_word a6, sl_word a7
#define L8 a0, a1, a2, a3, a4, a5, a6, a7
#define P9 sl_word a0, sl_word a1, sl_word a2, sl_word a3, sl_word a4, sl_word a5, sl_word a6, sl_word a7, sl_word a8
#define L9 a0, a1, a2, a3, a4, a5, a6, a7, a8
#define P10 sl_word a0, sl_word a1, sl_word a2, sl_word a3, sl_word a4, sl_word a5, sl_word a6, sl_word a7, sl_word a8, sl_word a9
#define L10 a0, a1, a2, a3, a4, a5, a6, a7, a8, a9
#define P11 sl_word a0, sl_word a1, sl_word a2, sl_word a3, sl_word a4, sl_word a5, sl_word a6, sl_word a7, sl_word a8, sl_word a9, sl_word a10
#define L11 a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10
#define P12 sl_word a0, sl_word a1, sl_word a2, sl_word a3, sl_word a4, sl_word a5, sl_word a6, sl_word a7, sl_word a8, sl_word a9, sl_word a10, sl_word a11
#define L12 a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11
#define P13 sl_word a0, sl_word a1, sl_word a2, sl_word a3, sl_word a4, sl_word a5, sl_word a6, sl_word a7, sl_word a8, sl_word a9, sl_word a10, sl_word a11, sl_word a12
#define L13 a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12

/* NUMBER of arguments, and with ierror; places of communicator, count, datatype, root or peer, and result. */
#define ONE(RETURN, FUNCTION, HANDLER, OP, NUMBER, PARAMETERS, LIST, COMM, COUNT, TYPE, ROOT, RESULT, IS_F77, GIVE)  \
  SL_VISIBLE RETURN FUNCTION(PARAMETERS);                                                                             \
  SL_VISIBLE RETURN FUNCTION(PARAMETERS) {                                                                            \
    static sl_call call = {#FUNCTION, NULL, OP, NUMBER, COMM, COUNT, TYPE, ROOT, RESULT, IS_F77};                     \
    sl_word a[] = {LIST};                                                                                             \
    GIVE HANDLER(&call, a);                                                                                           \
  }

#define FUNCTION(NAME, SMALL, HANDLER, OP, NUMBER, MORE, COMM, COUNT, TYPE, ROOT, RESULT)                               \
  ONE(int, MPI_##NAME, HANDLER, OP, NUMBER, P##NUMBER, L##NUMBER, COMM, COUNT, TYPE, ROOT, RESULT, 0, return)           \
  ONE(void, mpi_##SMALL##_, HANDLER, OP, NUMBER, P##MORE, L##MORE, COMM, COUNT, TYPE, ROOT, RESULT, 1, (void))          \
  ONE(void, mpi_##SMALL##_f08_, HANDLER, OP, NUMBER, P##MORE, L##MORE, COMM, COUNT, TYPE, ROOT, RESULT, 1, (void))

/* A collective, and the one that goes on aside: with a request as its last argument, at NUMBER. */
#define COLLECTIVE(NAME, SMALL, OP, NUMBER, MORE, MOST, COMM, COUNT, TYPE, ROOT)                                \
  FUNCTION(NAME, SMALL, sl_collective, OP, NUMBER, MORE, COMM, COUNT, TYPE, ROOT, N)                            \
  FUNCTION(I##SMALL, i##SMALL, sl_collective_aside, OP, MORE, MOST, COMM, COUNT, TYPE, ROOT, NUMBER)

/* clang-format off */
COLLECTIVE(Barrier, barrier, SL_OP_BARRIER, 1, 2, 3, 0, N, N, N)
COLLECTIVE(Bcast, bcast, SL_OP_BROADCAST, 5, 6, 7, 4, 1, 2, 3)
COLLECTIVE(Reduce, reduce, SL_OP_REDUCE, 7, 8, 9, 6, 2, 3, 5)
COLLECTIVE(Allreduce, allreduce, SL_OP_ALLREDUCE, 6, 7, 8, 5, 2, 3, N)
COLLECTIVE(Gather, gather, SL_OP_GATHER, 8, 9, 10, 7, 1, 2, 6)
COLLECTIVE(Gatherv, gatherv, SL_OP_GATHER, 9, 10, 11, 8, 1, 2, 7)
COLLECTIVE(Scatter, scatter, SL_OP_SCATTER, 8, 9, 10, 7, 4, 5, 6)
COLLECTIVE(Scatterv, scatterv, SL_OP_SCATTER, 9, 10, 11, 8, 5, 6, 7)
COLLECTIVE(Allgather, allgather, SL_OP_ALLGATHER, 7, 8, 9, 6, 4, 5, N)
COLLECTIVE(Allgatherv, allgatherv, SL_OP_ALLGATHER, 8, 9, 10, 7, N, N, N)
COLLECTIVE(Alltoall, alltoall, SL_OP_ALLTOALL, 7, 8, 9, 6, 4, 5, N)
COLLECTIVE(Alltoallv, alltoallv, SL_OP_ALLTOALL, 9, 10, 11, 8, N, N, N)
COLLECTIVE(Alltoallw, alltoallw, SL_OP_ALLTOALL, 9, 10, 11, 8, N, N, N)
COLLECTIVE(Reduce_scatter, reduce_scatter, SL_OP_REDUCE_SCATTER, 6, 7, 8, 5, N, N, N)
COLLECTIVE(Reduce_scatter_block, reduce_scatter_block, SL_OP_REDUCE_SCATTER, 6, 7, 8, 5, 2, 3, N)
COLLECTIVE(Scan, scan, SL_OP_SCAN, 6, 7, 8, 5, 2, 3, N)
COLLECTIVE(Exscan, exscan, SL_OP_SCAN, 6, 7, 8, 5, 2, 3, N)

FUNCTION(Send, send, sl_send, SL_OP_SEND, 6, 7, 5, 1, 2, 3, N)
FUNCTION(Ssend, ssend, sl_send, SL_OP_SEND, 6, 7, 5, 1, 2, 3, N)
FUNCTION(Rsend, rsend, sl_send, SL_OP_SEND, 6, 7, 5, 1, 2, 3, N)
FUNCTION(Isend, isend, sl_send_aside, SL_OP_SEND, 7, 8, 5, 1, 2, 3, 6)
FUNCTION(Issend, issend, sl_send_aside, SL_OP_SEND, 7, 8, 5, 1, 2, 3, 6)
FUNCTION(Irsend, irsend, sl_send_aside, SL_OP_SEND, 7, 8, 5, 1, 2, 3, 6)
FUNCTION(Bsend, bsend, sl_send_aside, SL_OP_SEND, 6, 7, 5, 1, 2, 3, N)
FUNCTION(Recv, recv, sl_recv, SL_OP_RECV, 7, 8, 5, 1, 2, 3, N)
FUNCTION(Irecv, irecv, sl_recv_aside, SL_OP_RECV, 7, 8, 5, 1, 2, 3, 6)
FUNCTION(Sendrecv, sendrecv, sl_sendrecv, SL_OP_SEND, 12, 13, 10, 1, 2, 3, 8)
FUNCTION(Sendrecv_replace, sendrecv_replace, sl_sendrecv, SL_OP_SEND, 9, 10, 7, 1, 2, 3, 5)
FUNCTION(Mprobe, mprobe, sl_recv, SL_OP_RECV, 5, 6, 2, N, N, 0, N)
FUNCTION(Probe, probe, sl_probe_message, SL_OP_RECV, 4, 5, 2, N, N, N, N)

FUNCTION(Wait, wait, sl_wait, SL_OP_NONE, 2, 3, N, N, N, N, N)
FUNCTION(Waitall, waitall, sl_waitall, SL_OP_NONE, 3, 4, N, N, N, N, N)
FUNCTION(Waitany, waitany, sl_waitany, SL_OP_NONE, 4, 5, N, N, N, N, N)
FUNCTION(Waitsome, waitsome, sl_waitsome, SL_OP_NONE, 5, 6, N, N, N, N, N)
FUNCTION(Test, test, sl_test, SL_OP_NONE, 3, 4, N, N, N, N, N)
FUNCTION(Testall, testall, sl_testall, SL_OP_NONE, 4, 5, N, N, N, N, N)
FUNCTION(Testany, testany, sl_waitany, SL_OP_NONE, 5, 6, N, 3, N, N, N)
FUNCTION(Testsome, testsome, sl_waitsome, SL_OP_NONE, 5, 6, N, 2, N, N, N)
FUNCTION(Request_free, request_free, sl_free_request, SL_OP_NONE, 1, 2, N, N, N, N, N)

FUNCTION(Comm_dup, comm_dup, sl_new_comm, SL_OP_NEW_GROUP, 2, 3, 0, N, N, N, 1)
FUNCTION(Comm_dup_with_info, comm_dup_with_info, sl_new_comm, SL_OP_NEW_GROUP, 3, 4, 0, N, N, N, 2)
FUNCTION(Comm_split, comm_split, sl_new_comm, SL_OP_NEW_GROUP, 4, 5, 0, N, N, N, 3)
FUNCTION(Comm_split_type, comm_split_type, sl_new_comm, SL_OP_NEW_GROUP, 5, 6, 0, N, N, N, 4)
FUNCTION(Comm_create, comm_create, sl_new_comm, SL_OP_NEW_GROUP, 3, 4, 0, N, N, N, 2)
FUNCTION(Comm_create_group, comm_create_group, sl_new_comm, SL_OP_NONE, 4, 5, 0, N, N, N, 3)
FUNCTION(Cart_create, cart_create, sl_new_comm, SL_OP_NEW_GROUP, 6, 7, 0, N, N, N, 5)
FUNCTION(Cart_sub, cart_sub, sl_new_comm, SL_OP_NEW_GROUP, 3, 4, 0, N, N, N, 2)
FUNCTION(Graph_create, graph_create, sl_new_comm, SL_OP_NEW_GROUP, 6, 7, 0, N, N, N, 5)
FUNCTION(Dist_graph_create_adjacent, dist_graph_create_adjacent, sl_new_comm, SL_OP_NEW_GROUP, 10, 11, 0, N, N, N, 9)
FUNCTION(Dist_graph_create, dist_graph_create, sl_new_comm, SL_OP_NEW_GROUP, 9, 10, 0, N, N, N, 8)
FUNCTION(Intercomm_merge, intercomm_merge, sl_new_comm, SL_OP_NONE, 3, 4, 0, N, N, N, 2)
FUNCTION(Comm_free, comm_free, sl_free_comm, SL_OP_NONE, 1, 2, N, N, N, N, N)
FUNCTION(Comm_disconnect, comm_disconnect, sl_free_comm, SL_OP_NONE, 1, 2, N, N, N, N, N)
FUNCTION(Type_free, type_free, sl_free_type, SL_OP_NONE, 1, 2, N, N, N, N, N)
FUNCTION(Abort, abort, sl_abort, SL_OP_NONE, 2, 3, N, N, N, N, N)

/* What C and Fortran give differs. */
ONE(int, MPI_Init, sl_init, SL_OP_NONE, 2, P2, L2, N, N, N, N, N, 0, return)
ONE(int, MPI_Init_thread, sl_init, SL_OP_NONE, 4, P4, L4, N, N, N, N, N, 0, return)
ONE(int, MPI_Finalize, sl_finalize, SL_OP_NONE, 0, void, 0, N, N, N, N, N, 0, return)
ONE(void, mpi_init_, sl_init, SL_OP_NONE, 0, P1, L1, N, N, N, N, N, 1, (void))
ONE(void, mpi_init_f08_, sl_init, SL_OP_NONE, 0, P1, L1, N, N, N, N, N, 1, (void))
ONE(void, mpi_init_thread_, sl_init, SL_OP_NONE, 2, P3, L3, N, N, N, N, N, 1, (void))
ONE(void, mpi_init_thread_f08_, sl_init, SL_OP_NONE, 2, P3, L3, N, N, N, N, N, 1, (void))
ONE(void, mpi_finalize_, sl_finalize, SL_OP_NONE, 0, P1, L1, N, N, N, N, N, 1, (void))
ONE(void, mpi_finalize_f08_, sl_finalize, SL_OP_NONE, 0, P1, L1, N, N, N, N, N, 1, (void))
ONE(int, MPI_Comm_set_name, sl_name_comm, SL_OP_NONE, 2, P2, L2, 0, N, N, N, N, 0, return)
ONE(void, mpi_comm_set_name_, sl_name_comm, SL_OP_NONE, 3, P4, L4, 0, N, N, N, N, 1, (void))
/* clang-format on */
