// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/sampling/distributed_share.h"
#include "core/sampling/python.h"
#include "core/sampling/rules.h"
#include "core/sampling/torch/dealt_pass.h"
#include "core/sampling/torch/inner_sampler.h"
#include "core/spec/field_table.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace shardlens::sampling {
namespace catalyst_distributed_sampler_wrapper {
namespace {

const SamplerInfo& info() {
  static const SamplerInfo kInfo = [] {
    std::vector<Field> fields = {
        boolField("sampler.shuffle", true, marked("fields", "Permute the positions of the pass in every epoch.")),
        boolField("sampler.set_epoch", true,
                  marked("fields",
                         "Whether the script calls sampler.set_epoch(epoch); if it does not, every epoch has the same "
                         "permutation.")),
    };
    for (Field& field : innerSamplerFields()) fields.push_back(std::move(field));
    return SamplerInfo{
        "catalyst.DistributedSamplerWrapper",
        marked("samplers",
               "Draws one pass of another sampler on every rank, permutes it with seed 0 + epoch and divides it among "
               "the ranks."),
        std::move(fields),
        {
            marked("samplers",
                   "A rank that gets one item or none raises a TypeError: itemgetter then returns no list."),
            marked("samplers", "Its permutation is seeded with the epoch alone: no seed of the script changes it."),
            marked("samplers",
                   "Ranks share samples unless the inner sampler draws the same on every rank: use equal seeds."),
            marked("samplers",
                   "It permutes on top of the inner sampler, so a sorted order is lost unless shuffle is off."),
        },
        {"framework.torch_mkl"},
        innerSamplerVariants()};
  }();
  return kInfo;
}

OrderKey key(const PipelineSpec& spec, Epoch epoch, Rank rank) {
  if (!boolParameter(spec, info(), "shuffle")) return dealtPassKey(spec, epoch, rank, {});
  const std::int64_t told = boolParameter(spec, info(), "set_epoch") ? epoch.value : 0;
  return dealtPassKey(spec, epoch, rank, static_cast<std::uint64_t>(told));
}

SliceShape shape(const PipelineSpec& spec, Epoch /*epoch*/, Rank rank) {
  return dealtPassShape(spec, rank, false);
}

Slice slice(const PipelineSpec& spec, Epoch epoch, Rank rank, OrderPtr order) {
  return dealtPassSlice(spec, rank, std::move(order), shape(spec, epoch, rank).count);
}

Result<void> checkRank(const PipelineSpec& spec, Rank rank) {
  const std::int64_t count = distributedSamples(InnerSampler(spec).size(), spec.worldSize(), false);
  if (count > 1) return {};
  return raised("TypeError", count == 1 ? "'int' object is not iterable" : "itemgetter expected 1 argument, got 0",
                "dataset.size",
                filled(count == 1 ? worded("checks", "rank %1 gets one item: give every rank two or more")
                                  : worded("checks", "rank %1 gets none: give every rank two or more"),
                       std::to_string(rank.value)));
}

}  // namespace
}  // namespace catalyst_distributed_sampler_wrapper

SamplerRule catalystDistributedSamplerWrapper() {
  using namespace catalyst_distributed_sampler_wrapper;
  SamplerTraits traits = innerSamplerTraits();
  traits.seed = {};
  traits.loader_part = LoaderPart::Distributed;
  SamplerRule rule = dealtPassRule(info(), traits);
  rule.key = key;
  rule.slice = slice;
  rule.shape = shape;
  rule.check_rank = checkRank;
  return rule;
}

}  // namespace shardlens::sampling
