// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/sampling/distributed_share.h"
#include "core/sampling/monai/samplers.h"
#include "core/sampling/python.h"
#include "core/sampling/torch/order.h"
#include "core/spec/field_table.h"

#include <cstdint>
#include <utility>

namespace shardlens::sampling {
namespace monai_distributed_sampler {
namespace {

const SamplerInfo& info() {
  static const SamplerInfo kInfo = {
      "monai.DistributedSampler",
      marked("samplers",
             "torch's DistributedSampler, which with even_divisible off gives some ranks one sample fewer instead of "
             "repeating samples."),
      monaiShareFields(),
      {marked("samplers",
              "even_divisible = false gives ranks different lengths: a collective in each step then waits forever."),
       marked("samplers",
              "even_divisible = false with drop_last fails an assertion without a message on the first ranks, unless "
              "the dataset divides evenly."),
       marked("samplers", "Without set_epoch every epoch has the same order.")},
  };
  return kInfo;
}

bool flag(const PipelineSpec& spec, const char* key) {
  return boolParameter(spec, info(), key);
}

}  // namespace
}  // namespace monai_distributed_sampler

std::vector<Field> monaiShareFields() {
  return {
      boolField(
          "sampler.even_divisible", true,
          marked("fields", "Repeat samples until all ranks have the same number; otherwise some ranks get one fewer.")),
      boolField("sampler.shuffle", true, marked("fields", "Permute the dataset in every epoch.")),
      seedField("sampler.seed", 0, INT64_MIN, INT64_MAX,
                marked("fields", "Seed of the permutation; the epoch is added. Must be the same on all ranks.")),
      boolField(
          "sampler.drop_last", false,
          marked("fields", "Cut the tail that does not divide evenly instead of padding it with repeated samples.")),
      boolField("sampler.set_epoch", true,
                marked("fields",
                       "Whether the script calls sampler.set_epoch(epoch); if it does not, every epoch repeats epoch "
                       "0.")),
  };
}

Result<void> checkMonaiShare(const PipelineSpec& spec) {
  using namespace monai_distributed_sampler;
  if (flag(spec, "even_divisible") || spec.dataset.size >= spec.worldSize()) return {};
  return raised("ValueError", "the dataset length is less than the number of participating ranks.", "dataset.size",
                worded("checks", "give every rank a sample, or switch sampler.even_divisible on"));
}

Result<void> checkMonaiShareOf(const PipelineSpec& spec, Rank rank) {
  using namespace monai_distributed_sampler;
  if (flag(spec, "even_divisible") || !flag(spec, "drop_last")) return {};
  const bool fits = stridedSamples(spec.dataset.size, spec.worldSize(), rank.value) ==
                    distributedSamples(spec.dataset.size, spec.worldSize(), true);
  if (fits) return {};
  return raised("AssertionError", "", "sampler.drop_last",
                worded("checks", "switch it off, or sampler.even_divisible on: the cut no longer fits"));
}

OrderKey monaiShareKey(const PipelineSpec& spec, Epoch epoch) {
  using namespace monai_distributed_sampler;
  if (!flag(spec, "shuffle")) return {kSequential, 0, 0};
  const auto seed = static_cast<std::uint64_t>(intParameter(spec, info(), "seed"));
  return {kRandperm, seed + static_cast<std::uint64_t>(flag(spec, "set_epoch") ? epoch.value : 0), 0};
}

SliceShape monaiShape(const PipelineSpec& spec, Rank rank) {
  using namespace monai_distributed_sampler;
  if (!flag(spec, "even_divisible")) return {stridedSamples(spec.dataset.size, spec.worldSize(), rank.value), 0};
  return distributedShape(spec.dataset.size, spec.worldSize(), rank.value, flag(spec, "drop_last"));
}

Slice monaiSlice(const PipelineSpec& spec, Rank rank, OrderPtr order) {
  const std::int64_t size = order->size();
  return {std::move(order), rank.value, spec.worldSize(), monaiShape(spec, rank).count, size};
}

SamplerRule monaiDistributedSampler() {
  using namespace monai_distributed_sampler;
  return {.info = info(),
          .traits = {.shuffle = "shuffle",
                     .seed = "seed",
                     .set_epoch = "set_epoch",
                     .drop_last = "drop_last",
                     .loader_part = LoaderPart::Distributed},
          .claims = [](const PipelineSpec&) { return SamplerClaims{.divides = true}; },
          .unread = always<MissingCause::CutBySampler>,
          .check = checkMonaiShare,
          .key = [](const PipelineSpec& spec, Epoch epoch, Rank) { return monaiShareKey(spec, epoch); },
          .order = torchOrder,
          .reads_evenly = [](const PipelineSpec&) { return true; },
          .places = torchPlaces,
          .slice = [](const PipelineSpec& spec, Epoch, Rank rank,
                      OrderPtr order) { return monaiSlice(spec, rank, std::move(order)); },
          .shape = [](const PipelineSpec& spec, Epoch, Rank rank) { return monaiShape(spec, rank); },
          .same_shapes = true,
          .check_rank = checkMonaiShareOf};
}

}  // namespace shardlens::sampling
