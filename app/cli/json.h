// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include <optional>
#include <string>

/// What the verbs that answer in JSON share.
namespace shardlens::cli {

using Json = nlohmann::ordered_json;

/// Null where there is no value, or the text is empty.
template <class T>
Json orNull(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}
inline Json orNull(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json(text);
}

/// The text, with `indent` blanks a level; -1: on one line. What is not UTF-8 becomes U+FFFD.
inline std::string dumped(const Json& json, int indent = -1) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace shardlens::cli
