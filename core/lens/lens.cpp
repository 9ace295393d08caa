// SPDX-License-Identifier: Apache-2.0
#include "core/lens/lens.h"

#include "core/base/phrase.h"
#include "core/lens/columns/columns.h"
#include "core/sampling/registry.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace shardlens {
namespace {

/// The columns of one framework.
struct Framework {
  std::string_view name;  ///< of its first column
  const char* family;     ///< marked, for the translation
  lenses::Lens lens;
};

constexpr const char* kLoops = marked("lens", "Training loops");
constexpr const char* kModels = marked("lens", "Large models");
constexpr const char* kVision = marked("lens", "Vision");
constexpr const char* kStreams = marked("lens", "Streamed datasets");
constexpr const char* kLoaders = marked("lens", "Loaders");
constexpr const char* kNearest = marked("lens", "For this design");

/// Every framework, family by family.
constexpr Framework kFrameworks[] = {
    {"lightning", kLoops, lenses::lightning},
    {"accelerate", kLoops, lenses::accelerate},
    {"transformers", kLoops, lenses::transformers},
    {"ignite", kLoops, lenses::ignite},
    {"deepspeed", kModels, lenses::deepSpeed},
    {"megatron", kModels, lenses::megatron},
    {"megatron_bridge", kModels, lenses::megatronBridge},
    {"fairseq", kModels, lenses::fairseq},
    {"mmengine", kVision, lenses::mmengine},
    {"timm", kVision, lenses::timm},
    {"detectron2", kVision, lenses::detectron2},
    {"datasets", kStreams, lenses::datasets},
    {"streaming", kStreams, lenses::streaming},
    {"webdataset", kStreams, lenses::webdataset},
    {"torchdata", kLoaders, lenses::torchdata},
    {"grain", kLoaders, lenses::grain},
};

constexpr std::size_t kNearestCount = 5;

/// The frameworks that matter most for the design: the one that its sampler is made for, and those whose loops most
/// people run with such a sampler.
std::vector<std::string_view> nearestTo(const PipelineSpec& spec) {
  constexpr std::array<std::string_view, 5> kOfSamplers = {"lightning", "accelerate", "transformers", "ignite",
                                                           "deepspeed"};
  constexpr std::array<std::string_view, 5> kOfStreams = {"accelerate", "transformers", "datasets", "webdataset",
                                                          "streaming"};
  const sampling::SamplerRule* rule = sampling::findRule(spec.sampler.type);
  const bool stream = rule != nullptr && rule->claims(spec).is_stream;
  std::vector<std::string_view> nearest;
  const auto own = std::ranges::find(kFrameworks, sampling::frameworkOf(spec.sampler.type), &Framework::name);
  if (own != std::ranges::end(kFrameworks)) nearest.push_back(own->name);
  for (const std::string_view name : stream ? kOfStreams : kOfSamplers) {
    if (nearest.size() < kNearestCount && std::ranges::find(nearest, name) == nearest.end()) nearest.push_back(name);
  }
  return nearest;
}

/// Columns that are shown before anybody chose.
constexpr std::string_view kUsual[] = {
    "as-written",
    "lightning",
    "lightning-off",
    "lightning-newer",
    "lightning-batch-sampler",
    "lightning-distributed-sampler",
    "accelerate",
    "accelerate-shuffle",
    "transformers",
};

void sortNotes(LensColumn& column) {
  std::ranges::stable_sort(column.notes, {}, [](const Note& note) { return static_cast<int>(note.severity); });
}

/// Whether it is known which samples the framework gives to ranks that divide one copy of the model.
bool knowsGroups(const Framework& framework) {
  return framework.name == "megatron" || framework.name == "megatron_bridge";
}

/// A column of a framework of which that is not known.
LensColumn withoutGroups(LensColumn column, const PipelineSpec& spec) {
  LensColumn open;
  open.id = std::move(column.id);
  open.title = std::move(column.title);
  open.family = std::move(column.family);
  lenses::leaveOpen(open, spec, worded("lens", "ShardLens does not model how it deals to the groups of world.groups"));
  return open;
}

}  // namespace

bool isUsualColumn(const std::string& id) {
  return std::ranges::find(kUsual, id) != std::ranges::end(kUsual);
}

std::vector<LensColumn> lensColumns(const PipelineSpec& spec) {
  std::vector<LensColumn> columns = lenses::asWritten(spec);
  const bool has_groups = spec.world.groups.ranksOfModel() > 1;
  const auto add = [&](const Framework& framework, const char* family) {
    for (LensColumn& column : framework.lens(spec)) {
      column.family = worded("lens", family);
      const bool is_open = has_groups && !knowsGroups(framework);
      columns.push_back(is_open ? withoutGroups(std::move(column), spec) : std::move(column));
    }
  };
  const std::vector<std::string_view> nearest = nearestTo(spec);
  for (const std::string_view name : nearest) add(*std::ranges::find(kFrameworks, name, &Framework::name), kNearest);
  for (const Framework& framework : kFrameworks) {
    if (std::ranges::find(nearest, framework.name) == nearest.end()) add(framework, framework.family);
  }
  std::ranges::for_each(columns, sortNotes);
  return columns;
}

}  // namespace shardlens
