/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SHARDLENS_TESTS_FAKE_NCCL_H
#define SHARDLENS_TESTS_FAKE_NCCL_H

/* A library with the functions of NCCL that a training program uses, for ranks of one host without a GPU: buffers are
 * plain memory, of one float to kFakeMost, and a thread stands for the stream of a communicator. It loads a profiler
 * plugin as NCCL does and reports its operations. As with NCCL, the operations of a communicator meet in the order in
 * which each rank queues them, and those that do not fit never end. */

#include <stddef.h>

enum { kFakeMost = 64 };

typedef struct {
  char internal[128];
} ncclUniqueId;
typedef struct ncclComm* ncclComm_t;
typedef enum { ncclSuccess = 0, ncclSystemError = 2, ncclInvalidArgument = 4 } ncclResult_t;
typedef enum { ncclFloat32 = 7 } ncclDataType_t;
typedef enum { ncclSum = 0 } ncclRedOp_t;
typedef void* cudaStream_t;

ncclResult_t ncclGetUniqueId(ncclUniqueId* id);
ncclResult_t ncclCommInitRank(ncclComm_t* comm, int ranks, ncclUniqueId id, int rank);
ncclResult_t ncclCommSplit(ncclComm_t comm, int color, int key, ncclComm_t* fresh, void* config);
ncclResult_t ncclCommDestroy(ncclComm_t comm);
ncclResult_t ncclAllReduce(const void* from, void* to, size_t count, ncclDataType_t type, ncclRedOp_t op,
                           ncclComm_t comm, cudaStream_t stream);
ncclResult_t ncclAllGather(const void* from, void* to, size_t count, ncclDataType_t type, ncclComm_t comm,
                           cudaStream_t stream);
ncclResult_t ncclBroadcast(const void* from, void* to, size_t count, ncclDataType_t type, int root, ncclComm_t comm,
                           cudaStream_t stream);
ncclResult_t ncclSend(const void* from, size_t count, ncclDataType_t type, int peer, ncclComm_t comm,
                      cudaStream_t stream);
ncclResult_t ncclRecv(void* to, size_t count, ncclDataType_t type, int peer, ncclComm_t comm, cudaStream_t stream);
ncclResult_t ncclGroupStart(void);
ncclResult_t ncclGroupEnd(void);

/* Stands for a kernel of the program's own in the stream, which takes so long. */
void fakeCompute(ncclComm_t comm, size_t microseconds);
/* Stands for cudaStreamSynchronize(): returns when all that was queued is over. */
void fakeSynchronize(ncclComm_t comm);

#endif
