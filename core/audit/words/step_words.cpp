// SPDX-License-Identifier: Apache-2.0
// Who runs out of batches first, and what the loader makes of a rank's samples.
#include "core/audit/words/finding_words.h"
#include "core/audit/words/grammar.h"
#include "core/base/text.h"

namespace shardlens::words {
namespace {

/// "Rank 3 has", "Ranks 0-3 have".
std::string ranksHave(const std::vector<std::int64_t>& ranks) {
  return (ranks.size() == 1 ? "Rank " : "Ranks ") + ranges(ranks) + (ranks.size() == 1 ? " has" : " have");
}

/// With a space before it, unless it is empty.
std::string spaced(const std::string& text) {
  return text.empty() ? text : " " + text;
}

std::string othersWait(Waiting waiting, std::int64_t step) {
  if (waiting == Waiting::AnyCollective) return ". Any collective in step " + grouped(step) + " waits forever.";
  return ": the other ranks wait forever in the all-reduce of step " + grouped(step) + ".";
}

/// What keeps the ranks in step without a change to the data, and its price.
std::string joinText(Joining joining, std::int64_t ranks, std::int64_t steps) {
  if (joining == Joining::None) return {};
  const bool by_torch = joining == Joining::Ddp;
  return std::string(" A script can also train under ") +
         (by_torch ? "torch's Join (with Join([model]): ...)" : "accelerator.join_uneven_inputs([model])") +
         ", which answers DDP's all-reduce, and no other collective, for ranks that have run out; in the last " +
         (steps == 1 ? "step " : counted(steps, "step") + " ") +
         (ranks == 1 ? std::string("that rank") : "those " + counted(ranks, "rank")) +
         (steps == 1 ? "" : ", and any that run out later,") + (ranks == 1 && steps == 1 ? " adds" : " add") +
         " nothing to the gradients.";
}

}  // namespace

FindingWords inStep(const InStep& in_step) {
  const std::int64_t alike = in_step.alike;
  const std::string when = alike == in_step.epochs && alike > 1 ? "in every epoch"
                           : alike > 1 ? "in the first " + grouped(alike) + " of " + counted(in_step.epochs, "epoch")
                                       : in_step.audited;
  const std::string who = in_step.ranks == 1 ? "The only rank has " : capital(allRanks(in_step.ranks)) + " have ";
  const std::string count = in_step.fewest == in_step.most ? batches(in_step.most) + " "
                                                           : "the same number of batches, " + grouped(in_step.fewest) +
                                                                 " to " + grouped(in_step.most) + ", ";
  return {"No rank runs out early", who + count + when + ".", "All ranks take part in every all-reduce."};
}

FindingWords unequalBatches(const std::vector<std::int64_t>& first_out, std::int64_t fewest, std::int64_t most,
                            Waiting waiting, Joining joining) {
  const auto ranks = static_cast<std::int64_t>(first_out.size());
  return {
      (ranks == 1 ? "Rank " : "Ranks ") + ranges(first_out) + (ranks == 1 ? " runs" : " run") + " out first",
      ranksHave(first_out) + " only " + grouped(fewest) + " of up to " + batches(most) + othersWait(waiting, fewest),
      "A collective completes when every rank has entered it. A rank whose loader is empty never does." +
          joinText(joining, ranks, most - fewest)};
}

std::string firstSuchEpoch(std::int64_t epoch, std::int64_t epochs) {
  return " Epoch " + grouped(epoch) + " of " + grouped(epochs) + " is the first in which this happens.";
}

FindingWords emptyRanks(const EmptyRanks& empty, Waiting waiting) {
  const auto ranks = static_cast<std::int64_t>(empty.ranks.size());
  const std::string title = empty.samples == 0     ? "The dataset is empty"
                            : ranks == empty.world ? "No rank gets a sample" + spaced(empty.when)
                                                   : counted(ranks, "rank") + " without samples";
  const std::string message =
      ranks == empty.world
          ? (empty.world == 1 ? std::string("The only rank") : "Each of " + counted(empty.world, "rank")) +
                " gets 0 of " + counted(empty.samples, "sample") + spaced(empty.when) + "."
      : !empty.waited_for ? ranksHave(empty.ranks) + " no sample" + spaced(empty.when) + "."
      : empty.batches > 0 ? ranksHave(empty.ranks) + " no samples" + spaced(empty.when) + ", only " +
                                batches(empty.batches) + " without any."
                          : ranksHave(empty.ranks) + " no sample" + spaced(empty.when) + othersWait(waiting, 0);
  const std::string why =
      empty.read_before   ? "The sampler leaves out what was read before: look at " + empty.field + "."
      : empty.dropped     ? "There are fewer samples than slices, and what does not divide evenly is dropped."
      : empty.batches > 0 ? "They stay in step; the model must skip empty batches."
                          : "There is nothing to read: look at " + empty.field + ".";
  return {title, message, why};
}

FindingWords noBatches(std::int64_t epoch, std::int64_t batch, const Lost& lost) {
  return {"No rank gets a batch",
          "No batch is made in epoch " + grouped(epoch) + ": " + grouped(lost.samples) + " of " +
              counted(lost.of, "sample") + (lost.samples == 1 ? " goes" : " go") + " unused.",
          "No worker or rank has enough samples for a whole batch of " + grouped(batch) + "."};
}

FindingWords batchLargerThanSlice(const SmallSlices& small) {
  const auto ranks = static_cast<std::int64_t>(small.ranks.size());
  const bool alike = ranks == small.world && small.fewest == small.most;
  const std::string of_ranks = ranks == small.world ? std::string() : " of " + counted(ranks, "rank");
  const std::string samples =
      (small.fewest == small.most ? std::string() : grouped(small.fewest) + " to ") + counted(small.most, "sample");
  const std::string no_step = alike || ranks == 1 ? "so the rank makes no step." : "so these ranks make no step.";
  return {small.lost           ? "The loader drops the only batch" + of_ranks
          : small.when.empty() ? "The batch" + of_ranks + " is never full"
                               : "The batch" + of_ranks + " is not full",
          (alike ? std::string("A rank has") : ranksHave(small.ranks)) + " " + samples +
              (small.when.empty() ? std::string(" per epoch") : " " + small.when) + ", and batch_size is " +
              grouped(small.batch) + (small.lost ? ": the short batch is dropped, " + no_step : "."),
          "batch_size is per rank: the dataset is divided among the ranks first."};
}

FindingWords shortLastBatch(std::int64_t ranks, std::int64_t left, std::int64_t batch, std::int64_t step) {
  return {"The last batch is short",
          std::string(ranks == 1 ? "It has " : "On rank 0 it has ") + grouped(left) + " of " +
              counted(batch, "sample") + ", in step " + grouped(step) + ".",
          "The mean over a short batch gives each of its samples more weight."};
}

FindingWords idleWorkers(std::int64_t workers, std::int64_t loading, std::int64_t count) {
  const std::int64_t idle = workers - loading;
  return {
      grouped(idle) + " of " + counted(workers, "worker") + (idle == 1 ? " never loads" : " never load") + " a batch",
      count == 0 ? "No rank has more than " + counted(loading, "worker") +
                       " with anything to read: the dataset divides its shards or samples among them itself."
                 : "Each rank has at most " + batches(count) + " per epoch, and batch i goes to worker i mod " +
                       grouped(workers) + ".",
      "Every worker is a process with its own copy of the dataset object."};
}

}  // namespace shardlens::words
