// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/spec/edit.h"
#include "core/spec/pipeline_spec.h"

#include <vector>

namespace shardlens::sampling {

/// Above this many samples no examples are made: the user then has their own lists.
constexpr std::int64_t kMostExamples = 1'000'000;

/// Edits that fill in what the spec's sampler needs and the spec does not have, so that a new design
/// can be planned: ten classes as labels, lengths from 8 to 512, two halves of the dataset, two shards for
/// each worker, no rounding down to nothing. Empty when nothing is missing, and when examples would not help.
std::vector<Edit> starterEdits(const PipelineSpec& spec);

/// What the list at `path` is, where its items are the ones that starterEdits() fills in for a dataset of this size:
/// "the first half of the dataset", "ten classes in turn"; empty when they are not. Looks at items until one differs.
std::string exampleText(const PipelineSpec& spec, const std::string& path);

}  // namespace shardlens::sampling
