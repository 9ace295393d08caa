// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/lens/columns/lightning_notes.h"
#include "core/lens/columns/lightning_remedies.h"
#include "core/lens/columns/user_loader.h"

#include <utility>

namespace shardlens::lenses {
namespace {

using sampling::LightningApi;
using sampling::LightningSettings;
using sampling::UserLoader;

std::string whenOf(const PipelineSpec& spec, LightningApi api) {
  if (api == LightningApi::Fabric) return worded("lens", "in fabric.setup_dataloaders()");
  const std::string& stage = spec.framework.lightning.stage;
  return filled(worded("lens", "in trainer.%1(), before the first batch"), stage == "train" ? "fit" : stage);
}

void refuse(LensColumn& column, const PipelineSpec& spec, Error error, LightningApi api) {
  column.spec.reset();
  column.sampler = samplerCode(spec);
  column.makes = error.code == ErrorCode::Unsupported ? worded("lens", "ShardLens does not model this combination.")
                                                      : worded("lens", "Lightning refuses this loader.");
  column.when = error.code == ErrorCode::Unsupported ? "" : whenOf(spec, api);
  column.error = std::move(error);
}

/// overfit_batches first puts a SequentialSampler into loaders that have none, by the same steps as an injection
/// (data_connector.py, _resolve_overfit_batches).
PipelineSpec inOrder(PipelineSpec spec, UserLoader& loader) {
  spec.sampler = {"torch.SequentialSampler", {}};
  const std::int64_t size = spec.dataset.size;
  loader.sampler = {};
  loader.sampler.size = size;
  loader.batch_sampler->sampler = loader.sampler;
  return spec;
}

void fill(LensColumn& column, const PipelineSpec& written, LightningApi api) {
  auto loader = userLoaderOf(written);
  if (!loader) {
    Error error{ErrorCode::Unsupported,
                filled(worded("lens", "not predictable: ShardLens does not model how Lightning handles a %1."),
                       written.sampler.type),
                {},
                {}};
    return refuse(column, written, std::move(error), api);
  }
  const LightningSettings settings = lightningSettings(written, api);
  const bool in_order = api == LightningApi::Trainer && readsInOrder(written);
  const PipelineSpec given = in_order ? inOrder(written, *loader) : written;
  const auto prepared = sampling::prepareLoader(*loader, settings);
  if (!prepared) return refuse(column, written, prepared.error(), api);
  auto spec = sampling::preparedSpec(given, *prepared);
  if (!spec) return refuse(column, written, spec.error(), api);
  tellEpoch(*spec);  // Trainer and Fabric call set_epoch of a DistributedSampler that stays
  column.spec = std::move(*spec);
  if (api == LightningApi::Trainer) column.first_batches = batchesRead(written);
  column.sampler = samplerCode(*column.spec);
  column.makes = lightningMakes(written, settings, *prepared);
  column.notes = lightningNotes(written, settings, *prepared);
}

LensColumn columnOf(const PipelineSpec& spec, LightningApi api) {
  LensColumn column;
  column.id = api == LightningApi::Trainer ? "lightning" : "fabric";
  column.title = api == LightningApi::Trainer ? "Lightning 2.6 Trainer" : "Lightning 2.6 Fabric";
  fill(column, spec, api);
  return column;
}

}  // namespace

LensColumn lightningTrainer(const PipelineSpec& spec) {
  return columnOf(spec, LightningApi::Trainer);
}

std::vector<LensColumn> lightning(const PipelineSpec& spec) {
  std::vector<LensColumn> columns = {lightningTrainer(spec)};
  for (LensColumn& remedy : lightningRemedies(spec, columns.front())) columns.push_back(std::move(remedy));
  columns.push_back(columnOf(spec, LightningApi::Fabric));
  return columns;
}

}  // namespace shardlens::lenses
