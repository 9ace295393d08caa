// SPDX-License-Identifier: Apache-2.0
#include "core/audit/findings/rules.h"
#include "core/sampling/registry.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace shardlens::findings {

using sampling::SamplerTraits;

namespace {

constexpr std::int64_t kMostShapes = 1'000'000;  ///< (epoch, rank) pairs that are looked at

constexpr std::int64_t kMostDrawn = 1'000'000;  ///< items that are drawn to count those of later epochs

/// The batch counts of the epochs from the first on, as far as they were looked at.
struct AllEpochs {
  std::int64_t in_step = 0;  ///< so many epochs of those that may run, in which all ranks have equally many batches
  std::int64_t fewest = 0, most = 0;  ///< batches of a rank, over these epochs
  std::optional<Lockstep> uneven;     ///< of the first epoch in which some rank has fewer batches than another
};

/// Of a plan whose audited epochs are in step. Where counting means to draw, it looks as far as that is quick.
AllEpochs allEpochs(const Facts& facts) {
  const Plan& plan = facts.plan();
  const std::int64_t judged = facts.lockstep().most;
  const std::int64_t first = facts.report().repeats.first_epoch;
  AllEpochs out{0, judged, judged, {}};
  if (plan.rule().same_shapes) out.in_step = plan.epochs() - first;
  const std::int64_t last = std::min(plan.epochs() - first, std::max<std::int64_t>(1, kMostShapes / facts.worldSize()));
  std::int64_t drawn = 0;
  while (out.in_step < last && drawn <= kMostDrawn) {
    const auto shape = plan.epochShape(Epoch{first + out.in_step}, facts.work());
    if (!shape || facts.work().stopped()) return out;
    Lockstep steps = lockstep(*shape);
    if (steps.fewest < steps.most) {
      out.uneven = std::move(steps);
      return out;
    }
    out.fewest = std::min(out.fewest, steps.most);
    out.most = std::max(out.most, steps.most);
    ++out.in_step;
    if (plan.knowsShapes()) continue;
    for (const RankEpochShape& rank : shape->ranks) drawn += rank.samples;
    drawn += facts.spec().dataset.size / 100;  // an epoch costs something even if its ranks get nothing
  }
  return out;
}

Finding inStep(const Facts& facts, const AllEpochs& all) {
  words::InStep in_step;
  in_step.ranks = facts.worldSize();
  in_step.fewest = in_step.most = facts.lockstep().most;
  for (const AuditedEpoch& one : facts.epochs()) {
    in_step.fewest = std::min(in_step.fewest, one.shape.steps);
    in_step.most = std::max(in_step.most, one.shape.steps);
  }
  in_step.audited = facts.epochsAudited();
  const bool are_all = facts.report().repeats.first_epoch == 0;  // else the audited ones are named
  if (are_all && all.in_step > facts.epochs().back().shape.epoch.value) {
    in_step.counted = all.in_step;
    in_step.fewest = all.fewest;
    in_step.most = all.most;
  }
  in_step.epochs = facts.allEpochs();
  Finding finding = told("ok-lockstep", FindingTopic::Steps, Severity::Info, words::inStep(in_step));
  if (facts.dataParallelSize() < facts.worldSize()) finding.why.clear();  // groups have collectives of their own
  finding.is_proof = true;
  return finding;
}

bool isInStep(const AuditedEpoch& one) {
  const Lockstep steps = lockstep(one.shape);
  return steps.fewest == steps.most;
}

bool hasBatches(const AuditedEpoch& one) {
  return one.shape.steps > 0;
}

std::vector<std::int64_t> ranksWithoutSamples(const EpochShape& shape) {
  std::vector<std::int64_t> ranks;
  for (std::size_t rank = 0; rank < shape.ranks.size(); ++rank) {
    if (shape.ranks[rank].samples == 0) ranks.push_back(static_cast<std::int64_t>(rank));
  }
  return ranks;
}

/// Whether ranks draw samples and keep them for a batch of a later epoch.
bool waitsForBatch(const Facts& facts) {
  return facts.coverage().missing_by[MissingCause::WaitingInBuffer] > 0 && facts.takes(&SamplerTraits::per_epoch);
}

bool isEmpty(const EpochShape& shape) {
  return std::ranges::all_of(shape.ranks, [](const RankEpochShape& rank) { return rank.samples == 0; });
}

std::string causeOfEmptiness(const Facts& facts) {
  if (facts.spec().dataset.size == 0) return "dataset.size";
  const auto& by = facts.coverage().missing_by;
  if (by[MissingCause::NoWholeStep] > 0) return facts.fieldOf(&SamplerTraits::global_batch);
  if (!isEmpty(facts.shape()) && facts.spec().dataset.size < facts.dataParallelSize()) return "sampler.type";
  // Where more is missing than what was read before, that alone leaves no rank without samples.
  if (by[MissingCause::HandedOutBefore] + by[MissingCause::CountCarriedOver] == facts.coverage().missing &&
      facts.coverage().missing > 0)
    return facts.fieldOf(&SamplerTraits::consumed);
  if (by[MissingCause::NotAmongIndices] > 0) return facts.fieldOf(&SamplerTraits::indices);
  if (waitsForBatch(facts)) return facts.fieldOf(&SamplerTraits::per_epoch);
  const bool drops = by[MissingCause::CutBySampler] > 0 && facts.isOn(&SamplerTraits::drop_last);
  if (drops) return facts.fieldOf(&SamplerTraits::drop_last);
  // Where some rank has samples, what the loader cuts is not what the others lack.
  return isEmpty(facts.shape()) && by[MissingCause::CutByLoader] > 0 ? "loader.drop_last" : "sampler.type";
}

/// Only training reduces gradients in each step; a prediction may be without any collective.
Severity severityOfWaiting(const Facts& facts) {
  if (facts.spec().framework.lightning.stage == "predict") return Severity::Info;
  return facts.evaluates() ? Severity::Warning : Severity::Error;
}

/// What the framework has against unequal batches that no field of a spec says: it is code around the training loop.
/// Lightning's Trainer has nothing of the kind.
words::Joining joiningOf(const Facts& facts) {
  const sampling::LoopOwner loop = sampling::traitsOf(facts.spec()).loop;
  if (facts.evaluates() || loop == sampling::LoopOwner::Lightning) return words::Joining::None;
  return loop == sampling::LoopOwner::Accelerate ? words::Joining::Accelerate : words::Joining::Ddp;
}

/// Ranks that nobody waits for are no error; neither is an epoch without samples beside others that have some.
Severity severityOfEmptiness(const Facts& facts, const words::EmptyRanks& empty) {
  const bool all = static_cast<std::int64_t>(empty.ranks.size()) == empty.world;
  if (all)
    return std::ranges::all_of(facts.epochs(), isEmpty, &AuditedEpoch::shape) ? severityOfWaiting(facts)
                                                                              : Severity::Warning;
  return empty.batches > 0 || !empty.waited_for ? Severity::Warning : severityOfWaiting(facts);
}

/// Batches without a sample, of ranks that have samples.
words::EmptyBatches emptyBatchesOf(const Facts& facts) {
  words::EmptyBatches empty;
  std::int64_t looked_at = 0;
  for (Rank rank{0}; rank.value < facts.worldSize() && looked_at < kMostShapes; ++rank) {
    const RankEpochShape& shape = facts.shape().ranks[static_cast<std::size_t>(rank.value)];
    looked_at += shape.batches + 1;
    if (shape.samples == 0 || shape.batches == 0) continue;
    const auto items = facts.plan().rankEpoch(facts.epoch(), rank, facts.work());
    if (!items) return {};
    for (Step step{0}; step.value < shape.batches; ++step) {
      const RankEpoch::Range batch = items->batch(step);
      if (batch.size() > 0) continue;
      if (empty.batches++ > 0) continue;
      empty.rank = rank.value;
      empty.step = step.value;
    }
  }
  return empty;
}

Finding unequal(const Facts& facts, const Lockstep& steps) {
  const auto is_later = [&](std::int64_t batches) { return batches > steps.fewest && batches < steps.most; };
  const words::RunOut out{steps.first_out, steps.fewest, steps.most, facts.worldSize(),
                          std::ranges::any_of(steps.batches, is_later)};
  Finding finding = told("unequal-batches", FindingTopic::Steps, severityOfWaiting(facts),
                         words::unequalBatches(out, joiningOf(facts)));
  finding.is_of_waiting = true;
  finding.where.ranks = steps.first_out;
  finding.where.example = {steps.first_out.front()};
  finding.where.epoch = steps.epoch;
  finding.where.step = steps.fewest;
  finding.where.field = "sampler.type";
  return finding;
}

}  // namespace

void unequalBatches(const Facts& facts, std::vector<Finding>& findings) {
  const Lockstep& steps = facts.lockstep();
  if (steps.fewest < steps.most) return findings.push_back(unequal(facts, steps));
  if (!std::ranges::all_of(facts.epochs(), isInStep)) return;
  const AllEpochs all = allEpochs(facts);
  if (!all.uneven) {
    if (std::ranges::all_of(facts.epochs(), hasBatches)) findings.push_back(inStep(facts, all));
    return;
  }
  Finding finding = unequal(facts, *all.uneven);
  finding.message += words::firstSuchEpoch(all.uneven->epoch, facts.allEpochs());
  findings.push_back(std::move(finding));
}

void emptyRanks(const Facts& facts, std::vector<Finding>& findings) {
  words::EmptyRanks empty;
  empty.ranks = ranksWithoutSamples(facts.shape());
  if (empty.ranks.empty()) return;
  const Lockstep& steps = facts.lockstep();
  const bool stay_in_step = steps.most > 0 && steps.fewest == steps.most;
  empty.world = facts.worldSize();
  empty.samples = facts.spec().dataset.size;
  empty.batches = stay_in_step ? steps.most : 0;
  empty.recorded = facts.claims().is_recorded;
  if (!empty.recorded) empty.field = causeOfEmptiness(facts);
  empty.waited_for = steps.most > 0;
  empty.waiting = waitsForBatch(facts);
  empty.read_before = facts.coverage().missing_by[MissingCause::HandedOutBefore] > 0 &&
                      empty.field == facts.fieldOf(&SamplerTraits::consumed);
  empty.when = facts.epochsLike([&](const EpochShape& shape) {
    const Lockstep there = lockstep(shape);
    const bool as_late = (there.most > 0) == empty.waited_for && (!stay_in_step || there.batches == steps.batches);
    return ranksWithoutSamples(shape) == empty.ranks && as_late;
  });
  empty.dropped = !empty.read_before && facts.takes(&SamplerTraits::drop_last) &&
                  empty.field == facts.fieldOf(&SamplerTraits::drop_last);
  empty.cut = empty.field == "loader.drop_last";
  const bool few = empty.samples < facts.dataParallelSize() || empty.samples < facts.claims().slices;
  empty.few = few && (empty.dropped || empty.field == "sampler.type");
  Finding finding =
      told("empty-ranks", FindingTopic::Steps, severityOfEmptiness(facts, empty), words::emptyRanks(empty));
  finding.is_of_waiting = true;
  finding.amount = static_cast<std::int64_t>(empty.ranks.size());
  finding.where.field = empty.field;
  finding.where.example = {empty.ranks.front()};
  finding.where.ranks = std::move(empty.ranks);
  finding.where.epoch = facts.coverage().epoch;
  findings.push_back(std::move(finding));
}

/// The loader itself cuts no empty batch.
void emptyBatches(const Facts& facts, std::vector<Finding>& findings) {
  if (facts.loaderCutsBatches()) return;
  const words::EmptyBatches empty = emptyBatchesOf(facts);
  if (empty.batches == 0) return;
  Finding finding = told("empty-batches", FindingTopic::Steps, Severity::Error, words::emptyBatches(empty));
  finding.amount = empty.batches;
  finding.where.ranks = finding.where.example = {empty.rank};
  finding.where.epoch = facts.coverage().epoch;
  finding.where.step = empty.step;
  finding.where.field = "sampler.type";
  findings.push_back(std::move(finding));
}

void noBatches(const Facts& facts, std::vector<Finding>& findings) {
  const Lockstep& steps = facts.lockstep();
  const auto has_samples = [](const RankEpochShape& rank) { return rank.samples > 0; };
  // Where the loader cuts the batches, batch-larger-than-slice says so with a number.
  if (steps.most > 0 || facts.loaderCutsBatches() || std::ranges::none_of(facts.shape().ranks, has_samples)) return;
  Finding finding = told("no-batches", FindingTopic::Steps, Severity::Error,
                         words::noBatches(facts.spec().loader.batch_size, lostOf(facts, MissingCauseSet().set())));
  finding.where.epoch = steps.epoch;
  finding.where.field = "loader.batch_size";
  findings.push_back(std::move(finding));
}

void scheduleHangs(const Facts& facts, std::vector<Finding>& findings) {
  if (!facts.report().hang) return;
  const schedule::Hang& found = *facts.report().hang;
  Finding finding = told("schedule-hangs", FindingTopic::Steps, Severity::Error,
                         words::scheduleHangs(schedule::Schedule(facts.plan()), found));
  for (const Rank rank : found.waiting) finding.where.ranks.push_back(rank.value);
  if (!found.waiting.empty()) finding.where.example = {found.waiting.front().value};
  const schedule::Moment& moment = found.operation.moment;
  if (moment.at != schedule::At::Start && moment.at != schedule::At::End) finding.where.epoch = moment.epoch.value;
  if (moment.at == schedule::At::Step) finding.where.step = moment.step.value;
  finding.where.field = "schedule[" + std::to_string(found.operation.line) + "].do";
  findings.push_back(std::move(finding));
}

}  // namespace shardlens::findings
