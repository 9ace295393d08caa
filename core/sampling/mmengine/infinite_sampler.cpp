// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/sampling/rules.h"
#include "core/sampling/torch/endless_stream.h"

#include <cstdint>

namespace shardlens::sampling {
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
  return Error{ErrorCode::BadInput,
               worded("checks", "an empty dataset keeps InfiniteSampler searching forever."),
               {{}, 0, 0, "dataset.size"},
               worded("checks", "give at least one sample")};
}

SamplerClaims claims(const PipelineSpec& /*spec*/) {
  return {.divides = true, .in_order = RepeatCause::AnotherPass};
}

}  // namespace
}  // namespace mmengine_infinite_sampler

SamplerRule mmengineInfiniteSampler() {
  using namespace mmengine_infinite_sampler;
  return endlessRule<streamOf>({.info = info(),
                                .traits = {.shuffle = "shuffle", .seed = "seed", .per_epoch = "samples_per_epoch"},
                                .claims = claims,
                                .unread = always<MissingCause::NotDrawn>,
                                .left_out = always<MissingCause::NotDrawn>,
                                .check = check});
}

}  // namespace shardlens::sampling
