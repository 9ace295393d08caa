// SPDX-License-Identifier: Apache-2.0
// Which samples are handed out, and how often.
#include "core/audit/words/finding_words.h"
#include "core/audit/words/grammar.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>

namespace shardlens::words {
namespace {

const char* const kAsAsked = "The sampler does what its parameters ask for.";
const char* const kNotKnown = "Nothing that ShardLens knows of this sampler explains it.";

/// "in every epoch, 32 of 64 samples reach no rank".
std::string reachNone(const Lost& lost) {
  return lost.when + ", " + grouped(lost.samples) + " of " + counted(lost.of, "sample") +
         (lost.samples == 1 ? " reaches" : " reach") + " no rank";
}

/// A cause, of one sample and of several.
struct Choice {
  MissingCause cause;
  const char* one;
  const char* many;
};

constexpr std::array kChoices = {
    Choice{MissingCause::NotAmongIndices, "is not among the sampler's indices", "are not among the sampler's indices"},
    Choice{MissingCause::OutsideSubset, "is outside the part that the sampler uses",
           "are outside the part that the sampler uses"},
    Choice{MissingCause::WeightZero, "has weight 0", "have weight 0"},
    Choice{MissingCause::WithoutWeight, "has no weight", "have no weight"},
    Choice{MissingCause::NotDrawn, "is not drawn", "are not drawn"},
    Choice{MissingCause::HandedOutBefore, "was read before the state was saved",
           "were read before the state was saved"},
    Choice{MissingCause::WaitingInBuffer, "waits for a batch of a later epoch", "wait for a batch of a later epoch"},
};

struct Reason {
  RepeatCause cause;
  const char* text;
};

constexpr std::array kByDesign = {
    Reason{RepeatCause::Replacement, "drawn with replacement"},
    Reason{RepeatCause::RepeatFactor, "repeated by the sampler's factors"},
    Reason{RepeatCause::ClassBalance, "drawn again to balance classes"},
    Reason{RepeatCause::ListedTwice, "listed more than once"},
    Reason{RepeatCause::TwoStreams, "from a stream that starts over, or in both streams"},
    Reason{RepeatCause::AnotherPass, "from another pass in the same epoch"},
    Reason{RepeatCause::Replication, "for ranks that are meant to read the same samples"},
};

std::string repeatSamples(std::int64_t items) {
  return items == 1 ? " repeats a sample" : " repeat samples";
}

std::string itemsRepeat(const Repeated& repeated) {
  return capital(repeated.when) + ", " + grouped(repeated.items) + " of " + counted(repeated.of, "item") +
         repeatSamples(repeated.items);
}

std::string repeatTitle(const Repeated& repeated) {
  return counted(repeated.items, "item") + repeatSamples(repeated.items);
}

/// What does not divide by what, where an order is dealt like cards.
std::string slicesPadded(const Padding& padding) {
  const std::int64_t items = padding.by_sampler;
  const std::int64_t rest = padding.slices > 0 ? padding.order % padding.slices : 0;
  if (rest == 0) {
    return "The sampler adds " + counted(items, "item") +
           (items == 1 ? " that repeats a sample" : " that repeat samples") +
           ", so that all ranks get the same number.";
  }
  const std::int64_t added = padding.slices - rest;
  const std::string read = items == added ? std::string() : " The ranks read " + counted(items, "such item") + ".";
  if (padding.order < padding.slices) {
    return counted(padding.order, "sample") + " cannot fill " + counted(padding.slices, "slice") +
           ": the sampler repeats " + (padding.order == 1 ? "it" : "them") + " until each slice has one." + read;
  }
  return grouped(padding.order) + " is not a multiple of " + grouped(padding.slices) +
         ": the sampler repeats its first " + (added == 1 ? "sample" : counted(added, "sample")) + "." + read;
}

}  // namespace

FindingWords slicesNeverRead(std::int64_t slices, std::int64_t asked, const Lost& lost) {
  const std::int64_t unread = slices - asked;
  return {grouped(unread) + " of " + counted(slices, "slice") + (unread == 1 ? " is" : " are") + " never read",
          "The sampler divides by " + grouped(slices) + ", and the ranks ask for " + counted(asked, "slice") + ": " +
              reachNone(lost) + ".",
          "Each process reads the slice of its rank. A slice that belongs to no process is lost."};
}

FindingWords dividedTwice(std::int64_t slices, const std::string& sampler, const Lost& lost) {
  return {"The dataset is divided twice",
          "The inner sampler divides by " + grouped(slices) + ", and " + sampler +
              " divides its share among the ranks again: " + reachNone(lost) + "." + lost.never_read,
          "Each rank gets a share of its own share. Let only one of them divide."};
}

FindingWords differentOrders(const Lost& lost) {
  return {"Ranks take shares of different orders",
          "Each rank draws a different order and takes its share of it: " + reachNone(lost) + "." + lost.never_read,
          "Shares fit together only within one order, and the ranks draw one order only with equal seeds."};
}

FindingWords leftOut(const MissingCounts& causes, std::int64_t asked, const Lost& lost) {
  std::vector<std::string> parts;
  for (const Choice& choice : kChoices) {
    const std::int64_t of_cause = causes[choice.cause];
    if (of_cause == 0) continue;
    parts.push_back(grouped(of_cause) + " " + (of_cause == 1 ? choice.one : choice.many));
    if (choice.cause == MissingCause::NotDrawn && asked > 0) parts.back() += " (num_samples is " + grouped(asked) + ")";
  }
  return {counted(lost.samples, "sample") + (lost.samples == 1 ? " is" : " are") + " left out",
          capital(reachNone(lost)) + ": " + join(parts, ", ") + "." + lost.never_read, kAsAsked};
}

bool isLeftOut(MissingCause cause) {
  return std::ranges::find(kChoices, cause, &Choice::cause) != kChoices.end();
}

FindingWords skippedByCount(const std::string& field, const Lost& lost) {
  return {counted(lost.samples, "sample") + (lost.samples == 1 ? " is" : " are") + " skipped at the start of an epoch",
          capital(reachNone(lost)) + ": the epoch does not begin with its first samples." + lost.never_read,
          "The count of consumed samples is not reset between epochs, and an epoch begins where it says: look at " +
              field + "."};
}

FindingWords missingUnexplained(bool by_defect, const Lost& lost) {
  return {
      counted(lost.samples, "sample") + (lost.samples == 1 ? " is" : " are") + " missing",
      capital(reachNone(lost)) + "." + lost.never_read,
      by_defect ? "A known defect of the framework's shuffle skips one index and takes another one twice." : kNotKnown};
}

FindingWords droppedBySampler(std::int64_t order, std::int64_t slices, const Lost& lost) {
  const bool one = lost.samples == 1;
  const std::string tail = "the last " + (one ? "sample" : counted(lost.samples, "sample")) + " of " +
                           (lost.always ? "each epoch's order " : "the order ") + (one ? "reaches" : "reach") +
                           " no rank" + (lost.always ? std::string() : " " + lost.when);
  return {"The sampler drops " + counted(lost.samples, "sample"),
          (slices > 0 ? grouped(order) + " is not a multiple of " + grouped(slices) + ": " + tail
                      : "The sampler hands out only what divides evenly: " + reachNone(lost)) +
              "." + lost.never_read,
          "Samples that do not divide evenly are cut."};
}

FindingWords droppedByLoader(std::int64_t ranks, std::int64_t left, std::int64_t batch, const Lost& lost) {
  const std::string who = ranks == 1 ? "The last batch" : "Each rank's last batch";
  const std::string what =
      left > 0 ? who + " has " + grouped(left) + " of " + counted(batch, "sample") : "Short last batches are dropped";
  return {"The loader drops " + counted(lost.samples, "sample"),
          what + ": " + counted(lost.samples, "sample") + (lost.always ? " per epoch " : " ") +
              (lost.samples == 1 ? "goes" : "go") + " unused" + (lost.always ? std::string() : " " + lost.when) + "." +
              lost.never_read,
          "loader.drop_last discards a last batch that is not full."};
}

FindingWords padding(const Padding& padding) {
  std::vector<std::string> sentences;
  if (padding.by_sampler > 0) sentences.push_back(slicesPadded(padding));
  if (padding.by_batches > 0) {
    sentences.push_back(counted(padding.by_batches, "item") + repeatSamples(padding.by_batches) +
                        " to fill the last batches.");
  }
  return {counted(padding.items, "item") + (padding.items == 1 ? " is" : " are") + " padding", join(sentences, " "),
          "Repeated samples weigh more in training, and an evaluation counts them twice: its result then depends on "
          "the number of ranks."};
}

FindingWords repeatedByDesign(const RepeatCounts& causes, const Repeated& repeated) {
  std::vector<std::string> parts;
  for (const Reason& reason : kByDesign) {
    if (causes[reason.cause] > 0) parts.push_back(grouped(causes[reason.cause]) + " " + reason.text);
  }
  return {repeatTitle(repeated), itemsRepeat(repeated) + ": " + join(parts, ", ") + "; " + repeated.how_often + ".",
          kAsAsked};
}

bool isByDesign(RepeatCause cause) {
  return std::ranges::find(kByDesign, cause, &Reason::cause) != kByDesign.end();
}

FindingWords workersDuplicate(std::int64_t workers, const Repeated& repeated) {
  return {"Workers read the same samples",
          (workers == 2 ? std::string("Both") : "All " + grouped(workers)) +
              " workers of each rank read the same samples: " + repeated.when + ", " + grouped(repeated.items) +
              " of " + counted(repeated.of, "item") + (repeated.items == 1 ? " is" : " are") + " read again, and " +
              repeated.how_often + ".",
          "Every worker has a copy of the dataset. Only get_worker_info() tells a copy which part is its own."};
}

FindingWords repeatedUnexplained(bool by_defect, const Repeated& repeated) {
  return {repeatTitle(repeated), itemsRepeat(repeated) + ".",
          by_defect ? "A known defect of the framework's shuffle takes one index twice and skips another." : kNotKnown};
}

FindingWords wholeCoverage(std::int64_t samples, bool once, const std::string& when) {
  const std::string who = samples == 1   ? "The only sample is"
                          : samples == 2 ? "Both samples are"
                                         : "All " + grouped(samples) + " samples are";
  return {once ? "Every sample is read once" : "Every sample is read",
          who + " handed out " + (once ? "exactly once " : "") + when + (once ? "." : "; only padding repeats."),
          "Counted sample by sample over all ranks."};
}

}  // namespace shardlens::words
