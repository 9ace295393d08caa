// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace shardlens::rank {

/// MPI from its beginning to its end, one in a process. The only header-and-source pair that calls MPI.
class MpiSession {
 public:
  MpiSession(int& argc, char**& argv);
  ~MpiSession();
  MpiSession(const MpiSession&) = delete;
  MpiSession& operator=(const MpiSession&) = delete;

  [[nodiscard]] std::int64_t rank() const { return rank_; }
  [[nodiscard]] std::int64_t worldSize() const { return world_size_; }

  /// Deals the ranks into this many groups by turns, each with a communicator of its own; rank 2 comes to rank 0's of
  /// two. Before it is called all ranks are one group. Called by every rank, once.
  void split(std::int64_t groups);
  [[nodiscard]] std::int64_t groups() const { return groups_; }

  /// Waits for all ranks.
  void barrier();
  /// Sums over the ranks of this rank's group, in place.
  void sum(float* values, std::size_t count);
  /// The smallest of all ranks' numbers.
  [[nodiscard]] std::int64_t least(std::int64_t mine);
  /// Rank 0's bytes, on every rank.
  void broadcast(void* bytes, std::size_t count);
  /// Ends every rank of the job at once.
  [[noreturn]] static void abort(int exit_code);

 private:
  struct Communicator;

  std::int64_t rank_ = 0;
  std::int64_t world_size_ = 1;
  std::int64_t groups_ = 1;
  std::unique_ptr<Communicator> group_;  ///< null: the world
};

}  // namespace shardlens::rank
