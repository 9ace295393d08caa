// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/lightning/samplers.h"

#include "core/base/phrase.h"
#include "core/sampling/distributed_share.h"
#include "core/sampling/python.h"
#include "core/sampling/rules.h"
#include "core/sampling/torch/inner_sampler.h"
#include "core/sampling/torch/order.h"
#include "core/spec/field_table.h"

#include <cstdint>
#include <string>
#include <utility>

namespace shardlens::sampling {
namespace {

/// shuffle, seed, drop_last and set_epoch of Lightning's own samplers, which pad as DistributedSampler does or, without
/// padding, have the epoch alone as their seed.
std::vector<Field> lightningWrapperFields(bool padded) {
  return {
      boolField("sampler.shuffle", true,
                marked("fields", "Permute in every epoch. In training the Trainer always passes true.")),
      seedField("sampler.seed", 0, INT64_MIN, INT64_MAX,
                padded ? marked("fields",
                                "Seed of the permutation; the epoch is added. The Trainer passes PL_GLOBAL_SEED, or 0.")
                       : marked("fields", "Has no effect: the epoch alone seeds the permutation.")),
      padded ? dropTailField()
             : boolField("sampler.drop_last", false, marked("fields", "Has no effect: nothing is padded.")),
      boolField("sampler.set_epoch", true,
                marked("fields", "Whether set_epoch(epoch) is called; the Trainer calls it.")),
  };
}

}  // namespace

namespace lightning_unrepeated_distributed_sampler {
namespace {

const SamplerInfo& info() {
  static const SamplerInfo kInfo = {
      "lightning.UnrepeatedDistributedSampler",
      marked("samplers", "DistributedSampler without padding, for predictions: ranks may differ by one sample."),
      lightningWrapperFields(false),
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
  return {kRandperm, static_cast<std::uint64_t>(givenEpoch(spec, epoch).value), 0};
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

namespace lightning_distributed_sampler_wrapper {
namespace {

SamplerInfo infoOf(bool padded, std::string type, std::string summary, std::vector<std::string> pitfalls) {
  std::vector<Field> fields = lightningWrapperFields(padded);
  for (Field& field : innerSamplerFields()) fields.push_back(std::move(field));
  std::vector<std::string> reads = {"framework.torch_mkl"};
  return {std::move(type),     std::move(summary), std::move(fields),
          std::move(pitfalls), std::move(reads),   innerSamplerVariants()};
}

const SamplerInfo& paddedInfo() {
  static const SamplerInfo kInfo = infoOf(
      true, "lightning.DistributedSamplerWrapper",
      marked("samplers",
             "Draws one pass of another sampler on every rank, permutes it and divides it as DistributedSampler does."),
      {marked("samplers",
              "Ranks share samples unless the inner sampler draws the same on every rank: use equal seeds "
              "(pytorch-lightning#10946, #12866, accelerate#2865)."),
       marked("samplers",
              "In training the Trainer always permutes, so a curriculum or a sorted order is lost; the wrapper's "
              "documentation says that shuffle has no effect, which is wrong (pytorch-lightning#21131, #10170)."),
       marked("samplers",
              "Before a WeightedRandomSampler was wrapped it was silently replaced (pytorch-lightning#1995).")});
  return kInfo;
}

const SamplerInfo& unrepeatedInfo() {
  static const SamplerInfo kInfo = infoOf(
      false, "lightning.UnrepeatedDistributedSamplerWrapper",
      marked("samplers",
             "Draws one pass of another sampler on every rank and divides it without padding, for predictions."),
      {marked("samplers", "seed and drop_last are ignored: the epoch alone seeds the permutation."),
       marked("samplers", "set_epoch is not forwarded to the inner sampler."),
       marked("samplers",
              "With fewer samples than ranks the constructor fails an assertion on the ranks that would get none.")});
  return kInfo;
}

SamplerTraits wrapperTraits() {
  SamplerTraits traits = innerSamplerTraits();
  traits.drop_last = "drop_last";
  traits.loader_part = LoaderPart::Distributed;
  traits.loop = LoopOwner::Lightning;
  return traits;
}

OrderKey paddedKey(const PipelineSpec& spec, Epoch epoch, Rank rank) {
  if (!boolParameter(spec, paddedInfo(), "shuffle")) return dealtPassKey(spec, epoch, rank, {});
  return dealtPassKey(spec, epoch, rank, epochSeed(spec, paddedInfo(), epoch));
}

OrderKey unrepeatedKey(const PipelineSpec& spec, Epoch epoch, Rank rank) {
  if (!boolParameter(spec, unrepeatedInfo(), "shuffle")) return dealtPassKey(spec, epoch, rank, {});
  return dealtPassKey(spec, epoch, rank, static_cast<std::uint64_t>(givenEpoch(spec, epoch).value));
}

SliceShape paddedShape(const PipelineSpec& spec, Epoch /*epoch*/, Rank rank) {
  return dealtPassShape(spec, rank, boolParameter(spec, paddedInfo(), "drop_last"));
}

SliceShape unrepeatedShape(const PipelineSpec& spec, Epoch /*epoch*/, Rank rank) {
  return unpaddedPassShape(spec, rank);
}

Result<void> checkUnrepeatedRank(const PipelineSpec& spec, Rank rank) {
  return checkUnrepeatedShare(InnerSampler(spec).size(), spec.worldSize(), rank);
}

SamplerClaims unrepeatedClaims(const PipelineSpec& spec) {
  SamplerClaims claims = dealtPassClaims(spec);
  claims.evaluates = true;
  return claims;
}

}  // namespace
}  // namespace lightning_distributed_sampler_wrapper

SamplerRule lightningDistributedSamplerWrapper() {
  using namespace lightning_distributed_sampler_wrapper;
  SamplerRule rule = dealtPassRule(paddedInfo(), wrapperTraits());
  rule.key = paddedKey;
  rule.slice = stridedSlice<paddedShape>;
  rule.shape = paddedShape;
  return rule;
}

SamplerRule lightningUnrepeatedDistributedSamplerWrapper() {
  using namespace lightning_distributed_sampler_wrapper;
  SamplerRule rule = dealtPassRule(unrepeatedInfo(), wrapperTraits());
  rule.claims = unrepeatedClaims;
  rule.key = unrepeatedKey;
  rule.slice = stridedSlice<unrepeatedShape>;
  rule.shape = unrepeatedShape;
  rule.check_rank = checkUnrepeatedRank;
  return rule;
}

}  // namespace shardlens::sampling
