// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/audit/findings/facts.h"

#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

/// What would mend a finding: one file a family of remedies; remedies() says which finding asks for which.
namespace shardlens::fixes {

/// Whether a mended plan is rid of what was found; `shape` is that of the epoch that was judged.
using Mends = std::function<bool(const Plan& mended, const EpochShape& shape)>;

/// A fix that has not been tried yet.
struct Candidate {
  Fix fix;
  Mends mends = [](const Plan&, const EpochShape&) { return true; };
};

/// Proposes what would mend the finding; nothing where there is no remedy.
using Remedy = std::optional<Candidate> (*)(const Facts& facts, const Finding& finding);

/// The remedy of the findings with this code.
struct RemedyRow {
  std::string_view code;
  Remedy propose;
};
std::span<const RemedyRow> remedies();

std::optional<Candidate> splitAmongRanks(const Facts& facts, const Finding& finding);   // dealing.cpp
std::optional<Candidate> readOwnSlices(const Facts& facts, const Finding& finding);     // dealing.cpp
std::optional<Candidate> fillEmptySlices(const Facts& facts, const Finding& finding);   // dealing.cpp
std::optional<Candidate> callSetEpoch(const Facts& facts, const Finding& finding);      // epochs.cpp
std::optional<Candidate> shrinkBatch(const Facts& facts, const Finding& finding);       // loader.cpp
std::optional<Candidate> useFewerWorkers(const Facts& facts, const Finding& finding);   // loader.cpp
std::optional<Candidate> seedRanksApart(const Facts& facts, const Finding& finding);    // seeds.cpp
std::optional<Candidate> seedWorkersApart(const Facts& facts, const Finding& finding);  // seeds.cpp
std::optional<Candidate> dropUnevenTail(const Facts& facts, const Finding& finding);    // tails.cpp
std::optional<Candidate> padUnevenTail(const Facts& facts, const Finding& finding);     // tails.cpp
std::optional<Candidate> dropShortBatch(const Facts& facts, const Finding& finding);    // tails.cpp
std::optional<Candidate> keepShortBatch(const Facts& facts, const Finding& finding);    // tails.cpp

/// Gives each finding its fix, where the mended spec is another one that can be planned, is rid of what was found,
/// keeps every rank in step and leaves no rank without batches that had some: a fix must not break what was whole.
void offerFixes(const Facts& facts, std::vector<Finding>& findings);

}  // namespace shardlens::fixes
