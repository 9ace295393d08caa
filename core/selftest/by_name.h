// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sampling/python.h"
#include "core/selftest/replay.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace shardlens::selftest {

/// The spec of a row whose parameters a spec has, too: one process and batches of one where the row does not say more.
/// `keys` names every parameter that the row may have: "seed" is the sampler's parameter of that name or where a spec
/// has what many frameworks call so ("dataset_size", "world_size", "batch_size", ...), "taken=samples_per_epoch" what a
/// spec calls otherwise, "inner=-" what the caller reads. With "?" behind it may be missing or null. Nothing when the
/// row has another key, lacks one, has a value that the spec cannot hold, or a rank outside the world that it says.
std::optional<PipelineSpec> specByName(const VectorRow& row, const std::string& type, std::string_view keys);

/// The same for the type "<framework>.<sampler>".
std::optional<PipelineSpec> specByName(const VectorRow& row, std::string_view keys);

/// The classes whose rows are judged by such a spec alone.
std::vector<Replay> namedReplays();

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
