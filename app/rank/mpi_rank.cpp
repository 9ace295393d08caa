// SPDX-License-Identifier: Apache-2.0
// mpi_rank --spec FILE [--job-dir DIR] [--groups N]: one rank of a job whose gradients travel over MPI. Started by
// mpirun.
#include "app/rank/mpi_session.h"
#include "app/rank/rank_loop.h"

#include <algorithm>
#include <string>
#include <vector>

namespace {

using namespace shardlens;
using namespace shardlens::rank;
using schedule::Kind;
using schedule::Reduction;

/// What a rank contributes. Sums of small whole numbers are exact in a float, in any order.
float valueOf(Rank rank) {
  return static_cast<float>(rank.value % 64 + 1);
}

float reduced(Reduction reduction, const schedule::Group& group) {
  float sum = 0;
  float most = 0;
  for (const Rank rank : group) {
    sum += valueOf(rank);
    most = std::max(most, valueOf(rank));
  }
  if (reduction == Reduction::Max) return most;
  return reduction == Reduction::Avg ? sum / static_cast<float>(group.size()) : sum;
}

std::vector<float> withoutRepeats(std::vector<float> values) {
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

/// Whether these are the results where all ranks of the group call the same operation.
bool isRight(const schedule::Operation& operation, const schedule::Group& group, const std::vector<float>& values) {
  const auto all = [&values](float expected) {
    return std::ranges::all_of(values, [expected](float value) { return value == expected; });
  };
  switch (operation.kind) {
    case Kind::AllReduce:
    case Kind::ReduceScatter:
      return all(reduced(operation.reduction, group));
    case Kind::Broadcast:
    case Kind::Recv:
      return all(valueOf(operation.peer));
    case Kind::AllGather:
      for (std::size_t i = 0; i < values.size(); ++i) {
        if (values[i] != valueOf(group[i / (values.size() / group.size())])) return false;
      }
      return true;
    case Kind::AllToAll: {
      std::vector<float> expected;
      for (const Rank rank : group) expected.push_back(valueOf(rank));
      return withoutRepeats(values) == withoutRepeats(std::move(expected));
    }
    default:
      return true;
  }
}

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

  Result<void> prepareGroups(const std::vector<schedule::Group>& groups) override {
    mpi_.connect(groups);
    return {};
  }
  Result<void> perform(const schedule::Operation& operation, std::vector<float>& given) override {
    if (!given.empty()) {
      mpi_.perform(operation, given);
      return {};
    }
    constexpr std::int64_t kMostBytes = std::int64_t{1} << 30;
    if (operation.bytes > kMostBytes)
      return Error{
          ErrorCode::Usage, "mpi_rank moves at most a GiB at once.", {"", 0, 0, "schedule"}, "make kb smaller"};
    std::vector<float> values(std::max<std::size_t>(1, static_cast<std::size_t>(operation.bytes) / sizeof(float)),
                              valueOf(Rank{mpi_.rank()}));
    mpi_.perform(operation, values);
    if (isRight(operation, mpi_.members(operation.group), values)) return {};
    return Error{ErrorCode::JobFailed,
                 "The " + std::string(nameOf(operation.kind)) + " gave a wrong result.",
                 {"", 0, 0, "schedule[" + std::to_string(operation.line) + "]"},
                 "let all ranks of its group call the same operations, in the same order"};
  }

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
