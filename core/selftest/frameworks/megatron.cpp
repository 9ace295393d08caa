// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/megatron/consumed.h"
#include "core/sampling/megatron/samplers.h"
#include "core/selftest/replay.h"

#include <string>
#include <utility>
#include <vector>

namespace shardlens::selftest {
namespace megatron_rows {
namespace {

/// The spec behind the parameters that all of Megatron's samplers share.
std::optional<PipelineSpec> specOf(const VectorRow& row) {
  const auto total = row.params.integer("total_samples");
  const auto ranks = row.params.integer("data_parallel_size");
  if (!total || !ranks) return std::nullopt;
  PipelineSpec spec = rowSpec(row, *total, *ranks, row.params.integer("micro_batch_size").value_or(1));
  spec.epochs = row.params.integer("iteration").value_or(0) + 1;
  spec.sampler = {row.framework + "." + row.sampler, {}};
  for (const char* number : {"consumed_samples", "global_batch_size"}) {
    if (const auto value = row.params.integer(number)) spec.sampler.parameters[number] = *value;
  }
  for (const char* flag : {"drop_last", "data_sharding"}) {
    if (const auto value = row.params.flag(flag)) spec.sampler.parameters[flag] = *value;
  }
  return spec;
}

RowVerdict replayMegatron(const VectorRow& row, Planner& planner) {
  const auto spec = specOf(row);
  const std::int64_t rank = row.fields.integer("rank").value_or(0);
  const bool known = row.params.onlyHas({"total_samples", "data_parallel_size", "micro_batch_size", "consumed_samples",
                                         "drop_last", "global_batch_size", "data_sharding", "iteration"});
  if (!spec || !known || rank < 0 || rank >= spec->worldSize()) return unknownParameters();
  const auto drawn = planner.rankEpoch(*spec, Epoch{spec->epochs - 1}, Rank{rank});
  if (!drawn) return compareError(row, Result<void>(drawn.error()));
  Answer answer = Answer::ofBatches(*drawn);
  // __len__ counts samples, but for full validation.
  if (row.sampler != "MegatronFullValidationSampler") answer.length = spec->dataset.size;
  return compare(row, answer);
}

/// Also the epoch it seeds itself with, and the consumed_samples that the next pass begins with.
RowVerdict replayRandom(const VectorRow& row, Planner& planner) {
  RowVerdict verdict = replayMegatron(row, planner);
  const auto wanted = row.fields.integer("consumed_after");
  if (verdict.outcome != Outcome::Passed || !wanted) return verdict;
  const auto spec = specOf(row);
  const Rank rank{*row.fields.integer("rank")};
  std::int64_t consumed = *row.params.integer("consumed_samples");
  const std::int64_t step = spec->loader.batch_size * spec->worldSize();
  std::int64_t began = consumed;
  for (Epoch pass{0}; pass.value < spec->epochs; ++pass) {
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
  auto spec = specOf(row);
  const auto pads = row.params.flag("pad_samples_to_global_batch_size");
  const auto shuffle = row.params.flag("shuffle");
  const auto drop_last = row.params.flag("drop_last");
  const auto global_batch = row.params.integer("global_batch_size");
  const std::int64_t rank = row.fields.integer("rank").value_or(0);
  const bool known = row.params.onlyHas({"total_samples", "data_parallel_size", "micro_batch_size", "consumed_samples",
                                         "drop_last", "global_batch_size", "iteration", "shuffle", "seed",
                                         "pad_samples_to_global_batch_size", "torch_seed"});
  if (!spec || !pads || !shuffle || !drop_last || !global_batch || !known || rank < 0) return unknownParameters();
  if (rank >= spec->worldSize())
    return compareError(row, Result<void>(sampling::megatronRankTooLarge(rank, spec->worldSize())));
  spec->sampler.parameters["pad_samples_to_global_batch_size"] = *pads;
  spec->sampler.parameters["shuffle"] = *shuffle;
  if (const auto seed = row.params.bits("seed")) spec->sampler.parameters["seed"] = static_cast<std::int64_t>(*seed);
  spec->seeds.base = static_cast<std::int64_t>(row.params.bits("torch_seed").value_or(0));
  const Epoch pass{spec->epochs - 1};
  const auto drawn = planner.rankEpoch(*spec, pass, Rank{rank});
  if (!drawn) return compareError(row, Result<void>(drawn.error()));
  Answer answer = Answer::ofBatches(*drawn);
  if (*pads && !*drop_last) padBatches(answer, *global_batch / spec->worldSize());
  answer.length = sampling::megatronBridgeLength(*spec, pass);
  RowVerdict verdict = compare(row, answer);
  const auto wanted = row.fields.integer("consumed_after");
  if (verdict.outcome != Outcome::Passed || !wanted) return verdict;
  const std::int64_t consumed = sampling::megatronBridgeConsumed(*spec, Epoch{spec->epochs});
  return consumed == *wanted ? passed() : failed("consumed_after: " + std::to_string(consumed));
}

}  // namespace
}  // namespace megatron_rows

std::vector<Replay> megatronReplays() {
  using namespace megatron_rows;
  return {
      {"megatron", "HybridCPMegatronPretrainingSampler", replayMegatron},
      {"megatron", "MegatronFullValidationSampler", replayMegatron},
      {"megatron", "MegatronPretrainingRandomSampler", replayRandom},
      {"megatron", "MegatronPretrainingSampler", replayMegatron},
      {"megatron_bridge", "MegatronPretrainingBatchSampler", replayBridgeBatches},
      {"megatron_bridge", "MegatronPretrainingRandomSampler", replayRandom},
      {"megatron_bridge", "MegatronPretrainingSampler", replayMegatron},
  };
}

}  // namespace shardlens::selftest
