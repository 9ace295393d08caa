// SPDX-License-Identifier: Apache-2.0
// TrainingSampler and RandomSubsetTrainingSampler: one endless stream, strided by rank.
#include "core/base/phrase.h"
#include "core/sampling/detectron2/samplers.h"
#include "core/sampling/python.h"
#include "core/sampling/torch/endless_stream.h"
#include "core/sampling/torch/order.h"
#include "core/spec/field_table.h"

#include <cstdint>
#include <memory>
#include <utility>

namespace shardlens::sampling {
namespace detectron2_training_sampler {
namespace {

Result<void> checkSize(const PipelineSpec& spec) {
  if (spec.dataset.size > 0) return {};
  return raised("ValueError", "TrainingSampler(size=) expects a positive int. Got 0.", "dataset.size");
}

const char* const kMovingBorder = marked(
    "samplers",
    "The stream has no epochs: when the world size does not divide the dataset, each lap begins on a different rank.");

SamplerClaims claims(const PipelineSpec& /*spec*/) {
  return {.divides = true, .in_order = RepeatCause::AnotherPass};
}

namespace whole {

const SamplerInfo& info() {
  static const SamplerInfo kInfo = {
      "detectron2.TrainingSampler",
      marked("samplers", "Hands one endless stream of permutations to the ranks in turn."),
      {boolField("sampler.shuffle", true, marked("fields", "Permute the dataset on every lap.")),
       seedField(
           "sampler.seed", 0, INT64_MIN, INT64_MAX,
           marked("fields",
                  "Seed of the stream, used once. None draws a random seed and shares it, which cannot be predicted.")),
       samplesPerEpochField()},
      {kMovingBorder, marked("samplers", "A resumed run reads the stream from its beginning again.")},
  };
  return kInfo;
}

EndlessStream streamOf(const PipelineSpec& spec) {
  return endlessStream(spec, info());
}

Result<void> check(const PipelineSpec& spec) {
  if (auto size = checkSize(spec); !size) return size;
  return checkEndless(spec, streamOf(spec));
}

}  // namespace whole

namespace subset {

const SamplerInfo& info() {
  static const SamplerInfo kInfo = {
      "detectron2.RandomSubsetTrainingSampler",
      marked("samplers", "TrainingSampler over a random part of the dataset, drawn once."),
      {Field{.path = "sampler.subset_ratio",
             .kind = FieldKind::Float,
             .fallback = 1.0,
             .min = 0,
             .max = 1,
             .help = marked("fields", "Share of the dataset that is used.")},
       boolField("sampler.shuffle", true, marked("fields", "Permute the part on every lap.")),
       seedField("sampler.seed_shuffle", 0, INT64_MIN, INT64_MAX, marked("fields", "Seed of the stream.")),
       seedField("sampler.seed_subset", 0, INT64_MIN, INT64_MAX, marked("fields", "Seed of the draw of that part.")),
       samplesPerEpochField()},
      {kMovingBorder, marked("samplers", "Samples outside the part are never seen.")},
  };
  return kInfo;
}

EndlessStream streamOf(const PipelineSpec& spec) {
  return endlessStream(spec, info(), "seed_shuffle");
}

double ratioOf(const PipelineSpec& spec) {
  return std::get<double>(parameter(spec, info(), "subset_ratio"));
}

/// The same world over a dataset of the part's size.
PipelineSpec partOf(const PipelineSpec& spec) {
  PipelineSpec part = spec;
  part.dataset.size = static_cast<std::int64_t>(static_cast<double>(spec.dataset.size) * ratioOf(spec));
  return part;
}

Result<void> check(const PipelineSpec& spec) {
  if (auto size = checkSize(spec); !size) return size;
  if (partOf(spec).dataset.size == 0)
    return raised("AssertionError", "", "sampler.subset_ratio",
                  worded("checks", "raise it until at least 1 sample is left"));
  return checkEndless(spec, streamOf(spec));
}

OrderKey key(const PipelineSpec& spec, Epoch epoch, Rank /*rank*/) {
  return endlessKey(partOf(spec), streamOf(spec), epoch);
}

/// The dataset permuted: its beginning is the part that is used.
Result<LargeArray<std::uint32_t>> subsetOf(const PipelineSpec& spec, const Work& work) {
  TorchGenerator generator(static_cast<std::uint64_t>(intParameter(spec, info(), "seed_subset")));
  return torchPermutation(spec.dataset.size, randpermRule(spec, spec.dataset.size), generator, work);
}

Result<OrderPtr> order(const PipelineSpec& spec, const OrderKey& key, const Work& work) {
  auto ids = subsetOf(spec, work.part(0, 0.5));
  if (!ids) return ids.error();
  auto places = endlessOrder(partOf(spec), streamOf(spec), key, work.part(0.5, 1));
  if (!places) return places;
  std::vector<std::uint32_t> out;
  out.reserve(static_cast<std::size_t>((*places)->size()));
  for (std::int64_t k = 0; k < (*places)->size(); ++k) {
    out.push_back(ids->items()[static_cast<std::size_t>((**places)[k])]);
  }
  return Order::of(std::move(out));
}

Slice slice(const PipelineSpec& spec, Epoch epoch, Rank rank, OrderPtr order) {
  return endlessSlice(partOf(spec), streamOf(spec), epoch, rank, std::move(order));
}

SliceShape shape(const PipelineSpec& spec, Epoch /*epoch*/, Rank /*rank*/) {
  return {streamOf(spec).per_rank, 0};
}

/// Its part of the dataset is drawn once more: only what lies in it can be drawn.
LeftOutCause leftOut(const PipelineSpec& spec, Epoch /*epoch*/) {
  const auto ids = subsetOf(spec, {});
  if (!ids) return always(MissingCause::NotExplained);
  auto inside = std::make_shared<std::vector<bool>>(static_cast<std::size_t>(spec.dataset.size));
  const auto part = ids->items().first(static_cast<std::size_t>(partOf(spec).dataset.size));
  for (const std::uint32_t id : part) (*inside)[id] = true;
  return [inside = std::move(inside)](SampleIndex sample) {
    return (*inside)[static_cast<std::size_t>(sample)] ? MissingCause::NotDrawn : MissingCause::OutsideSubset;
  };
}

}  // namespace subset
}  // namespace
}  // namespace detectron2_training_sampler

SamplerRule detectron2TrainingSampler() {
  using namespace detectron2_training_sampler;
  return endlessRule<whole::streamOf>(
      {.info = whole::info(),
       .traits = {.shuffle = "shuffle", .seed = "seed", .per_epoch = "samples_per_epoch"},
       .claims = claims,
       .unread = always<MissingCause::NotDrawn>,
       .left_out = always<MissingCause::NotDrawn>,
       .check = whole::check});
}

SamplerRule detectron2RandomSubsetTrainingSampler() {
  using namespace detectron2_training_sampler;
  return {.info = subset::info(),
          .traits = {.shuffle = "shuffle", .per_epoch = "samples_per_epoch"},
          .claims = claims,
          .unread = always<MissingCause::NotDrawn>,
          .left_out = subset::leftOut,
          .check = subset::check,
          .key = subset::key,
          .order = subset::order,
          .slice = subset::slice,
          .shape = subset::shape};
}

}  // namespace shardlens::sampling
