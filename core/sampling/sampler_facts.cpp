// SPDX-License-Identifier: Apache-2.0
#include "core/sampling/sampler_facts.h"

#include "core/base/phrase.h"
#include "core/sampling/registry.h"
#include "core/sampling/starter.h"
#include "core/spec/field_table.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <variant>

namespace shardlens::sampling {
namespace {

constexpr std::array kTitles = {
    FrameworkTitle{"torch", "PyTorch"},
    FrameworkTitle{"python", "PyTorch"},
    FrameworkTitle{"lightning", "Lightning"},
    FrameworkTitle{"accelerate", "Accelerate"},
    FrameworkTitle{"transformers", "Transformers"},
    FrameworkTitle{"megatron", "Megatron-LM"},
    FrameworkTitle{"megatron_bridge", "Megatron-Bridge"},
    FrameworkTitle{"timm", "timm"},
    FrameworkTitle{"detectron2", "detectron2"},
    FrameworkTitle{"mmengine", "MMEngine"},
    FrameworkTitle{"mmdet", "MMDetection"},
    FrameworkTitle{"torchdata", "torchdata"},
    FrameworkTitle{"datasets", "Datasets"},
    FrameworkTitle{"streaming", "Streaming"},
    FrameworkTitle{"webdataset", "WebDataset"},
    FrameworkTitle{"grain", "Grain"},
    FrameworkTitle{"fairseq", "fairseq"},
    FrameworkTitle{"trl", "TRL"},
    FrameworkTitle{"ignite", "Ignite"},
    FrameworkTitle{"monai", "MONAI"},
    FrameworkTitle{"yolov5", "YOLOv5"},
    FrameworkTitle{"composer", "Composer"},
    FrameworkTitle{"paddle", "Paddle"},
    FrameworkTitle{"litdata", "litData"},
    FrameworkTitle{"olmo_core", "OLMo-core"},
    FrameworkTitle{"ffcv", "FFCV"},
    FrameworkTitle{"deepspeed", "DeepSpeed"},
    FrameworkTitle{"nanogpt", "nanoGPT"},
    FrameworkTitle{"llmc", "llm.c"},
    FrameworkTitle{"catalyst", "Catalyst"},
    FrameworkTitle{"meanteacher", marked("samplers", "Semi-supervised")},
    FrameworkTitle{"ssl4mis", marked("samplers", "Semi-supervised")},
    FrameworkTitle{"shardlens", marked("samplers", "Semi-supervised")},
    FrameworkTitle{"imbalanced", marked("samplers", "Class balance")},
    FrameworkTitle{"pytorch_metric_learning", marked("samplers", "Metric learning")},
    FrameworkTitle{"recorded", marked("samplers", "Recorded")},
};

/// The names that needName() gives, for the translation.
[[maybe_unused]] constexpr std::array kNeeds = {
    marked("samplers", "labels"),  marked("samplers", "lengths"),        marked("samplers", "shards"),
    marked("samplers", "weights"), marked("samplers", "repeat factors"), marked("samplers", "aspect ratios"),
};

constexpr std::int64_t kExampleSamples = 16;

/// The ids that rank 0 draws from in epoch 0; nothing where the spec raises.
std::optional<std::vector<SampleIndex>> idsOf(const SamplerRule& rule, const PipelineSpec& spec) {
  if (!rule.check(spec)) return std::nullopt;
  const auto order = rule.order(spec, rule.key(spec, Epoch{0}, Rank{0}), {});
  if (!order) return std::nullopt;
  std::vector<SampleIndex> ids;
  for (std::int64_t i = 0; i < (*order)->size(); ++i) ids.push_back((**order)[i]);
  return ids;
}

/// A list that a pattern may stand in for ("uniform"), and that decides what is drawn.
bool isDrawnBy(const SamplerRule& rule, const PipelineSpec& spec, const Field& field) {
  if (field.kind != FieldKind::Numbers || field.choices.empty()) return false;
  std::vector<double> uneven;
  for (std::int64_t i = 0; i < spec.dataset.size; ++i) uneven.push_back(1.0 + static_cast<double>(i % 4));
  PipelineSpec other = spec;
  setValue(other, field, NumberList(std::move(uneven)));
  const auto ids = idsOf(rule, other);
  return ids && ids != idsOf(rule, spec);
}

/// "labels" of dataset.labels; of the sampler's own lists of numbers, what they are.
std::string needName(const std::string& path) {
  std::string name = path.substr(path.rfind('.') + 1);
  std::ranges::replace(name, '_', ' ');
  return name;
}

/// Those of the examples that the sampler hands out nothing without.
std::vector<Edit> neededOf(const PipelineSpec& spec) {
  std::vector<Edit> needed = starterEdits(spec);
  for (std::size_t i = 0; i < needed.size();) {
    std::vector<Edit> others = needed;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    const auto without = applyEdits(spec, others, catalogue());
    if (!without || !starterEdits(*without).empty()) {
      ++i;
    } else {
      needed = std::move(others);
    }
  }
  return needed;
}

}  // namespace

std::span<const FrameworkTitle> frameworkTitles() {
  return kTitles;
}

std::string_view frameworkTitle(std::string_view framework) {
  const auto found = std::ranges::find(kTitles, framework, &FrameworkTitle::framework);
  return found == kTitles.end() ? framework : found->title;
}

PipelineSpec exampleSpec(const std::string& type) {
  PipelineSpec spec;
  spec.name = "example";
  spec.dataset.size = kExampleSamples;
  spec.loader.batch_size = 2;
  spec.sampler.type = type;
  return spec;
}

SamplerFacts factsOf(const SamplerRule& rule) {
  const PipelineSpec bare = exampleSpec(rule.info.type);
  SamplerFacts facts;
  std::size_t lists = 0;
  for (const Edit& edit : neededOf(bare)) {
    if (!std::holds_alternative<IndexList>(edit.value)) continue;
    if (edit.path.starts_with("sampler.")) {
      ++lists;
    } else {
      facts.needs.push_back(needName(edit.path));
    }
  }
  if (lists > 0)
    facts.needs.emplace_back(lists == 1   ? marked("samplers", "a list")
                             : lists == 2 ? marked("samplers", "two lists")
                                          : marked("samplers", "three lists"));
  const auto filled = applyEdits(bare, starterEdits(bare), catalogue());
  const PipelineSpec& spec = filled ? *filled : bare;
  for (const Field& field : rule.info.parameters) {
    if (isDrawnBy(rule, spec, field)) facts.needs.push_back(needName(field.path));
  }
  const SamplerClaims claims = rule.claims(spec);
  facts.divides = claims.divides;
  facts.evaluates = claims.evaluates;
  return facts;
}

std::string_view ranksText(const SamplerFacts& facts) {
  return facts.divides ? "divides among ranks" : "all on every rank";
}

}  // namespace shardlens::sampling
