// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/lens/columns/columns.h"

#include <string>

namespace shardlens::lenses {

namespace {

std::string makes(const PipelineSpec& spec) {
  if (isShuffled(spec))
    return worded("lens", "Each rank has one contiguous part of the dataset, shuffled within that part.");
  return spec.loader.num_workers > 0
             ? worded("lens", "Each rank has one contiguous part of the dataset, divided among its workers.")
             : worded("lens", "Each rank has one contiguous part of the dataset, in order.");
}

}  // namespace

/// Grain @f5dd0d8: DataLoader over IndexSampler(shard_options=ShardByJaxProcess(), num_epochs=1) and a Batch operation.
std::vector<LensColumn> grain(const PipelineSpec& spec) {
  if (auto written = writtenFor(spec, "grain", "Grain DataLoader")) return {*std::move(written)};
  LensColumn column =
      ownSampler(spec, "grain", "Grain DataLoader", "grain.IndexSampler",
                 {{"shuffle", isShuffled(spec)}, {"seed", spec.seeds.base}, {"num_epochs", std::int64_t{1}}});
  column.makes = makes(spec);
  if (isShuffled(spec)) {
    column.notes.push_back(
        {Severity::Warning,
         worded(
             "lens",
             "A second pass over the loader has the same order: epochs are counted within one pass, by num_epochs.")});
  }
  if (spec.loader.num_workers > 0) {
    column.notes.push_back({Severity::Info, worded("lens",
                                                   "Each of the worker_count workers makes batches from its own share "
                                                   "of the records.")});
  }
  column.notes.push_back(
      {Severity::Info,
       worded("lens",
              "With ShardByJaxProcess() and one process per rank; without it every process reads everything.")});
  return {column};
}

}  // namespace shardlens::lenses
