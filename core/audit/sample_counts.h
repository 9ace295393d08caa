// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/ids.h"
#include "core/base/large_array.h"
#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <unordered_map>
#include <utility>

namespace shardlens {

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
