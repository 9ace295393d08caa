// SPDX-License-Identifier: Apache-2.0
#include "core/selftest/replay.h"

#include <nlohmann/json.hpp>

namespace shardlens::selftest {
namespace fairseq_rows {
namespace {

constexpr std::int64_t kBatchSize = 3;

/// {"count": n, "batch_i": "[3i,3i+1,3i+2]"}: how many batches of three consecutive samples.
std::optional<std::int64_t> frozenBatches(const VectorRow& row, const Planner& planner) {
  const nlohmann::json* value = row.params.find("frozen_batches");
  if (value == nullptr || !value->is_object()) return std::nullopt;
  const Fields frozen(*value);
  const auto count = frozen.integer("count");
  const bool known = frozen.onlyHas({"count", "batch_i"}) && frozen.text("batch_i") == "[3i,3i+1,3i+2]";
  return known && count && planner.allows(*count) ? count : std::nullopt;
}

std::optional<PipelineSpec> specOf(const VectorRow& row, const Planner& planner) {
  const auto batches = frozenBatches(row, planner);
  const auto world = row.params.integer("num_shards");
  const auto seed = row.params.integer("seed");
  if (!batches || !world || !seed) return std::nullopt;
  PipelineSpec spec;
  spec.dataset.size = *batches * kBatchSize;
  spec.world = {1, *world};
  spec.loader.batch_size = kBatchSize;
  spec.epochs = row.fields.integer("epoch").value_or(1);
  spec.sampler = {"fairseq.EpochBatchIterator", {{"seed", *seed}}};
  for (const char* key : {"fix_batches_to_gpus", "supports_prefetch", "grouped_shuffling", "shuffle"}) {
    const auto flag = row.params.flag(key);
    if (!flag) return std::nullopt;
    spec.sampler.parameters[key] = *flag;
  }
  return spec;
}

RowVerdict replayBatches(const VectorRow& row, Planner& planner) {
  const auto spec = specOf(row, planner);
  const auto rank = row.fields.integer("rank");
  const bool known = row.params.onlyHas({"frozen_batches", "num_shards", "seed", "fix_batches_to_gpus",
                                         "supports_prefetch", "grouped_shuffling", "shuffle"});
  const bool in_range =
      spec && rank && *rank >= 0 && *rank < spec->worldSize() && spec->epochs >= 1 && planner.allows(spec->epochs);
  if (!in_range || !known) return unknownParameters();
  const auto rank_epoch = planner.rankEpoch(*spec, Epoch{spec->epochs - 1}, Rank{*rank});
  return rank_epoch ? compare(row, Answer::ofBatches(*rank_epoch))
                    : compareError(row, Result<void>(rank_epoch.error()));
}

}  // namespace
}  // namespace fairseq_rows

std::vector<Replay> fairseqReplays() {
  using namespace fairseq_rows;
  return {
      {"fairseq", "EpochBatchIterator.ordered_batches", replayBatches},
  };
}

}  // namespace shardlens::selftest
