// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/spec/shared_list.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace shardlens {

struct Record;

using IndexList = SharedList<std::int64_t>;
using NumberList = SharedList<double>;
using RecordList = SharedList<Record>;

/// What a field of a spec can hold; cheap to copy, however long a list is. The field's kind says which alternative is
/// allowed.
using Value = std::variant<bool, std::int64_t, double, std::string, IndexList, NumberList, RecordList>;

/// One entry of a list of records: its values by key, in the order of the field's items. A missing key means
/// the item's fallback.
struct Record {
  std::vector<std::pair<std::string, Value>> values;

  /// The value of `key`, or null.
  [[nodiscard]] const Value* find(std::string_view key) const;
  /// Puts `value` at `key`.
  void set(std::string_view key, Value value);

  friend bool operator==(const Record& a, const Record& b) { return a.values == b.values; }
};

/// The list of item(0), item(1), ... item(count - 1).
template <class Item>
IndexList listOf(std::int64_t count, Item item) {
  std::vector<std::int64_t> items;
  items.reserve(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) items.push_back(item(i));
  return {std::move(items)};
}

}  // namespace shardlens
