// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/resume/report.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace shardlens::test {

/// A sampler over so many samples on so many ranks of a node, in batches of 2.
inline PipelineSpec sampledBy(const std::string& type, std::int64_t size, std::int64_t ranks, std::int64_t epochs) {
  PipelineSpec spec;
  spec.dataset.size = size;
  spec.world = {1, ranks};
  spec.loader.batch_size = 2;
  spec.sampler = {type, {}};
  spec.epochs = epochs;
  return spec;
}

inline JudgedWay wayIn(const std::vector<JudgedWay>& ways, const std::string& id) {
  CAPTURE(id);
  const auto found = std::ranges::find(ways, id, [](const JudgedWay& judged) { return judged.way.id; });
  REQUIRE(found != ways.end());
  return *found;
}

}  // namespace shardlens::test
