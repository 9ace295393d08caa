// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/selftest/replay.h"

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

}  // namespace shardlens::selftest
