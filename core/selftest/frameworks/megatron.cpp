// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/megatron/consumed.h"
#include "core/sampling/megatron/samplers.h"
#include "core/selftest/by_name.h"

#include <string>
#include <utility>
#include <vector>

namespace shardlens::selftest {
namespace megatron_rows {
namespace {

constexpr const char* kKeys =
    "total_samples=dataset_size data_parallel_size=world_size micro_batch_size=batch_size? consumed_samples? "
    "drop_last? "
    "global_batch_size? data_sharding? iteration=-?";

/// __len__ counts samples.
RowVerdict replayMegatron(const VectorRow& row, Planner& planner) {
  const auto spec = specByName(row, kKeys);
  if (!spec) return unknownParameters();
  const auto drawn = planner.rankEpoch(*spec, row);
  if (!drawn) return compareError(row, drawn.error());
  Answer answer = Answer::ofBatches(*drawn);
  answer.length = spec->dataset.size;
  return compare(row, answer);
}

/// Also the epoch it seeds itself with, and the consumed_samples that the next pass begins with.
RowVerdict replayRandom(const VectorRow& row, Planner& planner) {
  RowVerdict verdict = replayMegatron(row, planner);
  const auto wanted = row.fields.integer("consumed_after");
  if (verdict.outcome != Outcome::Passed || !wanted) return verdict;
  const auto spec = specByName(row, kKeys);
  const std::int64_t passes = row.params.integer("iteration").value_or(0) + 1;
  const Rank rank{row.fields.integer("rank").value_or(0)};
  std::int64_t consumed = row.params.integer("consumed_samples").value_or(0);
  const std::int64_t step = spec->loader.batch_size * spec->worldSize();
  std::int64_t began = consumed;
  for (Epoch pass{0}; pass.value < passes; ++pass) {
    const auto drawn = planner.rankEpoch(*spec, pass, rank);
    if (!drawn) return failed(drawn.error().text());
    began = consumed;
    consumed += drawn->batches() * step;
  }
  const std::int64_t epoch = began / (spec->dataset.size - spec->dataset.size % step);
  if (epoch != row.fields.integer("epoch")) return failed("epoch: " + std::to_string(epoch));
  return consumed == *wanted ? passed() : failed("consumed_after: " + std::to_string(consumed));
}

/// -1 of a padded batch stands for no sample, and is in no plan.
void padBatches(Answer& answer, std::int64_t size) {
  std::vector<std::int64_t> padded;
  std::size_t at = 0;
  for (std::int64_t& batch : *answer.batch_sizes) {
    for (std::int64_t i = 0; i < size; ++i) padded.push_back(i < batch ? answer.indices[at++] : -1);
    batch = size;
  }
  answer.indices = std::move(padded);
}

RowVerdict replayBridgeBatches(const VectorRow& row, Planner& planner) {
  auto spec = specByName(row,
                         "total_samples=dataset_size data_parallel_size=- micro_batch_size=batch_size? "
                         "consumed_samples? drop_last global_batch_size iteration=-? shuffle seed? "
                         "pad_samples_to_global_batch_size torch_seed=seeds.base?");
  const std::int64_t world = row.params.integer("data_parallel_size").value_or(0);
  const std::int64_t rank = row.fields.integer("rank").value_or(-1);
  if (!spec || world < 1 || rank < 0) return unknownParameters();
  if (rank >= world) return compareError(row, sampling::megatronRankTooLarge(rank, world));
  spec->world = {1, world};
  const Epoch pass{row.params.integer("iteration").value_or(0)};
  const auto drawn = planner.rankEpoch(*spec, pass, Rank{rank});
  if (!drawn) return compareError(row, Result<void>(drawn.error()));
  Answer answer = Answer::ofBatches(*drawn);
  const bool pads = row.params.flag("pad_samples_to_global_batch_size") == true;
  if (pads && row.params.flag("drop_last") == false)
    padBatches(answer, row.params.integer("global_batch_size").value_or(0) / world);
  answer.length = sampling::megatronBridgeLength(*spec, pass);
  RowVerdict verdict = compare(row, answer);
  const auto wanted = row.fields.integer("consumed_after");
  if (verdict.outcome != Outcome::Passed || !wanted) return verdict;
  const std::int64_t consumed = sampling::megatronBridgeConsumed(*spec, Epoch{pass.value + 1});
  return consumed == *wanted ? passed() : failed("consumed_after: " + std::to_string(consumed));
}

}  // namespace
}  // namespace megatron_rows

std::vector<Replay> megatronReplays() {
  using namespace megatron_rows;
  return {
      {"megatron", "HybridCPMegatronPretrainingSampler", replayMegatron},
      {"megatron", "MegatronPretrainingRandomSampler", replayRandom},
      {"megatron", "MegatronPretrainingSampler", replayMegatron},
      {"megatron_bridge", "MegatronPretrainingBatchSampler", replayBridgeBatches},
      {"megatron_bridge", "MegatronPretrainingRandomSampler", replayRandom},
      {"megatron_bridge", "MegatronPretrainingSampler", replayMegatron},
  };
}

}  // namespace shardlens::selftest
