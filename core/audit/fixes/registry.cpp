// SPDX-License-Identifier: Apache-2.0
#include "core/audit/fixes/remedies.h"

#include <array>

namespace shardlens::fixes {

std::span<const RemedyRow> remedies() {
  using Topic = FindingTopic;
  static constexpr std::array kRemedies = {
      RemedyRow{Topic::Coverage, {}, divideAmongRanks},
      RemedyRow{Topic::Coverage, {}, drawOneOrder},
      RemedyRow{Topic::Coverage, {}, turnTails},
      RemedyRow{Topic::Coverage, "no-whole-step", makeWholeStep},
      RemedyRow{Topic::Ranks, {}, divideAmongRanks},
      RemedyRow{Topic::Ranks, {}, drawOneOrder},
      RemedyRow{Topic::Ranks, {}, seedRanksApart},
      RemedyRow{Topic::Epochs, {}, renewEpochs},
      RemedyRow{Topic::Seeds, "seeds-collide-workers", seedWorkersApart},
      RemedyRow{Topic::Seeds, "never-seeded", seedTheScript},
      RemedyRow{Topic::Seeds, {}, seedRanksApart},
      RemedyRow{Topic::Steps, "schedule-hangs", callForAll},
      RemedyRow{Topic::Steps, {}, evenSteps},
      RemedyRow{Topic::Steps, {}, fillEmptySlices},
      RemedyRow{Topic::Steps, {}, divideAmongRanks},
      RemedyRow{Topic::Batches, "batch-larger-than-slice", shrinkBatch},
      RemedyRow{Topic::Batches, "idle-workers", useFewerWorkers},
  };
  return kRemedies;
}

}  // namespace shardlens::fixes
