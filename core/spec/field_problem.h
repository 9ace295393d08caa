// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"
#include "core/spec/field.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

namespace shardlens {

/// What is wrong with the value of a field, placed at its path.
inline Error problem(const Field& field, std::string message, std::string hint = {}) {
  return Error{ErrorCode::BadInput, std::move(message), Place{{}, 0, 0, field.path}, std::move(hint)};
}

/// Whether `text` is written as a whole number, however large.
inline bool isDigits(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// Says that these digits are too large for a signed 64-bit number; for a seed, also what torch makes of it.
Error tooLarge(const Field& field, const std::string& digits);

/// Whether `text` is one of the field's choices.
inline bool isChoice(const Field& field, const std::string& text) {
  return std::find(field.choices.begin(), field.choices.end(), text) != field.choices.end();
}

}  // namespace shardlens
