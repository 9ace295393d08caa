// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/audit/findings/facts.h"

#include <span>
#include <string_view>
#include <vector>

/// What would mend a finding: one file a family of remedies; remedies() says which finding asks for which. A remedy
/// only proposes: offerFixes() tries each proposal and offers what holds.
namespace shardlens::fixes {

/// Adds what might mend the finding to `proposed`: labels and edits, the best guess first.
using Remedy = void (*)(const Facts& facts, const Finding& finding, std::vector<Fix>& proposed);

/// The remedy of the findings with this code.
struct RemedyRow {
  std::string_view code;
  Remedy propose;
};
std::span<const RemedyRow> remedies();

void splitAmongRanks(const Facts& facts, const Finding& finding, std::vector<Fix>& proposed);   // dealing.cpp
void readOwnSlices(const Facts& facts, const Finding& finding, std::vector<Fix>& proposed);     // dealing.cpp
void fillEmptySlices(const Facts& facts, const Finding& finding, std::vector<Fix>& proposed);   // dealing.cpp
void callSetEpoch(const Facts& facts, const Finding& finding, std::vector<Fix>& proposed);      // epochs.cpp
void shrinkBatch(const Facts& facts, const Finding& finding, std::vector<Fix>& proposed);       // loader.cpp
void useFewerWorkers(const Facts& facts, const Finding& finding, std::vector<Fix>& proposed);   // loader.cpp
void seedRanksApart(const Facts& facts, const Finding& finding, std::vector<Fix>& proposed);    // seeds.cpp
void seedWorkersApart(const Facts& facts, const Finding& finding, std::vector<Fix>& proposed);  // seeds.cpp
void dropUnevenTail(const Facts& facts, const Finding& finding, std::vector<Fix>& proposed);    // tails.cpp
void padUnevenTail(const Facts& facts, const Finding& finding, std::vector<Fix>& proposed);     // tails.cpp
void keepShortBatch(const Facts& facts, const Finding& finding, std::vector<Fix>& proposed);    // tails.cpp

/// Gives each finding those of its remedies that hold (Prover::prove), the lightest plan first.
void offerFixes(const Facts& facts, std::vector<Finding>& findings, const Work& work);

}  // namespace shardlens::fixes
