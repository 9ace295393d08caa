// SPDX-License-Identifier: Apache-2.0
#include "core/diagnose/proof.h"

#include "core/diagnose/other_spec.h"
#include "core/diagnose/proof_words.h"
#include "core/record/frame.h"
#include "core/record/recording_reader.h"

#include <algorithm>
#include <map>
#include <memory>
#include <tuple>
#include <utility>

namespace shardlens {
namespace {

/// The place of a batch in one rank's order of work.
struct Spot {
  std::int64_t epoch = 0;
  std::int64_t step = 0;
  auto operator<=>(const Spot&) const = default;  // NOLINT(modernize-use-nullptr): clang-tidy 14 takes <=> for a 0
};

/// One epoch of each rank, computed when first wanted.
class Epochs {
 public:
  explicit Epochs(Plan plan) : plan_(std::move(plan)), kept_(static_cast<std::size_t>(plan_.worldSize())) {}

  [[nodiscard]] const Plan& plan() const { return plan_; }
  Result<std::int64_t> batches(std::int64_t rank, std::int64_t epoch, const Work& work = {}) const {
    const auto shape = plan_.shape(Epoch{epoch}, Rank{rank}, work);
    return shape ? Result<std::int64_t>(shape->batches) : shape.error();
  }
  Result<bool> has(std::int64_t rank, Spot spot, const Work& work = {}) const {
    const bool inside = rank >= 0 && rank < plan_.worldSize() && spot.epoch >= 0 && spot.epoch < plan_.epochs();
    if (!inside || spot.step < 0) return false;
    const auto count = batches(rank, spot.epoch, work);
    return count ? Result<bool>(spot.step < *count) : count.error();
  }
  /// The plan's batch there; nothing when it has none.
  Result<std::optional<PlannedBatch>> at(std::int64_t rank, Spot spot, const Work& work = {}) {
    const auto planned = has(rank, spot, work);
    if (!planned) return planned.error();
    if (!*planned) return std::optional<PlannedBatch>();
    auto& kept = kept_[static_cast<std::size_t>(rank)];
    if (!kept || kept->epoch().value != spot.epoch) {
      auto slice = plan_.rankEpoch(Epoch{spot.epoch}, Rank{rank}, work);
      if (!slice) return slice.error();
      kept = std::move(*slice);
    }
    const Step step{spot.step};
    return std::optional(PlannedBatch{kept->batchFingerprint(step), kept->batch(step).size()});
  }

 private:
  Plan plan_;
  std::vector<std::optional<RankEpoch>> kept_;
};

/// Walks through a run with a finger on each rank's next planned batch.
class Prover {
 public:
  Prover(const Plan& plan, const Work& work) : epochs_(plan), work_(work) { grow(plan.worldSize()); }

  void use(const Event& event) {
    if (const auto* begin = std::get_if<RunBegin>(&event.what)) return this->begin(*begin);
    if (const auto* dropped = std::get_if<RankDropped>(&event.what)) return lose(dropped->rank);
    if (std::holds_alternative<FramesDamaged>(event.what)) damaged_ = true;
    if (const auto* end = std::get_if<RunEnd>(&event.what)) finished_ = end->status == JobStatus::Finished;
    const auto* record = std::get_if<RankRecord>(&event.what);
    if (record != nullptr && record->record.kind == SL_COLL_ENTER) count(record->rank, record->record);
    if (record != nullptr && record->record.kind == SL_BATCH && !error_) batch(record->rank, record->record);
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
      proof_.what = words::batchesNotReported(missing_, proof_.planned_batches, whyMissing());
    } else if (stand_in_) {
      proof_.notes.push_back(words::onlyStandIn());
    }
    return std::move(proof_);
  }

 private:
  /// What came in place of planned batches: from elsewhere in the plan, or else from a spec that is nearly this one.
  void explain() {
    proof_.instead = findInstead(epochs_.plan(), wrong_, work_);
    const bool is_whole = proof_.instead.size() == wrong_.places().size();
    const auto other = is_whole ? std::nullopt : findOtherSpec(epochs_.plan(), wrong_, run_, work_);
    proof_.explanation =
        other ? otherSpecText(*other, proof_.instead) : insteadText(epochs_.plan(), wrong_, proof_.instead);
  }

  void begin(const RunBegin& begin) {
    run_.nodes = begin.nodes;
    run_.world_size = begin.world_size;
    proof_.spec_yaml = begin.spec_yaml;
    reports_ = stand_in_ = begin.reports;
    if (begin.world_size == epochs_.plan().worldSize()) return;
    proof_.notes.push_back(words::otherWorld(begin.world_size, epochs_.plan().worldSize()));
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
    if (rank < 0 || rank >= static_cast<std::int64_t>(lost_.size()) || lost_[static_cast<std::size_t>(rank)]) return;
    lost_[static_cast<std::size_t>(rank)] = true;
    proof_.notes.push_back(words::recordsLost(rank));
  }

  /// A rank numbers its operations: a number that is left out was recorded once, and its neighbours with it.
  void count(std::int64_t rank, const sl_record& record) {
    if (rank < 0 || rank >= static_cast<std::int64_t>(lost_.size()) || record.op >= SL_OP_SEND) return;
    std::uint64_t& next = operations_[{rank, record.group, record.op}];
    if (record.seq > next && !lost_[static_cast<std::size_t>(rank)]) {
      lost_[static_cast<std::size_t>(rank)] = true;
      proof_.notes.push_back(words::recordsHaveGap(rank));
    }
    next = std::max(next, record.seq + 1);
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
    const auto planned = epochs_.at(rank, spot, work_);
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
      return differ(rank, spot, words::repeated());
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
    const auto count = epochs_.batches(rank, epoch, work_);
    if (!count) error_ = count.error();
    return count ? *count : 0;
  }

  [[nodiscard]] std::int64_t between(std::int64_t rank, Spot from, Spot to) {
    std::int64_t count = 0;
    for (std::int64_t epoch = from.epoch; epoch <= to.epoch && epoch < epochs_.plan().epochs(); ++epoch) {
      const std::int64_t begin = epoch == from.epoch ? from.step : 0;
      const std::int64_t end = epoch == to.epoch ? to.step : batchesOf(rank, epoch);
      count += std::max<std::int64_t>(0, end - begin);
    }
    return count;
  }

  [[nodiscard]] Spot firstAtOrAfter(std::int64_t rank, Spot spot) {
    while (spot.epoch < epochs_.plan().epochs() && spot.step >= batchesOf(rank, spot.epoch)) spot = {spot.epoch + 1, 0};
    return spot;
  }

  /// Batches that never came: a job that says it is done should have had them.
  void addTail(RankProof& proof) {
    if (proof.rank >= epochs_.plan().worldSize()) return;
    const Spot end{epochs_.plan().epochs(), 0};
    const Spot next = next_[static_cast<std::size_t>(proof.rank)];
    for (std::int64_t epoch = 0; epoch < end.epoch; ++epoch) proof_.planned_batches += batchesOf(proof.rank, epoch);
    const std::int64_t tail = between(proof.rank, next, end);
    proof.missing += tail;
    if (tail == 0) return;
    if (finished_ && reports_ && wasNotThere(proof)) {
      differ(proof.rank, firstAtOrAfter(proof.rank, next), words::notInWorld(run_.world_size));
    } else if (finished_ && reports_ && !hasLost(proof.rank) && hasReported(proof)) {
      differ(proof.rank, firstAtOrAfter(proof.rank, next), words::neverConsumed());
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
      if (!hasReported(proof) && proof.missing > 0 && !hasLost(proof.rank) && !wasNotThere(proof))
        unmeasured_.push_back(proof.rank);
    }
    if (unmeasured_.empty() || !finished_) return;
    proof_.notes.push_back(words::noBatchReported(unmeasured_));
  }

  [[nodiscard]] std::string whyMissing() const {
    if (!reports_) return words::commandReportsNone();
    if (finished_ && !unmeasured_.empty()) return words::ranksNotMeasured(unmeasured_);
    return finished_ ? words::recordsWereLost() : words::endedBeforeThePlan();
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

  Epochs epochs_;
  const Work& work_;
  Proof proof_;
  std::vector<Spot> next_;
  std::vector<Gap> gaps_;
  std::vector<bool> lost_;
  std::map<std::tuple<std::int64_t, std::uint32_t, std::uint16_t>, std::uint64_t> operations_;  ///< next number
  std::vector<std::int64_t> unmeasured_;
  WrongBatches wrong_;
  RunShape run_;
  bool damaged_ = false;
  std::int64_t missing_ = 0;  ///< for a reason that is no difference
  bool finished_ = false;
  bool reports_ = true;
  bool stand_in_ = false;  ///< the ranks are our own program
  std::optional<Error> error_;
};

}  // namespace

ExpectedBatch expectationOf(Plan plan, const Work* work) {
  auto epochs = std::make_shared<Epochs>(std::move(plan));
  return [epochs, work](std::int64_t rank, std::int64_t epoch, std::int64_t step) {
    return epochs->at(rank, {epoch, step}, work != nullptr ? *work : Work{});
  };
}

Result<Proof> prove(const Plan& plan, const std::filesystem::path& run_file, const Work& work) {
  Prover prover(plan, work);
  bool stopped = false;
  const auto read = readRecording(run_file, [&](const Event& event) {
    stopped = stopped || work.stopped();
    if (!stopped) prover.use(event);
  });
  if (!read) return read.error();
  if (stopped) return cancelled();
  auto proof = prover.result();
  const std::string note = read->note();
  if (proof && !note.empty()) proof->notes.push_back(note);
  return proof;
}

}  // namespace shardlens
