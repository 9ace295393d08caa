// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/timm/repeat_aug_sampler.h"
#include "core/selftest/replay.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace shardlens::selftest {
namespace {

/// "2.6" of "timm ... on torch 2.6.0+debian".
std::string releaseOf(const VectorRow& row) {
  const std::size_t torch = row.version.rfind("torch ");
  return torchRelease(torch == std::string::npos ? row.version : row.version.substr(torch + 6));
}

/// The spec of a row's dataset and world; nothing when the row lacks them, or its rank is none of that world.
std::optional<PipelineSpec> specOf(const VectorRow& row, const char* type) {
  const auto size = row.params.integer("dataset_size");
  const auto world = row.params.integer("world_size");
  const std::int64_t rank = row.fields.integer("rank").value_or(0);
  if (!size || !world || *size < 0 || rank < 0 || rank >= *world) return std::nullopt;
  PipelineSpec spec;
  spec.dataset.size = *size;
  spec.world.ranks_per_node = *world;
  spec.loader.batch_size = 1;
  spec.sampler = {type, {}};
  spec.framework.torch = releaseOf(row);
  return spec;
}

Result<RankEpoch> answerOf(const VectorRow& row, const PipelineSpec& spec, Planner& planner) {
  return planner.rankEpoch(spec, Epoch{row.fields.integer("epoch").value_or(0)},
                           Rank{row.fields.integer("rank").value_or(0)});
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
  return judgeLength(row, answerOf(row, *spec, planner), std::nullopt);
}

std::optional<double> number(const Fields& params, const char* key) {
  const nlohmann::json* value = params.find(key);
  return value != nullptr && value->is_number() ? std::optional(value->get<double>()) : std::nullopt;
}

RowVerdict replayRepeatAug(const VectorRow& row, Planner& planner) {
  auto spec = specOf(row, "timm.RepeatAugSampler");
  const auto shuffle = row.params.flag("shuffle");
  const auto repeats = number(row.params, "num_repeats");
  const auto round = row.params.integer("selected_round");
  const auto ratio = row.params.integer("selected_ratio");
  const bool known =
      row.params.onlyHas({"dataset_size", "world_size", "shuffle", "num_repeats", "selected_round", "selected_ratio"});
  if (!spec || !shuffle || !repeats || !round || !ratio || !known) return unknownParameters();
  spec->sampler.parameters = {
      {"shuffle", *shuffle}, {"num_repeats", *repeats}, {"selected_round", *round}, {"selected_ratio", *ratio}};
  const Result<RankEpoch> rank_epoch = answerOf(row, *spec, planner);
  return judgeLength(row, rank_epoch, rank_epoch ? std::optional(sampling::timmRepeatAugLength(*spec)) : std::nullopt);
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
  return judgeLength(row, answerOf(row, *spec, planner), std::nullopt);
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
  RowVerdict first = judgeLength(row, answerOf(row, *spec, planner), std::nullopt);
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

std::span<const Replay> visionReplays() {
  static const std::vector<Replay> kReplays = {
      {"mmengine", "DefaultSampler", replayDefault},
      {"mmengine", "InfiniteSampler", replayInfinite},
      {"timm", "OrderedDistributedSampler", replayOrdered},
      {"timm", "RepeatAugSampler", replayRepeatAug},
  };
  return kReplays;
}

}  // namespace shardlens::selftest
