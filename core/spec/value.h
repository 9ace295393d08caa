// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace shardlens {

using IndexList = std::vector<std::int64_t>;
using NumberList = std::vector<double>;

/// What a field of a spec can hold. Which alternative is allowed says the field's kind.
using Value = std::variant<bool, std::int64_t, double, std::string, IndexList, NumberList>;

}  // namespace shardlens
