// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace shardlens::rank {

/// Who this process is among the ranks of its job, and how it ends all of them.
class Session {
 public:
  Session() = default;
  virtual ~Session() = default;
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  [[nodiscard]] std::int64_t rank() const { return rank_; }
  [[nodiscard]] std::int64_t worldSize() const { return world_size_; }

  /// Deals the ranks into this many groups by turns; rank 2 comes to rank 0's of two. Before it is called all ranks are
  /// one group. Called by every rank, once.
  virtual void split(std::int64_t groups) { groups_ = groups; }
  [[nodiscard]] std::int64_t groups() const { return groups_; }

  /// Ends every rank of the job at once, as far as it can; in any case this one.
  [[noreturn]] virtual void abort(int exit_code) = 0;

 protected:
  std::int64_t rank_ = 0;
  std::int64_t world_size_ = 1;
  std::int64_t groups_ = 1;
};

}  // namespace shardlens::rank
