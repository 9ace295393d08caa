// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/sampling/distributed_share.h"
#include "core/sampling/python.h"
#include "core/sampling/rules.h"
#include "core/sampling/torch/endless_stream.h"
#include "core/sampling/torch/order.h"
#include "core/spec/field_table.h"

#include <cstdint>

namespace shardlens::sampling {
namespace mmengine_default_sampler {
namespace {

const SamplerInfo& info() {
  static const SamplerInfo kInfo = {
      "mmengine.DefaultSampler",
      marked("samplers",
             "Permutes the whole dataset with seed + epoch and gives each rank every world-size-th sample."),
      {
          shuffleField(),
          seedField("sampler.seed", 0, INT64_MIN, INT64_MAX,
                    marked("fields",
                           "Seed of the permutation; the epoch is added. None draws a seed from the clock and shares "
                           "it, which cannot be predicted.")),
          boolField("sampler.round_up", true,
                    marked("fields",
                           "Repeat samples until all ranks have the same number; otherwise some ranks get one fewer.")),
      },
      {marked("samplers",
              "round_up = false gives ranks different lengths: a collective in each step then waits forever."),
       marked("samplers", "With round_up, an empty dataset causes a division by zero when it is iterated.")},
  };
  return kInfo;
}

Result<void> check(const PipelineSpec& spec) {
  if (spec.dataset.size > 0 || !boolParameter(spec, info(), "round_up")) return {};
  return raised("ZeroDivisionError", "division by zero", "dataset.size",
                worded("checks", "give at least 1 sample, or switch sampler.round_up off"));
}

SliceShape shape(const PipelineSpec& spec, Epoch /*epoch*/, Rank rank) {
  const std::int64_t size = spec.dataset.size;
  if (boolParameter(spec, info(), "round_up")) return distributedShape(size, spec.worldSize(), rank.value, false);
  return {stridedSamples(size, spec.worldSize(), rank.value), 0};
}

}  // namespace
}  // namespace mmengine_default_sampler

SamplerRule mmengineDefaultSampler() {
  using namespace mmengine_default_sampler;
  return {.info = info(),
          .traits = {.shuffle = "shuffle", .seed = "seed"},
          .claims = [](const PipelineSpec&) { return SamplerClaims{.divides = true}; },
          .check = check,
          .key = seededKey<info>,
          .order = torchOrder,
          .reads_evenly = [](const PipelineSpec&) { return true; },
          .slice = stridedSlice<shape>,
          .shape = shape};
}

namespace mmengine_infinite_sampler {
namespace {

const SamplerInfo& info() {
  static const SamplerInfo kInfo = {
      "mmengine.InfiniteSampler",
      marked("samplers", "Hands one endless stream of permutations to the ranks in turn; it has no epochs."),
      {
          boolField("sampler.shuffle", true, marked("fields", "Permute the dataset on every lap.")),
          seedField(
              "sampler.seed", 0, INT64_MIN, INT64_MAX,
              marked("fields",
                     "Seed of the stream, used once. None draws a seed from the clock and shares it, which cannot "
                     "be predicted.")),
          samplesPerEpochField(),
      },
      {marked("samplers", "set_epoch does nothing: the stream continues where the last iteration stopped."),
       marked("samplers", "It saves no position: a resumed run reads the stream from its beginning again."),
       marked("samplers", "When the world size does not divide the dataset, each lap begins on a different rank.")},
  };
  return kInfo;
}

EndlessStream streamOf(const PipelineSpec& spec) {
  return endlessStream(spec, info());
}

Result<void> check(const PipelineSpec& spec) {
  if (spec.dataset.size > 0) return checkEndless(spec, streamOf(spec));
  return refused(worded("checks", "an empty dataset keeps InfiniteSampler searching forever."), "dataset.size",
                 worded("checks", "give at least one sample"));
}

}  // namespace
}  // namespace mmengine_infinite_sampler

SamplerRule mmengineInfiniteSampler() {
  using namespace mmengine_infinite_sampler;
  return endlessRule<streamOf>(
      {.info = info(),
       .traits = {.shuffle = "shuffle", .seed = "seed", .per_epoch = "samples_per_epoch"},
       .claims =
           [](const PipelineSpec&) { return SamplerClaims{.divides = true, .in_order = RepeatCause::AnotherPass}; },
       .unread = always<MissingCause::NotDrawn>,
       .left_out = always<MissingCause::NotDrawn>,
       .check = check});
}

}  // namespace shardlens::sampling
