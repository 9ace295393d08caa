// SPDX-License-Identifier: Apache-2.0
// What every rule of the registry promises, whichever framework it comes from.
#include "core/sampling/registry.h"

#include "core/sampling/recorded_lists.h"
#include "core/spec/field_table.h"
#include "core/spec/validate.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <vector>

using namespace shardlens;

namespace {

PipelineSpec specOf(const sampling::SamplerRule& rule) {
  PipelineSpec spec;
  spec.dataset.size = 23;
  spec.dataset.shards = {9, 8, 6};
  std::vector<std::int64_t> lengths;
  std::vector<std::int64_t> labels;
  for (std::int64_t i = 0; i < spec.dataset.size; ++i) {
    lengths.push_back(i * 7 % 11 + 1);
    labels.push_back(i % 3);
  }
  spec.dataset.lengths = std::move(lengths);
  spec.dataset.labels = std::move(labels);
  spec.sampler.type = rule.info.type;
  PipelineSpec two_shards = spec;
  two_shards.dataset.shards = {9, 14};
  if (!rule.check(spec) && rule.check(two_shards)) spec = two_shards;
  for (const Field& field : rule.info.parameters) {
    const PipelineSpec without = spec;
    if (field.kind == FieldKind::Indices) setValue(spec, field, IndexList{5, 1, 22, 7});
    if (field.kind == FieldKind::Numbers) setValue(spec, field, NumberList(23, 0.5));
    if (rule.check(without) && !rule.check(spec)) spec = without;  // its lists are not of samples
  }
  if (rule.info.type == sampling::kRecordedBatches)  // its lists only fit together
    sampling::setRecorded(spec, {{5, 1, 22, 7, 9, 0, 3}, {2, 1, 1, 2, 1}, {1, 2, 2, 0}});
  return spec;
}

}  // namespace

TEST_CASE("every parameter that seeds says that it is a seed") {
  for (const sampling::SamplerRule& rule : sampling::rules()) {
    CAPTURE(rule.info.type);
    for (const Field& field : rule.info.parameters) {
      CAPTURE(field.path);
      const bool is_number = field.kind == FieldKind::Int || field.kind == FieldKind::IntOrName;
      const std::string key = field.key();
      CHECK(field.is_seed == (is_number && key.find("seed") != std::string::npos));
      if (key == rule.traits.seed) CHECK(field.is_seed);
    }
  }
}

TEST_CASE("every sampler is described, and takes its own defaults") {
  std::set<std::string> types;
  for (const sampling::SamplerRule& rule : sampling::rules()) {
    CAPTURE(rule.info.type);
    CHECK(types.insert(rule.info.type).second);
    CHECK(rule.info.type.find('.') != std::string::npos);
    CHECK(rule.info.summary.ends_with("."));
    CHECK_FALSE(rule.info.pitfalls.empty());
    for (const Field& field : rule.info.parameters) {
      CAPTURE(field.path);
      CHECK(field.section() == "sampler");
      CHECK(field.help.ends_with("."));
      CHECK_FALSE(checkValue(field, field.fallback));
    }
    CHECK(validate(specOf(rule), sampling::catalogue()).empty());
    CHECK(sampling::findRule(rule.info.type) == &rule);
  }
  CHECK(sampling::findRule("torch.NoSampler") == nullptr);
}

TEST_CASE("a rule's shape, key, order and slice fit together") {
  for (const sampling::SamplerRule& rule : sampling::rules()) {
    CAPTURE(rule.info.type);
    const PipelineSpec spec = specOf(rule);
    REQUIRE(rule.check(spec));
    for (Epoch epoch{0}; epoch.value < 3; ++epoch) {
      for (Rank rank{0}; rank.value < spec.worldSize(); ++rank) {
        const sampling::OrderKey key = rule.key(spec, epoch, rank);
        const auto order = rule.order(spec, key, {});
        REQUIRE(order);
        const Slice slice = rule.slice(spec, epoch, rank, *order);
        std::int64_t padding = 0;
        for (std::int64_t k = 0; k < slice.size(); ++k) {
          CHECK(slice.sample(k) >= 0);
          CHECK(slice.sample(k) < spec.dataset.size);
          padding += slice.isAdded(k) ? 1 : 0;
        }
        if (rule.shape == nullptr) continue;
        const sampling::SliceShape shape = rule.shape(spec, epoch, rank);
        CHECK(slice.size() == shape.count);
        CHECK(padding == shape.padding);
      }
    }
  }
}

TEST_CASE("rules without a shuffle say whether they read in order, truly") {
  for (const sampling::SamplerRule& rule : sampling::rules()) {
    CAPTURE(rule.info.type);
    const bool says =
        std::ranges::find(rule.info.parameters, "sampler.shuffle", &Field::path) != rule.info.parameters.end();
    if (says) {
      CHECK_FALSE(rule.in_order);
      continue;
    }
    const PipelineSpec spec = specOf(rule);
    bool sorted = true;  // in each epoch: a short list may be so in one of them by chance
    for (Epoch epoch{0}; epoch.value < 4; ++epoch) {
      const auto order = rule.order(spec, rule.key(spec, epoch, Rank{0}), {});
      REQUIRE(order);
      const Slice slice = rule.slice(spec, epoch, Rank{0}, *order);
      std::vector<SampleIndex> ids;
      for (std::int64_t k = 0; k < slice.size(); ++k) {
        if (!slice.isAdded(k)) ids.push_back(slice.sample(k));
      }
      sorted = sorted && std::ranges::is_sorted(ids);
    }
    const bool listed = rule.info.type == "python.list";  // its dataset is the list, whose order is anyone's
    CHECK(rule.in_order == (listed || sorted));
  }
}
