// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/sampling/distributed_share.h"
#include "core/sampling/rules.h"
#include "core/sampling/torch/order.h"
#include "core/spec/field_table.h"

#include <cstdint>

namespace shardlens::sampling {
namespace composer_get_sampler {
namespace {

const SamplerInfo& info() {
  static const SamplerInfo kInfo = {
      "composer.get_sampler",
      marked("samplers", "Makes torch's DistributedSampler for Composer's Trainer, without shuffling by default."),
      {
          shuffleField(false),
          dropTailField(),
          seedField("sampler.seed", 0, INT64_MIN, INT64_MAX,
                    marked("fields", "Seed of the permutation; the epoch is added. The Trainer's seed plays no part.")),
      },
      {marked("samplers", "It does not shuffle unless shuffle is given, not even for training."),
       marked("samplers", "The seed of the Trainer does not reach it: without seed every run has the same orders."),
       marked("samplers", "Padding repeats samples, which distorts an evaluation that does not leave them out.")},
  };
  return kInfo;
}

SliceShape shape(const PipelineSpec& spec, Epoch /*epoch*/, Rank rank) {
  return distributedShape(spec.dataset.size, spec.worldSize(), rank.value, boolParameter(spec, info(), "drop_last"));
}

}  // namespace
}  // namespace composer_get_sampler

SamplerRule composerGetSampler() {
  using namespace composer_get_sampler;
  return {.info = info(),
          .traits = {.shuffle = "shuffle", .seed = "seed", .drop_last = "drop_last"},
          .claims = [](const PipelineSpec&) { return SamplerClaims{.divides = true}; },
          .unread = always<MissingCause::CutBySampler>,
          .key = seededKey<info>,
          .order = torchOrder,
          .reads_evenly = [](const PipelineSpec&) { return true; },
          .places = torchPlaces,
          .slice = stridedSlice<shape>,
          .shape = shape,
          .same_shapes = true};
}

}  // namespace shardlens::sampling
