// SPDX-License-Identifier: Apache-2.0
#include "app/rank/mpi_session.h"

#include <mpi.h>

#include <algorithm>
#include <cstdlib>

namespace shardlens::rank {
namespace {

/// MPI counts are int; a larger gradient is reduced in parts.
constexpr std::size_t kMostFloats = std::size_t{1} << 28;

}  // namespace

struct MpiSession::Communicator {
  MPI_Comm handle = MPI_COMM_NULL;
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

void MpiSession::abort(int exit_code) {
  MPI_Abort(MPI_COMM_WORLD, exit_code);
  std::abort();
}

}  // namespace shardlens::rank
