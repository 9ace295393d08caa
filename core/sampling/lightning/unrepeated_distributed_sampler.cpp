// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/lightning/unrepeated_distributed_sampler.h"

#include "core/base/phrase.h"
#include "core/sampling/distributed_share.h"
#include "core/sampling/python.h"
#include "core/sampling/torch/order.h"
#include "core/spec/field_table.h"

namespace shardlens::sampling {
namespace lightning_unrepeated_distributed_sampler {
namespace {

const SamplerInfo& info() {
  static const SamplerInfo kInfo = {
      "lightning.UnrepeatedDistributedSampler",
      marked("samplers", "DistributedSampler without padding, for predictions: ranks may differ by one sample."),
      lightningWrapperFields(LightningWrapperKind::Unrepeated),
      {marked("samplers", "seed and drop_last are ignored: the epoch alone seeds the permutation."),
       marked("samplers",
              "Ranks may get one batch more or less, which hangs training; and with fewer samples than ranks the "
              "constructor fails an assertion on the ranks that would get none."),
       marked("samplers",
              "Trainer.predict puts it, wrapped around the loader's sampler, into every loader on several devices (it "
              "comes from pytorch#25162).")},
  };
  return kInfo;
}

Result<void> checkRank(const PipelineSpec& spec, Rank rank) {
  return checkUnrepeatedShare(spec.dataset.size, spec.worldSize(), rank);
}

OrderKey key(const PipelineSpec& spec, Epoch epoch, Rank /*rank*/) {
  if (!boolParameter(spec, info(), "shuffle")) return {kSequential, 0, 0};
  return {kRandperm, static_cast<std::uint64_t>(lightningSetEpoch(spec, info(), epoch)), 0};
}

SliceShape shape(const PipelineSpec& spec, Epoch /*epoch*/, Rank rank) {
  return {stridedSamples(spec.dataset.size, spec.worldSize(), rank.value), 0};
}

}  // namespace
}  // namespace lightning_unrepeated_distributed_sampler

Result<void> checkUnrepeatedShare(std::int64_t size, std::int64_t world_size, Rank rank) {
  using namespace lightning_unrepeated_distributed_sampler;
  if (size == 0 || stridedSamples(size, world_size, rank.value) > 0) return {};
  return raised("AssertionError", "", "dataset.size", worded("checks", "give every rank at least one sample"));
}

SamplerRule lightningUnrepeatedDistributedSampler() {
  using namespace lightning_unrepeated_distributed_sampler;
  return {.info = info(),
          .traits = {.shuffle = "shuffle",
                     .seed = "seed",
                     .set_epoch = "set_epoch",
                     .drop_last = "drop_last",
                     .loader_part = LoaderPart::Distributed,
                     .loop = LoopOwner::Lightning},
          .claims = [](const PipelineSpec&) { return SamplerClaims{.divides = true, .evaluates = true}; },
          .key = key,
          .order = torchOrder,
          .reads_evenly = [](const PipelineSpec&) { return true; },
          .slice = stridedSlice<shape>,
          .shape = shape,
          .check_rank = checkRank};
}

std::vector<Field> lightningWrapperFields(LightningWrapperKind kind) {
  const bool padded = kind == LightningWrapperKind::Padded;
  return {
      boolField("sampler.shuffle", true,
                marked("fields", "Permute in every epoch. In training the Trainer always passes true.")),
      seedField("sampler.seed", 0, INT64_MIN, INT64_MAX,
                padded ? marked("fields",
                                "Seed of the permutation; the epoch is added. The Trainer passes PL_GLOBAL_SEED, or 0.")
                       : marked("fields", "Has no effect: the epoch alone seeds the permutation.")),
      boolField("sampler.drop_last", false,
                padded ? marked("fields",
                                "Cut the tail that does not divide evenly instead of padding it with repeated samples.")
                       : marked("fields", "Has no effect: nothing is padded.")),
      boolField("sampler.set_epoch", true,
                marked("fields", "Whether set_epoch(epoch) is called; the Trainer calls it.")),
  };
}

std::int64_t lightningSetEpoch(const PipelineSpec& spec, const SamplerInfo& info, Epoch epoch) {
  return boolParameter(spec, info, "set_epoch") ? epoch.value : 0;
}

}  // namespace shardlens::sampling
