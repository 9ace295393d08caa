// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/sampling/distributed_share.h"
#include "core/sampling/sample_list.h"
#include "core/sampling/torch/samplers.h"

namespace shardlens::sampling {
namespace torch_python_list {
namespace {

const SamplerInfo& info() {
  static const SamplerInfo kInfo = {
      "python.list",
      marked("samplers",
             "A plain list of samples passed to the DataLoader as its sampler: every rank reads it in list order."),
      {sampleListField(marked("fields", "The samples in reading order; a list, or {range: [a, b]}."))},
      {marked("samplers", "Every rank reads the whole list: nothing divides it between them."),
       marked("samplers",
              "Lightning's Trainer wraps it in a DistributedSamplerWrapper and permutes it in training: a handmade "
              "order, such as a curriculum, is lost (pytorch-lightning#10170, #21131).")},
  };
  return kInfo;
}

OrderKey key(const PipelineSpec& /*spec*/, Epoch /*epoch*/, Rank /*rank*/) {
  return {info().type, 0, 0};
}

Result<OrderPtr> order(const PipelineSpec& spec, const OrderKey& /*key*/, const Work& /*work*/) {
  return Order::of(IndexList(sampleList(spec)));
}

SliceShape shape(const PipelineSpec& spec, Epoch /*epoch*/, Rank /*rank*/) {
  return {static_cast<std::int64_t>(sampleList(spec).size()), 0};
}

SamplerClaims claims(const PipelineSpec& /*spec*/) {
  return {.in_order = RepeatCause::ListedTwice, .across_shares = RepeatCause::ListedTwice};
}

LeftOutCause leftOut(const PipelineSpec& spec, Epoch /*epoch*/) {
  return notListed(sampleList(spec), spec.dataset.size, MissingCause::NotExplained);
}

}  // namespace
}  // namespace torch_python_list

SamplerRule pythonList() {
  using namespace torch_python_list;
  return {.info = info(),
          .traits = {.indices = "indices", .loader_part = LoaderPart::Other},
          .in_order = true,
          .claims = claims,
          .left_out = leftOut,
          .check = checkSampleList,
          .key = key,
          .order = order,
          .slice = wholeOrder,
          .shape = shape,
          .same_shapes = true};
}

}  // namespace shardlens::sampling
