// SPDX-License-Identifier: Apache-2.0
// socket_rank --spec FILE [--job-dir DIR]: one rank of a job whose gradients travel over a socket to rank 0. Needs no
// MPI: any launcher that says to each process which rank it is can start it, and so can a shell.
#include "app/rank/rank_loop.h"
#include "app/rank/socket_collectives.h"
#include "core/base/result.h"

#include <cstdio>

int main(int argc, char** argv) {
  using namespace shardlens;
  using namespace shardlens::rank;
  const auto session = SocketSession::fromEnvironment();
  if (!session) {
    std::fprintf(stderr, "socket_rank: %s\n", session.error().text().c_str());
    return kUsage;
  }
  return runRankProgram(argc, argv, "socket_rank", **session, [&session](const std::string& job_dir) {
    return SocketCollectives::connect(job_dir, **session);
  });
}
