// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <variant>

namespace shardlens::sampling {

/// A Python argument as a script may pass it: None, bool, int, float, or something else (by its repr).
using PyValue = std::variant<std::monostate, bool, std::int64_t, double, std::string>;

/// "None", "True", "2", "2.0": what an f-string of Python shows.
std::string pyText(const PyValue& value);

/// The framework's own exception: its type and its text, word for word.
Error raised(std::string type, std::string message, std::string field = {}, std::string hint = {});

/// What this program refuses although no class raises: why, at which field, and what to do.
Error refused(std::string message, std::string field, std::string hint = {});
/// The same of what cannot be predicted, and of what does not fit in memory.
Error unsupported(std::string message, std::string field, std::string hint);
Error tooLarge(std::string message, std::string field, std::string hint);

/// What torch's DistributedSampler, and classes made from it, raise for a rank outside their world.
Error invalidRank(std::int64_t rank, std::int64_t replicas, std::string field = {}, std::string hint = {});

}  // namespace shardlens::sampling
