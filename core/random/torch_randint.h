// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/random/torch_generator.h"

#include <cstdint>
#include <string_view>

namespace shardlens {

/// torch.randint(low, high) on the CPU, number by number: one output modulo the range, or two from a border on that
/// newer releases have lowered. Source: ATen random_from_to, DistributionsHelper.h.
class TorchRandint {
 public:
  /// Numbers low .. high - 1 as this release ("1.13", "2.6", "2.9") draws them; low < high.
  TorchRandint(std::string_view release, std::int64_t low, std::int64_t high)
      : low_(static_cast<std::uint64_t>(low)), range_(static_cast<std::uint64_t>(high) - low_) {
    const bool old = release == "1.13" || release == "2.6";
    pairs_ = range_ >= std::uint64_t{1} << (old ? 32 : 28);
  }

  std::int64_t operator()(TorchGenerator& generator) const {
    const std::uint64_t output = pairs_ ? generator.random64() : generator.random();
    return static_cast<std::int64_t>(low_ + output % range_);
  }
  /// Outputs of the generator that one number takes.
  [[nodiscard]] std::uint64_t outputs() const { return pairs_ ? 2 : 1; }

 private:
  std::uint64_t low_;
  std::uint64_t range_;
  bool pairs_ = false;
};

}  // namespace shardlens
