// SPDX-License-Identifier: Apache-2.0
// Which samples are handed out, and how often.
#include "core/audit/words/finding_words.h"
#include "core/base/phrase.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>

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

/// What became of `samples` samples by the cause; empty where it is not one of leftOut()'s.
std::string choiceText(MissingCause cause, std::int64_t samples) {
  const bool one = samples == 1;
  const std::string n = grouped(samples);
  switch (cause) {
    case MissingCause::NotAmongIndices:
      return one ? filled(worded("findings", "%1 is not among the sampler's indices"), n)
                 : filled(worded("findings", "%1 are not among the sampler's indices"), n);
    case MissingCause::OutsideSubset:
      return one ? filled(worded("findings", "%1 is outside the part that the sampler uses"), n)
                 : filled(worded("findings", "%1 are outside the part that the sampler uses"), n);
    case MissingCause::WeightZero:
      return one ? filled(worded("findings", "%1 has weight 0"), n) : filled(worded("findings", "%1 have weight 0"), n);
    case MissingCause::WithoutWeight:
      return one ? filled(worded("findings", "%1 has no weight"), n)
                 : filled(worded("findings", "%1 have no weight"), n);
    case MissingCause::NotDrawn:
      return one ? filled(worded("findings", "%1 was not drawn"), n)
                 : filled(worded("findings", "%1 were not drawn"), n);
    case MissingCause::NotHandedOut:
      return one ? filled(worded("findings", "%1 was not handed out"), n)
                 : filled(worded("findings", "%1 were not handed out"), n);
    case MissingCause::HandedOutBefore:
      return one ? filled(worded("findings", "%1 was read before the state was saved"), n)
                 : filled(worded("findings", "%1 were read before the state was saved"), n);
    case MissingCause::WaitingInBuffer:
      return one ? filled(worded("findings", "%1 waits for a batch of a later epoch"), n)
                 : filled(worded("findings", "%1 wait for a batch of a later epoch"), n);
    default:
      return {};
  }
}

constexpr std::array kChoices = {MissingCause::NotAmongIndices, MissingCause::OutsideSubset,
                                 MissingCause::WeightZero,      MissingCause::WithoutWeight,
                                 MissingCause::NotDrawn,        MissingCause::NotHandedOut,
                                 MissingCause::HandedOutBefore, MissingCause::WaitingInBuffer};

/// Why `items` items repeat samples; empty where it is not one of repeatedByDesign()'s.
std::string reasonText(RepeatCause cause, std::int64_t items) {
  const std::string n = grouped(items);
  switch (cause) {
    case RepeatCause::Replacement:
      return filled(worded("findings", "%1 by drawing with replacement"), n);
    case RepeatCause::RepeatFactor:
      return filled(worded("findings", "%1 by the sampler's repeat factors"), n);
    case RepeatCause::ClassBalance:
      return filled(worded("findings", "%1 to balance the classes"), n);
    case RepeatCause::ListedTwice:
      return filled(worded("findings", "%1 because the list has samples more than once"), n);
    case RepeatCause::TwoStreams:
      return filled(worded("findings", "%1 from a stream that starts over, or from samples in both streams"), n);
    case RepeatCause::AnotherPass:
      return filled(worded("findings", "%1 from another pass in the same epoch"), n);
    case RepeatCause::Replication:
      return filled(worded("findings", "%1 for ranks that are meant to read the same samples"), n);
    default:
      return {};
  }
}

constexpr std::array kByDesign = {RepeatCause::Replacement, RepeatCause::RepeatFactor, RepeatCause::ClassBalance,
                                  RepeatCause::ListedTwice, RepeatCause::TwoStreams,   RepeatCause::AnotherPass,
                                  RepeatCause::Replication};

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

}  // namespace

FindingWords slicesNeverRead(std::int64_t slices, std::int64_t asked, const Lost& lost) {
  const std::int64_t unread = slices - asked;
  const std::string of = wordedCount(slices, "slice");
  return {unread == 1 ? filled(worded("findings", "1 of %1 is never read"), of)
                      : filled(worded("findings", "%1 of %2 are never read"), grouped(unread), of),
          filled(worded("findings", "The sampler divides by %1, and the ranks ask for %2: %3."), grouped(slices),
                 wordedCount(asked, "slice"), reachNone(lost)),
          worded("findings", "Each process reads the slice of its rank. A slice that belongs to no process is lost.")};
}

FindingWords dividedDifferently(std::int64_t fewest, std::int64_t most, const Lost& lost) {
  return {
      worded("findings", "Ranks divide by different numbers"),
      filled(worded("findings", "The sampler divides by %1 to %2, depending on the node: %3."), grouped(fewest),
             grouped(most), reachNone(lost)) +
          lost.never_read,
      worded("findings", "Slices of different lengths overlap and leave samples out. Give every rank the world size.")};
}

FindingWords dividedTwice(std::int64_t slices, const std::string& sampler, const Lost& lost) {
  const std::string by = slices == 0 ? worded("findings", "another number on each node") : grouped(slices);
  return {
      worded("findings", "The dataset is divided twice"),
      filled(worded("findings", "The inner sampler divides by %1, and %2 divides its share among the ranks again: %3."),
             by, sampler, reachNone(lost)) +
          lost.never_read,
      worded("findings", "Each rank gets a share of its own share. Let only one of them divide.")};
}

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

std::string asRecorded() {
  return worded("findings", "These are the recorded batches. The recording does not say why these were read.");
}

FindingWords leftOut(const MissingCounts& causes, std::int64_t asked, const Lost& lost) {
  std::vector<std::string> parts;
  for (const MissingCause cause : kChoices) {
    if (causes[cause] == 0) continue;
    parts.push_back(choiceText(cause, causes[cause]));
    if (cause == MissingCause::NotDrawn && asked > 0) {
      parts.back() = filled(worded("findings", "%1 (num_samples is %2)"), parts.back(), grouped(asked));
    }
  }
  return {lost.samples == 1 ? worded("findings", "1 sample is left out")
                            : filled(worded("findings", "%1 samples are left out"), grouped(lost.samples)),
          filled(worded("findings", "%1: %2."), capital(reachNone(lost)), join(parts, ", ")) + lost.never_read,
          asAsked()};
}

bool isLeftOut(MissingCause cause) {
  return std::ranges::find(kChoices, cause) != kChoices.end();
}

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

FindingWords droppedBySampler(std::int64_t order, std::int64_t slices, const Lost& lost) {
  return {filled(worded("findings", "The sampler drops %1"), wordedCount(lost.samples, "sample")),
          (slices > 0
               ? filled(worded("findings", "%1 is not a multiple of %2: %3."), grouped(order), grouped(slices),
                        tailLost(lost))
               : filled(worded("findings", "The sampler hands out only what divides evenly: %1."), reachNone(lost))) +
              lost.never_read,
          worded("findings", "Samples that do not divide evenly are cut.")};
}

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
  for (const RepeatCause cause : kByDesign) {
    if (causes[cause] > 0) parts.push_back(reasonText(cause, causes[cause]));
  }
  return {repeatTitle(repeated),
          repeated.how_often.empty()
              ? filled(worded("findings", "%1: %2."), itemsRepeat(repeated), join(parts, ", "))
              : filled(worded("findings", "%1: %2; %3."), itemsRepeat(repeated), join(parts, ", "), repeated.how_often),
          asAsked()};
}

bool isByDesign(RepeatCause cause) {
  return std::ranges::find(kByDesign, cause) != kByDesign.end();
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

FindingWords orderNotKnown(const std::string& because, bool has_readings) {
  return {worded("findings", "The samples of each batch are not known"), capital(because),
          has_readings ? worded("findings",
                                "These counts are the same in every order. Nothing is said about what depends on the "
                                "order: which sample comes when, and whether epochs or ranks have equal batches.")
                       : worded("findings",
                                "These counts are the same in every order. Nothing is said about what depends on the "
                                "order: which samples a rank reads, how often, and what it shares with other ranks.")};
}

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

}  // namespace shardlens::words
