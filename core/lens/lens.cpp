// SPDX-License-Identifier: Apache-2.0
#include "core/lens/lens.h"

#include "core/lens/columns/columns.h"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace shardlens {
namespace {

/// Every framework, in the order of the columns.
constexpr lenses::Lens kLenses[] = {
    lenses::asWritten,  lenses::lightning, lenses::accelerate, lenses::transformers, lenses::torchdata,
    lenses::datasets,   lenses::deepSpeed, lenses::megatron,   lenses::mmengine,     lenses::timm,
    lenses::detectron2, lenses::grain,     lenses::streaming,  lenses::webdataset,   lenses::fairseq,
};

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

}  // namespace

bool isUsualColumn(const std::string& id) {
  return std::ranges::find(kUsual, id) != std::ranges::end(kUsual);
}

std::vector<LensColumn> lensColumns(const PipelineSpec& spec) {
  std::vector<LensColumn> columns;
  for (const lenses::Lens lens : kLenses) std::ranges::move(lens(spec), std::back_inserter(columns));
  std::ranges::for_each(columns, sortNotes);
  return columns;
}

}  // namespace shardlens
