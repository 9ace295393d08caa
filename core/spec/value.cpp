// SPDX-License-Identifier: Apache-2.0
#include "core/spec/value.h"

#include <algorithm>

namespace shardlens {

const Value* Record::find(std::string_view key) const {
  const auto found = std::find_if(values.begin(), values.end(), [&](const auto& value) { return value.first == key; });
  return found == values.end() ? nullptr : &found->second;
}

void Record::set(std::string_view key, Value value) {
  const auto found = std::find_if(values.begin(), values.end(), [&](const auto& pair) { return pair.first == key; });
  if (found == values.end()) {
    values.emplace_back(std::string(key), std::move(value));
  } else {
    found->second = std::move(value);
  }
}

}  // namespace shardlens
