// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/plan/plan.h"
#include "core/sampling/recorded_lists.h"
#include "core/sampling/registry.h"
#include "core/spec/field_table.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace shardlens::test {

/// Draws small plans of every sampler, biased to the corners where counting goes wrong: nothing, one, fewer samples
/// than ranks, uneven tails, ranks told the wrong number.
class SmallSpecs {
 public:
  /// With `data` the dataset has labels, lengths and shards, lists repeat samples and weights may be 0.
  explicit SmallSpecs(std::uint64_t seed, bool data = false) : random_(seed), data_(data) {}

  /// From now on, nodes have different numbers of ranks.
  void drawUnequalNodes() { unequal_nodes_ = true; }

  /// The next spec that can be planned, in every epoch; of any sampler, or of this one, which may need `data`.
  Plan next(const sampling::SamplerRule* only = nullptr) {
    for (int tries = 0;; ++tries) {
      REQUIRE_MESSAGE(tries < 100'000, "no such spec can be planned");
      PipelineSpec spec = draw(only);
      CAPTURE(spec.sampler.type);
      if (auto plan = Plan::make(std::move(spec)); plan && drawsEveryEpoch(*plan)) return *std::move(plan);
    }
  }

  std::int64_t below(std::int64_t n) { return static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(n)); }

 private:
  /// Some samplers raise only while they iterate; some repeat samples so often that the plan is small no more.
  static bool drawsEveryEpoch(const Plan& plan) {
    for (Epoch epoch{0}; epoch.value < plan.epochs(); ++epoch) {
      const auto drawn = plan.epoch(epoch);
      if (!drawn || drawn->ranks.front().size() > 1000) return false;
    }
    return true;
  }

  PipelineSpec draw(const sampling::SamplerRule* only) {
    PipelineSpec spec;
    spec.dataset.size = below(4) == 0 ? below(6) : below(80);
    spec.world.nodes = 1 + below(3);
    spec.world.ranks_per_node = 1 + below(5);
    if (unequal_nodes_) drawNodes(spec.world);
    spec.loader.batch_size = 1 + below(below(3) == 0 ? 40 : 5);
    const bool has_workers = below(2) == 1;  // each compiler draws alike: one draw a statement
    spec.loader.num_workers = has_workers ? below(5) : 0;
    spec.loader.drop_last = below(2) == 0;
    spec.epochs = 1 + below(3);
    spec.seeds.base = below(5) - 2;
    spec.seeds.rule =
        std::vector<std::string>{"same", "base+rank", "base+local_rank", "base+rank+epoch", "unseeded"}[pick(5)];
    if (data_) drawData(spec);
    const auto rules = sampling::rules();
    const SamplerInfo& info = (only != nullptr ? *only : rules[pick(static_cast<std::int64_t>(rules.size()))]).info;
    spec.sampler.type = info.type;
    const bool lists = below(2) == 0;  // those that say nothing of samples only fit their own default
    for (const Field& field : info.parameters) {
      const bool is_list = field.kind == FieldKind::Indices || field.kind == FieldKind::Numbers;
      setValue(spec, field, is_list && !lists ? field.fallback : value(field, spec));
    }
    if (info.type == sampling::kRecordedBatches && spec.dataset.size > 0) drawRecorded(spec);
    return spec;
  }

  /// Batches of any sizes; `data_` lets samples repeat in an epoch.
  void drawRecorded(PipelineSpec& spec) {
    std::vector<std::int64_t> ids;
    std::vector<std::int64_t> sizes;
    std::vector<std::int64_t> counts;
    for (std::int64_t epoch = 0; epoch < spec.epochs; ++epoch) {
      std::int64_t unread = spec.dataset.size;
      for (std::int64_t rank = 0; rank < spec.worldSize(); ++rank) {
        counts.push_back(0);
        for (std::int64_t batch = below(4); batch > 0 && (data_ || unread > 0); --batch) {
          ++counts.back();
          sizes.push_back(data_ ? 1 + below(4) : std::min(unread, 1 + below(4)));
          for (std::int64_t i = sizes.back(); i > 0; --i) ids.push_back(data_ ? below(spec.dataset.size) : --unread);
        }
      }
    }
    sampling::setRecorded(spec, {ids, sizes, counts});
  }

  void drawNodes(PipelineSpec::World& world) {
    std::vector<std::int64_t> ranks = {1 + below(3), 1 + below(3)};
    if (below(2) == 0) ranks.push_back(1 + below(3));
    ranks.back() += ranks.back() == ranks.front() ? 1 : 0;
    world.ranks_per_node = RanksPerNode(ranks);
    world.countListedNodes();
  }

  void drawData(PipelineSpec& spec) {
    std::vector<std::int64_t> labels;
    std::vector<std::int64_t> lengths;
    std::vector<std::int64_t> shards;
    const std::int64_t classes = 1 + below(5);
    for (std::int64_t i = 0; i < spec.dataset.size; ++i) {
      labels.push_back(below(classes));
      lengths.push_back(1 + below(9));
    }
    if (below(4) > 0) {
      for (std::int64_t left = spec.dataset.size; left > 0; left -= shards.back()) {
        shards.push_back(std::min(left, 1 + below(8)));
      }
    }
    spec.dataset.labels = labels;
    spec.dataset.lengths = lengths;
    spec.dataset.shards = shards;
    spec.loader.persistent_workers = spec.loader.num_workers > 0 && below(2) == 0;
  }

  std::size_t pick(std::int64_t n) { return static_cast<std::size_t>(below(n)); }

  Value value(const Field& field, const PipelineSpec& spec) {
    if (field.kind == FieldKind::Bool) return below(2) == 0;
    if (field.kind == FieldKind::Indices) {
      // Each sample once: a list that repeats samples makes ranks share them whatever the sampler does.
      std::vector<std::int64_t> indices;
      for (std::int64_t i = below(30); i > 0 && spec.dataset.size > 0; --i) {
        const std::int64_t index = std::max(field.min, below(spec.dataset.size));
        if (data_ || std::find(indices.begin(), indices.end(), index) == indices.end()) indices.push_back(index);
      }
      return indices;
    }
    if (field.kind == FieldKind::Numbers) {
      std::vector<double> numbers;
      for (std::int64_t i = 0; i < spec.dataset.size; ++i)
        numbers.push_back(static_cast<double>((data_ ? 0 : 1) + below(5)));
      return numbers;
    }
    const bool by_name = field.kind == FieldKind::Choice || (field.kind == FieldKind::IntOrName && below(4) > 0);
    if (by_name)
      return below(2) == 0 ? Value(field.choices.front())
                           : Value(field.choices[pick(static_cast<std::int64_t>(field.choices.size()))]);
    if (field.kind == FieldKind::Int || field.kind == FieldKind::IntOrName) {
      const Value number = below(3) == 0 ? field.fallback : Value(below(12));
      return checkValue(field, number) ? field.fallback : number;
    }
    if (field.kind == FieldKind::Float && data_) {
      const Value number = std::vector<double>{0.3, 0.5, 1.0, 1.5, 2.0}[pick(5)];
      return checkValue(field, number) ? field.fallback : number;
    }
    return field.fallback;
  }

  std::mt19937_64 random_;
  bool data_ = false;
  bool unequal_nodes_ = false;
};

/// One line that says what a plan is about, for messages of failed checks.
inline std::string describe(const PipelineSpec& spec) {
  std::string out = spec.sampler.type + " n=" + std::to_string(spec.dataset.size) + " world=" + spec.world.text() +
                    " batch=" + std::to_string(spec.loader.batch_size) +
                    (spec.loader.drop_last ? " loader.drop_last" : "") +
                    " workers=" + std::to_string(spec.loader.num_workers) + " epochs=" + std::to_string(spec.epochs) +
                    " seeds=" + std::to_string(spec.seeds.base) + "," + spec.seeds.rule;
  for (const auto& [key, value] : spec.sampler.parameters) out += " " + key + "=" + valueText(value);
  return out;
}

}  // namespace shardlens::test
