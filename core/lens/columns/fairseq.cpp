// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/lens/columns/columns.h"

#include <string>

namespace shardlens::lenses {

/// fairseq @3d262bb: task.get_batch_iterator(dataset, max_sentences=batch_size, seed=...).
std::vector<LensColumn> fairseq(const PipelineSpec& spec) {
  if (auto written = writtenFor(spec, "fairseq", "fairseq EpochBatchIterator")) return {*std::move(written)};
  LensColumn column = ownSampler(spec, "fairseq", "fairseq EpochBatchIterator", "fairseq.EpochBatchIterator",
                                 {{"shuffle", isShuffled(spec)}, {"seed", spec.seeds.base}});
  column.makes = isShuffled(spec) ? worded("lens",
                                           "Batches of neighbours are made once; each epoch shuffles the batches and "
                                           "hands them to the ranks in turn.")
                                  : worded("lens", "Batches of neighbours go to the ranks in turn.");
  column.notes.push_back(
      {Severity::Warning,
       worded("lens",
              "Shown for a dataset whose ordered_indices() keeps its order; most of fairseq's sort by length first.")});
  column.notes.push_back(
      {Severity::Info, worded("lens", "Ranks with too few batches get empty ones; drop_last has no effect.")});
  column.notes.push_back(
      {Severity::Info, filled(worded("lens", "With --seed %1; its default is 1."), std::to_string(spec.seeds.base))});
  return {column};
}

}  // namespace shardlens::lenses
