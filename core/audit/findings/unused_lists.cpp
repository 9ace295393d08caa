// SPDX-License-Identifier: Apache-2.0
#include "core/audit/findings/rules.h"
#include "core/sampling/sampler_rule.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace shardlens::findings {

/// Lists about the samples that the sampler does not say it reads.
void unusedLists(const Facts& facts, std::vector<Finding>& findings) {
  const auto& dataset = facts.spec().dataset;
  const std::array lists = {std::pair("dataset.shards", dataset.shards.empty()),
                            std::pair("dataset.lengths", dataset.lengths.empty()),
                            std::pair("dataset.labels", dataset.labels.empty())};
  const std::vector<std::string>& reads = facts.plan().rule().info.reads;
  std::vector<std::string> unused;
  for (const auto& [field, is_empty] : lists) {
    if (!is_empty && std::ranges::find(reads, field) == reads.end()) unused.emplace_back(field);
  }
  if (unused.empty()) return;
  Finding finding =
      told("unused-list", FindingTopic::Batches, Severity::Info, words::unusedLists(unused, facts.spec().sampler.type));
  finding.where.field = unused.front();
  findings.push_back(std::move(finding));
}

}  // namespace shardlens::findings
