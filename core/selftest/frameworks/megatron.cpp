// SPDX-License-Identifier: Apache-2.0
#include "core/selftest/replay.h"

#include <string>

namespace shardlens::selftest {
namespace {

/// The spec behind the parameters that all of Megatron's samplers share.
std::optional<PipelineSpec> specOf(const VectorRow& row) {
  const auto total = row.params.integer("total_samples");
  const auto ranks = row.params.integer("data_parallel_size");
  if (!total || !ranks) return std::nullopt;
  PipelineSpec spec;
  spec.dataset.size = *total;
  spec.world = {1, *ranks};
  spec.loader.batch_size = row.params.integer("micro_batch_size").value_or(1);
  spec.framework.torch = "2.6";
  spec.epochs = row.params.integer("iteration").value_or(0) + 1;
  spec.sampler = {"megatron." + row.sampler, {}};
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

}  // namespace

std::span<const Replay> megatronReplays() {
  static const std::vector<Replay> kReplays = {
      {"megatron", "HybridCPMegatronPretrainingSampler", replayMegatron},
      {"megatron", "MegatronFullValidationSampler", replayMegatron},
      {"megatron", "MegatronPretrainingRandomSampler", replayRandom},
      {"megatron", "MegatronPretrainingSampler", replayMegatron},
  };
  return kReplays;
}

}  // namespace shardlens::selftest
