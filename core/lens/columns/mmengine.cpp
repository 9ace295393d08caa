// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/lens/columns/columns.h"

namespace shardlens::lenses {

/// mmengine @2543429: sampler=dict(type='DefaultSampler', shuffle=...) of an epoch-based runner with
/// randomness=dict(seed=seeds.base).
std::vector<LensColumn> mmengine(const PipelineSpec& spec) {
  if (auto written = writtenFor(spec, "mmengine", "mmengine Runner")) return {*std::move(written)};
  LensColumn column = ownSampler(spec, "mmengine", "mmengine Runner", "mmengine.DefaultSampler",
                                 {{"shuffle", isShuffled(spec)}, {"seed", spec.seeds.base}});
  column.makes =
      worded("lens",
             "Its DefaultSampler divides the dataset sample by sample, padded so that all ranks have the same number.");
  column.notes.push_back(
      {Severity::Info,
       filled(worded("lens", "With randomness=dict(seed=%1); without a seed the ranks agree on one from the clock."),
              std::to_string(spec.seeds.base))});
  if (spec.loader.num_workers > 0) {
    column.notes.push_back(
        {Severity::Warning,
         worded("lens",
                "Workers are seeded by rank and worker alone: new workers augment the same way in every epoch.")});
  }
  return {column};
}

}  // namespace shardlens::lenses
