// SPDX-License-Identifier: Apache-2.0
// Who runs out of batches first, and what the loader makes of a rank's samples.
#include "core/audit/words/finding_words.h"
#include "core/base/phrase.h"
#include "core/base/text.h"

namespace shardlens::words {
namespace {

/// "Rank 3 has", "Ranks 0 to 3 have".
std::string ranksHave(const std::vector<std::int64_t>& ranks) {
  return ranks.size() == 1 ? filled(worded("findings", "Rank %1 has"), listed(ranks))
                           : filled(worded("findings", "Ranks %1 have"), listed(ranks));
}

/// With a space before it, unless it is empty.
std::string spaced(const std::string& text) {
  return text.empty() ? text : " " + text;
}

std::string collectiveWaits(std::int64_t step) {
  return filled(worded("findings", ". Any collective in step %1 waits forever, or meets one of another step."),
                grouped(step));
}

/// "Ranks 1 and 2 have only 5 batches; the others have up to 6. Any collective in step 5 waits forever, or meets one of
/// another step."
std::string shorter(const RunOut& out) {
  const bool one_other = out.world - static_cast<std::int64_t>(out.first.size()) == 1;
  const std::string who = ranksHave(out.first);
  const std::string few = out.fewest == 0 ? filled(worded("findings", "%1 no batch"), who)
                                          : filled(worded("findings", "%1 only %2"), who, batches(out.fewest));
  return (one_other ? filled(worded("findings", "%1; the other rank has %2"), few, grouped(out.most))
                    : filled(worded("findings", "%1; the others have up to %2"), few, grouped(out.most))) +
         collectiveWaits(out.fewest);
}

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

}  // namespace

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

FindingWords unequalBatches(const RunOut& out, Joining joining) {
  return {out.first.size() == 1 ? filled(worded("findings", "Rank %1 runs out first"), listed(out.first))
                                : filled(worded("findings", "Ranks %1 run out first"), listed(out.first)),
          shorter(out),
          worded("findings",
                 "A collective completes when every rank has entered it, and a rank whose loader has run out makes no "
                 "further step in that epoch.") +
              joinText(out, joining)};
}

std::string firstSuchEpoch(std::int64_t epoch, std::int64_t epochs) {
  return filled(worded("findings", " Epoch %1 of %2 is the first in which this happens."), grouped(epoch),
                grouped(epochs));
}

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
    message = filled(worded("findings", "%1 no sample%2"), who, when) + collectiveWaits(0);
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

FindingWords batchLargerThanSlice(const SmallSlices& small) {
  const auto ranks = static_cast<std::int64_t>(small.ranks.size());
  const bool alike = ranks == small.world && small.fewest == small.most;
  const std::string of_ranks =
      ranks == small.world ? std::string() : filled(worded("findings", " of %1"), wordedCount(ranks, "rank"));
  const std::string most = wordedCount(small.most, "sample");
  const std::string samples =
      small.fewest == small.most ? most : filled(worded("findings", "%1 to %2"), grouped(small.fewest), most);
  const std::string who = alike ? worded("findings", "A rank has") : ranksHave(small.ranks);
  const std::string when = small.when.empty() ? worded("findings", "per epoch") : small.when;
  const std::string batch = grouped(small.batch);
  const std::string message =
      !small.lost ? filled(worded("findings", "%1 %2 %3, and batch_size is %4."), who, samples, when, batch)
      : alike || ranks == 1
          ? filled(worded("findings",
                          "%1 %2 %3, and batch_size is %4: the short batch is dropped, so the rank makes no "
                          "step."),
                   who, samples, when, batch)
          : filled(worded("findings",
                          "%1 %2 %3, and batch_size is %4: the short batch is dropped, so these ranks make no "
                          "step."),
                   who, samples, when, batch);
  return {small.lost           ? filled(worded("findings", "The loader drops the only batch%1"), of_ranks)
          : small.when.empty() ? filled(worded("findings", "The batch%1 is never full"), of_ranks)
                               : filled(worded("findings", "The batch%1 is not full"), of_ranks),
          message,
          small.is_divided ? worded("findings", "batch_size is per rank: the dataset is divided among the ranks first.")
                           : worded("findings", "batch_size is per rank: a batch has no samples of other ranks.")};
}

FindingWords shortLastBatch(const ShortBatches& batches) {
  const std::string of = wordedCount(batches.batch, "sample");
  const std::string has = batches.fewest == batches.most
                              ? grouped(batches.fewest)
                              : filled(worded("findings", "%1 to %2"), grouped(batches.fewest), grouped(batches.most));
  const std::string step =
      batches.first_step == batches.last_step
          ? filled(worded("findings", "step %1"), grouped(batches.first_step))
          : filled(worded("findings", "steps %1 to %2"), grouped(batches.first_step), grouped(batches.last_step));
  const auto ranks = static_cast<std::int64_t>(batches.ranks.size());
  const std::string message =
      batches.world == 1       ? filled(worded("findings", "It has %1 of %2, in %3."), has, of, step)
      : ranks == batches.world ? filled(worded("findings", "On every rank, it has %1 of %2, in %3."), has, of, step)
      : ranks == 1
          ? filled(worded("findings", "On rank %1, it has %2 of %3, in %4."), listed(batches.ranks), has, of, step)
          : filled(worded("findings", "On ranks %1, it has %2 of %3, in %4."), listed(batches.ranks), has, of, step);
  return {worded("findings", "The last batch is short"), message,
          worded("findings", "The mean over a short batch gives each of its samples more weight.")};
}

FindingWords shortBatches(const ShortBatches& batches) {
  const auto& [rank, step, size] = batches.example;
  const std::string of = words::batches(batches.batches);
  const std::string full = wordedCount(batches.batch, "sample");
  const std::string weight = worded("findings", "The mean over a short batch gives each of its samples more weight.");
  return {batches.count == 1 ? filled(worded("findings", "1 of %1 is short"), of)
                             : filled(worded("findings", "%1 of %2 are short"), grouped(batches.count), of),
          (batches.count == 1
               ? filled(worded("findings", "1 of %1 has fewer than %2: that of rank %3 in step %4 has %5."), of, full,
                        grouped(rank), grouped(step), grouped(size))
               : filled(worded("findings",
                               "%1 of %2 have fewer than %3, and not only at the end: that of rank %4 in step %5 has "
                               "%6."),
                        grouped(batches.count), of, full, grouped(rank), grouped(step), grouped(size))),
          batches.by_workers ? filled(worded("findings",
                                             "Each worker makes batches of what it reads itself, and its last one may "
                                             "be short. %1"),
                                      weight)
                             : weight};
}

FindingWords restOfAccumulation(std::int64_t count, std::int64_t per_step, bool steps_at_end) {
  const std::int64_t steps = count / per_step;
  if (steps_at_end)
    return {worded("findings", "The last optimizer step of an epoch is smaller"),
            filled(worded("findings", "Each rank has %1, and an optimizer step takes %2; the last one takes %3."),
                   batches(count), grouped(per_step), grouped(count % per_step)),
            worded("findings",
                   "Accelerate's accumulate() and Lightning's Trainer by default step at the end of an epoch.")};
  const std::string left = batches(count % per_step);
  const std::string why = worded("findings",
                                 "A loop that steps only at full steps adds their gradients to the next epoch, or "
                                 "throws them away where zero_grad() comes first. Accelerate's accumulate() and "
                                 "Lightning's Trainer by default take a smaller step at the end of the epoch.");
  if (steps == 0)
    return {worded("findings", "An epoch has too few batches for one optimizer step"),
            filled(worded("findings", "Each rank has %1, and an optimizer step takes %2."), batches(count),
                   grouped(per_step)),
            why};
  return {worded("findings", "The epoch ends inside an optimizer step"),
          filled(worded("findings", "Each rank has %1: %2 of %3, and %4 left over."), batches(count),
                 wordedCount(steps, "optimizer step"), grouped(per_step), left),
          why};
}

FindingWords idleWorkers(std::int64_t workers, std::int64_t loading, std::int64_t count) {
  const std::int64_t idle = workers - loading;
  const std::string of = wordedCount(workers, "worker");
  return {idle == 1 ? filled(worded("findings", "1 of %1 never loads a batch"), of)
                    : filled(worded("findings", "%1 of %2 never load a batch"), grouped(idle), of),
          count == 0
              ? filled(worded("findings",
                              "No rank has more than %1 with anything to read: the dataset divides its shards or "
                              "samples among them "
                              "itself."),
                       wordedCount(loading, "worker"))
              : filled(worded("findings", "Each rank has at most %1 per epoch, and batch i goes to worker i mod %2."),
                       batches(count), grouped(workers)),
          worded("findings", "Every worker is a process with its own copy of the dataset object.")};
}

FindingWords loaderLength(const LoaderLength& length) {
  const std::string says = grouped(length.says);
  const std::string has = batches(length.batches);
  const std::string rank = grouped(length.rank);
  const std::string workers = grouped(length.workers);
  const std::string title =
      length.ranks == 1 ? filled(worded("findings", "len(loader) says %1, but the rank has %2"), says, has)
      : length.alike    ? filled(worded("findings", "len(loader) says %1, but each rank has %2"), says, has)
                        : filled(worded("findings", "len(loader) says %1, but rank %2 has %3"), says, rank, has);
  const std::string own =
      length.ranks == 1 ? filled(worded("findings", "The %1 workers cut batches of their own: %2."), workers, has)
      : length.alike
          ? filled(worded("findings", "The %1 workers of each rank cut batches of their own: %2 a rank."), workers, has)
          : filled(worded("findings", "The %1 workers of rank %2 cut batches of their own: %3."), workers, rank, has);
  return {title,
          filled(worded("findings", "If len(dataset) is %1, len(loader) divides it by batch_size and says %2. %3"),
                 grouped(length.dataset), says, own),
          worded("findings",
                 "len() of a loader over an iterable dataset ignores the workers. A progress bar or a learning-rate "
                 "schedule that takes it for the number of steps counts wrong.")};
}

FindingWords countedByWorker(const CountedByWorker& counted) {
  const std::string number = grouped(counted.number);
  const std::string workers = grouped(counted.workers);
  const std::string of_rank =
      counted.rank_fewest == counted.rank_most
          ? batches(counted.rank_most)
          : filled(worded("findings", "%1 to %2"), grouped(counted.rank_fewest), batches(counted.rank_most));
  const std::string counts = counted.fewest == counted.most
                                 ? filled(worded("findings", "%1 x %2 = %3"), workers, grouped(counted.most), of_rank)
                                 : filled(worded("findings", "%1 to %2 each, together %3"), grouped(counted.fewest),
                                          batches(counted.most), of_rank);
  return {filled(worded("findings", "%1 counts in each worker"), counted.field),
          counted.ranks == 1
              ? filled(worded("findings", "%1 is %2, and each of the %3 workers counts to it by itself: %4."),
                       counted.field, number, workers, counts)
              : filled(worded("findings",
                              "%1 is %2, and each of the %3 workers of a rank counts to it by itself: %4 a rank."),
                       counted.field, number, workers, counts),
          worded("findings",
                 "Each worker has its own copy of the dataset, and the count is in the copy. with_epoch of the loader "
                 "(webdataset.WebLoader) counts the batches of the rank instead.")};
}

FindingWords unusedLists(const std::vector<std::string>& fields, const std::string& sampler) {
  const std::string which = join(fields, ", ");
  return {fields.size() == 1 ? filled(worded("findings", "%1 is not used"), which)
                             : filled(worded("findings", "%1 are not used"), which),
          fields.size() == 1 ? filled(worded("findings", "%1 does not read it."), sampler)
                             : filled(worded("findings", "%1 does not read them."), sampler),
          fields.size() == 1 ? worded("findings", "The plan is the same without it.")
                             : worded("findings", "The plan is the same without them.")};
}

}  // namespace shardlens::words
