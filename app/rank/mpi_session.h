// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/rank/collectives.h"
#include "core/schedule/operation.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

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

  /// Each of these groups gets a communicator of its own, on the ranks that are in it. Called once, by every rank.
  void connect(const std::vector<schedule::Group>& groups);
  /// The ranks of such a group.
  [[nodiscard]] const schedule::Group& members(std::size_t group) const;
  /// Performs a collective or a message on `values`, each of them `mine` at first; afterwards its results, of a recv
  /// what came. A broadcast returns once all ranks are in it, a send once its recv is there.
  void perform(const schedule::Operation& operation, std::vector<float>& values);

 private:
  struct Communicator;

  std::unique_ptr<Communicator> group_;  ///< null: the world
  std::vector<Communicator> groups_of_schedule_;
};

}  // namespace shardlens::rank
