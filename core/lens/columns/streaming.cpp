// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/lens/columns/columns.h"

#include <utility>

namespace shardlens::lenses {

/// MosaicML Streaming @89e7bb9: StreamingDataset(shuffle=..., batch_size=loader.batch_size) in a plain DataLoader.
std::vector<LensColumn> streaming(const PipelineSpec& spec) {
  if (auto written = writtenFor(spec, "streaming", "MosaicML Streaming")) return {*std::move(written)};
  const bool shuffled = isShuffled(spec);
  LensColumn column =
      ownSampler(spec, "streaming", "MosaicML Streaming", "streaming.StreamingDataset", {{"shuffle", shuffled}});
  column.when = worded("lens", "when the dataset is iterated");
  column.makes =
      shuffled
          ? worded("lens",
                   "The dataset is cut into one contiguous part per node, shuffled within it, and divided among the "
                   "ranks and their workers.")
          : worded(
                "lens",
                "The dataset is cut into one contiguous part per node and divided among the ranks and their workers.");
  if (spec.dataset.shards.empty()) {
    column.notes.push_back(
        {Severity::Warning, worded("lens", "Shown as if all samples were in one shard: fill in dataset.shards.")});
  }
  if (shuffled) {
    column.notes.push_back(
        {Severity::Info,
         worded("lens",
                "With shuffle_algo='py1e' and shuffle_seed=9176, its defaults: every run has the same order.")});
  }
  if (spec.world.nodes > 1) {
    column.notes.push_back(
        {Severity::Info,
         worded("lens",
                "Another number of nodes gives another order, unless num_canonical_nodes is set (streaming PR 479).")});
  }
  return {column};
}

}  // namespace shardlens::lenses
