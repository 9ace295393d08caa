// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/collect/loader_findings.h"
#include "core/diagnose/run_state.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace shardlens::cli {

/// The table of ranks, one line each, with a heading. Ranks beyond `most` are summed up in a last line.
std::string rankTable(const RunState& state, std::size_t most = 1024);

/// The verdicts as a list, each with its evidence and what to do; empty when nothing is wrong.
std::string verdictText(const RunState& state);

/// What is wrong with the batches that its loaders read, a line each; empty when nothing was found.
std::string findingsText(const std::vector<LoaderFinding>& findings);

/// The object of `replay --format json` (resources/schemas/replay.schema.json).
nlohmann::ordered_json runJson(const RunState& state);

}  // namespace shardlens::cli
