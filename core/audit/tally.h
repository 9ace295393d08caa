// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/ids.h"
#include "core/base/large_array.h"
#include "core/base/result.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>

namespace shardlens {

/// How often each sample was handed out; kMost means that often or more.
template <class Count>
class BasicTally {
 public:
  static constexpr std::size_t kMost = std::numeric_limits<Count>::max();

  BasicTally() = default;
  /// Environment when memory does not suffice.
  static Result<BasicTally> make(std::int64_t size) {
    auto times = LargeArray<Count>::make(static_cast<std::size_t>(size), "a count of samples");
    if (!times) return times.error();
    BasicTally tally;
    tally.times_ = std::move(*times);
    return tally;
  }

  [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(times_.size()); }
  [[nodiscard]] Count operator[](SampleIndex id) const { return times_.items()[static_cast<std::size_t>(id)]; }
  /// Prefetches what will soon be changed.
  void expect(SampleIndex id) const { __builtin_prefetch(times_.items().data() + id, 1); }
  void set(SampleIndex id, Count times) { times_.items()[static_cast<std::size_t>(id)] = times; }
  void add(SampleIndex id, Count times = 1) {
    Count& now = times_.items()[static_cast<std::size_t>(id)];
    const auto sum = static_cast<std::size_t>(now) + times;
    now = static_cast<Count>(sum < kMost ? sum : kMost);
  }
  /// Adds to each of `count` samples from `first` on; all of them must exist.
  void addAll(std::int64_t first, std::int64_t count, Count times) {
    Count* const from = times_.items().data() + first;
    const auto room = static_cast<Count>(kMost - times);
    for (std::int64_t i = 0; i < count; ++i) from[i] = static_cast<Count>(std::min(from[i], room) + times);
  }
  /// Sets at most `count` samples from `from` on to 0. New counts are 0 anyway, but the system maps memory twice
  /// if it is read before it is first written.
  void clear(std::int64_t from, std::int64_t count) {
    const auto last = static_cast<std::size_t>(std::min(from + count, size()));
    std::fill(times_.items().begin() + from, times_.items().begin() + static_cast<std::ptrdiff_t>(last), Count{0});
  }
  /// At most `count` samples from `from` on.
  [[nodiscard]] std::span<const Count> part(std::int64_t from, std::int64_t count) const {
    return times_.items().subspan(static_cast<std::size_t>(from),
                                  static_cast<std::size_t>(std::min(count, size() - from)));
  }

 private:
  LargeArray<Count> times_;
};

/// One byte per sample: enough to distinguish never, once and often.
using Tally = BasicTally<std::uint8_t>;
/// For sums and differences of what small datasets hand out hundreds of times.
using WideTally = BasicTally<std::uint16_t>;

}  // namespace shardlens
