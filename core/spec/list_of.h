// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/spec/value.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace shardlens {

/// The list of item(0), item(1), ... item(count - 1).
template <class Item>
IndexList listOf(std::int64_t count, Item item) {
  std::vector<std::int64_t> items;
  items.reserve(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) items.push_back(item(i));
  return {std::move(items)};
}

}  // namespace shardlens
