// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/rank/session.h"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace shardlens::rank {

/// MPI from its beginning to its end, one in a process. The only header-and-source pair that calls MPI.
class MpiSession : public Session {
 public:
  MpiSession(int& argc, char**& argv);
  ~MpiSession() override;

  /// Each group gets a communicator of its own.
  void split(std::int64_t groups) override;

  /// Waits for all ranks.
  void barrier();
  /// Sums over the ranks of this rank's group, in place.
  void sum(float* values, std::size_t count);
  /// The smallest of all ranks' numbers.
  [[nodiscard]] std::int64_t least(std::int64_t mine);
  /// Rank 0's bytes, on every rank.
  void broadcast(void* bytes, std::size_t count);
  [[noreturn]] void abort(int exit_code) override;

 private:
  struct Communicator;

  std::unique_ptr<Communicator> group_;  ///< null: the world
};

}  // namespace shardlens::rank
