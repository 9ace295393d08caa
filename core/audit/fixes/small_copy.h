// SPDX-License-Identifier: Apache-2.0
#pragma once

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

/// The copies of a large spec whose ranks read evenly. Nothing when they do not (SamplerRule::reads_evenly), or when
/// the copies would save little.
std::optional<SmallCopies> smallCopies(const PipelineSpec& spec);

}  // namespace shardlens::fixes
