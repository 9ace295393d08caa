/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SHARDLENS_TESTS_NCCL_TRAINER_H
#define SHARDLENS_TESTS_NCCL_TRAINER_H

#include "tests/integration/nccl/fake_nccl.h"

/* One rank of a program that trains with NCCL and knows nothing of ShardLens. `name` hides a fault in one rank, or is
 * an odd but sound use. Returns its exit code. */
int train(const char* name, int iterations, int rank, int size, ncclUniqueId id);

#endif
