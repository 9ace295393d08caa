// SPDX-License-Identifier: Apache-2.0
#include "core/audit/fixes/remedies.h"

#include <array>

namespace shardlens::fixes {

std::span<const RemedyRow> remedies() {
  static constexpr std::array kRemedies = {
      RemedyRow{"batch-larger-than-slice", shrinkBatch},
      RemedyRow{"empty-ranks", fillEmptySlices},
      RemedyRow{"epochs-repeat", callSetEpoch},
      RemedyRow{"idle-workers", useFewerWorkers},
      RemedyRow{"num-replicas-mismatch", readOwnSlices},
      RemedyRow{"padding-repeats", dropUnevenTail},
      RemedyRow{"ranks-identical-order", splitAmongRanks},
      RemedyRow{"ranks-overlap-partly", splitAmongRanks},
      RemedyRow{"ranks-share-samples", splitAmongRanks},
      RemedyRow{"samples-dropped-loader", keepShortBatch},
      RemedyRow{"samples-dropped-sampler", padUnevenTail},
      RemedyRow{"samples-missing", readOwnSlices},
      RemedyRow{"seeds-collide-epochs", seedRanksApart},
      RemedyRow{"seeds-collide-nodes", seedRanksApart},
      RemedyRow{"seeds-collide-ranks", seedRanksApart},
      RemedyRow{"seeds-collide-workers", seedWorkersApart},
  };
  return kRemedies;
}

}  // namespace shardlens::fixes
