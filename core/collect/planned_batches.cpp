// SPDX-License-Identifier: Apache-2.0
#include "core/collect/planned_batches.h"

#include "core/sampling/registry.h"
#include "core/yaml/spec_reader.h"

#include <algorithm>

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

ProofRecorder::ProofRecorder(std::int64_t ranks)
    : ranks_(ranks), ring_(static_cast<std::size_t>(kWindow * ranks), BatchMark::Unknown) {}

std::size_t ProofRecorder::column(std::int64_t global_step) const {
  return static_cast<std::size_t>(global_step % kWindow * ranks_);
}

void ProofRecorder::add(std::int64_t rank, std::int64_t global_step, bool matches) {
  if (rank < 0 || rank >= ranks_ || global_step < 0 || global_step <= newest_ - kWindow) return;
  for (std::int64_t step = std::max(newest_ + 1, global_step - kWindow + 1); step <= global_step; ++step)
    std::fill_n(ring_.begin() + static_cast<std::ptrdiff_t>(column(step)), ranks_, BatchMark::Unknown);
  newest_ = std::max(newest_, global_step);
  BatchMark& mark = ring_[column(global_step) + static_cast<std::size_t>(rank)];
  if (mark != BatchMark::Mismatch) mark = matches ? BatchMark::Match : BatchMark::Mismatch;
}

void ProofRecorder::forget(std::int64_t rank) {
  if (rank < 0 || rank >= ranks_) return;
  for (std::int64_t step = 0; step < kWindow; ++step)
    ring_[column(step) + static_cast<std::size_t>(rank)] = BatchMark::Unknown;
}

BatchProof ProofRecorder::recent() const {
  BatchProof proof;
  proof.ranks = ranks_;
  proof.first_step = std::max<std::int64_t>(0, newest_ + 1 - kWindow);
  proof.steps = newest_ + 1 - proof.first_step;
  proof.marks.reserve(static_cast<std::size_t>(proof.steps * ranks_));
  for (std::int64_t step = proof.first_step; step <= newest_; ++step) {
    const auto first = ring_.begin() + static_cast<std::ptrdiff_t>(column(step));
    proof.marks.insert(proof.marks.end(), first, first + ranks_);
  }
  return proof;
}

}  // namespace shardlens
