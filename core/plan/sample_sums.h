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

/// Which samples there are, each as often as it comes, in whatever order: in two numbers, however many they are.
struct SampleSum {
  std::int64_t items = 0;
  std::uint64_t sum = 0;

  void add(SampleIndex sample) {
    ++items;
    sum += mixed(static_cast<std::uint64_t>(sample));
  }
  bool operator==(const SampleSum&) const = default;
};

}  // namespace shardlens
