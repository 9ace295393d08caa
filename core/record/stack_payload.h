// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/record/rank_stack.h"

#include <nlohmann/json_fwd.hpp>

namespace shardlens::payload {

/// A stack as JSON, without its rank; described in resources/doc/run-file.md.
nlohmann::json jsonOf(const RankStack& stack);
/// From that. What is missing or of another type stays at its default; frames beyond 256 are left out.
RankStack stackOf(std::int64_t rank, const nlohmann::json& object);

}  // namespace shardlens::payload
