// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/spec/field.h"

#include <algorithm>
#include <string>
#include <utility>

namespace shardlens {

/// What is wrong with the value of a field, placed at its path.
inline Error problem(const Field& field, std::string message, std::string hint = {}) {
  return Error{ErrorCode::BadInput, std::move(message), Place{{}, 0, 0, field.path}, std::move(hint)};
}

/// Whether `text` is one of the field's choices.
inline bool isChoice(const Field& field, const std::string& text) {
  return std::find(field.choices.begin(), field.choices.end(), text) != field.choices.end();
}

}  // namespace shardlens
