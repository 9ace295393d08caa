// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/lightning/injection.h"
#include "core/sampling/lightning/seeds.h"
#include "core/selftest/frameworks/lightning_loaders.h"
#include "core/selftest/replay.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace shardlens::selftest {
namespace lightning_injection_rows {
namespace {

using sampling::InjectedSampler;
using sampling::LightningApi;
using sampling::LightningSettings;
using sampling::PreparedLoader;

std::optional<std::int64_t> globalSeed(const VectorRow& row) {
  const auto text = row.params.text("PL_GLOBAL_SEED");
  if (!text) return row.params.isNull("PL_GLOBAL_SEED") ? std::optional<std::int64_t>(0) : std::nullopt;
  const auto seed = sampling::lightningSeedEverything(*text, {});
  return seed ? std::optional<std::int64_t>(*seed) : std::nullopt;
}

std::optional<LightningSettings> trainerSettings(const VectorRow& row) {
  const auto stage = row.params.text("stage");
  const auto use = row.params.flag("use_distributed_sampler");
  const auto distributed = row.params.flag("is_distributed");
  const auto seed = globalSeed(row);
  const nlohmann::json* overfit = row.params.find("overfit_batches");
  if (!stage || !use || !distributed || !seed || overfit == nullptr || !overfit->is_number()) return std::nullopt;
  const bool known = *stage == "train" || *stage == "validate" || *stage == "test" || *stage == "predict";
  if (!known) return std::nullopt;
  return LightningSettings{
      LightningApi::Trainer, *stage == "train", *stage == "predict", *use, *distributed, *overfit != 0, *seed};
}

bool same(const Fields& result, const char* key, const std::optional<std::string>& wanted) {
  return wanted ? result.text(key) == wanted : result.isNull(key);
}

/// What the row's `result` says of the prepared loader; empty when all of it agrees.
std::string resultDifference(const VectorRow& row, const PreparedLoader& prepared) {
  const nlohmann::json* object = row.fields.find("result");
  if (object == nullptr || !object->is_object()) return "the row has no result";
  const Fields result(*object);
  if (!result.onlyHas(
          {"replaced", "sampler_class", "batch_sampler_class", "sampler_inside_batch_sampler", "shuffle_detected"})) {
    return "the result holds an unknown field";
  }
  if (result.flag("replaced") != prepared.replaced) return "replaced differs";
  if (result.flag("shuffle_detected") != prepared.shuffle_detected) return "shuffle_detected differs";
  if (!same(result, "sampler_class", prepared.sampler_class)) return "sampler_class is not " + prepared.sampler_class;
  if (!same(result, "batch_sampler_class", prepared.batch_sampler_class)) return "batch_sampler_class differs";
  if (!same(result, "sampler_inside_batch_sampler", prepared.inner_class)) return "not inside: " + prepared.inner_class;
  return {};
}

std::string fabricDifference(const VectorRow& row, const PreparedLoader& prepared) {
  const nlohmann::json* object = row.fields.find("result");
  if (object == nullptr || !object->is_object()) return "the row has no result";
  const Fields result(*object);
  const bool plain = prepared.injected == InjectedSampler::Distributed;
  if (!result.onlyHas({"sampler_class", "shuffle"})) return "the result holds an unknown field";
  if (!same(result, "sampler_class", plain ? "DistributedSampler" : "DistributedSamplerWrapper")) {
    return "sampler_class differs";
  }
  return result.flag("shuffle") == prepared.shuffle ? "" : "shuffle differs";
}

RowVerdict judgeSpec(const VectorRow& row, const PipelineSpec& spec, bool batches, Planner& planner) {
  const auto rank_epoch = planner.rankEpoch(spec, Epoch{spec.epochs - 1}, Rank{row.fields.integer("rank").value_or(0)});
  if (!rank_epoch) return compareError(row, Result<void>(rank_epoch.error()));
  return compare(row, batches ? Answer::ofBatches(*rank_epoch) : Answer::ofItems(*rank_epoch));
}

RowVerdict judgeOrder(const VectorRow& row, const NamedLoader& named, const PreparedLoader& prepared,
                      Planner& planner) {
  if (!row.fields.has("batches") && !row.fields.has("indices") && !row.error)
    return passed();  // an iterable's order is its own
  auto spec = sampling::preparedSpec(named.spec, prepared);
  if (!spec) return failed(spec.error().text());
  spec->epochs = row.fields.integer("epoch").value_or(0) + 1;
  RowVerdict once = judgeSpec(row, *spec, prepared.batches, planner);
  if (once.outcome == Outcome::Passed || prepared.batch_sampler_class != "_IndexBatchSamplerWrapper") return once;
  // A row does not say how its batches were read. A loader asks the wrapper that Trainer.predict puts around a batch
  // sampler for one iterator in a pass, or for two if it has workers, and each draws anew.
  spec->loader.num_workers = 1;
  return judgeSpec(row, *spec, prepared.batches, planner);
}

using Difference = std::string (*)(const VectorRow& row, const PreparedLoader& prepared);

RowVerdict replayLoader(const VectorRow& row, NamedLoader named, LightningSettings settings, Difference differs,
                        Planner& planner) {
  const auto world = row.params.integer("world_size");
  const auto rank = row.fields.integer("rank");
  if (!world || *world < 1 || !rank || *rank < 0 || *rank >= *world) return unknownParameters();
  named.spec.world = {1, *world};
  settings.world_size = *world;
  settings.rank = Rank{*rank};
  const auto prepared = sampling::prepareLoader(named.loader, settings);
  if (!prepared) return compareError(row, Result<void>(prepared.error()));
  RowVerdict order = judgeOrder(row, named, *prepared, planner);
  if (order.outcome != Outcome::Passed || row.error) return order;
  const std::string difference = differs(row, *prepared);
  return difference.empty() ? passed() : failed(difference);
}

std::optional<NamedLoader> loaderOf(const VectorRow& row) {
  const auto name = row.params.text("dataloader");
  const auto size = row.params.integer("dataset_size");
  if (!name || !size) return std::nullopt;
  return namedLoader(*name, *size, Epoch{row.fields.integer("epoch").value_or(0)}, torchReleaseIn(row.version));
}

RowVerdict replayTrainer(const VectorRow& row, Planner& planner) {
  auto named = loaderOf(row);
  const auto settings = trainerSettings(row);
  const auto in_hook = row.params.flag("created_inside_dataloader_hook");
  const bool known = row.params.onlyHas({"dataset_size", "dataloader", "created_inside_dataloader_hook", "stage",
                                         "use_distributed_sampler", "is_distributed", "world_size", "overfit_batches",
                                         "PL_GLOBAL_SEED"});
  if (!named || !settings || !in_hook || !known) return unknownParameters();
  named->loader.in_hook = *in_hook;
  return replayLoader(row, *named, *settings, resultDifference, planner);
}

RowVerdict replayFabric(const VectorRow& row, Planner& planner) {
  const auto named = loaderOf(row);
  const auto seed = globalSeed(row);
  const bool known = row.params.onlyHas({"dataset_size", "dataloader", "world_size", "PL_GLOBAL_SEED"});
  if (!named || !seed || !known) return unknownParameters();
  LightningSettings settings;
  settings.api = LightningApi::Fabric;
  settings.training = false;
  settings.seed = *seed;
  return replayLoader(row, *named, settings, fabricDifference, planner);
}

}  // namespace
}  // namespace lightning_injection_rows

std::span<const Replay> lightningInjectionReplays() {
  using namespace lightning_injection_rows;
  static const std::vector<Replay> kReplays = {
      {"lightning", "Fabric.setup_dataloaders sampler choice", replayFabric},
      {"lightning", "Trainer dataloader preparation", replayTrainer},
  };
  return kReplays;
}

}  // namespace shardlens::selftest
