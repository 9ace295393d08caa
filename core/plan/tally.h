// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/ids.h"
#include "core/base/result.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <memory>
#include <span>
#include <string>

namespace shardlens {

/// How often each sample was handed out; kMost means that often or more.
template <class Count>
class BasicTally {
 public:
  static constexpr std::size_t kMost = std::numeric_limits<Count>::max();

  BasicTally() = default;
  /// Environment when memory does not suffice. calloc: the system hands out zeroed pages one by one as they are
  /// written, so that nothing here takes long.
  static Result<BasicTally> make(std::int64_t size) {
    BasicTally tally;
    tally.times_.reset(static_cast<Count*>(std::calloc(static_cast<std::size_t>(size) + 1, sizeof(Count))));
    tally.size_ = size;
    if (tally.times_ != nullptr) return tally;
    return Error{ErrorCode::Environment, "there is not enough memory to count " + std::to_string(size) + " samples.",
                 Place{{}, 0, 0, "dataset.size"},
                 "it takes " + std::to_string(sizeof(Count)) + (sizeof(Count) == 1 ? " byte" : " bytes") + " a sample"};
  }

  [[nodiscard]] std::int64_t size() const { return size_; }
  [[nodiscard]] Count operator[](SampleIndex id) const { return times_[static_cast<std::size_t>(id)]; }
  void expect(SampleIndex id) const { __builtin_prefetch(times_.get() + id, 1); }
  void set(SampleIndex id, Count times) { times_[static_cast<std::size_t>(id)] = times; }
  void add(SampleIndex id, Count times = 1) {
    Count& now = times_[static_cast<std::size_t>(id)];
    const auto sum = static_cast<std::size_t>(now) + times;
    now = static_cast<Count>(sum < kMost ? sum : kMost);
  }
  /// At most `count` samples from `from` on.
  [[nodiscard]] std::span<const Count> part(std::int64_t from, std::int64_t count) const {
    return {times_.get() + from, static_cast<std::size_t>(std::min(count, size_ - from))};
  }

 private:
  struct Free {
    void operator()(Count* bytes) const { std::free(bytes); }
  };
  std::unique_ptr<Count[], Free> times_;
  std::int64_t size_ = 0;
};

/// One byte a sample: enough to tell never, once and often.
using Tally = BasicTally<std::uint8_t>;
/// For sums and differences of what small datasets hand out hundreds of times.
using WideTally = BasicTally<std::uint16_t>;

}  // namespace shardlens
