// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/community/pml_m_per_class_sampler.h"
#include "core/sampling/python.h"
#include "core/selftest/replay.h"

namespace shardlens::selftest {
namespace class_balance_rows {
namespace {

std::int64_t epochOf(const VectorRow& row) {
  return row.fields.integer("epoch").value_or(0);
}

/// The spec of one process that seeds NumPy's global stream once.
std::optional<PipelineSpec> labelledSpec(const VectorRow& row, const char* type, const Planner& planner) {
  const auto labels = row.params.integers("labels");
  const auto seed = row.params.integer("numpy_global_seed");
  if (!labels || !seed || !planner.allows(epochOf(row))) return std::nullopt;
  PipelineSpec spec;
  spec.dataset.labels = *labels;
  spec.dataset.size = static_cast<std::int64_t>(labels->size());
  spec.world = {1, 1};
  spec.loader.batch_size = 1;
  spec.seeds.base = *seed;
  spec.epochs = epochOf(row) + 1;
  spec.sampler.type = type;
  return spec;
}

RowVerdict judgeBalance(const VectorRow& row, const Result<RankEpoch>& rank_epoch, std::optional<std::int64_t> length) {
  if (!rank_epoch) return compareError(row, Result<void>(rank_epoch.error()));
  Answer answer = Answer::ofItems(*rank_epoch);
  if (length) answer.length = length;
  return compare(row, answer);
}

RowVerdict replayBalance(const VectorRow& row, Planner& planner) {
  auto spec = labelledSpec(row, "catalyst.BalanceClassSampler", planner);
  const auto name = row.params.text("mode");
  const auto number = row.params.integer("mode");
  const bool known = row.params.onlyHas({"labels", "mode", "numpy_global_seed"});
  if (!spec || !known || !(name || number)) return unknownParameters();
  if (name && name != "downsampling" && name != "upsampling") {
    return compareError(row, sampling::raised("AssertionError", ""));
  }
  spec->sampler.parameters = {{"mode", name ? Value(*name) : Value(*number)}};
  return judgeBalance(row, planner.rankEpoch(*spec, Epoch{spec->epochs - 1}, Rank{0}), {});
}

RowVerdict replayMPerClass(const VectorRow& row, Planner& planner) {
  auto spec = labelledSpec(row, "pytorch_metric_learning.MPerClassSampler", planner);
  const auto m = row.params.integer("m");
  const auto length = row.params.integer("length_before_new_iter");
  const auto batch_size = row.params.integer("batch_size");
  const bool known = row.params.onlyHas({"labels", "m", "batch_size", "length_before_new_iter", "numpy_global_seed"});
  if (!spec || !m || !length || !known || !(batch_size || row.params.isNull("batch_size"))) {
    return unknownParameters();
  }
  spec->sampler.parameters = {{"m", *m},
                              {"length_before_new_iter", *length},
                              {"batch_size", batch_size ? Value(*batch_size) : Value(std::string("none"))}};
  const auto rank_epoch = planner.rankEpoch(*spec, Epoch{spec->epochs - 1}, Rank{0});
  return judgeBalance(row, rank_epoch, rank_epoch ? std::optional(sampling::pmlLength(*spec)) : std::nullopt);
}

RowVerdict replayWrapper(const VectorRow& row, Planner& planner) {
  const auto world = row.params.integer("world_size");
  const auto length = row.params.integer("inner_length");
  const auto seed = row.params.bits("inner_seed");
  const auto shuffle = row.params.flag("shuffle");
  const auto rank = row.fields.integer("rank");
  const bool known = row.params.onlyHas({"inner", "inner_length", "inner_seed", "world_size", "shuffle"}) &&
                     row.params.text("inner") == "RandomSampler(generator)";
  if (!world || !length || !seed || !shuffle || !rank || *rank < 0 || *rank >= *world || !known ||
      !planner.allows(epochOf(row))) {
    return unknownParameters();
  }
  PipelineSpec spec;
  spec.dataset.size = *length;
  spec.world = {1, *world};
  spec.framework.torch = torchReleaseIn(row.version);
  spec.epochs = epochOf(row) + 1;
  spec.sampler = {"catalyst.DistributedSamplerWrapper",
                  {{"shuffle", *shuffle},
                   {"inner", std::string("random")},
                   {"replacement", false},
                   {"generator", std::string("sampler")},
                   {"generator_seed", static_cast<std::int64_t>(*seed)}}};
  return judgeBalance(row, planner.rankEpoch(spec, Epoch{spec.epochs - 1}, Rank{*rank}), {});
}

}  // namespace
}  // namespace class_balance_rows

std::vector<Replay> classBalanceReplays() {
  using namespace class_balance_rows;
  return {
      {"catalyst", "BalanceClassSampler", replayBalance},
      {"catalyst", "DistributedSamplerWrapper", replayWrapper},
      {"pytorch-metric-learning", "MPerClassSampler", replayMPerClass},
  };
}

}  // namespace shardlens::selftest
