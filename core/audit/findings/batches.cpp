// SPDX-License-Identifier: Apache-2.0
#include "core/audit/findings/rules.h"
#include "core/base/phrase.h"
#include "core/base/text.h"
#include "core/sampling/registry.h"
#include "core/sampling/sampler_rule.h"
#include "core/spec/field_table.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace shardlens::words {
namespace {

/// Ranks with samples, but fewer than a batch.
struct SmallSlices {
  std::vector<std::int64_t> ranks;
  std::int64_t world = 0;
  std::int64_t fewest = 0, most = 0;  ///< samples of these ranks
  std::int64_t batch = 0;
  bool lost = false;        ///< the short batch is dropped
  bool is_divided = false;  ///< the sampler divides the dataset among the ranks
  std::string when;         ///< epochsText(), or empty where it is so in every audited epoch
};

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

/// Batches that are not full.
struct ShortBatches {
  std::vector<std::int64_t> ranks;
  std::int64_t world = 0;
  std::int64_t batch = 0;                      ///< samples of a full one
  std::int64_t fewest = 0, most = 0;           ///< samples of a short one
  std::int64_t first_step = 0, last_step = 0;  ///< in which they are
  std::int64_t count = 0;
  std::int64_t batches = 0;  ///< all of them, of all ranks; 0 where that is not asked
  std::int64_t inside = 0;   ///< short ones after which their rank has another batch
  struct Example {
    std::int64_t rank = 0;
    std::int64_t step = 0;
    std::int64_t size = 0;
  };
  Example example;          ///< the first of these; the earliest one, where there are only last ones
  bool by_workers = false;  ///< the workers of a rank each make batches of their own
};

/// Only last ones.
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

/// Others, too.
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

/// Every rank has `count` batches, of which each optimizer step takes `per_step`; some are left over. `steps_at_end`:
/// the framework's loop takes a step with them.
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

/// `count` batches of a rank, or 0 where the dataset divides among the workers itself.
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

/// What len(loader) says of an iterable dataset, beside the batches that come.
struct LoaderLength {
  std::int64_t dataset = 0;  ///< what len(dataset) says
  std::int64_t says = 0;     ///< batches, by torch
  std::int64_t batches = 0;  ///< of the rank
  std::int64_t workers = 0;  ///< of the rank
  std::int64_t rank = 0, ranks = 1;
  bool alike = true;  ///< these are the numbers of every rank
};

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

/// A parameter by which each worker's copy of the dataset counts its own epoch.
struct CountedByWorker {
  std::string field;
  std::int64_t number = 0;  ///< what the field says
  std::int64_t workers = 0;
  std::int64_t ranks = 1;
  std::int64_t fewest = 0, most = 0;            ///< batches of a worker
  std::int64_t rank_fewest = 0, rank_most = 0;  ///< batches of a rank
};

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
          filled(counted.ranks == 1
                     ? worded("findings", "%1 is %2, and each of the %3 workers counts to it by itself: %4.")
                     : worded("findings",
                              "%1 is %2, and each of the %3 workers of a rank counts to it by itself: %4 a rank."),
                 counted.field, number, workers, counts),
          worded("findings",
                 "Each worker has its own copy of the dataset, and the count is in the copy. with_epoch of the loader "
                 "(webdataset.WebLoader) counts the batches of the rank instead.")};
}

/// Fields of the dataset, at least one.
FindingWords unusedLists(const std::vector<std::string>& fields) {
  const std::string which = join(fields, ", ");
  return {fields.size() == 1 ? filled(worded("findings", "%1 is not used"), which)
                             : filled(worded("findings", "%1 are not used"), which),
          fields.size() == 1 ? worded("findings", "The sampler does not read it.")
                             : worded("findings", "The sampler does not read them."),
          fields.size() == 1 ? worded("findings", "The plan is the same without it.")
                             : worded("findings", "The plan is the same without them.")};
}

}  // namespace
}  // namespace shardlens::words

namespace shardlens::findings {

using sampling::SamplerTraits;

namespace {

constexpr std::int64_t kMostBatches = 1'000'000;  ///< that are looked at

/// The ranks that have samples, but no whole batch.
words::SmallSlices smallSlicesOf(const Facts& facts, const EpochShape& shape) {
  words::SmallSlices small;
  small.batch = facts.spec().loader.batch_size;
  small.lost = facts.spec().loader.drop_last;
  small.world = facts.worldSize();
  small.is_divided = small.world > 1 && (facts.takes(&SamplerTraits::num_replicas) || facts.traits().deals_to_world);
  for (std::int64_t rank = 0; rank < small.world; ++rank) {
    const std::int64_t samples = shape.ranks[static_cast<std::size_t>(rank)].samples;
    if (samples == 0 || samples >= small.batch) continue;
    small.fewest = small.ranks.empty() ? samples : std::min(small.fewest, samples);
    small.most = std::max(small.most, samples);
    small.ranks.push_back(rank);
  }
  return small;
}

/// Until a batch inside is found, the earliest one is the example.
void add(words::ShortBatches& found, std::int64_t rank, std::int64_t left, std::int64_t step) {
  const bool first = found.ranks.empty();
  if (found.inside == 0 && (first || step < found.first_step)) found.example = {rank, step, left};
  found.fewest = first ? left : std::min(found.fewest, left);
  found.most = std::max(found.most, left);
  found.first_step = first ? step : std::min(found.first_step, step);
  found.last_step = std::max(found.last_step, step);
  ++found.count;
  if (found.ranks.empty() || found.ranks.back() != rank) found.ranks.push_back(rank);
}

/// Of ranks with several batches, where the loader cuts them.
std::optional<words::ShortBatches> shortTails(const Facts& facts) {
  if (facts.spec().loader.drop_last) return std::nullopt;
  words::ShortBatches found;
  found.world = facts.worldSize();
  found.batch = facts.spec().loader.batch_size;
  for (std::int64_t rank = 0; rank < found.world; ++rank) {
    const RankEpochShape& shape = facts.shape().ranks[static_cast<std::size_t>(rank)];
    if (shape.samples % found.batch > 0 && shape.batches > 1)
      add(found, rank, shape.samples % found.batch, shape.batches - 1);
  }
  return found;
}

/// A batch of the judged epoch, where the sampler cuts them.
struct CutBatch {
  std::int64_t rank = 0;
  std::int64_t step = 0;
  std::int64_t size = 0;
  bool is_last = false;  ///< of its rank
};

/// Nothing where they are too many to look at.
std::optional<std::vector<CutBatch>> cutBatches(const Facts& facts) {
  std::vector<CutBatch> batches;
  std::int64_t looked_at = 0;
  for (Rank rank{0}; rank.value < facts.worldSize(); ++rank) {
    const auto items = facts.plan().rankEpoch(facts.epoch(), rank, facts.work());
    looked_at += items ? items->batches() + 1 : kMostBatches;
    if (looked_at > kMostBatches) return std::nullopt;
    for (Step step{0}; step.value < items->batches(); ++step)
      batches.push_back({rank.value, step.value, items->batch(step).size(), step.value + 1 == items->batches()});
  }
  return batches;
}

/// Workers of a stream fill batches of the loader's size; accelerate may cut these for the ranks.
bool fillsLoaderBatches(const Facts& facts) {
  return facts.claims().is_stream && sampling::traitsOf(facts.spec()).loop != sampling::LoopOwner::Accelerate;
}

/// Samples of a full batch; 0 where batches have many sizes. Of recorded batches that are all last ones, only what the
/// loader says tells it.
std::int64_t fullBatch(const Facts& facts, const std::vector<CutBatch>& batches) {
  if (fillsLoaderBatches(facts)) return facts.spec().loader.batch_size;
  std::int64_t inside = 0;
  std::int64_t last = 0;
  for (const CutBatch& batch : batches) {
    if (batch.is_last) {
      last = std::max(last, batch.size);
    } else if (inside > 0 && batch.size != inside) {
      return 0;
    } else {
      inside = batch.size;
    }
  }
  if (inside == 0 && facts.claims().is_recorded) return facts.spec().loader.batch_size;
  return inside > 0 && last > inside ? 0 : std::max(inside, last);
}

/// Where the sampler cuts batches.
std::optional<words::ShortBatches> shortBatches(const Facts& facts) {
  const auto batches = cutBatches(facts);
  if (!batches) return std::nullopt;
  words::ShortBatches found;
  found.world = facts.worldSize();
  found.batch = fullBatch(facts, *batches);
  for (const CutBatch& batch : *batches) {
    if (batch.size == 0 || batch.size >= found.batch) continue;
    if (!batch.is_last && found.inside == 0) found.example = {batch.rank, batch.step, batch.size};
    found.inside += batch.is_last ? 0 : 1;
    add(found, batch.rank, batch.size, batch.step);
  }
  found.batches = static_cast<std::int64_t>(batches->size());
  found.by_workers = facts.spec().loader.num_workers > 1;
  return found;
}

}  // namespace

void batchLargerThanSlice(const Facts& facts, std::vector<Finding>& findings) {
  if (!facts.loaderCutsBatches()) return;
  words::SmallSlices small = smallSlicesOf(facts, facts.shape());
  small.when = facts.epochsLike([&](const EpochShape& shape) {
    const words::SmallSlices there = smallSlicesOf(facts, shape);
    return there.ranks == small.ranks && there.fewest == small.fewest && there.most == small.most;
  });
  if (small.ranks.empty()) return;
  Finding& finding =
      findings.emplace_back(told("batch-larger-than-slice", FindingTopic::Batches,
                                 small.lost ? Severity::Error : Severity::Warning, words::batchLargerThanSlice(small)));
  finding.amount = static_cast<std::int64_t>(small.ranks.size());
  if (finding.amount < small.world) finding.where.ranks = small.ranks;
  finding.where.example = {small.ranks.front()};
  finding.where.epoch = facts.coverage().epoch;
  finding.where.field = "loader.batch_size";
}

void shortLastBatch(const Facts& facts, std::vector<Finding>& findings) {
  const auto found = facts.loaderCutsBatches() ? shortTails(facts) : shortBatches(facts);
  if (!found || found->ranks.empty()) return;
  const bool inside = found->inside > 0;
  Finding& finding =
      findings.emplace_back(told(inside ? "short-batches" : "short-last-batch", FindingTopic::Batches, Severity::Info,
                                 inside ? words::shortBatches(*found) : words::shortLastBatch(*found)));
  const auto ranks = static_cast<std::int64_t>(found->ranks.size());
  if (ranks < found->world) finding.where.ranks = found->ranks;
  finding.where.epoch = facts.coverage().epoch;
  finding.where.step = found->example.step;
  finding.where.example = {found->example.rank};
  finding.where.field = facts.loaderCutsBatches() ? "loader.drop_last" : facts.fieldOf(&SamplerTraits::drop_last);
}

void restOfAccumulation(const Facts& facts, std::vector<Finding>& findings) {
  const std::int64_t per_step = sampling::batchesPerStep(facts.spec()).value_or(1);
  const Lockstep& steps = facts.lockstep();
  if (facts.evaluates() || steps.fewest != steps.most || steps.most % per_step == 0) return;
  const bool steps_at_end = sampling::stepsAtEnd(facts.spec());
  const bool none = steps.most < per_step && !steps_at_end;
  Finding& finding = findings.emplace_back(told("rest-of-accumulation", FindingTopic::Batches,
                                                none ? Severity::Warning : Severity::Info,
                                                words::restOfAccumulation(steps.most, per_step, steps_at_end)));
  finding.amount = steps.most % per_step;
  finding.where.epoch = facts.coverage().epoch;
  finding.where.field = facts.traits().accumulation.empty() ? "loader.gradient_accumulation_steps"
                                                            : facts.fieldOf(&SamplerTraits::accumulation);
}

void idleWorkers(const Facts& facts, std::vector<Finding>& findings) {
  const std::int64_t workers = facts.spec().loader.num_workers;
  std::int64_t batches = 0;
  for (const AuditedEpoch& one : facts.epochs()) batches = std::max(batches, one.shape.steps);
  if (batches == 0 || workers == 0) return;
  const LoadingWorkers loaders = facts.loadingWorkers();
  if (workers <= loaders.count) return;
  Finding& finding =
      findings.emplace_back(told("idle-workers", FindingTopic::Batches, Severity::Warning,
                                 words::idleWorkers(workers, loaders.count, loaders.named ? 0 : batches)));
  finding.where.field = "loader.num_workers";
}

/// Lists about the samples that the sampler does not say it reads.
void unusedLists(const Facts& facts, std::vector<Finding>& findings) {
  const auto& dataset = facts.spec().dataset;
  const std::array lists = {std::pair("dataset.shards", dataset.shards.empty()),
                            std::pair("dataset.lengths", dataset.lengths.empty()),
                            std::pair("dataset.labels", dataset.labels.empty())};
  const std::vector<std::string>& reads = facts.plan().rule().info.reads;
  std::vector<std::string> unused;
  for (const auto& [field, is_empty] : lists) {
    if (!is_empty && std::ranges::find(reads, field) == reads.end()) unused.emplace_back(field);
  }
  if (unused.empty()) return;
  Finding& finding =
      findings.emplace_back(told("unused-list", FindingTopic::Batches, Severity::Info, words::unusedLists(unused)));
  finding.where.field = unused.front();
}

namespace {

constexpr std::int64_t kMostListed = 1'000'000;  ///< that are looked at

/// The rank's batches of the judged epoch, where they are listed worker by worker; more than one takes turns.
std::optional<RankEpoch> cutByWorkers(const Facts& facts, Rank rank) {
  if (facts.spec().loader.num_workers < 2) return std::nullopt;
  const auto items = facts.plan().rankEpoch(facts.epoch(), rank, facts.work());
  if (!items) return std::nullopt;
  const auto& deal = items->slice().order()->deal();
  return deal != nullptr && !deal->batch_workers.empty() ? std::optional(*items) : std::nullopt;
}

/// DataLoader.__len__ over an iterable dataset (torch/utils/data/dataloader.py, 1.13 to 2.9).
std::int64_t torchLength(const PipelineSpec& spec, std::int64_t dataset) {
  const std::int64_t batch = spec.loader.batch_size;
  return spec.loader.drop_last ? dataset / batch : (dataset + batch - 1) / batch;
}

/// Of the first rank that torch's number is wrong of.
std::optional<words::LoaderLength> wrongLength(const Facts& facts) {
  const auto lengths_of = facts.plan().rule().dataset_lengths;
  if (lengths_of == nullptr || !cutByWorkers(facts, Rank{0})) return std::nullopt;
  const std::vector<std::int64_t> lengths = lengths_of(facts.spec());
  std::optional<words::LoaderLength> wrong;
  bool alike = true;
  for (std::int64_t rank = 0; rank < facts.worldSize(); ++rank) {
    const std::int64_t length = lengths[lengths.size() == 1 ? 0 : static_cast<std::size_t>(rank)];
    const std::int64_t says = torchLength(facts.spec(), length);
    const std::int64_t batches = facts.shape().ranks[static_cast<std::size_t>(rank)].batches;
    if (!wrong && says != batches)
      wrong = words::LoaderLength{length,   says, batches, facts.spec().loader.num_workers, rank, facts.worldSize(),
                                  rank == 0};
    alike = alike && wrong && wrong->dataset == length && wrong->batches == batches;
  }
  if (wrong) wrong->alike = alike;
  return wrong;
}

/// How many batches each worker of each rank has; nothing where they are too many to look at.
std::optional<words::CountedByWorker> countByWorker(const Facts& facts) {
  words::CountedByWorker counted;
  counted.workers = facts.spec().loader.num_workers;
  counted.ranks = facts.worldSize();
  counted.fewest = counted.rank_fewest = kMostListed;
  std::int64_t looked_at = 0;
  for (Rank rank{0}; rank.value < facts.worldSize(); ++rank) {
    const auto items = cutByWorkers(facts, rank);
    if (!items) return std::nullopt;
    const std::int64_t batches = items->batches();
    looked_at += batches + counted.workers;
    if (looked_at > kMostListed) return std::nullopt;
    std::vector<std::int64_t> of_worker(static_cast<std::size_t>(counted.workers));
    for (Step step{0}; step.value < batches; ++step) ++of_worker[static_cast<std::size_t>(items->worker(step))];
    const auto [fewest, most] = std::ranges::minmax(of_worker);
    counted.fewest = std::min(counted.fewest, fewest);
    counted.most = std::max(counted.most, most);
    counted.rank_fewest = std::min(counted.rank_fewest, batches);
    counted.rank_most = std::max(counted.rank_most, batches);
  }
  return counted;
}

}  // namespace

void loaderLength(const Facts& facts, std::vector<Finding>& findings) {
  const auto wrong = wrongLength(facts);
  if (!wrong) return;
  Finding& finding =
      findings.emplace_back(told("loader-length", FindingTopic::Batches, Severity::Info, words::loaderLength(*wrong)));
  if (!wrong->alike) finding.where.ranks = finding.where.example = {wrong->rank};
  finding.where.epoch = facts.coverage().epoch;
  finding.where.field = "loader.num_workers";
}

void countedByWorker(const Facts& facts, std::vector<Finding>& findings) {
  const std::string_view name = facts.claims().counted_by_worker;
  if (name.empty()) return;
  auto counted = countByWorker(facts);
  if (!counted || counted->most == 0) return;
  counted->field = "sampler." + std::string(name);
  const Field* field = findField(facts.spec(), sampling::catalogue(), counted->field);
  const Value value = field == nullptr ? Value() : getValue(facts.spec(), *field);
  const auto* number = std::get_if<std::int64_t>(&value);
  if (number == nullptr) return;
  counted->number = *number;
  Finding& finding = findings.emplace_back(
      told("counted-by-worker", FindingTopic::Batches, Severity::Info, words::countedByWorker(*counted)));
  finding.where.epoch = facts.coverage().epoch;
  finding.where.field = counted->field;
}

}  // namespace shardlens::findings
