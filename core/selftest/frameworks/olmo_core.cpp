// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/olmo_core/fsl_data_loader.h"
#include "core/selftest/replay.h"

namespace shardlens::selftest {
namespace olmo_core_rows {
namespace {

/// A state that was loaded into a loader of another batch size counts the tokens that were read.
RowVerdict replayLoader(const VectorRow& row, Planner& planner) {
  const auto size = row.params.integer("dataset_size");
  const auto world = row.params.integer("world_size");
  const auto shuffle = row.params.flag("shuffle");
  const auto seed = row.params.bits("seed");
  const auto global_batch = row.params.integer("global_batch_size");
  const auto done = row.params.integer("batches_processed");
  const auto workers = row.params.integer("num_workers");
  const auto epoch = row.fields.integer("epoch");
  const auto rank = row.fields.integer("rank");
  const bool known =
      row.params.onlyHas({"dataset_size", "sequence_length", "global_batch_size", "world_size", "shuffle", "seed",
                          "chunk_size", "num_workers", "batches_processed", "resumed_with_global_batch_size"});
  if (!size || !world || !shuffle || !seed || !global_batch || !done || !workers || !epoch || !rank || *rank < 0 ||
      *rank >= *world || !known)
    return unknownParameters();
  const std::int64_t now = row.params.integer("resumed_with_global_batch_size").value_or(*global_batch);
  if (now < 1) return unknownParameters();
  PipelineSpec spec;
  spec.dataset.size = *size;
  spec.world = {1, *world};
  spec.loader.num_workers = *workers;
  spec.sampler = {"olmo_core.NumpyFSLDataLoader",
                  {{"shuffle", *shuffle},
                   {"seed", static_cast<std::int64_t>(*seed)},
                   {"epoch", *epoch},
                   {"global_batch_size", now},
                   {"batches_processed", *done * *global_batch / now}}};
  for (const char* key : {"sequence_length", "chunk_size"}) {
    const auto number = row.params.integer(key);
    if (!number) return unknownParameters();
    spec.sampler.parameters[key] = *number;
  }
  const auto drawn = planner.rankEpoch(spec, Epoch{0}, Rank{*rank});
  if (!drawn) return compareError(row, drawn.error());
  Answer answer = Answer::ofBatches(*drawn);
  answer.length = sampling::olmoTotalBatches(spec);
  return compare(row, answer);
}

}  // namespace
}  // namespace olmo_core_rows

std::vector<Replay> olmoCoreReplays() {
  using namespace olmo_core_rows;
  return {{"olmo_core", "NumpyFSLDataLoader", replayLoader}};
}

}  // namespace shardlens::selftest
