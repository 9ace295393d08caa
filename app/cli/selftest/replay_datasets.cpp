// SPDX-License-Identifier: Apache-2.0
#include "app/cli/selftest/replay.h"
#include "core/sampling/datasets_dataset.h"

namespace shardlens::selftest {
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

Verdict planned(const VectorRow& row, const ShardCall& call, Planner& planner) {
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
Verdict replayShard(const VectorRow& row, Planner& planner) {
  const auto call = shardCallOf(row);
  if (!call) return unsupported("unknown parameters");
  const auto shard = datasetsShard(call->size, call->num_shards, call->index, call->contiguous);
  if (!shard) return compareError(row, Result<void>(shard.error()));
  constexpr std::int64_t kMostRanks = 100'000;
  const bool selects = checkDatasetsSelect(call->size, *shard, call->contiguous).has_value();
  if ((selects || row.error) && call->num_shards <= kMostRanks) return planned(row, *call, planner);
  Answer answer;
  for (std::int64_t k = 0; k < shard->count; ++k) answer.indices.push_back(shard->first + k * shard->step);
  return compare(row, answer);
}

}  // namespace

std::span<const Replay> datasetsReplays() {
  static const std::vector<Replay> kReplays = {
      {"datasets", "Dataset.shard", replayShard},
  };
  return kReplays;
}

}  // namespace shardlens::selftest
