// SPDX-License-Identifier: Apache-2.0
#include "core/audit/findings/rules.h"
#include "core/audit/readers.h"
#include "core/base/phrase.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace shardlens::words {
namespace {

std::string asAsked() {
  return worded("findings", "The sampler does what its parameters ask for.");
}

std::string notKnown() {
  return worded("findings", "Nothing that ShardLens knows about this sampler explains it.");
}

/// "in every epoch, 32 of 64 samples reach no rank".
std::string reachNone(const Lost& lost) {
  const std::string of = wordedCount(lost.of, "sample");
  if (!lost.are_all) {
    return lost.samples == 1 ? filled(worded("findings", "%1, 1 of %2 reaches no rank for this reason"), lost.when, of)
                             : filled(worded("findings", "%1, %2 of %3 reach no rank for this reason"), lost.when,
                                      grouped(lost.samples), of);
  }
  return lost.samples == 1
             ? filled(worded("findings", "%1, 1 of %2 reaches no rank"), lost.when, of)
             : filled(worded("findings", "%1, %2 of %3 reach no rank"), lost.when, grouped(lost.samples), of);
}

/// What became of one sample, and of several, by a cause that leftOut() tells.
struct Choice {
  MissingCause cause;
  const char* one;
  const char* several;
};
constexpr std::array kChoices = {
    Choice{MissingCause::NotAmongIndices, marked("findings", "%1 is not among the sampler's indices"),
           marked("findings", "%1 are not among the sampler's indices")},
    Choice{MissingCause::OutsideSubset, marked("findings", "%1 is outside the part that the sampler uses"),
           marked("findings", "%1 are outside the part that the sampler uses")},
    Choice{MissingCause::WeightZero, marked("findings", "%1 has weight 0"), marked("findings", "%1 have weight 0")},
    Choice{MissingCause::WithoutWeight, marked("findings", "%1 has no weight"),
           marked("findings", "%1 have no weight")},
    Choice{MissingCause::NotDrawn, marked("findings", "%1 was not drawn"), marked("findings", "%1 were not drawn")},
    Choice{MissingCause::NotHandedOut, marked("findings", "%1 was not handed out"),
           marked("findings", "%1 were not handed out")},
    Choice{MissingCause::HandedOutBefore, marked("findings", "%1 was read before the state was saved"),
           marked("findings", "%1 were read before the state was saved")},
    Choice{MissingCause::WaitingInBuffer, marked("findings", "%1 waits for a batch of a later epoch"),
           marked("findings", "%1 wait for a batch of a later epoch")},
};

/// Why items repeat samples, by a cause that repeatedByDesign() tells.
struct Reason {
  RepeatCause cause;
  const char* text;
};
constexpr std::array kByDesign = {
    Reason{RepeatCause::Replacement, marked("findings", "%1 by drawing with replacement")},
    Reason{RepeatCause::RepeatFactor, marked("findings", "%1 by the sampler's repeat factors")},
    Reason{RepeatCause::ClassBalance, marked("findings", "%1 to balance the classes")},
    Reason{RepeatCause::ListedTwice, marked("findings", "%1 because the list has samples more than once")},
    Reason{RepeatCause::TwoStreams,
           marked("findings", "%1 from a stream that starts over, or from samples in both streams")},
    Reason{RepeatCause::AnotherPass, marked("findings", "%1 from another pass in the same epoch")},
    Reason{RepeatCause::Replication, marked("findings", "%1 for ranks that are meant to read the same samples")},
};

std::string itemsRepeat(const Repeated& repeated) {
  const std::string when = capital(repeated.when);
  const std::string of = wordedCount(repeated.of, "item");
  return repeated.items == 1
             ? filled(worded("findings", "%1, 1 of %2 repeats a sample"), when, of)
             : filled(worded("findings", "%1, %2 of %3 repeat samples"), when, grouped(repeated.items), of);
}

std::string repeatTitle(const Repeated& repeated) {
  return repeated.items == 1 ? worded("findings", "1 item repeats a sample")
                             : filled(worded("findings", "%1 items repeat samples"), grouped(repeated.items));
}

/// "the last 3 samples of each epoch's order reach no rank".
std::string tailLost(const Lost& lost) {
  const std::string n = grouped(lost.samples);
  if (lost.samples == 1) {
    return lost.always ? worded("findings", "the last sample of each epoch's order reaches no rank")
                       : filled(worded("findings", "the last sample of the order reaches no rank %1"), lost.when);
  }
  return lost.always ? filled(worded("findings", "the last %1 samples of each epoch's order reach no rank"), n)
                     : filled(worded("findings", "the last %1 samples of the order reach no rank %2"), n, lost.when);
}

/// Items that repeat samples so that ranks or batches get equal numbers.
struct Padding {
  std::int64_t items = 0;  ///< all of them
  std::int64_t by_sampler = 0;
  std::int64_t by_batches = 0;
  std::int64_t order = 0;   ///< places of the order that is divided; 0 when it is not dealt like cards
  std::int64_t slices = 0;  ///< the number of slices
};

/// What does not divide by what, where an order is dealt like cards.
std::string slicesPadded(const Padding& padding) {
  const std::int64_t items = padding.by_sampler;
  const std::int64_t rest = padding.slices > 0 ? padding.order % padding.slices : 0;
  if (rest == 0) {
    return items == 1 ? worded("findings", "The sampler adds 1 item that repeats a sample.")
                      : filled(worded("findings", "The sampler adds %1 items that repeat samples."), grouped(items));
  }
  const std::int64_t added = padding.slices - rest;
  const std::string read = items == added
                               ? std::string()
                               : filled(worded("findings", " The ranks read %1."), wordedCount(items, "such item"));
  if (padding.order < padding.slices) {
    const std::string slices = wordedCount(padding.slices, "slice");
    return (padding.order == 1
                ? filled(
                      worded("findings", "1 sample cannot fill %1: the sampler repeats it until each slice has one."),
                      slices)
                : filled(worded("findings",
                                "%1 samples cannot fill %2: the sampler repeats them until each slice has one."),
                         grouped(padding.order), slices)) +
           read;
  }
  const std::string order = grouped(padding.order);
  const std::string of = grouped(padding.slices);
  return (added == 1 ? filled(worded("findings", "%1 is not a multiple of %2: the sampler repeats its first sample."),
                              order, of)
                     : filled(worded("findings", "%1 is not a multiple of %2: the sampler repeats its first %3."),
                              order, of, wordedCount(added, "sample"))) +
         read;
}

/// What was dropped, and how much that leaves unused.
std::string goesUnused(const std::string& what, const Lost& lost) {
  const std::string n = wordedCount(lost.samples, "sample");
  if (lost.samples == 1) {
    return lost.always ? filled(worded("findings", "%1: %2 per epoch goes unused."), what, n)
                       : filled(worded("findings", "%1: %2 goes unused %3."), what, n, lost.when);
  }
  return lost.always ? filled(worded("findings", "%1: %2 per epoch go unused."), what, n)
                     : filled(worded("findings", "%1: %2 go unused %3."), what, n, lost.when);
}

/// A sampler that divides into `slices`, of which the ranks ask for `asked`.
FindingWords slicesNeverRead(std::int64_t slices, std::int64_t asked, const Lost& lost) {
  const std::int64_t unread = slices - asked;
  const std::string of = wordedCount(slices, "slice");
  return {unread == 1 ? filled(worded("findings", "1 of %1 is never read"), of)
                      : filled(worded("findings", "%1 of %2 are never read"), grouped(unread), of),
          filled(worded("findings", "The sampler divides by %1, and the ranks ask for %2: %3."), grouped(slices),
                 wordedCount(asked, "slice"), reachNone(lost)),
          worded("findings", "Each process reads the slice of its rank. A slice that belongs to no process is lost.")};
}

/// A sampler that divides into `fewest` slices on one node and into `most` on another.
FindingWords dividedDifferently(std::int64_t fewest, std::int64_t most, const Lost& lost) {
  return {
      worded("findings", "Ranks divide by different numbers"),
      filled(worded("findings", "The sampler divides by %1 to %2, depending on the node: %3."), grouped(fewest),
             grouped(most), reachNone(lost)) +
          lost.never_read,
      worded("findings", "Slices of different lengths overlap and leave samples out. Give every rank the world size.")};
}

/// `slices` of the inner sampler; 0 where they differ between nodes.
FindingWords dividedTwice(std::int64_t slices, const std::string& sampler, const Lost& lost) {
  const std::string by = slices == 0 ? worded("findings", "another number on each node") : grouped(slices);
  return {
      worded("findings", "The dataset is divided twice"),
      filled(worded("findings", "The inner sampler divides by %1, and %2 divides its share among the ranks again: %3."),
             by, sampler, reachNone(lost)) +
          lost.never_read,
      worded("findings", "Each rank gets a share of its own share. Let only one of them divide.")};
}

/// `orders` that the ranks draw; 0 where each rank draws its own.
FindingWords differentOrders(std::int64_t orders, const Lost& lost) {
  return {
      worded("findings", "Ranks take shares of different orders"),
      (orders == 0
           ? filled(worded("findings", "Each rank draws a different order and takes its share of it: %1."),
                    reachNone(lost))
           : filled(worded("findings", "The ranks draw %1 different orders, and each takes its share of its own: %2."),
                    grouped(orders), reachNone(lost))) +
          lost.never_read,
      worded(
          "findings",
          "Shares fit together only within one order. The ranks draw the same order only if their seeds are equal.")};
}

/// Samples that the sampler was asked to leave out, by cause; `asked` is num_samples where that is the cause, or 0.
FindingWords leftOut(const MissingCounts& causes, std::int64_t asked, const Lost& lost) {
  std::vector<std::string> parts;
  for (const auto& [cause, one, several] : kChoices) {
    if (causes[cause] == 0) continue;
    parts.push_back(filled(worded("findings", causes[cause] == 1 ? one : several), grouped(causes[cause])));
    if (cause == MissingCause::NotDrawn && asked > 0) {
      parts.back() = filled(worded("findings", "%1 (num_samples is %2)"), parts.back(), grouped(asked));
    }
  }
  return {lost.samples == 1 ? worded("findings", "1 sample is left out")
                            : filled(worded("findings", "%1 samples are left out"), grouped(lost.samples)),
          filled(worded("findings", "%1: %2."), capital(reachNone(lost)), join(parts, ", ")) + lost.never_read,
          asAsked()};
}

/// Whether leftOut() has words for the cause.
bool isLeftOut(MissingCause cause) {
  return std::ranges::find(kChoices, cause, &Choice::cause) != kChoices.end();
}

/// Samples before the place where the epoch begins, by the count in `field` that no epoch resets.
FindingWords skippedByCount(const std::string& field, const Lost& lost) {
  return {lost.samples == 1
              ? worded("findings", "1 sample is skipped at the start of an epoch")
              : filled(worded("findings", "%1 samples are skipped at the start of an epoch"), grouped(lost.samples)),
          filled(worded("findings", "%1: the epoch does not begin with its first samples."), capital(reachNone(lost))) +
              lost.never_read,
          filled(worded("findings",
                        "The count of consumed samples is not reset between epochs, so an epoch begins at that count: "
                        "look at %1."),
                 field)};
}

/// A global batch of so many samples, by `field`, beside ranks that take micro batches of `batch` samples.
FindingWords noWholeStep(const std::string& field, std::int64_t global_batch, std::int64_t ranks, std::int64_t batch,
                         const Lost& lost) {
  const std::string global = grouped(global_batch);
  const std::string step = wordedCount(ranks * batch, "sample");
  return {
      worded("findings", "The global batch is smaller than a step"),
      (ranks == 1
           ? filled(worded("findings", "%1 is %2, and a micro batch has %3: %4."), field, global, step, reachNone(lost))
           : filled(worded("findings", "%1 is %2, and one micro batch for each of %3 takes %4: %5."), field, global,
                    wordedCount(ranks, "rank"), step, reachNone(lost))) +
          lost.never_read,
      worded(
          "findings",
          "The sampler rounds the global batch down to whole micro batches for every rank, which leaves none here.")};
}

FindingWords missingUnexplained(bool by_defect, const Lost& lost) {
  return {lost.samples == 1 ? worded("findings", "1 sample is missing")
                            : filled(worded("findings", "%1 samples are missing"), grouped(lost.samples)),
          filled(worded("findings", "%1."), capital(reachNone(lost))) + lost.never_read,
          by_defect ? worded("findings",
                             "A known defect of the framework's shuffle skips one index and takes another one twice.")
                    : notKnown()};
}

/// What the sampler cuts; `order` and `slices` say what does not divide, or are 0.
FindingWords droppedBySampler(std::int64_t order, std::int64_t slices, const Lost& lost) {
  return {filled(worded("findings", "The sampler drops %1"), wordedCount(lost.samples, "sample")),
          (slices > 0
               ? filled(worded("findings", "%1 is not a multiple of %2: %3."), grouped(order), grouped(slices),
                        tailLost(lost))
               : filled(worded("findings", "The sampler hands out only what divides evenly: %1."), reachNone(lost))) +
              lost.never_read,
          worded("findings", "Samples that do not divide evenly are cut.")};
}

/// What the loader cuts: each last batch has `left` of `batch` samples, or 0 where they differ.
FindingWords droppedByLoader(std::int64_t ranks, std::int64_t left, std::int64_t batch, const Lost& lost) {
  const std::string n = wordedCount(lost.samples, "sample");
  const std::string of = wordedCount(batch, "sample");
  const std::string what = left == 0 ? worded("findings", "Short last batches are dropped")
                           : ranks == 1
                               ? filled(worded("findings", "The last batch has %1 of %2"), grouped(left), of)
                               : filled(worded("findings", "Each rank's last batch has %1 of %2"), grouped(left), of);
  return {filled(worded("findings", "The loader drops %1"), n), goesUnused(what, lost) + lost.never_read,
          worded("findings", "loader.drop_last discards a last batch that is not full.")};
}

/// Workers that cut batches of their own, where each drops a short one.
struct DroppingWorkers {
  std::int64_t ranks = 1;
  std::int64_t workers = 0;   ///< of each rank
  std::int64_t dropping = 0;  ///< of all ranks, those that drop one
  std::int64_t whole =
      -1;  ///< samples that would be dropped if each rank's batches were cut in one piece; -1: not known
};

FindingWords droppedByWorkers(const DroppingWorkers& by, const Lost& lost) {
  const std::string workers = grouped(by.workers);
  const std::int64_t all = by.ranks * by.workers;
  const std::string who =
      by.dropping < all ? filled(worded("findings", "%1 of %2 drop a short batch of their own"), grouped(by.dropping),
                                 wordedCount(all, "worker"))
      : by.ranks == 1
          ? filled(worded("findings", "Each of the %1 workers drops its own short batch"), workers)
          : filled(worded("findings", "Each of the %1 workers of each rank drops its own short batch"), workers);
  const std::string number = grouped(by.whole);
  const std::string whole =
      by.whole < 0 ? std::string()
      : by.ranks == 1
          ? filled(worded("findings", " A batch sampler over the whole rank would drop %1."), number)
          : filled(worded("findings", " A batch sampler over each whole rank would drop %1 in all."), number);
  return {filled(worded("findings", "The loader drops %1"), wordedCount(lost.samples, "sample")),
          goesUnused(who, lost) + whole + lost.never_read,
          worded("findings",
                 "Each worker makes its own batches, so loader.drop_last acts in each worker: it discards a last batch "
                 "that is not full.")};
}

/// The sampler makes the batches itself, and obeys loader.drop_last in its own way.
FindingWords lastBatchesDropped(const Lost& lost) {
  return {filled(worded("findings", "The sampler drops %1"), wordedCount(lost.samples, "sample")),
          goesUnused(worded("findings", "The last batches are dropped"), lost) + lost.never_read,
          worded("findings", "The sampler makes the batches, and with drop_last it leaves out the last ones.")};
}

FindingWords padding(const Padding& padding) {
  std::vector<std::string> sentences;
  if (padding.by_sampler > 0) sentences.push_back(slicesPadded(padding));
  if (padding.by_batches > 0) {
    sentences.push_back(padding.by_batches == 1
                            ? worded("findings", "1 item repeats a sample to fill the last batches.")
                            : filled(worded("findings", "%1 items repeat samples to fill the last batches."),
                                     grouped(padding.by_batches)));
  }
  return {
      padding.items == 1 ? worded("findings", "1 item is padding")
                         : filled(worded("findings", "%1 items are padding"), grouped(padding.items)),
      join(sentences, " "),
      worded("findings",
             "Repeated samples weigh more in training, and an evaluation counts them twice: its result then depends on "
             "the number of ranks.")};
}

FindingWords repeatedByDesign(const RepeatCounts& causes, const Repeated& repeated) {
  std::vector<std::string> parts;
  for (const auto& [cause, text] : kByDesign) {
    if (causes[cause] > 0) parts.push_back(filled(worded("findings", text), grouped(causes[cause])));
  }
  return {repeatTitle(repeated),
          repeated.how_often.empty()
              ? filled(worded("findings", "%1: %2."), itemsRepeat(repeated), join(parts, ", "))
              : filled(worded("findings", "%1: %2; %3."), itemsRepeat(repeated), join(parts, ", "), repeated.how_often),
          asAsked()};
}

/// Whether repeatedByDesign() has words for the cause.
bool isByDesign(RepeatCause cause) {
  return std::ranges::find(kByDesign, cause, &Reason::cause) != kByDesign.end();
}

FindingWords workersDuplicate(std::int64_t workers, const Repeated& repeated) {
  const std::string who =
      workers == 2 ? worded("findings", "Both workers of each rank read the same samples")
                   : filled(worded("findings", "All %1 workers of each rank read the same samples"), grouped(workers));
  const std::string of = wordedCount(repeated.of, "item");
  const std::string again =
      repeated.items == 1 ? filled(worded("findings", "%1: %2, 1 of %3 repeats what another worker of the rank reads."),
                                   who, repeated.when, of)
                          : filled(worded("findings", "%1: %2, %3 of %4 repeat what another worker of the rank reads."),
                                   who, repeated.when, grouped(repeated.items), of);
  return {worded("findings", "Workers read the same samples"),
          repeated.how_often.empty() ? again
                                     : again + filled(worded("findings", " Over all ranks, %1."), repeated.how_often),
          worded("findings",
                 "Every worker has a copy of the dataset. Only get_worker_info() tells a copy which part is its own.")};
}

FindingWords repeatedUnexplained(bool by_defect, bool skips_others, const Repeated& repeated) {
  const std::string defect =
      skips_others
          ? worded("findings", "A known defect of the framework's shuffle takes one index twice and skips another.")
          : worded("findings", "A known defect of the framework's shuffle hands samples out again.");
  return {repeatTitle(repeated), filled(worded("findings", "%1."), itemsRepeat(repeated)),
          by_defect ? defect : notKnown()};
}

/// `has_peers`: ranks of one copy of the model read alike, and count once.
FindingWords wholeCoverage(std::int64_t samples, bool once, bool has_peers, const std::string& when) {
  const std::string who = samples == 1 ? worded("findings", "The only sample is handed out")
                          : samples == 2
                              ? worded("findings", "Both samples are handed out")
                              : filled(worded("findings", "All %1 samples are handed out"), grouped(samples));
  return {once ? worded("findings", "Every sample is read once") : worded("findings", "Every sample is read"),
          once ? filled(worded("findings", "%1 exactly once %2."), who, when)
               : filled(worded("findings", "%1 %2; only padding repeats."), who, when),
          has_peers ? worded("findings",
                             "Counted sample by sample over all ranks. Samples that ranks of one copy of the model "
                             "read together count once.")
                    : worded("findings", "Counted sample by sample over all ranks.")};
}

}  // namespace
}  // namespace shardlens::words

namespace shardlens::findings {

using sampling::SamplerTraits;

namespace {

Finding missing(const Facts& facts, std::string code, Severity severity, const MissingCauseSet& causes,
                words::FindingWords words) {
  const Ledger& judged = facts.coverage();
  return toldOf(facts, std::move(code), severity, judged.missingFor(causes), judged.missingIdsFor(causes),
                std::move(words));
}

Finding unread(const Facts& facts, const MissingCauseSet& causes) {
  const bool by_rank = facts.passesRank();
  const auto [fewest, most] = facts.replicas();
  const words::Lost lost = lostOf(facts, causes);
  Finding finding = missing(facts, by_rank ? "num-replicas-mismatch" : "samples-missing", Severity::Error, causes,
                            fewest == most ? words::slicesNeverRead(most, facts.slicesRead(), lost)
                                           : words::dividedDifferently(fewest, most, lost));
  finding.where.field = by_rank ? facts.fieldOf(&SamplerTraits::num_replicas) : facts.fieldOf(&SamplerTraits::rank);
  return finding;
}

Finding dividedTwice(const Facts& facts, const MissingCauseSet& causes) {
  return missing(facts, "samples-divided-twice", Severity::Error, causes,
                 words::dividedTwice(facts.claims().slices, facts.spec().sampler.type, lostOf(facts, causes)));
}

/// How many orders the ranks draw; 0 where each rank draws its own.
std::int64_t ordersOf(const Facts& facts) {
  const auto readers = ranksOf(facts.plan(), facts.epoch(), facts.worldSize());
  const auto orders = static_cast<std::int64_t>(groupByOrder(facts.plan(), readers).size());
  return orders == facts.worldSize() ? 0 : orders;
}

Finding ofDifferentOrders(const Facts& facts, const MissingCauseSet& causes) {
  Finding finding = missing(facts, "ranks-read-different-orders", Severity::Warning, causes,
                            words::differentOrders(ordersOf(facts), lostOf(facts, causes)));
  finding.where.field = facts.orderSeedField();
  return finding;
}

/// num_samples, where it asks for fewer than there are; otherwise 0.
std::int64_t numberAsked(const Facts& facts) {
  const auto number = facts.parameter(&SamplerTraits::num_samples);
  const auto* count = number ? std::get_if<std::int64_t>(&*number) : nullptr;
  return count == nullptr || *count >= facts.spec().dataset.size ? 0 : *count;
}

/// The field that asks to leave out what these samples have in common; "sampler.type" where several have.
std::string fieldThatLeavesOut(const Facts& facts, std::int64_t samples) {
  const auto& by = facts.coverage().missing_by;
  if (by[MissingCause::HandedOutBefore] == samples) return facts.fieldOf(&SamplerTraits::consumed);
  if (by[MissingCause::NotAmongIndices] == samples) return facts.fieldOf(&SamplerTraits::indices);
  if (by[MissingCause::NotDrawn] == samples && numberAsked(facts) > 0)
    return facts.fieldOf(&SamplerTraits::num_samples);
  return "sampler.type";
}

Finding leftOut(const Facts& facts, const MissingCauseSet& causes) {
  const auto& by = facts.coverage().missing_by;
  const bool forgotten = by[MissingCause::WithoutWeight] > 0;
  Finding finding = missing(facts, "samples-left-out", forgotten ? Severity::Warning : Severity::Info, causes,
                            words::leftOut(by, numberAsked(facts), lostOf(facts, causes)));
  finding.where.field = fieldThatLeavesOut(facts, facts.coverage().missingFor(causes));
  if (facts.claims().is_recorded) finding.why = words::asRecorded();
  return finding;
}

Finding skippedByCount(const Facts& facts, const MissingCauseSet& causes) {
  const std::string field = facts.fieldOf(&SamplerTraits::consumed);
  const bool much = facts.isMuch(facts.coverage().missingFor(causes));
  Finding finding = missing(facts, "samples-skipped", much ? Severity::Warning : Severity::Info, causes,
                            words::skippedByCount(field, lostOf(facts, causes)));
  finding.where.field = field;
  return finding;
}

Finding notExplained(const Facts& facts, const MissingCauseSet& causes) {
  const bool by_defect = facts.coverage().missing_by[MissingCause::ShuffleDefect] > 0;
  return missing(facts, "samples-missing-unexplained", Severity::Warning, causes,
                 words::missingUnexplained(by_defect, lostOf(facts, causes)));
}

Finding noWholeStep(const Facts& facts, const MissingCauseSet& causes) {
  const std::string field = facts.fieldOf(&SamplerTraits::global_batch);
  const auto global = facts.parameter(&SamplerTraits::global_batch);
  const auto* samples = global ? std::get_if<std::int64_t>(&*global) : nullptr;
  Finding finding = missing(facts, "no-whole-step", Severity::Error, causes,
                            words::noWholeStep(field, samples == nullptr ? 0 : *samples, facts.dataParallelSize(),
                                               facts.spec().loader.batch_size, lostOf(facts, causes)));
  finding.where.field = field;
  return finding;
}

/// The causes of samples that the sampler was asked to leave out.
MissingCauseSet leftOutOnPurpose() {
  MissingCauseSet causes;
  for (std::size_t i = 0; i < kMissingCauses; ++i) causes[i] = words::isLeftOut(static_cast<MissingCause>(i));
  return causes;
}

}  // namespace

void missingSamples(const Facts& facts, std::vector<Finding>& findings) {
  using Tell = Finding (*)(const Facts& facts, const MissingCauseSet& causes);
  const std::array<std::pair<MissingCauseSet, Tell>, 7> kinds = {{
      {only(MissingCause::RankThatNobodyIs), unread},
      {only(MissingCause::NoWholeStep), noWholeStep},
      {only(MissingCause::DividedTwice), dividedTwice},
      {only(MissingCause::DifferentOrders), ofDifferentOrders},
      {leftOutOnPurpose(), leftOut},
      {only(MissingCause::CountCarriedOver), skippedByCount},
      {only(MissingCause::ShuffleDefect) | only(MissingCause::NotExplained), notExplained},
  }};
  for (const auto& [causes, tell] : kinds) {
    if (facts.coverage().missingFor(causes) > 0) findings.push_back(tell(facts, causes));
  }
}

void wholeCoverage(const Facts& facts, std::vector<Finding>& findings) {
  bool once = true;
  for (const Ledger& coverage : facts.report().coverage) {
    const bool only_padding = coverage.repeats.total() == coverage.padding();
    if (coverage.dataset_size == 0 || coverage.missing > 0 || !only_padding) return;
    once = once && coverage.duplicated == 0;
  }
  Finding& finding = findings.emplace_back(
      told("ok-coverage", FindingTopic::Coverage, Severity::Info,
           words::wholeCoverage(facts.coverage().dataset_size, once, facts.dataParallelSize() < facts.worldSize(),
                                facts.epochsAudited())));
  finding.is_proof = true;
}

namespace {

/// Whether all compared epochs deal the same batches: then the same samples are lost each time.
bool isFrozen(const Facts& facts) {
  const auto& same_as = facts.report().repeats.same_as;
  return same_as.size() > 1 &&
         std::ranges::all_of(same_as, [&](std::int64_t epoch) { return epoch == same_as.front(); });
}

/// A little that changes from epoch to epoch harms nobody.
Severity weigh(const Facts& facts, std::int64_t lost) {
  return facts.isMuch(lost) || isFrozen(facts) ? Severity::Warning : Severity::Info;
}

/// How many samples each rank's last batch has, where it is one short batch and the same on all; otherwise 0.
std::int64_t samplesLeft(const Facts& facts) {
  const std::vector<RankEpochShape>& ranks = facts.shape().ranks;
  const std::int64_t left = ranks.front().dropped;
  const bool alike = std::ranges::all_of(ranks, [left](const RankEpochShape& rank) { return rank.dropped == left; });
  return alike && facts.loaderCutsBatches() && left < facts.spec().loader.batch_size ? left : 0;
}

/// Nothing where no rank loses more than one short batch: that is what its loader drops.
std::optional<words::DroppingWorkers> droppingWorkers(const Facts& facts, const words::Lost& lost) {
  words::DroppingWorkers by{facts.worldSize(), facts.spec().loader.num_workers, 0, 0};
  bool several = false;
  for (const RankEpochShape& rank : facts.shape().ranks) {
    by.dropping += rank.workers_dropping;
    by.whole += rank.samples % facts.spec().loader.batch_size;
    several = several || rank.workers_dropping > 1;
  }
  if (facts.shape().dropped != lost.samples)
    by.whole = -1;  // some of what is dropped is read elsewhere, or dropped twice
  return several ? std::optional(by) : std::nullopt;
}

words::FindingWords loaderDrops(const Facts& facts, const words::Lost& lost) {
  if (facts.samplerListsBatches()) return words::lastBatchesDropped(lost);
  if (const auto by = droppingWorkers(facts, lost)) return words::droppedByWorkers(*by, lost);
  return words::droppedByLoader(facts.worldSize(), samplesLeft(facts), facts.spec().loader.batch_size, lost);
}

Finding dropped(const Facts& facts, std::string code, const MissingCauseSet& causes, words::FindingWords words) {
  const std::int64_t lost = facts.coverage().missingFor(causes);
  return toldOf(facts, std::move(code), weigh(facts, lost), lost, facts.coverage().missingIdsFor(causes),
                std::move(words));
}

}  // namespace

void droppedBySampler(const Facts& facts, std::vector<Finding>& findings) {
  const MissingCauseSet causes = only(MissingCause::CutBySampler);
  const std::int64_t lost = facts.coverage().missingFor(causes);
  if (lost == 0) return;
  const auto division = facts.division();
  const bool is_tail = division && division->size % division->slices == lost;
  Finding finding = dropped(
      facts, "samples-dropped-sampler", causes,
      words::droppedBySampler(is_tail ? division->size : 0, is_tail ? division->slices : 0, lostOf(facts, causes)));
  if (facts.isOn(&SamplerTraits::drop_last)) finding.where.field = facts.fieldOf(&SamplerTraits::drop_last);
  findings.push_back(std::move(finding));
}

void droppedByLoader(const Facts& facts, std::vector<Finding>& findings) {
  const MissingCauseSet causes = only(MissingCause::CutByLoader);
  if (facts.coverage().missingFor(causes) == 0) return;
  Finding finding = dropped(facts, "samples-dropped-loader", causes, loaderDrops(facts, lostOf(facts, causes)));
  finding.where.field = "loader.drop_last";
  findings.push_back(std::move(finding));
}

namespace {

Finding repeated(const Facts& facts, std::string code, Severity severity, std::int64_t items,
                 words::FindingWords words) {
  return toldOf(facts, std::move(code), severity, items, facts.coverage().duplicated_ids, std::move(words));
}

}  // namespace

void repeatedOnPurpose(const Facts& facts, std::vector<Finding>& findings) {
  RepeatCauseSet by_design;
  for (std::size_t i = 0; i < kRepeatCauses; ++i) by_design[i] = words::isByDesign(static_cast<RepeatCause>(i));
  const words::Repeated items = repeatedOf(facts, by_design);
  if (items.items == 0) return;
  findings.push_back(repeated(facts, "samples-repeated", Severity::Info, items.items,
                              words::repeatedByDesign(facts.coverage().repeats, items)));
  if (facts.claims().is_recorded) findings.back().why = words::asRecorded();
}

void duplicatingWorkers(const Facts& facts, std::vector<Finding>& findings) {
  const words::Repeated items = repeatedOf(facts, only(RepeatCause::DuplicatingWorkers));
  if (items.items == 0) return;
  findings.push_back(repeated(facts, "workers-duplicate", Severity::Error, items.items,
                              words::workersDuplicate(facts.spec().loader.num_workers, items)));
}

void unexplainedRepeats(const Facts& facts, std::vector<Finding>& findings) {
  const bool by_defect = facts.coverage().repeats[RepeatCause::ShuffleDefect] > 0;
  const bool skips_others = facts.coverage().missing_by[MissingCause::ShuffleDefect] > 0;
  const words::Repeated items = repeatedOf(facts, only(RepeatCause::ShuffleDefect) | only(RepeatCause::NotExplained));
  if (items.items == 0) return;
  findings.push_back(repeated(facts, "repeats-unexplained", Severity::Warning, items.items,
                              words::repeatedUnexplained(by_defect, skips_others, items)));
}

void paddingRepeats(const Facts& facts, std::vector<Finding>& findings) {
  const Ledger& coverage = facts.coverage();
  const std::int64_t items = coverage.padding();
  if (items == 0) return;
  const Division division = facts.division().value_or(Division{});
  const words::Padding padding{items, coverage.repeats[RepeatCause::SamplerPadding],
                               coverage.repeats[RepeatCause::BatchFilling], division.size, division.slices};
  const Severity severity = facts.isMuch(items) || facts.evaluates() ? Severity::Warning : Severity::Info;
  Finding finding = toldOf(facts, "padding-repeats", severity, items, coverage.padding_ids, words::padding(padding));
  finding.where.field = facts.fieldOf(&SamplerTraits::drop_last);
  findings.push_back(std::move(finding));
}

}  // namespace shardlens::findings
