// SPDX-License-Identifier: Apache-2.0
#include "core/audit/findings/rules.h"
#include "core/sampling/registry.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace shardlens::findings {

using sampling::SamplerTraits;

namespace {

constexpr std::int64_t kMostShapes = 1'000'000;  ///< (epoch, rank) pairs that are looked at

/// The batch counts of all epochs, as far as they were looked at.
struct AllEpochs {
  std::int64_t alike = 0;          ///< so many epochs, from the first, have the counts of the judged one
  std::optional<Lockstep> uneven;  ///< of the first epoch in which some rank has fewer batches than another
};

/// Of a plan whose audited epochs are in step. Where counting means to draw, it ends with the first epoch that differs.
AllEpochs allEpochs(const Facts& facts) {
  const Plan& plan = facts.plan();
  if (sampling::findRule(facts.spec().sampler.type)->same_shapes) return {plan.epochs(), std::nullopt};
  AllEpochs out;
  const std::int64_t most = std::max<std::int64_t>(1, kMostShapes / facts.worldSize());
  bool alike = true;
  for (Epoch epoch{0}; epoch.value < std::min(plan.epochs(), most); ++epoch) {
    const auto shape = plan.epochShape(epoch, facts.work());
    if (!shape || facts.work().stopped()) return out;
    Lockstep steps = lockstep(*shape);
    if (steps.fewest < steps.most) {
      out.uneven = std::move(steps);
      return out;
    }
    alike = alike && steps.most == facts.lockstep().most;
    if (alike) out.alike = epoch.value + 1;
    if (!alike && !plan.knowsShapes()) return out;
  }
  return out;
}

Finding inStep(const Facts& facts, std::int64_t alike) {
  words::InStep in_step;
  in_step.ranks = facts.worldSize();
  in_step.fewest = in_step.most = facts.lockstep().most;
  for (const AuditedEpoch& one : facts.epochs()) {
    in_step.fewest = std::min(in_step.fewest, one.shape.steps);
    in_step.most = std::max(in_step.most, one.shape.steps);
  }
  in_step.audited = facts.epochsAudited();
  if (alike > facts.epochs().back().shape.epoch.value) in_step.alike = alike;
  in_step.epochs = facts.plan().epochs();
  Finding finding = told("ok-lockstep", FindingTopic::Steps, Severity::Info, words::inStep(in_step));
  finding.is_proof = true;
  return finding;
}

bool isInStep(const AuditedEpoch& one) {
  const Lockstep steps = lockstep(one.shape);
  return steps.most > 0 && steps.fewest == steps.most;
}

std::vector<std::int64_t> ranksWithoutSamples(const Facts& facts) {
  std::vector<std::int64_t> ranks;
  for (std::int64_t rank = 0; rank < facts.worldSize(); ++rank) {
    if (facts.shape().ranks[static_cast<std::size_t>(rank)].samples == 0) ranks.push_back(rank);
  }
  return ranks;
}

std::string causeOfEmptiness(const Facts& facts) {
  if (facts.spec().dataset.size == 0) return "dataset.size";
  const auto& by = facts.coverage().missing_by;
  if (by[MissingCause::HandedOutBefore] + by[MissingCause::CountCarriedOver] > 0)
    return facts.fieldOf(&SamplerTraits::consumed);
  if (by[MissingCause::NotAmongIndices] > 0) return facts.fieldOf(&SamplerTraits::indices);
  return by[MissingCause::CutBySampler] > 0 ? facts.fieldOf(&SamplerTraits::drop_last) : "sampler.type";
}

/// Only training reduces gradients in each step; a prediction may be without any collective.
Severity severityOfWaiting(const Facts& facts) {
  if (facts.spec().framework.lightning.stage == "predict") return Severity::Info;
  return facts.evaluates() ? Severity::Warning : Severity::Error;
}

words::Waiting waitingOf(const Facts& facts) {
  return facts.evaluates() ? words::Waiting::AnyCollective : words::Waiting::AllReduce;
}

/// What the framework has against unequal batches that no field of a spec says: it is code around the training loop.
/// Lightning's Trainer has nothing of the kind.
words::Joining joiningOf(const Facts& facts) {
  const std::string& type = facts.spec().sampler.type;
  if (facts.evaluates() || type.starts_with("lightning.")) return words::Joining::None;
  return type.starts_with("accelerate.") ? words::Joining::Accelerate : words::Joining::Ddp;
}

bool isEmpty(const AuditedEpoch& one) {
  return std::ranges::all_of(one.shape.ranks, [](const RankEpochShape& rank) { return rank.samples == 0; });
}

/// Ranks that nobody waits for are no error; neither is an epoch without samples beside others that have some.
Severity severityOfEmptiness(const Facts& facts, const words::EmptyRanks& empty) {
  const bool all = static_cast<std::int64_t>(empty.ranks.size()) == empty.world;
  if (all) return std::ranges::all_of(facts.epochs(), isEmpty) ? severityOfWaiting(facts) : Severity::Warning;
  return empty.batches > 0 || !empty.waited_for ? Severity::Warning : severityOfWaiting(facts);
}

void putRanks(Finding& finding, std::vector<std::int64_t> ranks) {
  if (ranks.size() > kShownIds) ranks.resize(kShownIds);
  finding.where.ranks = std::move(ranks);
}

Finding unequal(const Facts& facts, const Lockstep& steps) {
  Finding finding =
      told("unequal-batches", FindingTopic::Steps, severityOfWaiting(facts),
           words::unequalBatches(steps.first_out, steps.fewest, steps.most, waitingOf(facts), joiningOf(facts)));
  putRanks(finding, steps.first_out);
  finding.where.epoch = steps.epoch;
  finding.where.step = steps.fewest;
  finding.where.field = "sampler.type";
  return finding;
}

}  // namespace

void unequalBatches(const Facts& facts, std::vector<Finding>& findings) {
  const Lockstep& steps = facts.lockstep();
  if (steps.most == 0) return;
  if (steps.fewest < steps.most) return findings.push_back(unequal(facts, steps));
  if (!std::ranges::all_of(facts.epochs(), isInStep)) return;
  const AllEpochs all = allEpochs(facts);
  if (!all.uneven) return findings.push_back(inStep(facts, all.alike));
  Finding finding = unequal(facts, *all.uneven);
  finding.message += words::firstSuchEpoch(all.uneven->epoch, facts.plan().epochs());
  findings.push_back(std::move(finding));
}

void emptyRanks(const Facts& facts, std::vector<Finding>& findings) {
  words::EmptyRanks empty;
  empty.ranks = ranksWithoutSamples(facts);
  if (empty.ranks.empty()) return;
  const Lockstep& steps = facts.lockstep();
  const bool stay_in_step = steps.most > 0 && steps.fewest == steps.most;
  empty.world = facts.worldSize();
  empty.samples = facts.spec().dataset.size;
  empty.batches = stay_in_step ? steps.most : 0;
  empty.field = causeOfEmptiness(facts);
  empty.waited_for = steps.most > 0;
  empty.read_before = facts.coverage().missing_by[MissingCause::HandedOutBefore] > 0;
  if (!facts.isAlwaysShapedSo()) empty.when = facts.shapesAlike();
  empty.dropped = !empty.read_before && facts.takes(&SamplerTraits::drop_last) &&
                  empty.field == facts.fieldOf(&SamplerTraits::drop_last);
  Finding finding = told("empty-ranks", FindingTopic::Steps, severityOfEmptiness(facts, empty),
                         words::emptyRanks(empty, waitingOf(facts)));
  finding.amount = static_cast<std::int64_t>(empty.ranks.size());
  finding.where.field = empty.field;
  putRanks(finding, std::move(empty.ranks));
  finding.where.epoch = facts.coverage().epoch;
  findings.push_back(std::move(finding));
}

void noBatches(const Facts& facts, std::vector<Finding>& findings) {
  const Lockstep& steps = facts.lockstep();
  const auto has_samples = [](const RankEpochShape& rank) { return rank.samples > 0; };
  // Where the loader cuts the batches, batch-larger-than-slice says so with a number.
  if (steps.most > 0 || facts.loaderCutsBatches() || std::ranges::none_of(facts.shape().ranks, has_samples)) return;
  Finding finding =
      told("no-batches", FindingTopic::Steps, Severity::Error,
           words::noBatches(steps.epoch, facts.spec().loader.batch_size, lostOf(facts, facts.coverage().missing)));
  finding.where.epoch = steps.epoch;
  finding.where.field = "loader.batch_size";
  findings.push_back(std::move(finding));
}

}  // namespace shardlens::findings
