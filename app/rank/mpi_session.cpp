// SPDX-License-Identifier: Apache-2.0
#include "app/rank/mpi_session.h"

#include <mpi.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace shardlens::rank {
namespace {

/// MPI counts are int; a larger gradient is reduced in parts.
constexpr std::size_t kMostFloats = std::size_t{1} << 28;

}  // namespace

struct MpiSession::Communicator {
  MPI_Comm handle = MPI_COMM_NULL;
  schedule::Group members = {};  ///< of one of a schedule
};

MpiSession::MpiSession(int& argc, char**& argv) {
  int rank = 0;
  int size = 1;
  unsetenv("SHARDLENS_RINGS");  // this program reports itself, and the probe of MPI does not
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  rank_ = rank;
  world_size_ = size;
}

MpiSession::~MpiSession() {
  for (Communicator& group : groups_of_schedule_) {
    if (group.handle != MPI_COMM_NULL) MPI_Comm_free(&group.handle);
  }
  if (group_) MPI_Comm_free(&group_->handle);
  MPI_Finalize();
}

void MpiSession::split(std::int64_t groups) {
  groups_ = groups;
  if (groups == 1) return;
  group_ = std::make_unique<Communicator>();
  MPI_Comm_split(MPI_COMM_WORLD, static_cast<int>(rank_ % groups), static_cast<int>(rank_), &group_->handle);
}

void MpiSession::barrier() {
  MPI_Barrier(MPI_COMM_WORLD);
}

void MpiSession::sum(float* values, std::size_t count) {
  for (std::size_t done = 0; done < count; done += kMostFloats) {
    const auto part = static_cast<int>(std::min(kMostFloats, count - done));
    MPI_Allreduce(MPI_IN_PLACE, values + done, part, MPI_FLOAT, MPI_SUM, group_ ? group_->handle : MPI_COMM_WORLD);
  }
}

std::int64_t MpiSession::least(std::int64_t mine) {
  MPI_Allreduce(MPI_IN_PLACE, &mine, 1, MPI_INT64_T, MPI_MIN, MPI_COMM_WORLD);
  return mine;
}

void MpiSession::broadcast(void* bytes, std::size_t count) {
  MPI_Bcast(bytes, static_cast<int>(count), MPI_BYTE, 0, MPI_COMM_WORLD);
}

void MpiSession::connect(const std::vector<schedule::Group>& groups) {
  MPI_Group world = MPI_GROUP_NULL;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  for (const schedule::Group& ranks : groups) {
    Communicator& group = groups_of_schedule_.emplace_back();
    group.members = ranks;
    if (!std::ranges::binary_search(ranks, Rank{rank_})) continue;
    std::vector<int> numbers;
    for (const Rank rank : ranks) numbers.push_back(static_cast<int>(rank.value));
    MPI_Group members = MPI_GROUP_NULL;
    MPI_Group_incl(world, static_cast<int>(numbers.size()), numbers.data(), &members);
    MPI_Comm_create_group(MPI_COMM_WORLD, members, static_cast<int>(groups_of_schedule_.size()), &group.handle);
    MPI_Group_free(&members);
  }
  MPI_Group_free(&world);
}

const schedule::Group& MpiSession::members(std::size_t group) const {
  return groups_of_schedule_[group].members;
}

namespace {

MPI_Op operatorOf(schedule::Reduction reduction) {
  return reduction == schedule::Reduction::Max ? MPI_MAX : MPI_SUM;
}

/// MPI has no average.
void finish(schedule::Reduction reduction, int ranks, std::vector<float>& values) {
  if (reduction != schedule::Reduction::Avg) return;
  for (float& value : values) value /= static_cast<float>(ranks);
}

/// Each rank's values, in its order; they may be as many as it likes.
void exchange(std::vector<float>& values, int ranks, MPI_Comm group) {
  const auto size = static_cast<std::size_t>(ranks);
  std::vector<int> mine(size, static_cast<int>((values.size() + size - 1) / size));
  std::vector<int> theirs(size);
  MPI_Alltoall(mine.data(), 1, MPI_INT, theirs.data(), 1, MPI_INT, group);
  const auto places = [](const std::vector<int>& counts) {
    std::vector<int> at(counts.size());
    std::exclusive_scan(counts.begin(), counts.end(), at.begin(), 0);
    return at;
  };
  values.resize(static_cast<std::size_t>(mine.front()) * size, values.front());
  std::vector<float> got(static_cast<std::size_t>(std::reduce(theirs.begin(), theirs.end())));
  MPI_Alltoallv(values.data(), mine.data(), places(mine).data(), MPI_FLOAT, got.data(), theirs.data(),
                places(theirs).data(), MPI_FLOAT, group);
  values = std::move(got);
}

}  // namespace

void MpiSession::perform(const schedule::Operation& operation, std::vector<float>& values) {
  using schedule::Kind;
  const Communicator& group = groups_of_schedule_[operation.group];
  const auto ranks = static_cast<int>(group.members.size());
  const auto count = static_cast<int>(values.size());
  const auto peer = static_cast<int>(std::ranges::find(group.members, operation.peer) - group.members.begin());
  std::vector<float> got;
  switch (operation.kind) {
    case Kind::AllReduce:
      MPI_Allreduce(MPI_IN_PLACE, values.data(), count, MPI_FLOAT, operatorOf(operation.reduction), group.handle);
      return finish(operation.reduction, ranks, values);
    case Kind::ReduceScatter:
      got.resize((values.size() + group.members.size() - 1) / group.members.size());
      values.resize(got.size() * group.members.size(), values.front());
      MPI_Reduce_scatter_block(values.data(), got.data(), static_cast<int>(got.size()), MPI_FLOAT,
                               operatorOf(operation.reduction), group.handle);
      values = std::move(got);
      return finish(operation.reduction, ranks, values);
    case Kind::AllGather:
      got.resize(values.size() * group.members.size());
      MPI_Allgather(values.data(), count, MPI_FLOAT, got.data(), count, MPI_FLOAT, group.handle);
      values = std::move(got);
      return;
    case Kind::Broadcast:
      MPI_Bcast(values.data(), count, MPI_FLOAT, peer, group.handle);
      MPI_Barrier(group.handle);
      return;
    case Kind::AllToAll:
      return exchange(values, ranks, group.handle);
    case Kind::Barrier:
      MPI_Barrier(group.handle);
      return;
    case Kind::Send:
      MPI_Ssend(values.data(), count, MPI_FLOAT, peer, 0, group.handle);
      return;
    case Kind::Recv:
      MPI_Recv(values.data(), count, MPI_FLOAT, peer, 0, group.handle, MPI_STATUS_IGNORE);
      return;
    case Kind::Load:
    case Kind::Compute:
    case Kind::Host:
      return;
  }
}

void MpiSession::abort(int exit_code) {
  MPI_Abort(MPI_COMM_WORLD, exit_code);
  std::abort();
}

}  // namespace shardlens::rank
