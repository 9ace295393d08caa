// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/lens/report.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

namespace shardlens::test {

inline LensReport lensReportOf(const PipelineSpec& spec, const LensQuestion& question = {}) {
  auto report = lensReport(spec, question);
  REQUIRE(report);
  return *std::move(report);
}

inline const JudgedColumn& columnOf(const LensReport& report, const std::string& id) {
  const auto found =
      std::ranges::find_if(report.columns, [&](const JudgedColumn& judged) { return judged.column.id == id; });
  REQUIRE(found != report.columns.end());
  return *found;
}

}  // namespace shardlens::test
