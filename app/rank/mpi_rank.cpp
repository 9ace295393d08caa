// SPDX-License-Identifier: Apache-2.0
// mpi_rank --spec FILE [--job-dir DIR] [--groups N]: one rank of a job whose gradients travel over MPI. Started by
// mpirun.
#include "app/rank/mpi_session.h"
#include "app/rank/rank_loop.h"

namespace {

using namespace shardlens;
using namespace shardlens::rank;

class MpiCollectives : public Collectives {
 public:
  explicit MpiCollectives(MpiSession& mpi) : mpi_(mpi) {}
  Result<void> prepare(std::size_t floats) override { return gradient_.resize(floats); }
  Result<void> fill(float mine) override {
    gradient_.fill(mine);
    return {};
  }
  Result<void> allReduce() override {
    mpi_.sum(gradient_.data(), gradient_.size());
    return {};
  }
  Result<bool> isEverywhere(float expected) override { return gradient_.isEverywhere(expected); }
  void barrier() override { mpi_.barrier(); }

 private:
  MpiSession& mpi_;
  HostGradient gradient_;
};

}  // namespace

int main(int argc, char** argv) {
  MpiSession mpi(argc, argv);
  return runRankProgram(argc, argv, "mpi_rank", mpi, [&mpi](const std::string& /*job_dir*/) {
    return Result<std::unique_ptr<Collectives>>(std::make_unique<MpiCollectives>(mpi));
  });
}
