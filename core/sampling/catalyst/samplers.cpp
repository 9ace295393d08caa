// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/random/numpy_legacy.h"
#include "core/sampling/class_balance.h"
#include "core/sampling/distributed_share.h"
#include "core/sampling/numpy_global.h"
#include "core/sampling/python.h"
#include "core/sampling/rules.h"
#include "core/sampling/torch/inner_sampler.h"
#include "core/spec/field_table.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace shardlens::sampling {
namespace catalyst_balance_class_sampler {
namespace {

constexpr std::int64_t kMostPerClass = 100'000'000;

const SamplerInfo& info() {
  static const SamplerInfo kInfo = {
      "catalyst.BalanceClassSampler",
      marked("samplers",
             "Draws the same number of samples of each class on every rank: the size of the smallest or largest class, "
             "or a given number."),
      {
          {"sampler.mode",
           FieldKind::IntOrName,
           std::string("downsampling"),
           -kMostPerClass,
           kMostPerClass,
           {"downsampling", "upsampling"},
           "samples",
           marked("fields",
                  "Samples of each class: those of the smallest one (downsampling), of the largest one (upsampling), "
                  "or a number.")},
      },
      {marked("samplers",
              "Every rank draws from all samples: nothing divides them, and ranks with equal NumPy seeds draw "
              "identical batches."),
       marked("samplers",
              "All draws come from NumPy's global stream: any other draw from it shifts the following epochs."),
       marked("samplers", "Samples of classes smaller than that number are repeated.")},
      {"dataset.labels"},
  };
  return kInfo;
}

/// Classes in ascending order, and how many samples of each are drawn.
struct Draw {
  Classes classes;
  std::int64_t each = 0;

  [[nodiscard]] std::int64_t count() const { return each * static_cast<std::int64_t>(classes.size()); }
};

Draw drawOf(const PipelineSpec& spec) {
  Draw draw{classesOf(spec.dataset.labels)};
  std::ranges::sort(draw.classes);
  const Value mode = parameter(spec, info(), "mode");
  if (const auto* number = std::get_if<std::int64_t>(&mode)) {
    draw.each = *number;
    return draw;
  }
  const auto [least, most] =
      std::ranges::minmax_element(draw.classes, {}, [](const auto& named) { return named.second.size(); });
  if (draw.classes.empty()) return draw;
  draw.each = static_cast<std::int64_t>((std::get<std::string>(mode) == "upsampling" ? most : least)->second.size());
  return draw;
}

Result<void> check(const PipelineSpec& spec) {
  if (auto labels = checkLabels(spec); !labels) return labels;
  const Value mode = parameter(spec, info(), "mode");
  const auto* name = std::get_if<std::string>(&mode);
  if (name != nullptr && spec.dataset.labels.empty()) {
    const std::string function = *name == "upsampling" ? "max" : "min";
    return raised("ValueError", function + "() iterable argument is empty", "dataset.labels",
                  worded("checks", "give samples"));
  }
  if (name != nullptr || std::get<std::int64_t>(mode) >= 0 || spec.dataset.labels.empty()) return {};
  return raised("ValueError", "negative dimensions are not allowed", "sampler.mode",
                worded("checks", "take 0 or more"));
}

/// One pass, into as many ids as it draws.
void pass(const Draw& draw, NumpyLegacy& numpy, std::span<std::uint32_t> ids) {
  std::uint32_t* id = ids.data();
  for (const auto& [label, samples] : draw.classes) id = chooseOf(samples, draw.each, numpy, id);
  numpy.shuffle(ids);
}

Result<OrderPtr> order(const PipelineSpec& spec, const OrderKey& key, const Work& work) {
  if (auto seed = checkNumpySeed(key.seed); !seed) return seed.error();
  const Draw draw = drawOf(spec);
  auto ids = LargeArray<std::uint32_t>::make(static_cast<std::size_t>(draw.count()), "an order");
  if (!ids) return ids.error();
  NumpyLegacy numpy(static_cast<std::uint32_t>(key.seed));
  for (std::uint64_t epoch = 0; epoch <= key.skip; ++epoch) {
    if (work.stopped()) return cancelled();
    work.progress(static_cast<double>(epoch) / static_cast<double>(key.skip + 1));
    pass(draw, numpy, ids->items());
  }
  return Order::of(std::move(*ids));
}

SliceShape shape(const PipelineSpec& spec, Epoch /*epoch*/, Rank /*rank*/) {
  return {drawOf(spec).count(), 0};
}

}  // namespace
}  // namespace catalyst_balance_class_sampler

SamplerRule catalystBalanceClassSampler() {
  using namespace catalyst_balance_class_sampler;
  return {.info = info(),
          .traits = {.draws_from_numpy = true},
          .claims = [](const PipelineSpec&) { return SamplerClaims{.in_order = RepeatCause::ClassBalance}; },
          .left_out = always<MissingCause::NotDrawn>,
          .check = check,
          .key = numpyGlobalKey<info>,
          .order = order,
          .slice = wholeOrder,
          .shape = shape,
          .check_rank = checkNumpyRankSeed};
}

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
  return dealtPassKey(spec, epoch, rank, static_cast<std::uint64_t>(givenEpoch(spec, epoch).value));
}

SliceShape shape(const PipelineSpec& spec, Epoch /*epoch*/, Rank rank) {
  return dealtPassShape(spec, rank, false);
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
  rule.slice = stridedSlice<shape>;
  rule.shape = shape;
  rule.check_rank = checkRank;
  return rule;
}

}  // namespace shardlens::sampling
