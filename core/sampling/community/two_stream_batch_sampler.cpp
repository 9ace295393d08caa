// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/sampling/community/samplers.h"
#include "core/sampling/community/two_stream.h"
#include "core/sampling/distributed_share.h"
#include "core/sampling/numpy_global.h"
#include "core/sampling/script_seed.h"

#include <string>
#include <utility>

namespace shardlens::sampling {
namespace community_two_stream_batch_sampler {
namespace {

constexpr const char* kRecipe = "two_stream";

SamplerInfo infoOf(std::string type, std::string summary) {
  return {std::move(type),
          std::move(summary),
          twoStreamFields(),
          {marked("samplers",
                  "It ignores ranks: in DDP every rank yields its own batches over all samples, or, with equal seeds, "
                  "identical ones."),
           marked("samplers",
                  "Lightning refuses it in DDP, because it has no batch_size attribute (pytorch-lightning#19371), and "
                  "inheriting from BatchSampler does not help while the constructor takes no sampler "
                  "(pytorch-lightning#19183, #19657)."),
           marked("samplers",
                  "All draws come from NumPy's global stream: any other draw from it, such as an augmentation in the "
                  "main process, shifts every following batch."),
           marked("samplers",
                  "With DataLoader workers __iter__ runs twice before the first batch, so one permutation is drawn and "
                  "discarded."),
           marked("samplers",
                  "A batch may hold a secondary sample twice, where one permutation ends and the next begins.")}};
}

const SamplerInfo& meanTeacherInfo() {
  static const SamplerInfo kInfo = infoOf("meanteacher.TwoStreamBatchSampler",
                                          marked("samplers",
                                                 "Batches of two lists for semi-supervised training (mean-teacher): "
                                                 "the primary list once per epoch, the secondary one over and over."));
  return kInfo;
}

const SamplerInfo& ssl4misInfo() {
  static const SamplerInfo kInfo =
      infoOf("ssl4mis.TwoStreamBatchSampler", marked("samplers",
                                                     "Batches of two lists for semi-supervised training (SSL4MIS): the "
                                                     "primary list once per epoch, the secondary one over and over."));
  return kInfo;
}

OrderKey key(const PipelineSpec& spec, Epoch epoch, Rank rank) {
  const std::uint64_t before = seedsEachEpoch(spec) ? 0 : static_cast<std::uint64_t>(epoch.value);
  return {kRecipe, scriptSeed(spec, epoch, rank), before};
}

/// The DataLoader calls __iter__ once more when it makes workers, and throws that pass away.
bool startsTwice(const PipelineSpec& spec, std::uint64_t epoch) {
  return spec.loader.num_workers > 0 && (epoch == 0 || !spec.loader.persistent_workers);
}

Result<OrderPtr> order(const PipelineSpec& spec, const OrderKey& key, const Work& work) {
  if (auto seed = checkNumpySeed(key.seed); !seed) return seed.error();
  const TwoStreamArguments arguments = twoStreamArguments(spec);
  NumpyLegacy numpy(static_cast<std::uint32_t>(key.seed));
  const auto share = [&](std::uint64_t epoch) {
    return static_cast<double>(epoch) / static_cast<double>(key.skip + 1);
  };
  for (std::uint64_t epoch = 0; epoch <= key.skip; ++epoch) {
    if (startsTwice(spec, epoch)) {
      if (auto drawn = TwoStream::skipStart(arguments, numpy, work); !drawn) return drawn.error();
    }
    if (epoch == key.skip) break;
    if (work.stopped()) return cancelled();
    work.progress(share(epoch));
    if (auto drawn = TwoStream::skip(arguments, numpy, work); !drawn) return drawn.error();
  }
  return twoStreamOrder(arguments, numpy, work.part(share(key.skip), 1));
}

SliceShape shape(const PipelineSpec& spec, Epoch /*epoch*/, Rank /*rank*/) {
  return {twoStreamArguments(spec).batches() * spec.loader.batch_size, 0};
}

SamplerClaims claims(const PipelineSpec& /*spec*/) {
  return {.in_order = RepeatCause::TwoStreams, .across_shares = RepeatCause::TwoStreams};
}

SamplerRule ruleOf(const SamplerInfo& info) {
  return {.info = info,
          .traits = {.draws_from_numpy = true, .loader_part = LoaderPart::BatchSampler},
          .claims = claims,
          .left_out = twoStreamLeftOut,
          .check = checkTwoStream,
          .key = key,
          .order = order,
          .slice = wholeOrder,
          .shape = shape,
          .check_rank = checkNumpyRankSeed};
}

}  // namespace
}  // namespace community_two_stream_batch_sampler

SamplerRule meanTeacherTwoStreamBatchSampler() {
  using namespace community_two_stream_batch_sampler;
  return ruleOf(meanTeacherInfo());
}

SamplerRule ssl4misTwoStreamBatchSampler() {
  using namespace community_two_stream_batch_sampler;
  return ruleOf(ssl4misInfo());
}

}  // namespace shardlens::sampling
