// SPDX-License-Identifier: Apache-2.0
#include "core/audit/findings/rules.h"

#include <array>

namespace shardlens {

std::span<const FindingRule> findingRules() {
  using namespace findings;
  static constexpr std::array kRules = {
      FindingRule{emptyRanks},          FindingRule{unequalBatches},     FindingRule{identicalRanks},
      FindingRule{missingSamples},      FindingRule{repeatedEpochs},     FindingRule{batchLargerThanSlice},
      FindingRule{partlyOverlapping},   FindingRule{paddingRepeats},     FindingRule{droppedBySampler},
      FindingRule{droppedByLoader},     FindingRule{collidingRankSeeds}, FindingRule{collidingWorkerSeeds},
      FindingRule{collidingEpochSeeds}, FindingRule{idleWorkers},        FindingRule{shortLastBatch},
      FindingRule{seedSweep},           FindingRule{wholeCoverage},      FindingRule{disjointRanks},
      FindingRule{distinctSeeds},       FindingRule{duplicatingWorkers}, FindingRule{repeatedOnPurpose},
      FindingRule{unexplainedRepeats},  FindingRule{noBatches},          FindingRule{neverSeeded},
      FindingRule{emptyBatches},        FindingRule{unusedLists},        FindingRule{loaderLength},
      FindingRule{countedByWorker},     FindingRule{peersReadApart},     FindingRule{peersSeededApart},
      FindingRule{scheduleHangs},       FindingRule{restOfAccumulation},
  };
  return kRules;
}

std::span<const FindingRule> epochRules() {
  using namespace findings;
  static constexpr std::array kRules = {
      FindingRule{emptyRanks},           FindingRule{unequalBatches},
      FindingRule{identicalRanks},       FindingRule{missingSamples},
      FindingRule{batchLargerThanSlice}, FindingRule{partlyOverlapping},
      FindingRule{paddingRepeats},       FindingRule{droppedBySampler},
      FindingRule{droppedByLoader},      FindingRule{shortLastBatch},
      FindingRule{duplicatingWorkers},   FindingRule{repeatedOnPurpose},
      FindingRule{unexplainedRepeats},   FindingRule{noBatches},
      FindingRule{emptyBatches},         FindingRule{loaderLength},
      FindingRule{countedByWorker},      FindingRule{restOfAccumulation},
  };
  return kRules;
}

}  // namespace shardlens
