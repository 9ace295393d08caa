// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/audit/ledger.h"
#include "core/schedule/ring.h"
#include "core/schedule/schedule.h"

#include <cctype>
#include <cstdint>
#include <string>
#include <vector>

/// Every sentence of the findings, in one place: functions that take numbers and names. What is found, and how severe
/// it is, is decided in core/audit/findings.
namespace shardlens::words {

struct FindingWords {
  std::string title;    ///< a short verdict
  std::string message;  ///< the sentence with the numbers
  std::string why;
};

// --- parts of sentences ---------------------------------------------------------------------------------------------

/// "in every epoch", "in epochs 0 and 1 of 90", "in epoch 0": for the epochs `alike` out of `all`.
std::string epochsText(const std::vector<std::int64_t>& alike, std::int64_t all);
/// "every sample is read twice", where `each` says how often; otherwise "3 samples are read more than once".
std::string howOftenText(std::int64_t each, std::int64_t duplicated);
/// " 3 samples are never read in any of epochs 0 to 8 of 90."; " In all, 3 samples ..." where that is more than the
/// sentence before is about.
std::string neverReadText(std::int64_t samples, std::int64_t first_epoch, std::int64_t epochs, std::int64_t all_epochs,
                          bool in_all);
/// The audited epochs for which a finding is true.
struct Held {
  std::vector<std::int64_t> holds;    ///< as the message says it
  std::vector<std::int64_t> numbers;  ///< of the same ranks, with other numbers
  std::vector<std::int64_t> ranks;    ///< of other ranks
  std::vector<std::int64_t> reasons;  ///< with the same message, but for another reason
  std::int64_t planned = 1;           ///< epochs of the plan
  std::int64_t fewest = 0, most = 0;  ///< what it counts, over all audited epochs; equal where it counts nothing
};
/// The message of a finding that differs between audited epochs: names the epochs.
std::string heldIn(const std::string& message, const Held& held);
/// The message with the epochs that were counted, "in epochs 0 and 1 of 90", unless it names them all.
std::string countedIn(const std::string& message, const std::string& when);
/// "1 batch", "10 010 batches".
std::string batches(std::int64_t count);
/// "both ranks", "all 8 ranks".
std::string allRanks(std::int64_t ranks);

// --- coverage (coverage_words.cpp) ----------------------------------------------------------------------------------

/// Samples that no rank gets.
struct Lost {
  std::int64_t samples = 0;
  std::int64_t of = 0;     ///< samples of the dataset
  std::string when;        ///< epochsText()
  bool always = true;      ///< whether that is every audited epoch
  bool are_all = true;     ///< these epochs miss no other samples
  std::string never_read;  ///< neverReadText(), or empty
};
/// A sampler that divides into `slices`, of which the ranks ask for `asked`.
FindingWords slicesNeverRead(std::int64_t slices, std::int64_t asked, const Lost& lost);
/// A sampler that divides into `fewest` slices on one node and into `most` on another.
FindingWords dividedDifferently(std::int64_t fewest, std::int64_t most, const Lost& lost);
/// `slices` of the inner sampler; 0 where they differ between nodes.
FindingWords dividedTwice(std::int64_t slices, const std::string& sampler, const Lost& lost);
/// `orders` that the ranks draw; 0 where each rank draws its own.
FindingWords differentOrders(std::int64_t orders, const Lost& lost);
/// Why a list of recorded batches leaves out or repeats samples.
std::string asRecorded();
/// Samples that the sampler was asked to leave out, by cause; `asked` is num_samples where that is the cause, or 0.
FindingWords leftOut(const MissingCounts& causes, std::int64_t asked, const Lost& lost);
/// Whether leftOut() has words for the cause.
bool isLeftOut(MissingCause cause);
/// Samples before the place where the epoch begins, by the count in `field` that no epoch resets.
FindingWords skippedByCount(const std::string& field, const Lost& lost);
/// A global batch of so many samples, by `field`, beside ranks that take micro batches of `batch` samples.
FindingWords noWholeStep(const std::string& field, std::int64_t global_batch, std::int64_t ranks, std::int64_t batch,
                         const Lost& lost);
FindingWords missingUnexplained(bool by_defect, const Lost& lost);

/// What the sampler cuts; `order` and `slices` say what does not divide, or are 0.
FindingWords droppedBySampler(std::int64_t order, std::int64_t slices, const Lost& lost);
/// What the loader cuts: each last batch has `left` of `batch` samples, or 0 where they differ.
FindingWords droppedByLoader(std::int64_t ranks, std::int64_t left, std::int64_t batch, const Lost& lost);
/// Workers that cut batches of their own, where each drops a short one.
struct DroppingWorkers {
  std::int64_t ranks = 1;
  std::int64_t workers = 0;   ///< of each rank
  std::int64_t dropping = 0;  ///< of all ranks, those that drop one
  std::int64_t whole =
      -1;  ///< samples that would be dropped if each rank's batches were cut in one piece; -1: not known
};
FindingWords droppedByWorkers(const DroppingWorkers& by, const Lost& lost);
/// The sampler makes the batches itself, and obeys loader.drop_last in its own way.
FindingWords lastBatchesDropped(const Lost& lost);

/// The order is not known, `because` of something; a sentence. `has_readings`: how often samples are read is.
FindingWords orderNotKnown(const std::string& because, bool has_readings);

/// Items that repeat samples so that ranks or batches get equal numbers.
struct Padding {
  std::int64_t items = 0;  ///< all of them
  std::int64_t by_sampler = 0;
  std::int64_t by_batches = 0;
  std::int64_t order = 0;   ///< places of the order that is divided; 0 when it is not dealt like cards
  std::int64_t slices = 0;  ///< the number of slices
};
FindingWords padding(const Padding& padding);

/// Items that repeat a sample.
struct Repeated {
  std::int64_t items = 0;
  std::int64_t of = 0;    ///< items handed out
  std::string when;       ///< epochsText()
  std::string how_often;  ///< howOftenText(); empty where other items repeat samples, too, for other causes
};
FindingWords repeatedByDesign(const RepeatCounts& causes, const Repeated& repeated);
/// Whether repeatedByDesign() has words for the cause.
bool isByDesign(RepeatCause cause);
FindingWords workersDuplicate(std::int64_t workers, const Repeated& repeated);
FindingWords repeatedUnexplained(bool by_defect, bool skips_others, const Repeated& repeated);

/// `has_peers`: ranks of one copy of the model read alike, and count once.
FindingWords wholeCoverage(std::int64_t samples, bool once, bool has_peers, const std::string& when);

// --- ranks (rank_words.cpp) -----------------------------------------------------------------------------------------

/// Ranks with the same batches, in groups.
struct TwinRanks {
  std::vector<std::vector<std::int64_t>> groups;
  std::int64_t fewest = 0, most = 0;  ///< samples of a group
  std::int64_t compared = 0, ranks = 0;
  std::int64_t nodes = 1;
  bool all = false;                    ///< one group of all compared ranks
  bool by_slices = false;              ///< the sampler deals them one slice
  bool by_node = false;                ///< the sampler is told the node
  bool evaluates = false;              ///< no gradients are averaged
  std::int64_t global_batch = 0;       ///< items of all ranks in step 0; 0 where that is not known
  std::int64_t different_samples = 0;  ///< among these
  std::string reason;                  ///< one of the next four
};
std::string seedsAreEqual();
std::string partsAreEqual();
std::string doesNotDivide(const std::string& sampler);
std::string dividesBy(std::int64_t replicas);
std::string gotInstead(const std::string& argument);
FindingWords identicalRanks(const TwinRanks& twins);

/// Ranks that share samples, told by counting items.
FindingWords ranksReadAgain(bool evaluates, const Repeated& repeated);
/// No more than it takes for all `ranks` to read equally many.
FindingWords ranksReadAgainToBeEven(std::int64_t ranks, const Repeated& repeated);

/// Pairs of ranks that share some samples.
struct SharingPairs {
  std::int64_t sharing = 0, pairs = 0;
  std::int64_t row = 0, column = 0;  ///< the ranks that share most
  std::int64_t shared = 0, of = 0;   ///< their samples, of those of `row`
  std::int64_t compared = 0, ranks = 0;
  bool by_chance = false;  ///< drawn with replacement
  bool divides = false;    ///< the sampler divides
  std::string sampler;
};
FindingWords overlappingRanks(const SharingPairs& pairs);
/// `pairs` compared; 0 where every sample was counted instead.
FindingWords disjointRanks(std::int64_t ranks, bool but_padding, std::int64_t pairs, const std::string& when);

/// Data-parallel ranks, each of which is several ranks that read the same samples.
FindingWords disjointReplicas(std::int64_t replicas, std::int64_t ranks_of_each, bool but_padding,
                              const std::string& when);
/// Ranks of one copy of the model that read different samples.
struct PeersApart {
  std::int64_t epoch = 0, step = 0;  ///< the first such
  std::int64_t rank = 0, other = 0;
  std::string along = {};           ///< "tensor": how these two are parallel
  std::int64_t copies = 0, of = 0;  ///< copies of the model with such ranks in that epoch, of all
};
FindingWords peersReadApart(const PeersApart& apart);

// --- epochs (epoch_words.cpp) ---------------------------------------------------------------------------------------

/// Epochs that follow each other.
struct ComparedEpochs {
  std::int64_t first = 0;
  std::int64_t count = 0;
  std::int64_t planned = 0;  ///< all epochs
};
FindingWords ownOrders(const ComparedEpochs& compared);
/// `has_added`: ranks also read items that the sampler adds.
FindingWords notShuffled(const ComparedEpochs& compared, bool has_added);
/// The same of batches as they were read: whether the sampler shuffles is not known.
FindingWords recordedInOrder(const ComparedEpochs& compared);
FindingWords setEpochForgotten(const ComparedEpochs& compared);
/// Those epochs have the batches of an earlier one.
FindingWords epochsRepeat(const std::vector<std::int64_t>& repeating, const ComparedEpochs& compared);
/// In epoch `first` and the one after it.
FindingWords seedSweep(std::int64_t seed, std::int64_t first);

// --- seeds (seed_words.cpp) -----------------------------------------------------------------------------------------

/// Who was compared.
struct Seeded {
  std::int64_t ranks = 0;     ///< in the table
  std::int64_t of = 0;        ///< the world size
  std::int64_t distinct = 0;  ///< seeds of the ranks
  std::int64_t workers = 0;
  std::int64_t distinct_workers = 0;
  bool workers_collide = false;
  std::int64_t epoch = 0;     ///< in which the workers have these seeds
  bool order_follows = true;  ///< the order of the samples depends on these seeds, as far as is known
};
/// The verdict on a script that never seeds torch's global generator.
std::string neverSeeds();
/// `is_recorded`: the batches are the recorded ones, so it is not known what determines their order.
FindingWords neverSeeded(std::int64_t ranks, bool loader_has_generator, bool is_recorded);
FindingWords sameSeedEverywhere(std::int64_t base, const Seeded& seeded);
/// By local_rank; `nodes` of as many ranks each, 0 where nodes differ.
FindingWords sameSeedOnNodes(std::int64_t nodes, const Seeded& seeded);
FindingWords workersShareByChance(std::int64_t workers, const Seeded& seeded);
FindingWords workersShareGenerator(const Seeded& seeded);
/// In epoch `first` and the one after it.
FindingWords epochSeedsCollide(std::int64_t distinct, std::int64_t starts, std::int64_t first);
FindingWords distinctSeeds(const Seeded& seeded);
/// Two ranks of one copy of the model.
FindingWords peersSeededApart(std::int64_t rank, std::uint64_t seed, std::int64_t other, std::uint64_t other_seed);

// --- steps and batches (step_words.cpp) -----------------------------------------------------------------------------

/// In each counted epoch, all ranks have equally many batches.
struct InStep {
  std::int64_t ranks = 0;
  std::int64_t fewest = 0, most = 0;  ///< batches of a rank, over these epochs
  std::string audited;                ///< epochsText()
  std::int64_t counted = 0;           ///< how many epochs from the first on; 0: only those that are audited
  std::int64_t epochs = 0;
};
FindingWords inStep(const InStep& in_step);
/// A context manager for training that keeps ranks that ran out in step, without a change to the data.
enum class Joining { None, Ddp, Accelerate };
/// Ranks with unequal numbers of batches.
struct RunOut {
  std::vector<std::int64_t> first;    ///< the ranks that have fewest
  std::int64_t fewest = 0, most = 0;  ///< batches of a rank
  std::int64_t world = 0;
  bool later = false;  ///< other ranks run out later, before those that have most
};
FindingWords unequalBatches(const RunOut& out, Joining joining);
/// What follows unequalBatches() of an epoch behind the audited ones, or before them.
std::string firstSuchEpoch(std::int64_t epoch, std::int64_t epochs);
/// Ranks without a sample.
struct EmptyRanks {
  std::vector<std::int64_t> ranks;
  std::int64_t world = 0, samples = 0;
  std::int64_t batches = 0;  ///< without samples, where they stay in step; otherwise 0
  bool waited_for = true;    ///< other ranks make steps
  bool dropped = false;      ///< the sampler drops what does not divide
  bool cut = false;          ///< the loader drops what does not fill a batch on every rank, and that is all
  bool few = false;          ///< there are fewer samples than slices, and no field beside the sampler's says why
  bool waiting = false;      ///< what they draw waits for a batch of a later epoch
  bool read_before = false;  ///< the sampler leaves out what was read before a state was saved, or skipped
  bool recorded = false;     ///< the batches were recorded: why they are these is not known
  std::string when;          ///< epochsText(), or empty where it is so in every audited epoch
  std::string field;         ///< where to look
};
FindingWords emptyRanks(const EmptyRanks& empty);
/// Batches without a sample, of ranks that have samples.
struct EmptyBatches {
  std::int64_t batches = 0;
  std::int64_t rank = 0, step = 0;  ///< of the first
};
FindingWords emptyBatches(const EmptyBatches& empty);
FindingWords noBatches(std::int64_t batch, const Lost& lost);
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
FindingWords batchLargerThanSlice(const SmallSlices& small);
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
FindingWords shortLastBatch(const ShortBatches& batches);
/// Others, too.
FindingWords shortBatches(const ShortBatches& batches);
/// Every rank has `count` batches, of which each optimizer step takes `per_step`; some are left over. `steps_at_end`:
/// the framework's loop takes a step with them.
FindingWords restOfAccumulation(std::int64_t count, std::int64_t per_step, bool steps_at_end);
/// `count` batches of a rank, or 0 where the dataset divides among the workers itself.
FindingWords idleWorkers(std::int64_t workers, std::int64_t loading, std::int64_t count);
/// What len(loader) says of an iterable dataset, beside the batches that come.
struct LoaderLength {
  std::int64_t dataset = 0;  ///< what len(dataset) says
  std::int64_t says = 0;     ///< batches, by torch
  std::int64_t batches = 0;  ///< of the rank
  std::int64_t workers = 0;  ///< of the rank
  std::int64_t rank = 0, ranks = 1;
  bool alike = true;  ///< these are the numbers of every rank
};
FindingWords loaderLength(const LoaderLength& length);
/// A parameter by which each worker's copy of the dataset counts its own epoch.
struct CountedByWorker {
  std::string field;
  std::int64_t number = 0;  ///< what the field says
  std::int64_t workers = 0;
  std::int64_t ranks = 1;
  std::int64_t fewest = 0, most = 0;            ///< batches of a worker
  std::int64_t rank_fewest = 0, rank_most = 0;  ///< batches of a rank
};
FindingWords countedByWorker(const CountedByWorker& counted);
/// Fields of the dataset, at least one.
FindingWords unusedLists(const std::vector<std::string>& fields, const std::string& sampler);

// --- the schedule (schedule_words.cpp) ------------------------------------------------------------------------------

/// "barrier in the tensor group [2, 3] at the start (schedule[0])", of an operation of this schedule. Names the group
/// where the schedule has more than the world group.
std::string operationText(const schedule::Schedule& schedule, const schedule::Operation& operation);
/// Where the ranks of this schedule come to a standstill.
FindingWords scheduleHangs(const schedule::Schedule& schedule, const schedule::Hang& hang);
/// "a binomial tree would take 6 rounds, the ring 8; ...": with the bytes of two ranks where the size is said.
std::string allReduceCosts(const schedule::AllReduce& call);
/// What torch does with a mean of whole numbers; empty where there is none.
std::string wholeMean(const schedule::AllReduce& call);

/// The text with a capital letter, as sentences begin.
inline std::string capital(std::string text) {
  if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

/// The text with a small letter, as it goes on after a semicolon.
inline std::string uncapital(std::string text) {
  if (!text.empty()) text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
  return text;
}

}  // namespace shardlens::words
