// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/audit/findings/facts.h"

#include <vector>

/// The rules by family, one file each; findingRules() lists them.
namespace shardlens::findings {

void identicalRanks(const Facts& facts, std::vector<Finding>& findings);        // ranks.cpp
void partlyOverlapping(const Facts& facts, std::vector<Finding>& findings);     // ranks.cpp
void disjointRanks(const Facts& facts, std::vector<Finding>& findings);         // ranks.cpp
void peersReadApart(const Facts& facts, std::vector<Finding>& findings);        // peers.cpp
void peersSeededApart(const Facts& facts, std::vector<Finding>& findings);      // peers.cpp
void missingSamples(const Facts& facts, std::vector<Finding>& findings);        // coverage.cpp
void wholeCoverage(const Facts& facts, std::vector<Finding>& findings);         // coverage.cpp
void paddingRepeats(const Facts& facts, std::vector<Finding>& findings);        // coverage.cpp
void droppedBySampler(const Facts& facts, std::vector<Finding>& findings);      // coverage.cpp
void droppedByLoader(const Facts& facts, std::vector<Finding>& findings);       // coverage.cpp
void repeatedOnPurpose(const Facts& facts, std::vector<Finding>& findings);     // coverage.cpp
void duplicatingWorkers(const Facts& facts, std::vector<Finding>& findings);    // coverage.cpp
void unexplainedRepeats(const Facts& facts, std::vector<Finding>& findings);    // coverage.cpp
void repeatedEpochs(const Facts& facts, std::vector<Finding>& findings);        // epochs.cpp
void seedSweep(const Facts& facts, std::vector<Finding>& findings);             // epochs.cpp
void neverSeeded(const Facts& facts, std::vector<Finding>& findings);           // seeds.cpp
void collidingRankSeeds(const Facts& facts, std::vector<Finding>& findings);    // seeds.cpp
void collidingWorkerSeeds(const Facts& facts, std::vector<Finding>& findings);  // seeds.cpp
void collidingEpochSeeds(const Facts& facts, std::vector<Finding>& findings);   // seeds.cpp
void distinctSeeds(const Facts& facts, std::vector<Finding>& findings);         // seeds.cpp
void unequalBatches(const Facts& facts, std::vector<Finding>& findings);        // steps.cpp
void noBatches(const Facts& facts, std::vector<Finding>& findings);             // steps.cpp
void emptyBatches(const Facts& facts, std::vector<Finding>& findings);          // steps.cpp
void emptyRanks(const Facts& facts, std::vector<Finding>& findings);            // steps.cpp
void batchLargerThanSlice(const Facts& facts, std::vector<Finding>& findings);  // batches.cpp
void shortLastBatch(const Facts& facts, std::vector<Finding>& findings);        // batches.cpp
void restOfAccumulation(const Facts& facts, std::vector<Finding>& findings);    // batches.cpp
void idleWorkers(const Facts& facts, std::vector<Finding>& findings);           // batches.cpp
void loaderLength(const Facts& facts, std::vector<Finding>& findings);          // batches.cpp
void countedByWorker(const Facts& facts, std::vector<Finding>& findings);       // batches.cpp
void unusedLists(const Facts& facts, std::vector<Finding>& findings);           // batches.cpp
void scheduleHangs(const Facts& facts, std::vector<Finding>& findings);         // schedule.cpp
void idleCalls(const Facts& facts, std::vector<Finding>& findings);             // schedule.cpp

/// Whether ranks that divide one copy of the model read the same batches in all audited epochs. (peers.cpp)
bool peersReadAlike(const Facts& facts);

}  // namespace shardlens::findings

namespace shardlens {

/// Lets the rules judge the audited epochs after the first, and adds to `findings`, those of `first`, what is worse
/// there: a finding with the same code is about the worst epoch. A finding that is not the same in all epochs names its
/// epochs; so does each one where epochs that were not audited may differ.
void addLaterEpochs(const Facts& first, std::vector<Finding>& findings);

}  // namespace shardlens
