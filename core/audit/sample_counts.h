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
#include <unordered_map>
#include <utility>

namespace shardlens {

/// How often each sample was handed out, in one byte each: enough to distinguish never, once and often. kMost means
/// that often or more.
class Tally {
 public:
  static constexpr std::size_t kMost = std::numeric_limits<std::uint8_t>::max();

  Tally() = default;
  /// Environment when memory does not suffice.
  static Result<Tally> make(std::int64_t size) {
    auto times = LargeArray<std::uint8_t>::make(static_cast<std::size_t>(size), "a count of samples");
    if (!times) return times.error();
    Tally tally;
    tally.times_ = std::move(*times);
    return tally;
  }

  [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(times_.size()); }
  [[nodiscard]] std::uint8_t operator[](SampleIndex id) const { return times_.items()[static_cast<std::size_t>(id)]; }
  /// Prefetches what will soon be changed.
  void expect(SampleIndex id) const { __builtin_prefetch(times_.items().data() + id, 1); }
  void set(SampleIndex id, std::uint8_t times) { times_.items()[static_cast<std::size_t>(id)] = times; }
  void add(SampleIndex id, std::uint8_t times = 1) {
    std::uint8_t& now = times_.items()[static_cast<std::size_t>(id)];
    const auto sum = static_cast<std::size_t>(now) + times;
    now = static_cast<std::uint8_t>(sum < kMost ? sum : kMost);
  }
  /// Adds to each of `count` samples from `first` on; all of them must exist.
  void addAll(std::int64_t first, std::int64_t count, std::uint8_t times) {
    std::uint8_t* const from = times_.items().data() + first;
    const auto room = static_cast<std::uint8_t>(kMost - times);
    for (std::int64_t i = 0; i < count; ++i) from[i] = static_cast<std::uint8_t>(std::min(from[i], room) + times);
  }
  /// Sets at most `count` samples from `from` on to 0. New counts are 0 anyway, but the system maps memory twice
  /// if it is read before it is first written.
  void clear(std::int64_t from, std::int64_t count) {
    const auto last = static_cast<std::size_t>(std::min(from + count, size()));
    std::fill(times_.items().begin() + from, times_.items().begin() + static_cast<std::ptrdiff_t>(last),
              std::uint8_t{0});
  }
  /// At most `count` samples from `from` on.
  [[nodiscard]] std::span<const std::uint8_t> part(std::int64_t from, std::int64_t count) const {
    return times_.items().subspan(static_cast<std::size_t>(from),
                                  static_cast<std::size_t>(std::min(count, size() - from)));
  }

 private:
  LargeArray<std::uint8_t> times_;
};

/// What two bytes per sample cannot hold: the counts of the few samples that come 65,535 times or more. Such a sample's
/// two bytes say kMany.
class ManyTimes {
 public:
  static constexpr std::uint16_t kMany = std::numeric_limits<std::uint16_t>::max();

  /// `times`: the sample's two bytes.
  [[nodiscard]] std::int64_t of(SampleIndex id, std::uint16_t times) const {
    return times < kMany ? times : counts_.at(id);
  }
  void add(SampleIndex id, std::uint16_t& times) {
    if (times == kMany) {
      ++counts_[id];
    } else if (++times == kMany) {
      counts_[id] = kMany;
    }
  }
  void set(SampleIndex id, std::uint16_t& times, std::int64_t now) {
    if (times == kMany) counts_.erase(id);
    times = now < kMany ? static_cast<std::uint16_t>(now) : kMany;
    if (times == kMany) counts_[id] = now;
  }

 private:
  std::unordered_map<SampleIndex, std::int64_t> counts_;
};

/// How often each sample was handed out, exactly, in two bytes each.
class SampleCounts {
 public:
  /// Environment when memory does not suffice.
  static Result<SampleCounts> make(std::int64_t size) {
    auto times = LargeArray<std::uint16_t>::make(static_cast<std::size_t>(size), "a count of samples");
    if (!times) return times.error();
    SampleCounts counts;
    counts.times_ = std::move(*times);
    return counts;
  }

  [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(times_.size()); }
  [[nodiscard]] std::int64_t operator[](SampleIndex id) const {
    return many_.of(id, times_.items()[static_cast<std::size_t>(id)]);
  }
  /// Prefetches what will soon be changed.
  void expect(SampleIndex id) const { __builtin_prefetch(times_.items().data() + id, 1); }
  void add(SampleIndex id) { many_.add(id, times_.items()[static_cast<std::size_t>(id)]); }
  void set(SampleIndex id, std::int64_t times) { many_.set(id, times_.items()[static_cast<std::size_t>(id)], times); }

 private:
  LargeArray<std::uint16_t> times_;
  ManyTimes many_;
};

}  // namespace shardlens
