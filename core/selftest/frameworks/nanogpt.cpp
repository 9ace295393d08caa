// SPDX-License-Identifier: Apache-2.0
#include "core/selftest/replay.h"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace shardlens::selftest {
namespace nanogpt_rows {
namespace {

/// Calls for one file after the other draw from one stream: each is a plan of its own, begun where the last call ended.
RowVerdict replayGetBatch(const VectorRow& row, Planner& planner) {
  const auto block = row.params.integer("block_size");
  const auto batch = row.params.integer("batch_size");
  const auto seed = row.params.bits("torch_seed");
  const nlohmann::json* splits = row.params.find("splits");
  const bool known =
      row.params.onlyHas({"train_tokens", "val_tokens", "block_size", "batch_size", "torch_seed", "splits"});
  if (!block || !batch || !seed || splits == nullptr || !splits->is_array() || !known) return unknownParameters();
  Answer answer;
  answer.batch_sizes.emplace();
  for (const nlohmann::json& split : *splits) {
    if (!split.is_string()) return unknownParameters();
    const auto tokens = row.params.integer(split.get<std::string>() + "_tokens");
    if (!tokens) return unknownParameters();
    PipelineSpec spec = rowSpec(row, *tokens, 1, *batch);
    spec.seeds.base = static_cast<std::int64_t>(*seed);
    const auto before = static_cast<std::int64_t>(answer.indices.size());
    spec.sampler = {"nanogpt.get_batch",
                    {{"block_size", *block}, {"batches_per_epoch", std::int64_t{1}}, {"outputs_before", before}}};
    const auto drawn = planner.rankEpoch(spec, Epoch{0}, Rank{0});
    if (!drawn) return compareError(row, drawn.error());
    const std::vector<std::int64_t> offsets = Answer::ofItems(*drawn).indices;
    answer.indices.insert(answer.indices.end(), offsets.begin(), offsets.end());
    answer.batch_sizes->push_back(static_cast<std::int64_t>(offsets.size()));
  }
  return compare(row, answer);
}

}  // namespace
}  // namespace nanogpt_rows

std::vector<Replay> nanogptReplays() {
  using namespace nanogpt_rows;
  return {{"nanogpt", "get_batch", replayGetBatch}};
}

}  // namespace shardlens::selftest
