// SPDX-License-Identifier: Apache-2.0
#include "core/selftest/replay.h"

#include <numeric>
#include <string>
#include <vector>

namespace shardlens::selftest {
namespace litdata_rows {
namespace {

std::string shuffleOf(const std::string& sampler) {
  if (sampler == "NoShuffle") return "none";
  return sampler == "FullShuffle" ? "full" : "window";
}

/// The spec of a row; nothing when the row lacks a parameter or its world has no whole nodes.
std::optional<PipelineSpec> specOf(const VectorRow& row) {
  const auto sizes = row.params.integers("chunk_sizes");
  const auto world = row.params.integer("world_size");
  const auto nodes = row.params.integer("num_nodes");
  const auto workers = row.params.integer("num_workers");
  const auto batch = row.params.integer("batch_size");
  const auto seed = row.params.bits("seed");
  const auto drop_last = row.params.flag("drop_last");
  const bool known = row.params.onlyHas({"chunk_sizes", "world_size", "num_nodes", "num_workers", "batch_size", "seed",
                                         "drop_last", "window", "roi", "node_shard_fits"});
  if (!sizes || !world || !nodes || *nodes < 1 || *world % *nodes != 0 || !workers || !batch || !seed || !drop_last ||
      !known)
    return std::nullopt;
  PipelineSpec spec;
  spec.dataset.shards = *sizes;
  spec.dataset.size = std::accumulate(sizes->begin(), sizes->end(), std::int64_t{0});
  spec.world = {*nodes, *world / *nodes};
  spec.loader.num_workers = *workers;
  spec.loader.batch_size = *batch;
  spec.sampler = {"litdata.StreamingDataset",
                  {{"shuffle", shuffleOf(row.sampler)},
                   {"seed", static_cast<std::int64_t>(*seed)},
                   {"drop_last", *drop_last},
                   {"node_shard_fits", row.params.flag("node_shard_fits").value_or(true)}}};
  if (const auto window = row.params.integer("window")) spec.sampler.parameters["window"] = *window;
  if (const auto roi = row.params.lists("roi"); roi && !roi->empty()) {
    std::vector<double> flat;
    for (const auto& pair : *roi) flat.insert(flat.end(), pair.begin(), pair.end());
    spec.sampler.parameters["roi"] = NumberList(std::move(flat));
  }
  return spec;
}

/// What one worker of the rank delivers; `length` is that of all of them.
RowVerdict replayShuffle(const VectorRow& row, Planner& planner) {
  const auto spec = specOf(row);
  const auto epoch = row.fields.integer("epoch");
  if (!spec || !epoch || *epoch < 1) return unknownParameters();
  const Rank rank{row.fields.integer("rank").value_or(0)};
  const auto drawn = planner.rankEpoch(*spec, Epoch{*epoch - 1}, rank);
  if (!drawn) return compareError(row, drawn.error());
  Answer answer;
  for (Step step{0}; step.value < drawn->batches(); ++step) {
    if (drawn->worker(step) != row.fields.integer("worker")) continue;
    const auto batch = drawn->batchSamples(step);
    answer.indices.insert(answer.indices.end(), batch.begin(), batch.end());
  }
  answer.length = drawn->size();
  return compare(row, answer);
}

}  // namespace
}  // namespace litdata_rows

std::vector<Replay> litdataReplays() {
  using namespace litdata_rows;
  return {
      {"litdata", "FullShuffle", replayShuffle},
      {"litdata", "NoShuffle", replayShuffle},
      {"litdata", "WindowShuffle", replayShuffle},
  };
}

}  // namespace shardlens::selftest
