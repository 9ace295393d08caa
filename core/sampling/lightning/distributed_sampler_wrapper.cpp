// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/sampling/lightning/unrepeated_distributed_sampler.h"
#include "core/sampling/rules.h"
#include "core/sampling/torch/dealt_pass.h"
#include "core/sampling/torch/inner_sampler.h"
#include "core/spec/field_table.h"

#include <cstdint>
#include <string>
#include <utility>

namespace shardlens::sampling {
namespace lightning_distributed_sampler_wrapper {
namespace {

SamplerInfo infoOf(LightningWrapperKind kind, std::string type, std::string summary,
                   std::vector<std::string> pitfalls) {
  std::vector<Field> fields = lightningWrapperFields(kind);
  for (Field& field : innerSamplerFields()) fields.push_back(std::move(field));
  std::vector<std::string> reads = {"framework.torch_mkl"};
  return {std::move(type),     std::move(summary), std::move(fields),
          std::move(pitfalls), std::move(reads),   innerSamplerVariants()};
}

const SamplerInfo& paddedInfo() {
  static const SamplerInfo kInfo = infoOf(
      LightningWrapperKind::Padded, "lightning.DistributedSamplerWrapper",
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
      LightningWrapperKind::Unrepeated, "lightning.UnrepeatedDistributedSamplerWrapper",
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
  const std::int64_t told = lightningSetEpoch(spec, paddedInfo(), epoch);
  const auto seed = static_cast<std::uint64_t>(intParameter(spec, paddedInfo(), "seed"));
  return dealtPassKey(spec, epoch, rank, seed + static_cast<std::uint64_t>(told));
}

OrderKey unrepeatedKey(const PipelineSpec& spec, Epoch epoch, Rank rank) {
  if (!boolParameter(spec, unrepeatedInfo(), "shuffle")) return dealtPassKey(spec, epoch, rank, {});
  return dealtPassKey(spec, epoch, rank, static_cast<std::uint64_t>(lightningSetEpoch(spec, unrepeatedInfo(), epoch)));
}

SliceShape paddedShape(const PipelineSpec& spec, Epoch /*epoch*/, Rank rank) {
  return dealtPassShape(spec, rank, boolParameter(spec, paddedInfo(), "drop_last"));
}

SliceShape unrepeatedShape(const PipelineSpec& spec, Epoch /*epoch*/, Rank rank) {
  return unpaddedPassShape(spec, rank);
}

Slice paddedSlice(const PipelineSpec& spec, Epoch epoch, Rank rank, OrderPtr order) {
  return dealtPassSlice(spec, rank, std::move(order), paddedShape(spec, epoch, rank).count);
}

Slice unrepeatedSlice(const PipelineSpec& spec, Epoch epoch, Rank rank, OrderPtr order) {
  return dealtPassSlice(spec, rank, std::move(order), unrepeatedShape(spec, epoch, rank).count);
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
  rule.slice = paddedSlice;
  rule.shape = paddedShape;
  return rule;
}

SamplerRule lightningUnrepeatedDistributedSamplerWrapper() {
  using namespace lightning_distributed_sampler_wrapper;
  SamplerRule rule = dealtPassRule(unrepeatedInfo(), wrapperTraits());
  rule.claims = unrepeatedClaims;
  rule.key = unrepeatedKey;
  rule.slice = unrepeatedSlice;
  rule.shape = unrepeatedShape;
  rule.check_rank = checkUnrepeatedRank;
  return rule;
}

}  // namespace shardlens::sampling
