// SPDX-License-Identifier: GPL-3.0-or-later
// Hand-made audits for tests of the tabs.
#pragma once

#include "core/audit/audit.h"

#include <memory>

namespace shardlens::ui {

/// 2 nodes x 4 ranks whose sampler got local_rank: pairs 0-4, 1-5, 2-6, 3-7 share everything.
inline std::shared_ptr<AuditReport> sharedSlices() {
  constexpr std::int64_t kRanks = 8;
  constexpr std::int64_t kEach = 320'292;
  auto report = std::make_shared<AuditReport>();
  report->ranks.size = kRanks;
  report->ranks.shared.assign(kRanks * kRanks, 0);
  for (std::int64_t rank = 0; rank < kRanks; ++rank) {
    report->ranks.shared[static_cast<std::size_t>(rank * kRanks + rank)] = kEach;
    report->ranks.shared[static_cast<std::size_t>(rank * kRanks + (rank + 4) % kRanks)] = kEach;
    report->ranks.same_as.push_back(rank % 4);
  }
  Ledger coverage;
  coverage.dataset_size = 1'281'167;
  coverage.duplicated = 1'281'167;
  coverage.repeats[RepeatCause::SamplerPadding] = 2;
  coverage.repeats[RepeatCause::OverlappingRanks] = 1'281'167;
  coverage.padding_ids = {12};
  report->coverage = {coverage};
  report->repeats = {0, 3, {0, 1, 0}};
  Finding finding;
  finding.code = "ranks-share-samples";
  finding.topic = FindingTopic::Ranks;
  finding.severity = Severity::Error;
  finding.why = "The sampler got local_rank, not rank.";
  finding.fixes = {Fix{"Use rank, world_size", {{"sampler.rank", std::string("rank")}}, {}}};
  report->findings = {finding};
  return report;
}

/// Two ranks that have one sample in common.
inline std::shared_ptr<AuditReport> oneShared(SampleIndex padding_id, SampleIndex duplicated_id) {
  auto report = std::make_shared<AuditReport>();
  report->ranks = {2, {4, 1, 1, 4}, {0, 1}};
  Ledger coverage;
  coverage.dataset_size = 7;
  coverage.duplicated = 1;
  coverage.duplicated_ids = {duplicated_id};
  const bool padding = padding_id == duplicated_id;
  coverage.repeats[padding ? RepeatCause::SamplerPadding : RepeatCause::OverlappingRanks] = 1;
  coverage.padding_ids = {padding_id};
  report->coverage = {coverage};
  report->repeats = {0, 1, {0}};
  return report;
}

}  // namespace shardlens::ui
