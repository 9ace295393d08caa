// SPDX-License-Identifier: Apache-2.0
#include "core/diagnose/proof.h"

#include "core/base/phrase.h"
#include "core/base/text.h"
#include "core/diagnose/rank_tracker.h"
#include "core/record/frame.h"
#include "core/record/recording_reader.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace shardlens {
namespace {

/// `why` is a clause.
std::string batchesNotReported(std::int64_t missing, std::int64_t planned, const std::string& why) {
  if (planned == 1) return filled(worded("proof", "The only planned batch was not reported: %1."), why);
  return missing == 1 ? filled(worded("proof", "1 of %1 planned batches was not reported: %2."), grouped(planned), why)
                      : filled(worded("proof", "%1 of %2 planned batches were not reported: %3."), grouped(missing),
                               grouped(planned), why);
}

/// Where lost records are the only reason.
std::string batchesLost(std::int64_t missing, std::int64_t planned) {
  if (planned == 1) return worded("proof", "The record of the only planned batch was lost.");
  return missing == 1 ? filled(worded("proof", "The record of 1 of %1 planned batches was lost."), grouped(planned))
                      : filled(worded("proof", "The records of %1 of %2 planned batches were lost."), grouped(missing),
                               grouped(planned));
}

std::string ranksNotMeasured(const std::vector<std::int64_t>& ranks) {
  return ranks.size() == 1 ? filled(worded("proof", "rank %1 was not measured"), listed(ranks))
                           : filled(worded("proof", "ranks %1 were not measured"), listed(ranks));
}

std::string ranksDidNotRead(const std::vector<std::int64_t>& ranks) {
  return ranks.size() == 1
             ? filled(worded("proof", "the recording does not show that rank %1 read this loader"), listed(ranks))
             : filled(worded("proof", "the recording does not show that ranks %1 read this loader"), listed(ranks));
}

std::string noBatchReported(const std::vector<std::int64_t>& ranks) {
  return ranks.size() == 1
             ? filled(worded("proof", "Rank %1 reported no batch and was not measured."), listed(ranks))
             : filled(worded("proof", "Ranks %1 reported no batch and were not measured."), listed(ranks));
}

}  // namespace

Result<Proof> prove(const Plan& plan, const std::filesystem::path& run_file, const Work& work) {
  BatchProver prover(std::make_shared<PlannedEpochs>(plan), &work);
  bool stopped = false;
  const auto read = readRecording(run_file, [&](const Event& event) {
    stopped = stopped || work.stopped();
    if (!stopped) prover.use(event);
  });
  if (!read) return read.error();
  return stopped ? cancelled() : prover.result(read->note());
}

class BatchProver::State {
 public:
  State(std::shared_ptr<PlannedEpochs> epochs, const Work* work) : epochs_(std::move(epochs)), work_(work) {
    grow(epochs_->plan().worldSize());
  }

  void use(const Event& event) {
    if (const auto* begin = std::get_if<RunBegin>(&event.what)) return this->begin(*begin);
    if (const auto* dropped = std::get_if<RankDropped>(&event.what)) return lose(dropped->rank);
    if (std::holds_alternative<FramesDamaged>(event.what)) damaged_ = true;
    if (std::holds_alternative<RecordingLost>(event.what)) is_cut_ = true;
    if (const auto* end = std::get_if<RunEnd>(&event.what)) {
      finished_ = end->status == JobStatus::Finished;
      is_unknown_ = end->status == JobStatus::Unknown;
      is_over_ = true;
    }
    const auto* record = std::get_if<RankRecord>(&event.what);
    if (record != nullptr && record->record.kind == SL_COLL_ENTER) count(record->rank, record->record);
    if (record != nullptr && record->record.kind == SL_BATCH && !error_) batch(record->rank, record->record);
  }

  void lose(std::int64_t rank, const std::string& why) {
    if (rank < 0 || rank >= static_cast<std::int64_t>(lost_.size())) return;
    lost_[static_cast<std::size_t>(rank)] = true;
    if (why_.empty()) why_ = why;
  }

  void standApart(std::int64_t rank) {
    if (rank >= 0 && rank < epochs_->plan().worldSize()) apart_.insert(rank);
  }

  void tellEpoch(std::int64_t rank) { wrong_.tellEpoch(rank); }

  void beginAt(std::int64_t rank, std::int64_t epoch) {
    if (rank < 0 || rank >= epochs_->plan().worldSize() || epoch <= 0 || epoch > epochs_->plan().epochs()) return;
    const Spot start{epoch, 0};
    const std::int64_t before = between(rank, {}, start);
    proof_.ranks[static_cast<std::size_t>(rank)].missing += before;
    missing_ += before;
    next_[static_cast<std::size_t>(rank)] = start;
    if (why_.empty()) why_ = filled(worded("proof", "the run began at epoch %1"), std::to_string(epoch));
  }

  Result<Proof> result() {
    if (error_) return *error_;
    for (RankProof& rank : proof_.ranks) {
      judgeGap(rank);
      addTail(rank);
    }
    if (error_) return *error_;
    noteUnmeasured();
    if (proof_.first_difference) {
      proof_.result = ProofResult::Mismatch;
      explain();
    } else if (missing_ > 0) {
      proof_.result = ProofResult::Incomplete;
      proof_.what = whatIsMissing();
    } else if (stand_in_) {
      proof_.notes.push_back(
          worded("proof",
                 "The ranks ran ShardLens's stand-in program, which takes its batches from the plan: this proves the "
                 "launch, the order and the delivery, but nothing about your script."));
    }
    return std::move(proof_);
  }

 private:
  [[nodiscard]] Work work() const { return work_ != nullptr ? *work_ : Work{}; }

  /// What came in place of planned batches: from elsewhere in the plan, or else from a spec that is nearly this one.
  void explain() {
    proof_.instead = findInstead(epochs_->plan(), wrong_, work());
    const bool is_whole = proof_.instead.size() == wrong_.places().size();
    const auto other = is_whole ? std::nullopt : findOtherSpec(epochs_->plan(), wrong_, run_, work());
    proof_.explanation =
        other ? otherSpecText(*other, proof_.instead) : insteadText(epochs_->plan(), wrong_, proof_.instead);
  }

  void begin(const RunBegin& begin) {
    run_.nodes = begin.nodes;
    run_.world_size = begin.world_size;
    proof_.spec_yaml = begin.spec_yaml;
    reports_ = stand_in_ = begin.reports;
    if (begin.world_size == 0 || begin.world_size == epochs_->plan().worldSize()) return;  // 0: it is not known
    proof_.notes.push_back(words::otherWorldThanPlanned(begin.world_size, epochs_->plan().worldSize()));
    grow(begin.world_size);
  }

  void grow(std::int64_t ranks) {
    for (auto rank = static_cast<std::int64_t>(proof_.ranks.size()); rank < ranks; ++rank) {
      proof_.ranks.push_back({rank, 0, 0, 0, 0, 0});
      next_.emplace_back();
      gaps_.emplace_back();
      lost_.push_back(false);
    }
  }

  void lose(std::int64_t rank) {
    if (rank >= 0 && rank < std::ssize(lost_))
      noteLost(rank, worded("proof",
                            "Records of rank %1 were lost: its ring was full or cut short, the recorder's disk was too "
                            "slow, or its threads got in each other's way."));
  }

  void count(std::int64_t rank, const sl_record& record) {
    if (rank >= 0 && rank < std::ssize(lost_) && numbers_[rank].leavesOut(record))
      noteLost(rank, worded("proof", "Records of rank %1 are missing: the numbers of its operations have a gap."));
  }

  /// Tells it once of each rank.
  void noteLost(std::int64_t rank, const std::string& why) {
    has_lost_records_ = true;
    if (!lost_[static_cast<std::size_t>(rank)]) proof_.notes.push_back(filled(why, std::to_string(rank)));
    lost_[static_cast<std::size_t>(rank)] = true;
  }

  /// Records of this rank may be missing though it wrote them. Whose records a damaged frame held is not known.
  [[nodiscard]] bool hasLost(std::int64_t rank) const { return damaged_ || lost_[static_cast<std::size_t>(rank)]; }

  void batch(std::int64_t rank, const sl_record& record) {
    if (rank < 0 || rank >= frame::kMostRanks) return;
    grow(rank + 1);
    reports_ = true;
    RankProof& proof = proof_.ranks[static_cast<std::size_t>(rank)];
    const Spot spot{record.epoch, record.step};
    ++proof_.checked_batches;
    run_.batch_size = std::max(run_.batch_size, static_cast<std::int64_t>(record.b));
    const auto planned = epochs_->at(rank, spot, work());
    if (!planned) {
      error_ = planned.error();
      return;
    }
    const BatchMatch match = compare(*planned, record);
    const std::string difference = differenceText(match, *planned, record);
    if (match == BatchMatch::NotPlanned) {
      ++proof.extra;
      return differ(rank, spot, difference);
    }
    Spot& next = next_[static_cast<std::size_t>(rank)];
    if (spot < next) {
      ++proof.out_of_order;
      return differ(rank, spot, worded("proof", "was repeated, or came after a later one"));
    }
    skipTo(proof, next, spot);
    next = {spot.epoch, spot.step + 1};
    if (match == BatchMatch::AsPlanned) {
      ++proof.matched;
      wrong_.addRight(rank, spot.epoch, spot.step, record.a);
      return;
    }
    ++proof.different;
    if (match == BatchMatch::OtherSamples) wrong_.add(rank, spot.epoch, spot.step, record.a);
    differ(rank, spot, difference);
  }

  /// Planned batches between the expected one and the one that came are missing.
  void skipTo(RankProof& proof, Spot from, Spot to) {
    const std::int64_t skipped = between(proof.rank, from, to);
    if (skipped == 0) return;
    proof.missing += skipped;
    Gap& gap = gaps_[static_cast<std::size_t>(proof.rank)];
    if (gap.batches == 0) gap.first = firstAtOrAfter(proof.rank, from);
    gap.batches += skipped;
  }

  /// Only at the end is it known whether the rank's records were lost.
  void judgeGap(const RankProof& proof) {
    const Gap& gap = gaps_[static_cast<std::size_t>(proof.rank)];
    if (gap.batches == 0) return;
    if (hasLost(proof.rank)) {
      missing_ += gap.batches;
    } else {
      differ(proof.rank, gap.first, words::skipped());
    }
  }

  /// 0 once something failed: then there is no proof to count for.
  [[nodiscard]] std::int64_t batchesOf(std::int64_t rank, std::int64_t epoch) {
    const auto count = epochs_->batches(rank, epoch, work());
    if (!count) error_ = count.error();
    return count ? *count : 0;
  }

  [[nodiscard]] std::int64_t between(std::int64_t rank, Spot from, Spot to) {
    std::int64_t count = 0;
    for (std::int64_t epoch = from.epoch; epoch <= to.epoch && epoch < epochs_->plan().epochs(); ++epoch) {
      const std::int64_t begin = epoch == from.epoch ? from.step : 0;
      const std::int64_t end = epoch == to.epoch ? to.step : batchesOf(rank, epoch);
      count += std::max<std::int64_t>(0, end - begin);
    }
    return count;
  }

  [[nodiscard]] Spot firstAtOrAfter(std::int64_t rank, Spot spot) {
    while (spot.epoch < epochs_->plan().epochs() && spot.step >= batchesOf(rank, spot.epoch))
      spot = {spot.epoch + 1, 0};
    return spot;
  }

  /// Batches that never came: a job that says it is done should have had them.
  void addTail(RankProof& proof) {
    if (proof.rank >= epochs_->plan().worldSize()) return;
    const Spot end{epochs_->plan().epochs(), 0};
    const Spot next = next_[static_cast<std::size_t>(proof.rank)];
    for (std::int64_t epoch = 0; epoch < end.epoch; ++epoch) proof_.planned_batches += batchesOf(proof.rank, epoch);
    const std::int64_t tail = between(proof.rank, next, end);
    proof.missing += tail;
    if (tail == 0) return;
    if (apart_.contains(proof.rank) && !hasReported(proof)) {
      missing_ += tail;
      missing_apart_ += tail;
    } else if (finished_ && reports_ && wasNotThere(proof)) {
      differ(proof.rank, firstAtOrAfter(proof.rank, next),
             filled(worded("proof", "was never consumed: the run had a world of %1"),
                    wordedCount(run_.world_size, "rank")));
    } else if (finished_ && reports_ && !hasLost(proof.rank) && hasReported(proof)) {
      differ(proof.rank, firstAtOrAfter(proof.rank, next),
             worded("proof", "was never consumed, although the job ended without an error"));
    } else {
      missing_ += tail;
    }
  }

  static bool hasReported(const RankProof& proof) {
    return proof.matched + proof.different + proof.extra + proof.out_of_order > 0;
  }

  /// A rank of the plan that the run did not have.
  [[nodiscard]] bool wasNotThere(const RankProof& proof) const {
    return run_.world_size > 0 && proof.rank >= run_.world_size;
  }

  /// That none of its batches was reported says that it was not measured, not that it consumed none.
  void noteUnmeasured() {
    if (!reports_) return;
    for (const RankProof& proof : proof_.ranks) {
      const bool is_apart = apart_.contains(proof.rank);
      if (!hasReported(proof) && proof.missing > 0 && !hasLost(proof.rank) && !wasNotThere(proof) && !is_apart)
        unmeasured_.push_back(proof.rank);
    }
    if (unmeasured_.empty() || !finished_) return;
    proof_.notes.push_back(noBatchReported(unmeasured_));
  }

  [[nodiscard]] std::string whatIsMissing() const {
    const auto because = [this](const std::string& why) {
      return batchesNotReported(missing_, proof_.planned_batches, why);
    };
    if (missing_ == missing_apart_) return because(ranksDidNotRead({apart_.begin(), apart_.end()}));
    if (!reports_) return because(why_.empty() ? worded("proof", "the job's command does not report batches") : why_);
    if (finished_ && !unmeasured_.empty()) return because(ranksNotMeasured(unmeasured_));
    if ((finished_ || is_unknown_) && !why_.empty()) return because(why_);
    if (finished_) return batchesLost(missing_, proof_.planned_batches);
    const std::string too = damaged_ || has_lost_records_ ? worded("proof", ", and records were lost") : std::string();
    if (is_over_) return because(worded("proof", "the run ended before its plan did") + too);
    return because(
        (is_cut_ ? worded("proof", "the recording ends before them, and it is not known whether the run continued")
                 : words::runContinues()) +
        too);
  }

  void differ(std::int64_t rank, Spot spot, const std::string& how) {
    auto& first = proof_.first_difference;
    if (first && std::tuple(first->epoch, first->step, first->rank) <= std::tuple(spot.epoch, spot.step, rank)) return;
    first = FirstDifference{rank, spot.epoch, spot.step};
    proof_.what = words::differs(rank, spot.epoch, spot.step, how);
  }

  /// Planned batches that a rank passed over.
  struct Gap {
    std::int64_t batches = 0;
    Spot first;
  };

  std::shared_ptr<PlannedEpochs> epochs_;
  const Work* work_;
  Proof proof_;
  std::vector<Spot> next_;
  std::vector<Gap> gaps_;
  std::vector<bool> lost_;
  std::map<std::int64_t, OperationNumbers> numbers_;  ///< by rank
  std::vector<std::int64_t> unmeasured_;
  std::string why_;  ///< the first reason that somebody else gave for missing batches
  WrongBatches wrong_;
  RunShape run_;
  bool damaged_ = false;
  bool has_lost_records_ = false;   ///< as their numbers or counts say
  std::int64_t missing_ = 0;        ///< for a reason that is no difference
  std::set<std::int64_t> apart_;    ///< ranks that did not read what is compared
  std::int64_t missing_apart_ = 0;  ///< of these
  bool finished_ = false;
  bool is_unknown_ = false;  ///< it ended, and nobody knows how
  bool is_over_ = false;     ///< it says that it ended
  bool is_cut_ = false;      ///< the recording ends, and nothing says how the run did
  bool reports_ = true;
  bool stand_in_ = false;  ///< the ranks are our own program
  std::optional<Error> error_;
};

BatchProver::BatchProver(std::shared_ptr<PlannedEpochs> epochs, const Work* work)
    : state_(std::make_unique<State>(std::move(epochs), work)) {}

BatchProver::~BatchProver() = default;
BatchProver::BatchProver(BatchProver&&) noexcept = default;
BatchProver& BatchProver::operator=(BatchProver&&) noexcept = default;

void BatchProver::use(const Event& event) {
  state_->use(event);
}

void BatchProver::lose(std::int64_t rank, const std::string& why) {
  state_->lose(rank, why);
}

void BatchProver::standApart(std::int64_t rank) {
  state_->standApart(rank);
}

void BatchProver::tellEpoch(std::int64_t rank) {
  state_->tellEpoch(rank);
}

void BatchProver::beginAt(std::int64_t rank, std::int64_t epoch) {
  state_->beginAt(rank, epoch);
}

void BatchProver::useBatch(std::int64_t rank, Spot spot, std::uint64_t fingerprint, std::size_t samples) {
  RankRecord record{rank, {}};
  record.record.kind = SL_BATCH;
  record.record.epoch = static_cast<std::uint32_t>(spot.epoch);
  record.record.step = static_cast<std::uint32_t>(spot.step);
  record.record.a = fingerprint;
  record.record.b = samples;
  use({0, record});
}

Result<Proof> BatchProver::result(const std::string& note) {
  auto proof = state_->result();
  if (proof && !note.empty()) proof->notes.push_back(note);
  return proof;
}

namespace words {

std::string proofTitle(ProofResult result) {
  switch (result) {
    case ProofResult::Match:
      return worded("proof", "Every planned batch was read and matches the plan");
    case ProofResult::Mismatch:
      return worded("proof", "The job did not read what its spec plans");
    case ProofResult::Incomplete:
      break;
  }
  return worded("proof", "Not every planned batch could be compared");
}

std::string runContinues() {
  return worded("proof", "the run is still in progress");
}

std::string otherWorldThanPlanned(std::int64_t of_run, std::int64_t of_plan) {
  return filled(worded("proof", "The run has a world of %1, the plan of %2."), wordedCount(of_run, "rank"),
                wordedCount(of_plan, "rank"));
}

std::string differs(std::int64_t rank, std::int64_t epoch, std::int64_t step, const std::string& how) {
  return filled(worded("proof", "Rank %1, epoch %2, step %3 %4."), std::to_string(rank), std::to_string(epoch),
                std::to_string(step), how);
}

std::string skipped() {
  return worded("proof", "was skipped");
}

}  // namespace words
}  // namespace shardlens
