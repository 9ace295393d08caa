// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/ids.h"

#include <cstdint>

namespace shardlens {

/// A full-avalanche mixer (splitmix64's): sums of it tell two multisets of ids apart.
inline std::uint64_t mixed(std::uint64_t id) {
  id += 0x9e3779b97f4a7c15U;
  id = (id ^ (id >> 30)) * 0xbf58476d1ce4e5b9U;
  id = (id ^ (id >> 27)) * 0x94d049bb133111ebU;
  return id ^ (id >> 31);
}

/// Which samples a sequence has, each how often, and in which order: in three numbers, however long it is.
class SampleSums {
 public:
  void add(SampleIndex sample) {
    const auto id = static_cast<std::uint64_t>(sample);
    samples_ += mixed(id);
    places_ += mixed(id ^ mixed(static_cast<std::uint64_t>(items_)));
    ++items_;
  }
  /// Whether the other one has the same samples, each as often, in another order.
  [[nodiscard]] bool isReorderedIn(const SampleSums& other) const {
    return items_ == other.items_ && samples_ == other.samples_ && places_ != other.places_;
  }

 private:
  std::int64_t items_ = 0;
  std::uint64_t samples_ = 0;
  std::uint64_t places_ = 0;  ///< depends on where each sample stands
};

}  // namespace shardlens
