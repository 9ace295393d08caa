// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/ids.h"
#include "core/base/result.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>
#include <string>

namespace shardlens {

/// How often each sample was handed out: one byte a sample, kMost means that often or more.
class Tally {
 public:
  static constexpr std::size_t kMost = 255;

  Tally() = default;
  /// Environment when memory does not suffice. calloc: the system hands out zeroed pages one by one as they are
  /// written, so that nothing here takes long.
  static Result<Tally> make(std::int64_t size) {
    Tally tally;
    tally.times_.reset(static_cast<std::uint8_t*>(std::calloc(static_cast<std::size_t>(size) + 1, 1)));
    tally.size_ = size;
    if (tally.times_ != nullptr) return tally;
    return Error{ErrorCode::Environment, "there is not enough memory to count " + std::to_string(size) + " samples.",
                 Place{{}, 0, 0, "dataset.size"}, "it takes one byte a sample"};
  }

  [[nodiscard]] std::int64_t size() const { return size_; }
  [[nodiscard]] std::uint8_t operator[](SampleIndex id) const { return times_[static_cast<std::size_t>(id)]; }
  void expect(SampleIndex id) const { __builtin_prefetch(times_.get() + id, 1); }
  void set(SampleIndex id, std::uint8_t times) { times_[static_cast<std::size_t>(id)] = times; }
  void add(SampleIndex id, std::uint8_t times = 1) {
    std::uint8_t& now = times_[static_cast<std::size_t>(id)];
    const auto sum = static_cast<unsigned>(now) + times;
    now = static_cast<std::uint8_t>(sum < kMost ? sum : kMost);
  }
  /// At most `count` samples from `from` on.
  [[nodiscard]] std::span<const std::uint8_t> part(std::int64_t from, std::int64_t count) const {
    return {times_.get() + from, static_cast<std::size_t>(std::min(count, size_ - from))};
  }

 private:
  struct Free {
    void operator()(std::uint8_t* bytes) const { std::free(bytes); }
  };
  std::unique_ptr<std::uint8_t[], Free> times_;
  std::int64_t size_ = 0;
};

}  // namespace shardlens
