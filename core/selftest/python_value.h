// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sampling/python.h"

#include <nlohmann/json.hpp>

#include <optional>

namespace shardlens::selftest {

/// The Python argument that a JSON value means; nothing when it is absent, or no value that a script passes here.
inline std::optional<sampling::PyValue> pythonValue(const nlohmann::json* value) {
  if (value == nullptr) return std::nullopt;
  if (value->is_null()) return sampling::PyValue(std::monostate{});
  if (value->is_boolean()) return sampling::PyValue(value->get<bool>());
  if (value->is_number_integer()) return sampling::PyValue(value->get<std::int64_t>());
  if (value->is_number_float()) return sampling::PyValue(value->get<double>());
  if (value->is_string()) return sampling::PyValue(value->get<std::string>());
  return std::nullopt;
}

}  // namespace shardlens::selftest
