// SPDX-License-Identifier: Apache-2.0
#include "core/collect/planned_batches.h"

#include "core/sampling/registry.h"
#include "core/yaml/spec_reader.h"

namespace shardlens {

PlannedBatches::PlannedBatches(const std::string& spec_yaml) {
  auto read = yaml::readSpec(spec_yaml, sampling::catalogue());
  spec_ = read.spec;
  if (!read.issues.empty()) {
    problem_ = read.issues.front().text();
    return;
  }
  auto plan = Plan::make(spec_);
  if (!plan) {
    problem_ = plan.error().text();
    return;
  }
  epoch_starts_.push_back(0);
  for (Epoch epoch{0}; epoch.value < plan->epochs(); ++epoch) {
    const auto shape = plan->epochShape(epoch);
    if (!shape) {
      problem_ = shape.error().text();
      return;
    }
    epoch_starts_.push_back(epoch_starts_.back() + shape->steps);
    for (const RankEpochShape& rank : shape->ranks) total_ += rank.batches;
  }
  plan_ = *std::move(plan);
}

std::int64_t PlannedBatches::globalStep(std::int64_t epoch, std::int64_t step) const {
  if (epoch < 0 || epoch >= static_cast<std::int64_t>(epoch_starts_.size())) return -1;
  return epoch_starts_[static_cast<std::size_t>(epoch)] + step;
}

}  // namespace shardlens
