// SPDX-License-Identifier: Apache-2.0
// uneven_rank: a job whose rank 1 has four batches and whose other ranks have six, as a real one with a wrong sampler:
// rank 1 waits in the barrier at the end of the epoch while the others wait for it in an all-reduce.
#include "app/rank/mpi_session.h"
#include "app/rank/reporter.h"

#include <cstdlib>
#include <vector>

using namespace shardlens::rank;

int main(int argc, char** argv) {
  MpiSession mpi(argc, argv);
  Reporter reporter;
  const char* job_dir = std::getenv("SHARDLENS_JOB_DIR");
  if (job_dir == nullptr || !reporter.open(job_dir, mpi.rank(), mpi.worldSize()).empty()) return 1;
  const std::int64_t steps = mpi.rank() == 1 ? 4 : 6;
  std::vector<float> gradient(1000, 1.0F);
  reporter.epochBegin(0, steps);
  for (std::int64_t step = 0; step < steps; ++step) {
    reporter.stepBegin(step);
    reporter.phaseBegin(SL_PHASE_LOAD, step);
    reporter.phaseEnd();
    reporter.batch(step, 1, 2);
    reporter.enter(SL_OP_ALLREDUCE, gradient.size() * sizeof(float));
    mpi.sum(gradient.data(), gradient.size());
    reporter.leave();
    reporter.stepEnd();
  }
  reporter.epochEnd(steps);
  reporter.enter(SL_OP_BARRIER, 0);
  mpi.barrier();
  reporter.leave();
  reporter.bye(0);
  return 0;
}
