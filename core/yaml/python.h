// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/spec/value.h"

#include <string>
#include <string_view>

namespace shardlens::yaml {

/// A text as a Python string literal in double quotes.
std::string pythonText(std::string_view text);

/// True, 7, 0.5, "text", [3, 1, 2] or range(0, 9) for consecutive indices: an expression of that value.
std::string pythonValue(const Value& value);

}  // namespace shardlens::yaml
