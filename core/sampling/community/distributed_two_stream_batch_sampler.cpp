// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/sampling/community/two_stream.h"
#include "core/sampling/rules.h"
#include "core/spec/field_table.h"

#include <limits>
#include <utility>

namespace shardlens::sampling {
namespace community_distributed_two_stream_batch_sampler {
namespace {

std::vector<Field> fields() {
  std::vector<Field> all = twoStreamFields();
  all.push_back(seedField("sampler.seed", 0, 0, std::numeric_limits<std::uint32_t>::max(),
                          marked("fields", "Seed of NumPy's RandomState; the epoch is added. The same on all ranks.")));
  all.push_back(
      boolField("sampler.set_epoch", true,
                marked("fields", "Whether set_epoch(epoch) is called; without it every epoch repeats epoch 0.")));
  return all;
}

const SamplerInfo& info() {
  static const SamplerInfo kInfo = {
      "shardlens.DistributedTwoStreamBatchSampler",
      marked("samplers",
             "ShardLens' own variant of TwoStreamBatchSampler for several ranks: all draw the same batches from seed + "
             "epoch, and rank r takes batches r, r + world_size, ..."),
      fields(),
      {marked("samplers",
              "This class is ShardLens' own: no published project has it. The rule is mean-teacher's and SSL4MIS', "
              "drawn from a separate RandomState(seed + epoch) instead of NumPy's global stream."),
       marked("samplers",
              "No two ranks share a primary sample within an epoch, and all ranks make the same number of steps; the "
              "batches that do not divide evenly are dropped."),
       marked("samplers",
              "Secondary samples come back, on other ranks too, once their list is used up: that is the two-stream "
              "rule.")}};
  return kInfo;
}

std::int64_t batchesPerRank(const PipelineSpec& spec) {
  return twoStreamArguments(spec).batches() / spec.worldSize();
}

OrderKey key(const PipelineSpec& spec, Epoch epoch, Rank /*rank*/) {
  const auto seed = static_cast<std::uint64_t>(intParameter(spec, info(), "seed"));
  const std::int64_t told = boolParameter(spec, info(), "set_epoch") ? epoch.value : 0;
  return {info().type, static_cast<std::uint32_t>(seed + static_cast<std::uint64_t>(told)), 0};
}

Result<OrderPtr> order(const PipelineSpec& spec, const OrderKey& key, const Work& work) {
  NumpyLegacy numpy(static_cast<std::uint32_t>(key.seed));
  return twoStreamOrder(twoStreamArguments(spec), numpy, work);
}

SliceShape shape(const PipelineSpec& spec, Epoch /*epoch*/, Rank /*rank*/) {
  return {batchesPerRank(spec) * spec.loader.batch_size, 0};
}

Slice slice(const PipelineSpec& spec, Epoch epoch, Rank rank, OrderPtr order) {
  const std::int64_t size = order->size();
  const std::int64_t batch = spec.loader.batch_size;
  return {std::move(order), rank.value * batch, spec.worldSize() * batch, shape(spec, epoch, rank).count, size, batch};
}

SamplerClaims claims(const PipelineSpec& /*spec*/) {
  return {.divides = true, .in_order = RepeatCause::TwoStreams};
}

}  // namespace
}  // namespace community_distributed_two_stream_batch_sampler

SamplerRule shardLensDistributedTwoStreamBatchSampler() {
  using namespace community_distributed_two_stream_batch_sampler;
  return {.info = info(),
          .traits = {.seed = "seed", .set_epoch = "set_epoch", .loader_part = LoaderPart::BatchSampler},
          .claims = claims,
          .unread = always<MissingCause::CutBySampler>,
          .left_out = twoStreamLeftOut,
          .check = checkTwoStream,
          .key = key,
          .order = order,
          .slice = slice,
          .shape = shape};
}

}  // namespace shardlens::sampling
