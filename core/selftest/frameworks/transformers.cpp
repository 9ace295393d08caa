// SPDX-License-Identifier: Apache-2.0
#include "core/selftest/replay.h"

#include <nlohmann/json.hpp>

namespace shardlens::selftest {
namespace transformers_rows {
namespace {

/// The spec of a row whose world is called `world_key`; nothing when its rank is none of that world.
std::optional<PipelineSpec> specOf(const VectorRow& row, const char* type, const char* world_key) {
  const std::int64_t world = row.params.integer(world_key).value_or(1);
  const std::int64_t rank = row.fields.integer("rank").value_or(0);
  const auto lengths = row.params.integers("lengths");
  const auto size =
      lengths ? std::optional(static_cast<std::int64_t>(lengths->size())) : row.params.integer("dataset_size");
  if (!size || *size < 0 || rank < 0 || rank >= world) return std::nullopt;
  PipelineSpec spec;
  spec.dataset.size = *size;
  if (lengths) spec.dataset.lengths = *lengths;
  spec.world = {1, world};
  spec.loader.batch_size = row.params.integer("batch_size").value_or(1);
  spec.framework.torch = torchReleaseIn(row.version);
  spec.epochs = row.fields.integer("epoch").value_or(0) + 1;
  spec.sampler = {type, {}};
  if (const auto seed = row.params.bits("seed")) spec.sampler.parameters["seed"] = static_cast<std::int64_t>(*seed);
  return spec;
}

RowVerdict judgeShard(const VectorRow& row, Planner& planner, const PipelineSpec& spec) {
  const auto drawn = planner.rankEpoch(spec, Epoch{spec.epochs - 1}, Rank{row.fields.integer("rank").value_or(0)});
  if (!drawn) return compareError(row, Result<void>(drawn.error()));
  return compare(row, Answer::ofItems(*drawn));
}

RowVerdict replayGrouped(const VectorRow& row, Planner& planner) {
  const auto spec = specOf(row, "transformers.LengthGroupedSampler", "world_size");
  const bool known = row.params.onlyHas({"lengths", "batch_size", "seed"});
  if (!spec || !known || !row.params.has("lengths")) return unknownParameters();
  return judgeShard(row, planner, *spec);
}

RowVerdict replayDistributedGrouped(const VectorRow& row, Planner& planner) {
  auto spec = specOf(row, "transformers.DistributedLengthGroupedSampler", "world_size");
  const auto drop_last = row.params.flag("drop_last");
  const bool known = row.params.onlyHas({"lengths", "batch_size", "world_size", "drop_last", "seed"});
  if (!spec || !known || !drop_last || !row.params.has("lengths")) return unknownParameters();
  spec->sampler.parameters["drop_last"] = *drop_last;
  return judgeShard(row, planner, *spec);
}

/// ShardSampler, and the trainer's IterableDatasetShard, which hands out the same items.
RowVerdict replayShardOf(const VectorRow& row, Planner& planner) {
  auto spec = specOf(row, "transformers.ShardSampler", "num_processes");
  const auto drop_last = row.params.flag("drop_last");
  const bool known = row.params.onlyHas({"dataset_size", "num_processes", "batch_size", "drop_last"});
  if (!spec || !known || !drop_last) return unknownParameters();
  spec->sampler.parameters["drop_last"] = *drop_last;
  return judgeShard(row, planner, *spec);
}

RowVerdict sequential(const VectorRow& row, Planner& planner, bool pads_to_batches) {
  auto spec = specOf(row, "transformers.SequentialDistributedSampler", "num_processes");
  const auto batch_size = row.params.integer("batch_size");
  const bool known = row.params.onlyHas({"dataset_size", "num_processes", "batch_size", "drop_last"});
  if (!spec || !known || !batch_size) return unknownParameters();
  if (pads_to_batches) spec->sampler.parameters["batch_size"] = *batch_size;
  return judgeShard(row, planner, *spec);
}

RowVerdict replaySequential(const VectorRow& row, Planner& planner) {
  return sequential(row, planner, true);
}

RowVerdict replaySequentialAlone(const VectorRow& row, Planner& planner) {
  return sequential(row, planner, false);
}

RowVerdict replayLoop(const VectorRow& row, Planner& planner) {
  auto spec = specOf(row, "transformers.DistributedSamplerWithLoop", "num_processes");
  const auto drop_last = row.params.flag("drop_last");
  const bool known = row.params.onlyHas({"dataset_size", "num_processes", "batch_size", "drop_last", "seed"});
  if (!spec || !known || !drop_last) return unknownParameters();
  spec->sampler.parameters["drop_last"] = *drop_last;
  return judgeShard(row, planner, *spec);
}

/// A list of the row against the engine's; an empty text when both are equal.
std::string differs(const VectorRow& row, const char* key, const std::vector<std::int64_t>& got) {
  const auto wanted = row.fields.integers(key);
  const std::string why = wanted ? difference(got, *wanted) : "there is no such list";
  return why.empty() ? why : std::string(key) + ": " + why;
}

/// What a sampler yields before a state is saved, and from it.
struct Saved {
  std::vector<std::int64_t> whole;
  std::vector<std::int64_t> rest;
  std::vector<std::int64_t> next;  ///< the epoch after

  [[nodiscard]] std::vector<std::int64_t> before() const {
    return {whole.begin(), whole.end() - static_cast<std::ptrdiff_t>(rest.size())};
  }
};

Result<Saved> saved(Planner& planner, PipelineSpec spec, std::int64_t yielded, Rank rank) {
  spec.epochs = 2;
  const auto whole = planner.rankEpoch(spec, Epoch{0}, rank);
  if (!whole) return whole.error();
  const auto next = planner.rankEpoch(spec, Epoch{1}, rank);
  if (!next) return next.error();
  spec.sampler.parameters["yielded"] = yielded;
  const auto rest = planner.rankEpoch(spec, Epoch{0}, rank);
  if (!rest) return rest.error();
  return Saved{Answer::ofItems(*whole).indices, Answer::ofItems(*rest).indices, Answer::ofItems(*next).indices};
}

RowVerdict judgeSaved(const VectorRow& row, const Saved& saved, const std::vector<std::string>& differences) {
  Answer answer;
  answer.indices = saved.rest;
  RowVerdict verdict = compare(row, answer);
  if (verdict.outcome != Outcome::Passed) return verdict;
  for (const std::string& why : differences) {
    if (!why.empty()) return failed(why);
  }
  return passed();
}

RowVerdict replayStatefulDistributed(const VectorRow& row, Planner& planner) {
  auto spec = specOf(row, "torchdata.StatefulDistributedSampler", "world_size");
  const auto shuffle = row.params.flag("shuffle");
  const auto drop_last = row.params.flag("drop_last");
  const auto yielded = row.params.integer("yielded_before_save");
  const auto seed = row.params.bits("seed");
  const auto epoch = row.fields.integer("epoch");
  const bool known =
      row.params.onlyHas({"dataset_size", "world_size", "shuffle", "drop_last", "seed", "yielded_before_save"});
  if (!spec || !shuffle || !drop_last || !yielded || !seed || !epoch || !known) return unknownParameters();
  // The rows are about one epoch, told by set_epoch, and about the next one that nobody tells.
  spec->sampler.parameters = {{"shuffle", *shuffle},
                              {"drop_last", *drop_last},
                              {"set_epoch", false},
                              {"seed", static_cast<std::int64_t>(*seed + static_cast<std::uint64_t>(*epoch))}};
  const auto result = saved(planner, *spec, *yielded, Rank{row.fields.integer("rank").value_or(0)});
  if (!result) return compareError(row, Result<void>(result.error()));
  const nlohmann::json* state = row.fields.find("state");
  const nlohmann::json wanted = {{"yielded", result->before().size()}};
  if (state == nullptr || *state != wanted) return failed("state: " + wanted.dump());
  return judgeSaved(
      row, *result,
      {differs(row, "before_save", result->before()), differs(row, "following_epoch_without_set_epoch", result->next)});
}

RowVerdict replayStatefulRandom(const VectorRow& row, Planner& planner) {
  auto spec = specOf(row, "torchdata.RandomSampler", "world_size");
  const auto replacement = row.params.flag("replacement");
  const auto seed = row.params.bits("generator_seed");
  const auto yielded = row.params.integer("yielded_before_save");
  const bool known =
      row.params.onlyHas({"dataset_size", "replacement", "num_samples", "generator_seed", "yielded_before_save"});
  if (!spec || !replacement || !seed || !yielded || !known) return unknownParameters();
  spec->sampler.parameters = {{"replacement", *replacement}, {"generator_seed", static_cast<std::int64_t>(*seed)}};
  if (const auto samples = row.params.integer("num_samples")) spec->sampler.parameters["num_samples"] = *samples;
  const auto result = saved(planner, *spec, *yielded, Rank{0});
  if (!result) return compareError(row, Result<void>(result.error()));
  return judgeSaved(row, *result,
                    {differs(row, "before_save", result->before()), differs(row, "uninterrupted_rest", result->rest),
                     differs(row, "next_epoch", result->next)});
}

}  // namespace
}  // namespace transformers_rows

std::vector<Replay> transformersReplays() {
  using namespace transformers_rows;
  return {
      {"transformers", "DistributedLengthGroupedSampler", replayDistributedGrouped},
      {"transformers", "DistributedSamplerWithLoop", replayLoop},
      {"transformers", "IterableDatasetShard", replayShardOf},
      {"transformers", "LengthGroupedSampler", replayGrouped},
      {"transformers", "SequentialDistributedSampler", replaySequential},
      {"transformers", "SequentialDistributedSampler(batch_size=None)", replaySequentialAlone},
      {"transformers", "ShardSampler", replayShardOf},
  };
}

std::vector<Replay> torchdataReplays() {
  using namespace transformers_rows;
  return {
      {"torchdata", "RandomSampler (stateful)", replayStatefulRandom},
      {"torchdata", "StatefulDistributedSampler", replayStatefulDistributed},
  };
}

}  // namespace shardlens::selftest
