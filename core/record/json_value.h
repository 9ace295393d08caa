// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <type_traits>

namespace shardlens::payload {

/// The value of a key when it has the wanted type, else the fallback: an older or newer writer must not stop a reader.
template <class T>
T valueOf(const nlohmann::json& object, const char* key, T fallback) {
  const auto found = object.find(key);
  if (found == object.end()) return fallback;
  if constexpr (std::is_same_v<T, std::string>) return found->is_string() ? found->get<T>() : fallback;
  if constexpr (std::is_same_v<T, bool>) return found->is_boolean() ? found->get<T>() : fallback;
  if constexpr (std::is_integral_v<T>) return found->is_number_integer() ? found->get<T>() : fallback;
}

}  // namespace shardlens::payload
