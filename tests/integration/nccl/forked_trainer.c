/* SPDX-License-Identifier: Apache-2.0 */
/* nccl_trainer CASE [ITERATIONS [RANKS]]: starts the ranks itself, as training scripts on one host do; they learn which
 * one they are from nothing but their communicator. */
#include "tests/integration/nccl/trainer.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int count, char** words) {
  const int iterations = count > 2 ? atoi(words[2]) : 40;
  const int size = count > 3 ? atoi(words[3]) : 4;
  ncclUniqueId id;
  int code = 0;
  int status;
  int rank;
  if (count < 2 || ncclGetUniqueId(&id) != ncclSuccess) return 2;
  for (rank = 0; rank < size; ++rank) {
    if (fork() != 0) continue;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    exit(train(words[1], iterations, rank, size, id));
  }
  while (wait(&status) > 0) { /* as with NCCL, the others wait for ever for one that has died */
    if (status != 0) code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  return code;
}
