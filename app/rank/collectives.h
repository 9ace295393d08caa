// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/schedule/operation.h"

#include <cstddef>
#include <cstdint>
#include <vector>

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

/// What the ranks do together; all that mpi_rank and nccl_rank do differently. Every rank calls the same operations in
/// the same order, or none of the calls ever returns: as in any data-parallel job.
class Collectives {
 public:
  Collectives() = default;
  virtual ~Collectives() = default;
  Collectives(const Collectives&) = delete;
  Collectives& operator=(const Collectives&) = delete;

  /// Gets the gradient buffer of this many floats ready.
  virtual Result<void> prepare(std::size_t floats) = 0;
  /// Fills the gradient with `mine` everywhere: the result of this rank's backward pass.
  virtual Result<void> fill(float mine) = 0;
  /// Sums the gradient over all ranks of this one's group, in place; returns when the sum is there.
  virtual Result<void> allReduce() = 0;
  /// Whether every float of the gradient is `expected`.
  virtual Result<bool> isEverywhere(float expected) = 0;
  virtual void barrier() = 0;

  /// Gets the groups of a schedule ready; called once, by every rank, before perform(). Usage where a program performs
  /// no schedules.
  virtual Result<void> prepareGroups(const std::vector<schedule::Group>& groups);
  /// An operation of a schedule that is not local. Returns when all ranks of its group, or the other side of the
  /// message, are in it. `values` are what this rank gives, and then its result; where there are none, the program
  /// gives some of its own, and JobFailed says that the result is wrong.
  virtual Result<void> perform(const schedule::Operation& operation, std::vector<float>& values);
};

/// A gradient in this process's memory.
class HostGradient {
 public:
  Result<void> resize(std::size_t floats);
  void fill(float value);
  [[nodiscard]] bool isEverywhere(float expected) const;
  [[nodiscard]] float* data() { return values_.data(); }
  [[nodiscard]] std::size_t size() const { return values_.size(); }

 private:
  std::vector<float> values_;
};

}  // namespace shardlens::rank
