// SPDX-License-Identifier: Apache-2.0
#include "core/selftest/replay.h"
#include "core/selftest/row_weights.h"

namespace shardlens::selftest {
namespace paddle_rows {
namespace {

/// The n-th pass over one object, whose epoch number was set before the first one.
RowVerdict replayDistributed(const VectorRow& row, Planner& planner) {
  const auto size = row.params.integer("dataset_size");
  const auto batch = row.params.integer("batch_size");
  const auto world = row.params.integer("world_size");
  const auto shuffle = row.params.flag("shuffle");
  const auto drop_last = row.params.flag("drop_last");
  const auto pass = row.params.integer("iteration");
  const auto rank = row.fields.integer("rank");
  const bool known = row.params.onlyHas(
      {"dataset_size", "batch_size", "world_size", "shuffle", "drop_last", "set_epoch_before_first_pass", "iteration"});
  if (!size || !batch || !world || !shuffle || !drop_last || !pass || !rank || *rank < 0 || *rank >= *world || !known)
    return unknownParameters();
  PipelineSpec spec;
  spec.dataset.size = *size;
  spec.world = {1, *world};
  spec.loader.batch_size = *batch;
  spec.loader.drop_last = *drop_last;
  spec.sampler = {"paddle.DistributedBatchSampler",
                  {{"shuffle", *shuffle}, {"epoch", row.params.integer("set_epoch_before_first_pass").value_or(0)}}};
  return judgeBatches(row, planner.rankEpoch(spec, Epoch{*pass}, Rank{*rank}));
}

/// The spec of one process that seeds NumPy's global stream once.
PipelineSpec globalSpec(const VectorRow& row, std::int64_t size, std::int64_t seed) {
  PipelineSpec spec;
  spec.dataset.size = size;
  spec.world = {1, 1};
  spec.loader.batch_size = row.params.integer("batch_size").value_or(1);
  spec.loader.drop_last = row.params.flag("drop_last").value_or(false);
  spec.seeds.base = seed;
  spec.sampler.type = "paddle." + row.sampler;
  if (const auto samples = row.params.integer("num_samples")) spec.sampler.parameters["num_samples"] = *samples;
  if (const auto flag = row.params.flag("replacement")) spec.sampler.parameters["replacement"] = *flag;
  return spec;
}

RowVerdict judge(const VectorRow& row, const PipelineSpec& spec, Planner& planner) {
  const auto drawn = planner.rankEpoch(spec, Epoch{row.fields.integer("epoch").value_or(0)}, Rank{0});
  if (!drawn) return compareError(row, drawn.error());
  const bool batched = row.params.has("batch_size");
  Answer answer = batched ? Answer::ofBatches(*drawn) : Answer::ofItems(*drawn);
  answer.length = batched ? drawn->batches() : drawn->size();
  return compare(row, answer);
}

RowVerdict replayRandom(const VectorRow& row, Planner& planner) {
  const auto size = row.params.integer("dataset_size");
  const auto seed = row.params.integer("numpy_global_seed");
  const bool known = row.params.onlyHas(
      {"dataset_size", "replacement", "num_samples", "numpy_global_seed", "batch_size", "drop_last"});
  if (!size || !seed || !known) return unknownParameters();
  return judge(row, globalSpec(row, *size, *seed), planner);
}

RowVerdict replayWeighted(const VectorRow& row, Planner& planner) {
  const auto weights = rowWeights(row.params);
  const auto seed = row.params.integer("numpy_global_seed");
  if (!weights || !seed || !row.params.onlyHas({"weights", "num_samples", "replacement", "numpy_global_seed"}))
    return unknownParameters();
  PipelineSpec spec = globalSpec(row, weights->size, *seed);
  spec.sampler.parameters["weights"] = weights->value;
  return judge(row, spec, planner);
}

}  // namespace
}  // namespace paddle_rows

std::vector<Replay> paddleReplays() {
  using namespace paddle_rows;
  return {
      {"paddle", "DistributedBatchSampler", replayDistributed},
      {"paddle", "RandomSampler", replayRandom},
      {"paddle", "WeightedRandomSampler", replayWeighted},
  };
}

}  // namespace shardlens::selftest
