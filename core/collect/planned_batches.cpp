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
  plan_ = *std::move(plan);
  epoch_starts_.push_back(0);
  for (std::int64_t epoch = 0; epoch < plan_->epochs(); ++epoch) {
    epoch_starts_.push_back(epoch_starts_.back() + plan_->steps(Epoch{epoch}));
    for (std::int64_t rank = 0; rank < plan_->worldSize(); ++rank) {
      total_ += plan_->shape(Epoch{epoch}, Rank{rank}).batches;
    }
  }
}

std::int64_t PlannedBatches::globalStep(std::int64_t epoch, std::int64_t step) const {
  if (epoch < 0 || epoch >= static_cast<std::int64_t>(epoch_starts_.size())) return -1;
  return epoch_starts_[static_cast<std::size_t>(epoch)] + step;
}

}  // namespace shardlens
