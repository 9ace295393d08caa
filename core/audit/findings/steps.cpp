// SPDX-License-Identifier: Apache-2.0
#include "core/audit/findings/rules.h"
#include "core/base/phrase.h"
#include "core/base/text.h"
#include "core/sampling/registry.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace shardlens::words {
namespace {

/// With a space before it, unless it is empty.
std::string spaced(const std::string& text) {
  return text.empty() ? text : " " + text;
}

/// `gets_through`: the spec has a schedule, and every rank gets to its end.
std::string collectiveWaits(std::int64_t step, bool gets_through) {
  if (gets_through) return worded("findings", ". With the schedule as given, every rank still gets to its end.");
  return filled(worded("findings", ". Any collective in step %1 waits forever, or meets one of another step."),
                grouped(step));
}

/// Ranks with unequal numbers of batches.
struct RunOut {
  std::vector<std::int64_t> first;    ///< the ranks that have fewest
  std::int64_t fewest = 0, most = 0;  ///< batches of a rank
  std::int64_t world = 0;
  bool later = false;         ///< other ranks run out later, before those that have most
  bool gets_through = false;  ///< as of collectiveWaits()
};

/// "Ranks 1 and 2 have only 5 batches; the others have up to 6. Any collective in step 5 waits forever, or meets one of
/// another step."
std::string shorter(const RunOut& out) {
  const bool one_other = out.world - static_cast<std::int64_t>(out.first.size()) == 1;
  const std::string who = ranksHave(out.first);
  const std::string few = out.fewest == 0 ? filled(worded("findings", "%1 no batch"), who)
                                          : filled(worded("findings", "%1 only %2"), who, batches(out.fewest));
  return (one_other ? filled(worded("findings", "%1; the other rank has %2"), few, grouped(out.most))
                    : filled(worded("findings", "%1; the others have up to %2"), few, grouped(out.most))) +
         collectiveWaits(out.fewest, out.gets_through);
}

/// A context manager for training that keeps ranks that ran out in step, without a change to the data.
enum class Joining { None, Ddp, Accelerate };

/// What keeps the ranks in step without a change to the data, and its price.
std::string joinText(const RunOut& out, Joining joining) {
  const auto ranks = static_cast<std::int64_t>(out.first.size());
  const std::int64_t steps = out.most - out.fewest;
  if (joining == Joining::None) return {};
  const bool by_torch = joining == Joining::Ddp;
  const std::string by =
      by_torch ? "torch's Join (with Join([model]): ...)" : "accelerator.join_uneven_inputs([model])";
  const std::string join =
      filled(worded("findings",
                    " A script can also train under %1, which answers DDP's all-reduce, and no other "
                    "collective, for ranks that have run out;"),
             by);
  const std::string who =
      ranks == 1 ? worded("findings", "that rank") : filled(worded("findings", "those %1"), wordedCount(ranks, "rank"));
  if (steps > 1 && !out.later) {
    const std::string last = wordedCount(steps, "step");
    return join + (ranks == 1
                       ? filled(worded("findings", " in the last %1 %2 adds nothing to the gradients."), last, who)
                       : filled(worded("findings", " in the last %1 %2 add nothing to the gradients."), last, who));
  }
  if (steps > 1) {
    return join +
           filled(worded("findings", " in the last %1 %2, and any that run out later, add nothing to the gradients."),
                  wordedCount(steps, "step"), who);
  }
  return join + (ranks == 1 ? filled(worded("findings", " in the last step %1 adds nothing to the gradients."), who)
                            : filled(worded("findings", " in the last step %1 add nothing to the gradients."), who));
}

/// In each counted epoch, all ranks have equally many batches.
struct InStep {
  std::int64_t ranks = 0;
  std::int64_t fewest = 0, most = 0;  ///< batches of a rank, over these epochs
  std::string audited;                ///< epochsText()
  std::int64_t counted = 0;           ///< how many epochs from the first on; 0: only those that are audited
  std::int64_t epochs = 0;
};

FindingWords inStep(const InStep& in_step) {
  const std::int64_t first = in_step.counted;
  const std::string when = first == in_step.epochs && first > 1 ? worded("findings", "in every epoch")
                           : first > 1 ? filled(worded("findings", "in the first %1 of %2"), grouped(first),
                                                wordedCount(in_step.epochs, "epoch"))
                                       : in_step.audited;
  const std::string who = in_step.ranks == 1 ? worded("findings", "The only rank has")
                                             : filled(worded("findings", "%1 have"), capital(allRanks(in_step.ranks)));
  const std::string fewest = grouped(in_step.fewest);
  return {worded("findings", "No rank runs out early"),
          in_step.fewest == in_step.most ? filled(worded("findings", "%1 %2 %3."), who, batches(in_step.most), when)
          : in_step.ranks == 1 ? filled(worded("findings", "%1 %2 to %3 %4."), who, fewest, batches(in_step.most), when)
                               : filled(worded("findings", "%1 equal numbers of batches, %2 to %3, %4."), who, fewest,
                                        grouped(in_step.most), when),
          worded("findings", "Every step has a batch on every rank.")};
}

/// What follows unequalBatches() of an epoch behind the audited ones, or before them.
std::string firstSuchEpoch(std::int64_t epoch, std::int64_t epochs) {
  return filled(worded("findings", " Epoch %1 of %2 is the first in which this happens."), grouped(epoch),
                grouped(epochs));
}

/// Ranks without a sample.
struct EmptyRanks {
  std::vector<std::int64_t> ranks;
  std::int64_t world = 0, samples = 0;
  std::int64_t batches = 0;   ///< without samples, where they stay in step; otherwise 0
  bool waited_for = true;     ///< other ranks make steps
  bool dropped = false;       ///< the sampler drops what does not divide
  bool cut = false;           ///< the loader drops what does not fill a batch on every rank, and that is all
  bool few = false;           ///< there are fewer samples than slices, and no field beside the sampler's says why
  bool waiting = false;       ///< what they draw waits for a batch of a later epoch
  bool read_before = false;   ///< the sampler leaves out what was read before a state was saved, or skipped
  bool recorded = false;      ///< the batches were recorded: why they are these is not known
  std::string when;           ///< epochsText(), or empty where it is so in every audited epoch
  std::string field;          ///< where to look
  bool gets_through = false;  ///< as of collectiveWaits()
};

FindingWords emptyRanks(const EmptyRanks& empty) {
  const auto ranks = static_cast<std::int64_t>(empty.ranks.size());
  const std::string title = empty.samples == 0 ? worded("findings", "The dataset is empty")
                            : ranks == empty.world
                                ? filled(worded("findings", "No rank gets a sample%1"), spaced(empty.when))
                                : filled(worded("findings", "%1 without samples"), wordedCount(ranks, "rank"));
  const std::string who = ranksHave(empty.ranks);
  const std::string when = spaced(empty.when);
  std::string message;
  if (ranks == empty.world) {
    const std::string of = wordedCount(empty.samples, "sample");
    message = empty.world == 1 ? filled(worded("findings", "The only rank gets 0 of %1%2."), of, when)
                               : filled(worded("findings", "Each of %1 gets 0 of %2%3."),
                                        wordedCount(empty.world, "rank"), of, when);
  } else if (!empty.waited_for) {
    message = filled(worded("findings", "%1 no sample%2."), who, when);
  } else if (empty.batches > 0) {
    message = filled(worded("findings", "%1 no samples%2, only %3 without any."), who, when, batches(empty.batches));
  } else {
    message = filled(worded("findings", "%1 no sample%2"), who, when) + collectiveWaits(0, empty.gets_through);
  }
  const std::string why =
      empty.recorded ? asRecorded()
      : empty.read_before
          ? filled(worded("findings", "The sampler leaves out samples that were read before: look at %1."), empty.field)
      : empty.waiting
          ? filled(worded("findings",
                          "Samples that such a rank draws wait until a batch of their group is full: look at %1."),
                   empty.field)
      : empty.dropped && empty.few
          ? worded("findings",
                   "There are fewer samples than slices, and samples that do not divide evenly are dropped.")
      : empty.dropped ? worded("findings", "Samples that do not divide evenly are cut.")
      : empty.cut
          ? filled(worded("findings", "%1 discards samples that do not fill a batch on every rank."), empty.field)
      : empty.batches > 0
          ? ranks == 1 ? worded("findings", "This rank stays in step, but the model must skip its empty batches.")
                       : worded("findings", "These ranks stay in step, but the model must skip their empty batches.")
      : empty.few && empty.samples > 0 ? worded("findings", "There are fewer samples than slices.")
      : empty.samples == 0
          ? worded("findings", "There is nothing to read.")
          : filled(ranks == 1 ? worded("findings", "The sampler deals this rank nothing: look at %1.")
                              : worded("findings", "The sampler deals these ranks nothing: look at %1."),
                   empty.field);
  return {title, message, why};
}

/// Batches without a sample, of ranks that have samples.
struct EmptyBatches {
  std::int64_t batches = 0;
  std::int64_t rank = 0, step = 0;  ///< of the first
};

FindingWords emptyBatches(const EmptyBatches& empty) {
  const std::string rank = grouped(empty.rank);
  const std::string step = grouped(empty.step);
  return {empty.batches == 1 ? worded("findings", "1 batch is empty")
                             : filled(worded("findings", "%1 batches are empty"), grouped(empty.batches)),
          empty.batches == 1 ? filled(worded("findings", "Rank %1 gets no sample in step %2."), rank, step)
                             : filled(worded("findings",
                                             "%1 batches have no sample; the first is that of rank %2 in "
                                             "step %3."),
                                      grouped(empty.batches), rank, step),
          worded("findings", "PyTorch's default_collate raises IndexError for an empty batch.")};
}

FindingWords noBatches(std::int64_t batch, const Lost& lost) {
  const std::string of = wordedCount(lost.of, "sample");
  return {worded("findings", "No rank gets a batch"),
          lost.samples == 1
              ? filled(worded("findings", "%1, no batch is made: 1 of %2 goes unused."), capital(lost.when), of)
              : filled(worded("findings", "%1, no batch is made: %2 of %3 go unused."), capital(lost.when),
                       grouped(lost.samples), of),
          filled(worded("findings", "No worker or rank has enough samples for a whole batch of %1."), grouped(batch))};
}

}  // namespace
}  // namespace shardlens::words

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

/// Whether the spec has a schedule that every rank gets through, whatever its batches.
bool getsThroughSchedule(const Facts& facts) {
  return !facts.spec().schedule.empty() && !facts.report().hang && !facts.report().not_followed;
}

/// Only training reduces gradients in each step; a prediction may be without any collective.
Severity severityOfWaiting(const Facts& facts) {
  if (facts.spec().framework.lightning.stage == "predict") return Severity::Info;
  return facts.evaluates() ? Severity::Warning : Severity::Error;
}

/// The same of some ranks that have fewer batches than others: a schedule may have nothing that waits for them.
Severity severityOfRunningOut(const Facts& facts) {
  const Severity severity = severityOfWaiting(facts);
  return severity == Severity::Error && getsThroughSchedule(facts) ? Severity::Warning : severity;
}

/// What the framework has against unequal batches that no field of a spec says: it is code around the training loop.
/// Lightning's Trainer has nothing of the kind.
words::Joining joiningOf(const Facts& facts) {
  const sampling::LoopOwner loop = sampling::traitsOf(facts.spec()).loop;
  if (facts.evaluates() || getsThroughSchedule(facts) || loop == sampling::LoopOwner::Lightning)
    return words::Joining::None;
  return loop == sampling::LoopOwner::Accelerate ? words::Joining::Accelerate : words::Joining::Ddp;
}

/// Ranks that nobody waits for are no error; neither is an epoch without samples beside others that have some.
Severity severityOfEmptiness(const Facts& facts, const words::EmptyRanks& empty) {
  const bool all = static_cast<std::int64_t>(empty.ranks.size()) == empty.world;
  if (all)
    return std::ranges::all_of(facts.epochs(), isEmpty, &AuditedEpoch::shape) ? severityOfWaiting(facts)
                                                                              : Severity::Warning;
  return empty.batches > 0 || !empty.waited_for ? Severity::Warning : severityOfRunningOut(facts);
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
  const words::RunOut out{steps.first_out,
                          steps.fewest,
                          steps.most,
                          facts.worldSize(),
                          std::ranges::any_of(steps.batches, is_later),
                          getsThroughSchedule(facts)};
  Finding finding = told(
      "unequal-batches", FindingTopic::Steps, severityOfRunningOut(facts),
      {out.first.size() == 1 ? filled(worded("findings", "Rank %1 runs out first"), listed(out.first))
                             : filled(worded("findings", "Ranks %1 run out first"), listed(out.first)),
       words::shorter(out),
       worded("findings",
              "A collective completes when every rank has entered it, and a rank whose loader has run out makes no "
              "further step in that epoch.") +
           words::joinText(out, joiningOf(facts))});
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
  empty.gets_through = getsThroughSchedule(facts);
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
  Finding& finding = findings.emplace_back(
      told("empty-ranks", FindingTopic::Steps, severityOfEmptiness(facts, empty), words::emptyRanks(empty)));
  finding.is_of_waiting = true;
  finding.amount = static_cast<std::int64_t>(empty.ranks.size());
  finding.where.field = empty.field;
  finding.where.example = {empty.ranks.front()};
  finding.where.ranks = std::move(empty.ranks);
  finding.where.epoch = facts.coverage().epoch;
}

/// The loader itself cuts no empty batch.
void emptyBatches(const Facts& facts, std::vector<Finding>& findings) {
  if (facts.loaderCutsBatches()) return;
  const words::EmptyBatches empty = emptyBatchesOf(facts);
  if (empty.batches == 0) return;
  Finding& finding =
      findings.emplace_back(told("empty-batches", FindingTopic::Steps, Severity::Error, words::emptyBatches(empty)));
  finding.amount = empty.batches;
  finding.where.ranks = finding.where.example = {empty.rank};
  finding.where.epoch = facts.coverage().epoch;
  finding.where.step = empty.step;
  finding.where.field = "sampler.type";
}

void noBatches(const Facts& facts, std::vector<Finding>& findings) {
  const Lockstep& steps = facts.lockstep();
  const auto has_samples = [](const RankEpochShape& rank) { return rank.samples > 0; };
  // Where the loader cuts the batches, batch-larger-than-slice says so with a number.
  if (steps.most > 0 || facts.loaderCutsBatches() || std::ranges::none_of(facts.shape().ranks, has_samples)) return;
  Finding& finding = findings.emplace_back(
      told("no-batches", FindingTopic::Steps, Severity::Error,
           words::noBatches(facts.spec().loader.batch_size, lostOf(facts, MissingCauseSet().set()))));
  finding.where.epoch = steps.epoch;
  finding.where.field = "loader.batch_size";
}

}  // namespace shardlens::findings
