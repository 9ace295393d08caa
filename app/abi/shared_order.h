// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/plan/plan.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <sys/types.h>

namespace shardlens::abi {

/// The text of the spec without what changes no order: also without `epochs`, since more of them change none.
std::string orderText(PipelineSpec spec);

/// The order of a large epoch in memory that the ranks of one host share: the first one that needs it draws it, the
/// others wait for that and draw nothing. It is a file in /dev/shm that only this user can read. Whoever uses it holds
/// a lock on it, and the last one removes it; what a killed process leaves there is removed by the next that draws.
class SharedOrder {
 public:
  /// Null where sharing brings nothing or is not possible: few samples, one rank a host, ranks with orders of their
  /// own, orders that are dealt rank by rank, no room in /dev/shm. The Error of an order that cannot be drawn.
  static Result<std::shared_ptr<const SharedOrder>> of(const Plan& plan, Epoch epoch, Rank rank);
  ~SharedOrder();
  SharedOrder(const SharedOrder&) = delete;
  SharedOrder& operator=(const SharedOrder&) = delete;

  [[nodiscard]] std::span<const std::uint32_t> ids() const { return ids_; }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  SharedOrder(std::string path, int fd);
  [[nodiscard]] bool use();
  [[nodiscard]] bool map();

  std::string path_;
  int fd_;
  pid_t owner_;
  void* memory_ = nullptr;
  std::size_t bytes_ = 0;
  std::span<const std::uint32_t> ids_;
};

}  // namespace shardlens::abi
