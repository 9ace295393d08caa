// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/timm/repeat_aug_sampler.h"
#include "core/sampling/timm/scheduled_batch_sampler.h"
#include "core/selftest/replay.h"

#include <algorithm>

namespace shardlens::selftest {
namespace vision_rows {
namespace {

/// The spec of a row's dataset and world; nothing when the row lacks them, or its rank is none of that world.
std::optional<PipelineSpec> specOf(const VectorRow& row, const char* type) {
  const auto size = row.params.integer("dataset_size");
  const auto world = row.params.integer("world_size");
  const std::int64_t rank = row.fields.integer("rank").value_or(0);
  if (!size || !world || *size < 0 || rank < 0 || rank >= *world) return std::nullopt;
  PipelineSpec spec = rowSpec(row, *size, *world);
  spec.sampler.type = type;
  return spec;
}

RowVerdict judgeLength(const VectorRow& row, const Result<RankEpoch>& rank_epoch, std::optional<std::int64_t> length) {
  if (!rank_epoch) return compareError(row, rank_epoch.error());
  Answer answer = Answer::ofItems(*rank_epoch);
  answer.length = length.value_or(rank_epoch->size());
  return compare(row, answer);
}

RowVerdict replayOrdered(const VectorRow& row, Planner& planner) {
  const auto spec = specOf(row, "timm.OrderedDistributedSampler");
  if (!spec || !row.params.onlyHas({"dataset_size", "world_size"})) return unknownParameters();
  return judgeLength(row, planner.rankEpoch(*spec, row), std::nullopt);
}

RowVerdict replayRepeatAug(const VectorRow& row, Planner& planner) {
  auto spec = specOf(row, "timm.RepeatAugSampler");
  const auto shuffle = row.params.flag("shuffle");
  const auto repeats = row.params.number("num_repeats");
  const auto round = row.params.integer("selected_round");
  const auto ratio = row.params.integer("selected_ratio");
  const bool known =
      row.params.onlyHas({"dataset_size", "world_size", "shuffle", "num_repeats", "selected_round", "selected_ratio"});
  if (!spec || !shuffle || !repeats || !round || !ratio || !known) return unknownParameters();
  spec->sampler.parameters = {
      {"shuffle", *shuffle}, {"num_repeats", *repeats}, {"selected_round", *round}, {"selected_ratio", *ratio}};
  const Result<RankEpoch> rank_epoch = planner.rankEpoch(*spec, row);
  return judgeLength(row, rank_epoch, rank_epoch ? std::optional(sampling::timmRepeatAugLength(*spec)) : std::nullopt);
}

/// The parameters of a schedule, as far as the row has them.
void fillSchedule(const VectorRow& row, PipelineSpec& spec) {
  auto& parameters = spec.sampler.parameters;
  for (const char* key : {"seed", "inner_seed", "num_batches", "schedule_epochs"}) {
    if (const auto value = row.params.bits(key)) parameters[key] = static_cast<std::int64_t>(*value);
  }
  for (const char* key : {"drop_last", "shuffle_schedule"}) {
    if (const auto value = row.params.flag(key)) parameters[key] = *value;
  }
  for (const char* key : {"schedule_spread", "schedule_random_mix"}) {
    if (const auto value = row.params.number(key)) parameters[key] = *value;
  }
  if (const auto value = row.params.text("choice_schedule")) parameters["choice_schedule"] = *value;
  if (const auto weights = row.params.numbers("choice_weights")) parameters["choice_weights"] = *weights;
}

/// A row without a world has the dataset in order inside.
RowVerdict replayScheduled(const VectorRow& row, Planner& planner) {
  const auto size = row.params.integer("dataset_size");
  const auto world = row.params.integer("world_size");
  const auto sizes = row.params.integers("batch_sizes");
  const std::int64_t rank = row.fields.integer("rank").value_or(0);
  const std::int64_t epoch = row.fields.integer("epoch").value_or(0);
  const bool known = row.params.onlyHas({"dataset_size", "world_size", "inner_seed", "batch_sizes", "choice_weights",
                                         "seed", "drop_last", "shuffle_schedule", "num_batches", "choice_schedule",
                                         "schedule_epochs", "schedule_spread", "schedule_random_mix"});
  if (!size || *size < 0 || !world || !sizes || rank < 0 || rank >= std::max<std::int64_t>(1, *world) || !known)
    return unknownParameters();
  PipelineSpec spec;
  spec.dataset.size = *size;
  spec.world.ranks_per_node = std::max<std::int64_t>(1, *world);
  spec.framework.torch = torchReleaseIn(row.version);
  spec.framework.torch_mkl = false;
  spec.sampler = {
      "timm.ScheduledBatchSampler",
      {{"batch_sizes", IndexList(*sizes)}, {"inner", std::string(*world == 0 ? "sequential" : "distributed")}}};
  fillSchedule(row, spec);
  const auto drawn = planner.rankEpoch(spec, Epoch{epoch}, Rank{rank});
  if (!drawn) return compareError(row, drawn.error());
  Answer answer = Answer::ofBatches(*drawn);
  answer.length = drawn->batches();
  RowVerdict verdict = compare(row, answer);
  const auto wanted = row.fields.integers("choices");
  if (verdict.outcome != Outcome::Passed || !wanted) return verdict;
  std::vector<std::int64_t> choices;
  for (const sampling::TimmScheduled& batch : sampling::timmSchedule(spec, epoch)) choices.push_back(batch.choice);
  return judged("choices", difference(choices, *wanted));
}

RowVerdict replayDefault(const VectorRow& row, Planner& planner) {
  auto spec = specOf(row, "mmengine.DefaultSampler");
  const auto shuffle = row.params.flag("shuffle");
  const auto seed = row.params.bits("seed");
  const auto round_up = row.params.flag("round_up");
  const bool known = row.params.onlyHas({"dataset_size", "world_size", "shuffle", "seed", "round_up"});
  if (!spec || !shuffle || !seed || !round_up || !known) return unknownParameters();
  spec->sampler.parameters = {
      {"shuffle", *shuffle}, {"seed", static_cast<std::int64_t>(*seed)}, {"round_up", *round_up}};
  return judgeLength(row, planner.rankEpoch(*spec, row), std::nullopt);
}

/// The first `taken` samples are one epoch of the plan, and what a second iterator gives begins the next one.
RowVerdict replayInfinite(const VectorRow& row, Planner& planner) {
  auto spec = specOf(row, "mmengine.InfiniteSampler");
  const auto shuffle = row.params.flag("shuffle");
  const auto seed = row.params.bits("seed");
  const auto taken = row.params.integer("taken");
  const bool known = row.params.onlyHas({"dataset_size", "world_size", "shuffle", "seed", "taken"});
  if (!spec || !shuffle || !seed || !taken || *taken < 1 || !known) return unknownParameters();
  spec->sampler.parameters = {
      {"shuffle", *shuffle}, {"seed", static_cast<std::int64_t>(*seed)}, {"samples_per_epoch", *taken}};
  RowVerdict first = judgeLength(row, planner.rankEpoch(*spec, row), std::nullopt);
  if (first.outcome != Outcome::Passed || !row.fields.has("next_ten_from_a_second_iter")) return first;
  const auto wanted = row.fields.integers("next_ten_from_a_second_iter");
  if (!wanted) return unsupported("next_ten_from_a_second_iter is no list");
  const auto second = planner.rankEpoch(*spec, Epoch{1}, Rank{row.fields.integer("rank").value_or(0)});
  if (!second) return failed(second.error().text());
  std::vector<std::int64_t> next = Answer::ofItems(*second).indices;
  if (wanted->size() > next.size()) return unsupported("the second iterator goes on for longer than the first");
  next.resize(wanted->size());
  const std::string why = difference(next, *wanted);
  return why.empty() ? passed() : failed("next_ten_from_a_second_iter: " + why);
}

}  // namespace
}  // namespace vision_rows

std::vector<Replay> visionReplays() {
  using namespace vision_rows;
  return {
      {"mmengine", "DefaultSampler", replayDefault},        {"mmengine", "InfiniteSampler", replayInfinite},
      {"timm", "OrderedDistributedSampler", replayOrdered}, {"timm", "RepeatAugSampler", replayRepeatAug},
      {"timm", "ScheduledBatchSampler", replayScheduled},
  };
}

}  // namespace shardlens::selftest
