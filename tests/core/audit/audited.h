// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/audit/audit.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace shardlens::test {

inline AuditReport reportOf(const PipelineSpec& spec, const AuditOptions& options = {}) {
  const auto plan = Plan::make(spec);
  REQUIRE_MESSAGE(plan, plan.error().text());
  auto report = audit(*plan, options);
  REQUIRE(report);
  return *std::move(report);
}

/// Null where the report has none with this code.
inline const Finding* find(const AuditReport& report, std::string_view code) {
  const auto found = std::ranges::find(report.findings, code, &Finding::code);
  return found == report.findings.end() ? nullptr : &*found;
}

inline Finding need(const AuditReport& report, std::string_view code) {
  CAPTURE(code);
  const Finding* const found = find(report, code);
  REQUIRE(found != nullptr);
  return *found;
}

}  // namespace shardlens::test
