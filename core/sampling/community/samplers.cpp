// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/community/samplers.h"

#include "core/base/phrase.h"
#include "core/random/numpy_legacy.h"
#include "core/sampling/class_balance.h"
#include "core/sampling/distributed_share.h"
#include "core/sampling/numpy_global.h"
#include "core/sampling/python.h"
#include "core/sampling/script_seed.h"
#include "core/sampling/torch/order.h"
#include "core/sampling/torch/weights.h"
#include "core/spec/field_table.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace shardlens::sampling {
namespace community_imbalanced_dataset_sampler {
namespace {

const SamplerInfo& info() {
  static const SamplerInfo kInfo = {
      "imbalanced.ImbalancedDatasetSampler",
      marked("samplers", "Draws samples on every rank with replacement, so that each class is equally frequent."),
      {
          numSamplesField(),
      },
      {marked("samplers",
              "Every rank draws from all samples: nothing divides them, and ranks with equal torch seeds draw "
              "identical batches."),
       marked("samplers", "More than 2^24 samples are refused.")},
      {"dataset.labels", "framework.torch_mkl"},
  };
  return kInfo;
}

WeightedDraw drawOf(const PipelineSpec& spec) {
  return {intParameterOr(spec, info(), "num_samples", spec.dataset.size), true};
}

Result<Weights> weightsOf(const PipelineSpec& spec) {
  const std::vector<std::int64_t>& labels = spec.dataset.labels;
  std::unordered_map<std::int64_t, std::int64_t> counts;
  for (const std::int64_t label : labels) ++counts[label];
  auto weights = Weights::make(labels.size(), "the weights");
  if (!weights) return weights;
  for (std::size_t i = 0; i < labels.size(); ++i) weights->items()[i] = 1.0 / static_cast<double>(counts[labels[i]]);
  return weights;
}

Result<void> checkLabels(const PipelineSpec& spec) {
  const auto labels = static_cast<std::int64_t>(spec.dataset.labels.size());
  if (labels == spec.dataset.size) return {};
  if (labels == 0) {
    return refused(worded("checks", "the classes of the samples are not known."), "dataset.labels",
                   worded("spec", "give dataset.labels, one whole number for each sample"));
  }
  return raised("ValueError",
                "Length mismatch: Expected axis has " + std::to_string(labels) + " elements, new values have " +
                    std::to_string(spec.dataset.size) + " elements",
                "dataset.labels", worded("checks", "give one label for each sample"));
}

Result<void> check(const PipelineSpec& spec) {
  if (auto labels = checkLabels(spec); !labels) return labels;
  const auto weights = weightsOf(spec);
  if (!weights) return weights.error();
  return drawOf(spec).check(spec, weights->items());  // raised by the first __iter__
}

SliceShape shape(const PipelineSpec& spec, Epoch /*epoch*/, Rank /*rank*/) {
  return {drawOf(spec).num_samples, 0};
}

}  // namespace
}  // namespace community_imbalanced_dataset_sampler

Result<OrderPtr> imbalancedOrder(const PipelineSpec& spec, TorchGenerator& generator, const Work& work) {
  using namespace community_imbalanced_dataset_sampler;
  const auto weights = weightsOf(spec);
  if (!weights) return weights.error();
  auto ids = drawOf(spec).draw(spec, weights->items(), generator, work);
  if (!ids) return ids.error();
  return Order::of(std::move(*ids));
}

SamplerRule imbalancedDatasetSampler() {
  using namespace community_imbalanced_dataset_sampler;
  return {
      .info = info(),
      .traits = {.num_samples = "num_samples", .loader_part = LoaderPart::Other},
      .claims = [](const PipelineSpec&) { return SamplerClaims{.in_order = RepeatCause::Replacement}; },
      .left_out = always<MissingCause::NotDrawn>,
      .check = check,
      .key = samplerStreamKey<info>,
      .order = drawnOrder<imbalancedOrder>,
      .slice = wholeOrder,
      .shape = shape,
      .shared_outputs = [](const PipelineSpec& spec, Rank) { return drawOf(spec).outputs(spec, spec.dataset.size); }};
}

namespace community_pml_m_per_class_sampler {
namespace {

constexpr std::int64_t kMost = 100'000'000;

const SamplerInfo& info() {
  static const SamplerInfo kInfo = {
      "pytorch_metric_learning.MPerClassSampler",
      marked("samplers",
             "Yields m samples of one class, then m of the next, over classes in random order, on every rank."),
      {
          intField("sampler.m", 1, 0, kMost, "samples",
                   marked("fields", "Number of consecutive samples of one class.")),
          intOrNameField("sampler.batch_size", "none", 0, kMost, "samples",
                         marked("fields",
                                "batch_size of the constructor: classes are redrawn for each batch; none redraws them "
                                "when all have been used.")),
          intField(
              "sampler.length_before_new_iter", 100'000, 0, kMost, "samples",
              marked("fields", "Samples of an epoch on each rank, before they are cut to whole passes or batches.")),
      },
      {marked("samplers",
              "Every rank draws from all samples: nothing divides them, and ranks with equal NumPy seeds draw "
              "identical batches."),
       marked("samplers",
              "All draws come from NumPy's global stream, and the order of the classes continues from epoch to epoch."),
       marked("samplers",
              "An epoch is length_before_new_iter samples, 100,000 by default, whatever the size of the dataset."),
       marked("samplers",
              "Where length_before_new_iter is below m times the classes, the sampler yields more than its len()."),
       marked("samplers", "Samples of a class with fewer than m samples are repeated.")},
      {"dataset.labels"},
  };
  return kInfo;
}

/// The constructor's numbers.
struct Sizes {
  std::int64_t m = 1;
  std::optional<std::int64_t> batch_size;
  std::int64_t single_pass = 0;  ///< m of each class
  std::int64_t list = 0;         ///< length_before_new_iter, before it is cut

  [[nodiscard]] std::int64_t unit() const { return batch_size.value_or(single_pass); }
  [[nodiscard]] std::int64_t length() const {
    if (!batch_size && single_pass >= list) return list;
    return list - list % unit();
  }
  [[nodiscard]] std::int64_t rounds() const { return unit() < length() ? length() / unit() : 1; }
  /// Assigning to a slice beyond the end of the list makes it longer.
  [[nodiscard]] std::int64_t yielded() const { return std::max(length(), rounds() * unit()); }
};

Sizes sizesOf(const PipelineSpec& spec, std::size_t classes) {
  Sizes sizes;
  sizes.m = intParameter(spec, info(), "m");
  sizes.batch_size = intIfGiven(spec, info(), "batch_size");
  sizes.single_pass = sizes.m * static_cast<std::int64_t>(classes);
  sizes.list = intParameter(spec, info(), "length_before_new_iter");
  return sizes;
}

Sizes sizesOf(const PipelineSpec& spec) {
  const IndexList& labels = spec.dataset.labels;
  return sizesOf(spec, std::unordered_set<std::int64_t>(labels.begin(), labels.end()).size());
}

Error modulo(const char* field) {
  return raised("ZeroDivisionError", "integer modulo by zero", field, worded("checks", "take one or more"));
}

Result<void> checkBatches(const Sizes& sizes) {
  const std::int64_t size = *sizes.batch_size;
  if (sizes.list < size) {
    return raised("AssertionError", "", "sampler.length_before_new_iter", worded("checks", "take at least one batch"));
  }
  if (sizes.single_pass < size) {
    return raised("AssertionError", "m * (number of unique labels) must be >= batch_size", "sampler.batch_size",
                  worded("checks", "take a smaller batch, or a larger m"));
  }
  if (sizes.m == 0) return modulo("sampler.m");
  if (size % sizes.m != 0) {
    return raised("AssertionError", "m_per_class must divide batch_size without any remainder", "sampler.batch_size",
                  worded("checks", "take a multiple of m"));
  }
  if (size == 0) return modulo("sampler.batch_size");
  return {};
}

Result<void> check(const PipelineSpec& spec) {
  if (auto labels = checkLabels(spec); !labels) return labels;
  const Sizes sizes = sizesOf(spec);
  if (sizes.batch_size) return checkBatches(sizes);
  if (sizes.single_pass == 0 && sizes.list > 0) return modulo(sizes.m == 0 ? "sampler.m" : "dataset.labels");
  return {};
}

/// The rounds of one epoch: each shuffles the classes, which keep their order for the next, and takes m of the first
/// ones. Writes nothing when `ids` is null.
Result<void> pass(const Sizes& sizes, Classes& classes, NumpyLegacy& numpy, std::uint32_t* ids, const Work& work) {
  const auto taken = sizes.batch_size ? static_cast<std::size_t>(*sizes.batch_size / sizes.m) : classes.size();
  for (std::int64_t round = 0; round < sizes.rounds(); ++round) {
    if (work.stopped()) return cancelled();
    numpy.shuffle(std::span(classes));
    for (std::size_t i = 0; i < taken; ++i) ids = chooseOf(classes[i].second, sizes.m, numpy, ids);
  }
  return {};
}

/// The seed is that of epoch 0; `skip` counts the epochs before.
OrderKey key(const PipelineSpec& spec, Epoch epoch, Rank rank) {
  return {info().type, scriptSeed(spec, Epoch{0}, rank), static_cast<std::uint64_t>(epoch.value)};
}

Result<OrderPtr> order(const PipelineSpec& spec, const OrderKey& key, const Work& work) {
  Classes classes = classesOf(spec.dataset.labels);
  const Sizes sizes = sizesOf(spec, classes.size());
  auto ids = LargeArray<std::uint32_t>::make(static_cast<std::size_t>(sizes.yielded()), "an order");
  if (!ids) return ids.error();
  std::optional<NumpyLegacy> numpy;
  for (std::uint64_t epoch = 0; epoch <= key.skip; ++epoch) {
    work.progress(static_cast<double>(epoch) / static_cast<double>(key.skip + 1));
    if (!numpy || seedsEachEpoch(spec)) {
      const std::uint64_t seed = key.seed + (seedsEachEpoch(spec) ? epoch : 0);
      if (auto good = checkNumpySeed(seed); !good) return good.error();
      numpy.emplace(static_cast<std::uint32_t>(seed));
    }
    std::uint32_t* const into = epoch == key.skip ? ids->items().data() : nullptr;
    if (auto done = pass(sizes, classes, *numpy, into, work); !done) return done.error();
  }
  return Order::of(std::move(*ids));
}

SliceShape shape(const PipelineSpec& spec, Epoch /*epoch*/, Rank /*rank*/) {
  return {sizesOf(spec).yielded(), 0};
}

}  // namespace
}  // namespace community_pml_m_per_class_sampler

std::int64_t pmlLength(const PipelineSpec& spec) {
  using namespace community_pml_m_per_class_sampler;
  return sizesOf(spec).length();
}

SamplerRule pmlMPerClassSampler() {
  using namespace community_pml_m_per_class_sampler;
  return {.info = info(),
          .traits = {.draws_from_numpy = true},
          .claims = [](const PipelineSpec&) { return SamplerClaims{.in_order = RepeatCause::ClassBalance}; },
          .left_out = always<MissingCause::NotDrawn>,
          .check = check,
          .key = key,
          .order = order,
          .slice = wholeOrder,
          .shape = shape,
          .check_rank = checkNumpyRankSeed};
}

}  // namespace shardlens::sampling
