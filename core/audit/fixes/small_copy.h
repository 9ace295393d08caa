// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/sampling/sampler_rule.h"
#include "core/spec/pipeline_spec.h"

#include <array>
#include <cstdint>
#include <optional>

namespace shardlens::fixes {

/// A spec over two smaller datasets with the same remainders: the second is one period larger than the first, the
/// spec's own `periods` periods.
struct SmallCopies {
  std::array<PipelineSpec, 2> specs;
  std::int64_t periods = 0;
};

/// Whether places alone decide how often samples are read, and not chance: the counts of every epoch are then alike.
bool countsByPlaces(const sampling::SamplerRule& rule, const PipelineSpec& spec);

/// The copies of a large spec of which countsByPlaces() holds; nothing of others, or when the copies would save little.
std::optional<SmallCopies> smallCopies(const PipelineSpec& spec);

}  // namespace shardlens::fixes
