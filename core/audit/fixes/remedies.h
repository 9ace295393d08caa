// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/audit/findings/facts.h"

#include <optional>
#include <string>
#include <vector>

/// What would fix a finding: one file per family of remedies; a table in prover.cpp says which remedies serve which
/// findings. A remedy only proposes: offerFixes() tries each proposal and offers those that hold.
namespace shardlens::fixes {

/// Adds what might fix the finding to `proposed`: labels and edits.
using Remedy = void (*)(const Facts& facts, const Finding& finding, std::vector<Fix>& proposed);

void divideAmongRanks(const Facts& facts, const Finding& finding, std::vector<Fix>& proposed);  // dealing.cpp
void fillEmptySlices(const Facts& facts, const Finding& finding, std::vector<Fix>& proposed);   // dealing.cpp
void renewEpochs(const Facts& facts, const Finding& finding, std::vector<Fix>& proposed);       // seeds.cpp
void shrinkBatch(const Facts& facts, const Finding& finding, std::vector<Fix>& proposed);       // tails.cpp
void makeWholeStep(const Facts& facts, const Finding& finding, std::vector<Fix>& proposed);     // tails.cpp
void useFewerWorkers(const Facts& facts, const Finding& finding, std::vector<Fix>& proposed);   // tails.cpp
void seedRanksApart(const Facts& facts, const Finding& finding, std::vector<Fix>& proposed);    // seeds.cpp
void seedWorkersApart(const Facts& facts, const Finding& finding, std::vector<Fix>& proposed);  // seeds.cpp
void seedTheScript(const Facts& facts, const Finding& finding, std::vector<Fix>& proposed);     // seeds.cpp
void drawOneOrder(const Facts& facts, const Finding& finding, std::vector<Fix>& proposed);      // seeds.cpp
void turnTails(const Facts& facts, const Finding& finding, std::vector<Fix>& proposed);         // tails.cpp
void evenSteps(const Facts& facts, const Finding& finding, std::vector<Fix>& proposed);         // tails.cpp
void callForAll(const Facts& facts, const Finding& finding, std::vector<Fix>& proposed);        // schedule.cpp

/// The dataset written anew, in as many shards as its readers can share, all of one size or one sample apart: the edit
/// of `dataset.shards`. Nothing where it has no shards, or too few samples.
std::optional<Edit> evenShards(const Facts& facts);
/// How many shards that edit writes.
std::int64_t shardsOf(const Edit& even);

/// Labels: of the same fix, which also switches loader.drop_last off; of a fix that sets one field.
std::string keepingShortBatches(const std::string& label);
std::string setField(const std::string& field, const std::string& value);

/// At most this many fixes of one finding are offered.
constexpr std::size_t kMostFixes = 4;

/// Gives each finding those of its remedies that hold (Prover::prove), the lightest plan first.
void offerFixes(const Facts& facts, std::vector<Finding>& findings, const Work& work);

}  // namespace shardlens::fixes
