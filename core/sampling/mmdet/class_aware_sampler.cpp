// SPDX-License-Identifier: Apache-2.0
#include "core/base/phrase.h"
#include "core/sampling/class_balance.h"
#include "core/sampling/distributed_share.h"
#include "core/sampling/python.h"
#include "core/sampling/rules.h"
#include "core/sampling/torch/order.h"
#include "core/spec/field_table.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <utility>
#include <vector>

namespace shardlens::sampling {
namespace mmdet_class_aware_sampler {
namespace {

constexpr std::int64_t kMostOfClass = 1'000'000;

const SamplerInfo& info() {
  static const SamplerInfo kInfo = {
      "mmdet.ClassAwareSampler",
      marked("samplers",
             "Goes round the classes in random order and takes the next images of each, so that rare classes are seen "
             "as often as common ones."),
      {seedField("sampler.seed", 0, INT64_MIN, INT64_MAX,
                 marked("fields",
                        "Seed of the permutations; the epoch is added. None draws a seed from the clock and shares it, "
                        "which cannot be predicted.")),
       intField("sampler.num_sample_class", 1, 1, kMostOfClass, "samples",
                marked("fields", "Images of a class that are taken before the next class.")),
       Field{.path = "sampler.categories",
             .kind = FieldKind::Numbers,
             .fallback = std::string("labels"),
             .min = -1,
             .max = INT64_MAX,
             .choices = {"labels"},
             .help = marked("fields",
                            "Classes of each image, image after image, with -1 behind those of each; labels means one "
                            "class an image, as dataset.labels says.")}},
      {marked("samplers", "Images of rare classes are repeated, and images of common ones left out, in every epoch."),
       marked("samplers", "Images without an object are never read."),
       marked("samplers",
              "Each rank gets a contiguous part of the round, so a class that comes late in the order comes on the "
              "last ranks.")},
      {"dataset.labels"}};
  return kInfo;
}

NumberList categoriesOf(const PipelineSpec& spec) {
  const Value given = parameter(spec, info(), "categories");
  const auto* list = std::get_if<NumberList>(&given);
  return list == nullptr ? NumberList() : *list;
}

/// The images of each class, ascending, by class.
using ImagesOfClass = std::map<std::int64_t, std::vector<std::uint32_t>>;

ImagesOfClass imagesOf(const PipelineSpec& spec) {
  ImagesOfClass images;
  const NumberList categories = categoriesOf(spec);
  if (categories.empty()) {
    for (std::size_t image = 0; image < spec.dataset.labels.size(); ++image)
      images[spec.dataset.labels[image]].push_back(static_cast<std::uint32_t>(image));
    return images;
  }
  std::set<std::int64_t> classes;
  std::uint32_t image = 0;
  for (const double item : categories) {
    if (item >= 0) {
      classes.insert(static_cast<std::int64_t>(item));
      continue;
    }
    for (const std::int64_t one : classes) images[one].push_back(image);
    classes.clear();
    ++image;
  }
  return images;
}

/// Permutations of the items, one behind the other, of a generator that others draw from, too.
template <class T>
class Cycle {
 public:
  Cycle(std::vector<T> items, const PipelineSpec& spec, TorchGenerator& generator)
      : items_(std::move(items)), rule_(randpermRule(spec, std::ssize(items_))), generator_(&generator) {
    permute();
  }
  T next() {
    if (next_ == places_.size()) permute();
    return items_[static_cast<std::size_t>(places_[next_++])];
  }

 private:
  void permute() {
    places_.resize(items_.size());
    (void)torchRandperm(*generator_, std::span(places_), {}, rule_);
    next_ = 0;
  }

  std::vector<T> items_;
  std::vector<std::int64_t> places_;
  std::size_t next_ = 0;
  TorchRandpermRule rule_;
  TorchGenerator* generator_;
};

std::int64_t samplesOf(const PipelineSpec& spec) {
  return distributedSamples(spec.dataset.size, spec.worldSize(), false);
}

Result<void> checkCategories(const PipelineSpec& spec) {
  const NumberList categories = categoriesOf(spec);
  if (categories.empty()) return checkLabels(spec);
  const auto whole = [](double item) { return item >= -1 && std::floor(item) == item; };
  const bool good = std::ranges::all_of(categories, whole) && categories.back() == -1 &&
                    std::ranges::count(categories, -1.0) == spec.dataset.size;
  if (good) return {};
  return Error{ErrorCode::BadInput,
               worded("checks", "categories needs the classes of each image, with -1 behind those of each."),
               {{}, 0, 0, "sampler.categories"},
               worded("checks", "write one -1 for each sample of the dataset")};
}

Result<void> check(const PipelineSpec& spec) {
  if (auto categories = checkCategories(spec); !categories) return categories;
  if (!imagesOf(spec).empty()) return {};
  return raised("ZeroDivisionError", "float division by zero", "dataset.size",
                worded("checks", "give an image with a class"));
}

OrderKey key(const PipelineSpec& spec, Epoch epoch, Rank /*rank*/) {
  const auto seed = static_cast<std::uint64_t>(intParameter(spec, info(), "seed"));
  return {info().type, seed + static_cast<std::uint64_t>(epoch.value), 0};
}

Result<OrderPtr> order(const PipelineSpec& spec, const OrderKey& key, const Work& work) {
  const std::int64_t total = samplesOf(spec) * spec.worldSize();
  auto ids = LargeArray<std::uint32_t>::make(static_cast<std::size_t>(total), "an order");
  if (!ids) return ids.error();
  TorchGenerator generator(key.seed);
  std::vector<std::int64_t> names;
  ImagesOfClass images = imagesOf(spec);
  for (const auto& [name, own] : images) names.push_back(name);
  Cycle<std::int64_t> classes(std::move(names), spec, generator);
  std::map<std::int64_t, Cycle<std::uint32_t>> cycles;
  for (auto& [name, own] : images) cycles.try_emplace(name, std::move(own), spec, generator);
  const std::int64_t each = intParameter(spec, info(), "num_sample_class");
  Cycle<std::uint32_t>* cycle = nullptr;
  for (std::int64_t i = 0; i < total; ++i) {
    if (i % kItemsBetweenLooks == 0 && work.stopped()) return cancelled();
    if (i % each == 0) cycle = &cycles.at(classes.next());
    ids->items()[static_cast<std::size_t>(i)] = cycle->next();
  }
  return Order::of(std::move(*ids));
}

SliceShape shape(const PipelineSpec& spec, Epoch /*epoch*/, Rank /*rank*/) {
  return {samplesOf(spec), 0};
}

Slice slice(const PipelineSpec& spec, Epoch /*epoch*/, Rank rank, OrderPtr order) {
  const std::int64_t size = order->size();
  return {std::move(order), rank.value * samplesOf(spec), 1, samplesOf(spec), size};
}

SamplerClaims claims(const PipelineSpec& /*spec*/) {
  return {.divides = true, .in_order = RepeatCause::ClassBalance};
}

/// Only an image with a class can be drawn.
LeftOutCause leftOut(const PipelineSpec& spec, Epoch /*epoch*/) {
  auto classed = std::make_shared<std::vector<bool>>(static_cast<std::size_t>(spec.dataset.size));
  for (const auto& [name, images] : imagesOf(spec)) {
    for (const std::uint32_t image : images) (*classed)[image] = true;
  }
  return [classed = std::move(classed)](SampleIndex sample) {
    return (*classed)[static_cast<std::size_t>(sample)] ? MissingCause::NotDrawn : MissingCause::OutsideSubset;
  };
}

}  // namespace
}  // namespace mmdet_class_aware_sampler

SamplerRule mmdetClassAwareSampler() {
  using namespace mmdet_class_aware_sampler;
  return {.info = info(),
          .traits = {.seed = "seed"},
          .claims = claims,
          .unread = always<MissingCause::NotDrawn>,
          .left_out = leftOut,
          .check = check,
          .key = key,
          .order = order,
          .slice = slice,
          .shape = shape,
          .same_shapes = true};
}

}  // namespace shardlens::sampling
