// SPDX-License-Identifier: Apache-2.0
#include "core/selftest/replay.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace shardlens::selftest {
namespace llmc_rows {
namespace {

/// Shards in tokens become shards in rows of T; nothing when the row lacks a parameter.
std::optional<PipelineSpec> specOf(const VectorRow& row) {
  const auto tokens = row.params.integers("shard_tokens");
  const auto batch = row.params.integer("B");
  const auto length = row.params.integer("T");
  const auto world = row.params.integer("world_size");
  const auto steps = row.params.integer("steps");
  const auto rank = row.fields.integer("rank");
  const bool known = row.params.onlyHas({"shard_tokens", "B", "T", "world_size", "shuffle", "steps", "resume"});
  if (!tokens || tokens->empty() || !batch || !length || *length < 1 || !world || !steps || !rank || *rank < 0 ||
      *rank >= *world || !known)
    return std::nullopt;
  PipelineSpec spec;
  std::vector<std::int64_t> rows;
  spec.dataset.size = 0;
  for (const std::int64_t count : *tokens) {
    rows.push_back(std::max<std::int64_t>(0, count - 1) / *length);
    spec.dataset.size += rows.back();
  }
  spec.dataset.shards = std::move(rows);
  spec.world = {1, *world};
  spec.loader.batch_size = *batch;
  spec.sampler = {"llmc.DataLoader",
                  {{"loader", std::string(row.sampler.starts_with("DataLoader") ? "c" : "python")},
                   {"shuffle", row.params.flag("shuffle").value_or(false)},
                   {"steps_per_epoch", *steps}}};
  if (const nlohmann::json* resume = row.params.find("resume"); resume != nullptr && resume->is_object()) {
    const Fields state(*resume);
    spec.sampler.parameters["current_shard"] = state.integer("shard").value_or(-1);
    spec.sampler.parameters["current_sample"] = state.integer("sample").value_or(-1);
  }
  return spec;
}

/// One epoch of the plan is all the row's steps; of each the first row is compared, as shard and token.
RowVerdict replayLoader(const VectorRow& row, Planner& planner) {
  const auto spec = specOf(row);
  const auto wanted = row.fields.integers("shards");
  if (!spec || !wanted) return unknownParameters();
  const auto drawn = planner.rankEpoch(*spec, Epoch{0}, Rank{*row.fields.integer("rank")});
  if (!drawn) return compareError(row, drawn.error());
  Answer answer;
  std::vector<std::int64_t> shards;
  for (Step step{0}; step.value < drawn->batches(); ++step) {
    std::int64_t first = drawn->batchSamples(step).front();
    std::int64_t shard = 0;
    for (; first >= spec->dataset.shards[static_cast<std::size_t>(shard)]; ++shard)
      first -= spec->dataset.shards[static_cast<std::size_t>(shard)];
    shards.push_back(shard);
    answer.indices.push_back(first * *row.params.integer("T"));
  }
  const std::string why = difference(shards, *wanted);
  return why.empty() ? compare(row, answer) : judged("shards", why);
}

}  // namespace
}  // namespace llmc_rows

std::vector<Replay> llmcReplays() {
  using namespace llmc_rows;
  return {
      {"llm.c", "DataLoader (C)", replayLoader},
      {"llm.c", "DistributedDataLoader (Python)", replayLoader},
  };
}

}  // namespace shardlens::selftest
