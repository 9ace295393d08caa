// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/datasets/dataset.h"
#include "core/sampling/datasets/iterable_dataset.h"
#include "core/selftest/by_name.h"

#include <algorithm>

namespace shardlens::selftest {
namespace datasets_rows {
namespace {

using namespace sampling;

struct ShardCall {
  std::int64_t size = 0;
  std::int64_t num_shards = 0;
  std::int64_t index = 0;
  bool contiguous = true;
};

std::optional<ShardCall> shardCallOf(const VectorRow& row) {
  const auto size = row.params.integer("dataset_size");
  const auto num_shards = row.params.integer("num_shards");
  const auto index = row.fields.integer("rank");
  const bool usual = !row.params.has("contiguous") || row.params.isNull("contiguous");
  const auto contiguous = usual ? std::optional(true) : row.params.flag("contiguous");
  const bool known = row.params.onlyHas({"dataset_size", "num_shards", "contiguous"});
  if (!size || *size < 0 || !num_shards || !index || !contiguous || !known) return std::nullopt;
  return ShardCall{*size, *num_shards, *index, *contiguous};
}

RowVerdict planned(const VectorRow& row, const ShardCall& call, Planner& planner) {
  PipelineSpec spec;
  spec.dataset.size = call.size;
  spec.world = {1, call.num_shards};
  spec.loader.batch_size = 1;
  spec.sampler = {"datasets.Dataset", {{"contiguous", call.contiguous}}};
  const auto rank_epoch = planner.rankEpoch(spec, Epoch{0}, Rank{call.index});
  if (!rank_epoch) return compareError(row, Result<void>(rank_epoch.error()));
  return compare(row, Answer::ofItems(*rank_epoch));
}

/// The rows show what shard() hands to select(): a part that select() itself refuses is an empty list there.
RowVerdict replayDatasetShard(const VectorRow& row, Planner& planner) {
  const auto call = shardCallOf(row);
  if (!call) return unknownParameters();
  const auto shard = datasetsShard(call->size, call->num_shards, call->index, call->contiguous);
  if (!shard) return compareError(row, Result<void>(shard.error()));
  constexpr std::int64_t kMostRanks = 100'000;
  const bool selects = checkDatasetsSelect(call->size, *shard, call->contiguous).has_value();
  if ((selects || row.error) && call->num_shards <= kMostRanks) return planned(row, *call, planner);
  Answer answer;
  for (std::int64_t k = 0; k < shard->count; ++k) answer.indices.push_back(shard->first + k * shard->step);
  return compare(row, answer);
}

/// What dataset.shuffle() and the split were given, as parameters of the rule; null is the library's default.
std::optional<PipelineSpec> streamSpecOf(const VectorRow& row) {
  return specByName(row, "datasets.IterableDataset",
                    "shard_sizes=shards world_size num_workers shuffle buffer_size? max_buffer_input_shards? seed?");
}

/// What one worker of the rank delivers; -1 is the rank itself.
Answer ofWorker(const RankEpoch& rank_epoch, std::int64_t worker) {
  Answer answer;
  for (Step step{0}; step.value < rank_epoch.batches(); ++step) {
    if (rank_epoch.worker(step) != worker) continue;
    const auto batch = rank_epoch.batchSamples(step);
    answer.indices.insert(answer.indices.end(), batch.begin(), batch.end());
  }
  return answer;
}

/// The plan fails with the first worker that raises; a row is about one of them.
RowVerdict replayStream(const VectorRow& row, Planner& planner) {
  const auto spec = streamSpecOf(row);
  const auto rank = row.fields.integer("rank");
  const auto epoch = row.fields.integer("epoch");
  const auto worker = row.fields.integer("worker");
  if (!spec || !rank || !epoch || !worker || !planner.allows(spec->dataset.size)) {
    return unknownParameters();
  }
  const std::int64_t workers = spec->loader.num_workers;
  if (*worker < 0 || *worker >= std::max<std::int64_t>(1, workers)) return unsupported("there is no such worker");
  const auto rank_epoch = planner.rankEpoch(*spec, Epoch{*epoch}, Rank{*rank});
  if (!rank_epoch && !row.error && !rank_epoch.error().raised.empty()) {
    const auto alone = datasetsWorkerStream(*spec, Epoch{*epoch}, Rank{*rank}, *worker);
    return alone ? compare(row, Answer{*alone, {}, {}}) : compareError(row, Result<void>(alone.error()));
  }
  if (!rank_epoch) return compareError(row, Result<void>(rank_epoch.error()));
  if (row.error) return compareError(row, {});
  return compare(row, ofWorker(*rank_epoch, workers == 0 ? -1 : *worker));
}

}  // namespace
}  // namespace datasets_rows

std::vector<Replay> datasetsReplays() {
  using namespace datasets_rows;
  return {
      {"datasets", "Dataset.shard", replayDatasetShard},
      {"datasets", "IterableDataset split_dataset_by_node + shuffle + DataLoader workers", replayStream},
  };
}

}  // namespace shardlens::selftest
