// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/work.h"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <span>

namespace shardlens {

/// A sort of any length that checks `work` every few milliseconds: false when it was stopped, and `items` is then
/// in no useful order. Equal items may change places. `scratch` is as long as `items`.
template <class T, class Before>
bool sortStoppably(std::span<T> items, std::span<T> scratch, Before before, const Work& work) {
  constexpr std::size_t kRun = std::size_t{1} << 15;
  assert(scratch.size() == items.size());
  for (std::size_t i = 0; i < items.size(); i += kRun) {
    if (work.stopped()) return false;
    const std::span<T> run = items.subspan(i, std::min(kRun, items.size() - i));
    std::sort(run.begin(), run.end(), before);
  }
  std::span<T> from = items;
  std::span<T> to = scratch;
  for (std::size_t width = kRun; width < items.size(); width *= 2) {
    for (std::size_t i = 0; i < from.size(); i += 2 * width) {
      std::size_t left = i;
      std::size_t right = std::min(i + width, from.size());
      const std::size_t left_end = right;
      const std::size_t right_end = std::min(i + 2 * width, from.size());
      for (std::size_t out = i; out < right_end; ++out) {
        if (out % kRun == 0 && work.stopped()) return false;
        const bool from_right = left == left_end || (right < right_end && before(from[right], from[left]));
        to[out] = from_right ? from[right++] : from[left++];
      }
    }
    std::swap(from, to);
  }
  if (from.data() != items.data()) std::copy(from.begin(), from.end(), items.begin());
  return true;
}

}  // namespace shardlens
