// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/verbs/run/progress.h"
#include "core/base/result.h"
#include "core/collect/loader_findings.h"
#include "core/diagnose/run_state.h"
#include "core/plan/plan.h"

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

/// How a job ended, what was found, and what to look at next. `spec`: the file of its design; may be empty.
std::string closingText(const RunState& state, const std::string& run_file, const std::string& spec, bool is_whole);

/// Tells on stdout what is wrong with the batches that the job's loaders read, and how far this is while it takes long.
void tellFindings(const std::string& run_file, bool is_quiet, Screen& screen);

/// Whether a command obeyed the spec that it was run with.
struct Obeyed {
  std::string text;
  int code = kFine;
};

/// Holds what a command read against its design, says on stdout whether it obeyed, and how far this is while it takes
/// long. `must_read`: a command that read nothing did not obey.
Obeyed tellObeyed(const Plan& design, const std::string& run_file, bool must_read, bool is_quiet, Screen& screen);

}  // namespace shardlens::cli
