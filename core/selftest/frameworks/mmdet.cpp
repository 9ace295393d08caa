// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/torch/arguments.h"
#include "core/selftest/replay.h"

#include <numeric>
#include <utility>
#include <vector>

namespace shardlens::selftest {
namespace mmdet_rows {
namespace {

/// The spec of a row's world and seed; nothing when its rank is none of that world.
std::optional<PipelineSpec> specOf(const VectorRow& row, const char* seed_key) {
  const auto world = row.params.integer("world_size");
  const auto seed = row.params.bits(seed_key);
  const std::int64_t rank = row.fields.integer("rank").value_or(0);
  if (!world || rank < 0 || rank >= *world) return std::nullopt;
  PipelineSpec spec;
  spec.world = {1, *world};
  spec.loader.batch_size = 1;
  spec.framework.torch = torchReleaseIn(row.version.substr(0, row.version.find(", numpy")));
  spec.sampler.type = "mmdet." + row.sampler;
  if (seed) spec.sampler.parameters[seed_key] = static_cast<std::int64_t>(*seed);
  return spec;
}

RowVerdict replayClasses(const VectorRow& row, Planner& planner) {
  auto spec = specOf(row, "seed");
  const auto size = row.params.integer("dataset_size");
  const auto categories = row.params.lists("categories");
  const auto each = row.params.integer("num_sample_class");
  const bool known =
      row.params.onlyHas({"dataset_size", "categories", "num_classes", "world_size", "seed", "num_sample_class"});
  if (!spec || !size || !categories || !each || !known) return unknownParameters();
  spec->dataset.size = *size;
  std::vector<double> flat;
  for (const auto& classes : *categories) {
    flat.insert(flat.end(), classes.begin(), classes.end());
    flat.push_back(-1);
  }
  spec->sampler.parameters["num_sample_class"] = *each;
  spec->sampler.parameters["categories"] = NumberList(std::move(flat));
  return judgeItems(row, planner.rankEpoch(*spec, row));
}

RowVerdict replayAspectRatio(const VectorRow& row, Planner& planner) {
  auto spec = specOf(row, "inner_seed");
  const auto size = row.params.integer("dataset_size");
  const auto wide = row.params.integers("wide");
  const auto batch = row.params.integer("batch_size");
  const auto drop_last = row.params.flag("drop_last");
  const auto inner = row.params.text("inner");
  const bool known =
      row.params.onlyHas({"dataset_size", "wide", "batch_size", "drop_last", "inner", "world_size", "inner_seed"});
  if (!spec || !size || !wide || !batch || !drop_last || !inner || !known) return unknownParameters();
  if (*batch < 1) return compareError(row, sampling::checkBatchSampler(*batch, *drop_last));
  spec->dataset.size = *size;
  spec->loader.batch_size = *batch;
  spec->loader.drop_last = *drop_last;
  spec->sampler.parameters["inner"] = *inner;
  std::vector<double> ratios;
  for (const std::int64_t one : *wide) ratios.push_back(one != 0 ? 2 : 0.5);
  if (!ratios.empty()) spec->sampler.parameters["aspect_ratios"] = NumberList(std::move(ratios));
  const auto drawn = planner.rankEpoch(*spec, row);
  if (!drawn) return compareError(row, drawn.error());
  Answer answer = Answer::ofBatches(*drawn);
  // __len__ counts the samples of the sampler inside.
  const std::int64_t ranks = *inner == "distributed" ? spec->worldSize() : 1;
  const std::int64_t samples = (*size + ranks - 1) / ranks;
  answer.length = *drop_last ? samples / *batch : (samples + *batch - 1) / *batch;
  return compare(row, answer);
}

/// Which images are wide, and the seed of NumPy's global stream; false when the row lacks them.
bool addGroups(const VectorRow& row, PipelineSpec& spec) {
  const auto wide = row.params.lists("wide");
  const auto seed = row.params.integer("numpy_global_seed");
  if (!wide || !seed) return false;
  std::vector<double> ratios;
  for (const auto& dataset : *wide) {
    for (const std::int64_t one : dataset) ratios.push_back(one != 0 ? 2 : 0.5);
  }
  spec.sampler.parameters["aspect_ratios"] = NumberList(std::move(ratios));
  spec.seeds = {*seed, "same"};
  return true;
}

/// The first `taken` samples are one epoch of the plan.
RowVerdict replaySources(const VectorRow& row, Planner& planner) {
  auto spec = specOf(row, "seed");
  const auto sizes = row.params.integers("sizes");
  const auto batch = row.params.integer("batch_size");
  const auto ratios = row.params.numbers("source_ratio");
  const auto shuffle = row.params.flag("shuffle");
  const auto taken = row.params.integer("taken");
  const bool known = row.params.onlyHas(
      {"sizes", "batch_size", "source_ratio", "shuffle", "seed", "world_size", "taken", "wide", "numpy_global_seed"});
  if (!spec || !sizes || !batch || !ratios || !shuffle || !taken || !known) return unknownParameters();
  if (row.sampler == "GroupMultiSourceSampler" && !addGroups(row, *spec)) return unknownParameters();
  spec->dataset.shards = *sizes;
  spec->dataset.size = std::accumulate(sizes->begin(), sizes->end(), std::int64_t{0});
  spec->loader.batch_size = *batch;
  spec->sampler.parameters["source_ratio"] = *ratios;
  spec->sampler.parameters["shuffle"] = *shuffle;
  spec->sampler.parameters["samples_per_epoch"] = *taken;
  const auto drawn = planner.rankEpoch(*spec, row);
  if (!drawn) return compareError(row, drawn.error());
  Answer answer = Answer::ofItems(*drawn);
  answer.length = spec->dataset.size;
  return compare(row, answer);
}

}  // namespace
}  // namespace mmdet_rows

std::vector<Replay> mmdetReplays() {
  using namespace mmdet_rows;
  return {
      {"mmdet", "AspectRatioBatchSampler", replayAspectRatio},
      {"mmdet", "ClassAwareSampler", replayClasses},
      {"mmdet", "GroupMultiSourceSampler", replaySources},
      {"mmdet", "MultiSourceSampler", replaySources},
  };
}

}  // namespace shardlens::selftest
