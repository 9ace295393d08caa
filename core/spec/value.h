// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/spec/shared_list.h"

#include <cstdint>
#include <string>
#include <variant>

namespace shardlens {

using IndexList = SharedList<std::int64_t>;
using NumberList = SharedList<double>;

/// What a field of a spec can hold; cheap to copy, however long a list is. Which alternative is allowed says the
/// field's kind.
using Value = std::variant<bool, std::int64_t, double, std::string, IndexList, NumberList>;

}  // namespace shardlens
