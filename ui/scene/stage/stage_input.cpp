// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/stage/stage_input.h"

#include "ui/state/latest_job.h"

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <unordered_set>
#include <utility>

namespace shardlens::ui {
namespace {

constexpr qint64 kMostSeenCounts = 4'000'000;
constexpr qint64 kSamplesBetweenLooks = 200'000;

/// Calls visit(step, sample) for each item in a batch; false when stopped.
template <class Visit>
bool eachBatchItem(const RankEpoch& rank, const Work& work, Visit visit) {
  std::int64_t until_look = 0;
  for (Step step{0}; step.value < rank.batches(); ++step) {
    const RankEpoch::Range items = rank.batch(step);
    for (std::int64_t k = items.first; k < items.last; ++k) visit(step, rank.sample(k));
    until_look -= items.size() + 1;
    if (until_look > 0) continue;
    if (work.stopped()) return false;
    until_look = kItemsBetweenLooks;
  }
  return true;
}

/// The places of an order at which one of the samples stands.
std::vector<qint64> placesIn(const Order& order, const std::vector<bool>& wanted, const Work& work) {
  std::vector<qint64> places;
  for (qint64 place = 0; place < order.size(); ++place) {
    if ((place & 0xFFFFF) == 0 && work.stopped()) return places;
    const SampleIndex sample = order[place];
    if (sample < std::ssize(wanted) && wanted[sample]) places.push_back(place);
  }
  return places;
}

/// Adds the rank's cells that hold one of the places, also where padding takes a place again.
void addCells(const RankEpoch& rank, const std::vector<qint64>& places, std::vector<CellAddress>& cells) {
  for (const qint64 place : places) {
    for (const std::int64_t item : rank.slice().itemsAt(place)) {
      if (const auto step = rank.stepOf(item)) cells.push_back({rank.rank().value, step->value});
    }
  }
}

std::vector<bool> flagsOf(const std::vector<SampleIndex>& samples) {
  SampleIndex largest = -1;
  for (const SampleIndex sample : samples) largest = std::max(largest, sample);
  std::vector<bool> wanted(largest + 1, false);
  for (const SampleIndex sample : samples) {
    if (sample >= 0) wanted[sample] = true;
  }
  return wanted;
}

}  // namespace

EpochPadding::EpochPadding(std::shared_ptr<const EpochPlan> epoch)
    : epoch_(std::move(epoch)),
      known_(std::make_unique<std::once_flag[]>(epoch_->ranks.size())),
      ranks_(epoch_->ranks.size()) {}

const EpochPadding::OfRank& EpochPadding::of(qint64 rank) const {
  const auto at = static_cast<std::size_t>(rank);
  std::call_once(known_[at], [&] {
    const RankEpoch& source = epoch_->ranks[at];
    OfRank& padding = ranks_[at];
    for (const std::int64_t item : source.padding()) {
      padding.items.push_back(item);
      const qint64 step = source.stepOf(item)->value;
      if (padding.steps.empty() || padding.steps.back() != step) padding.steps.push_back(step);
    }
    ++listed_;
  });
  return ranks_[at];
}

std::optional<CellAddress> selectedCell(const Selected& selected, const StageInput& input) {
  if (input.isEmpty() || selected.ranks.size() != 1 || !selected.step) return std::nullopt;
  if (selected.epoch.value_or(input.epochNumber()) != input.epochNumber()) return std::nullopt;
  const CellAddress cell{selected.ranks.front(), *selected.step};
  return cell.rank >= input.ranks() || cell.step >= input.steps ? std::nullopt : std::optional(cell);
}

std::vector<qint64> selectedRanks(const Selected& selected, const StageInput& input) {
  if (input.isEmpty() || (selected.ranks.size() == 1 && selected.step)) return {};
  std::vector<qint64> ranks = selected.ranks;
  std::erase_if(ranks, [&input](qint64 rank) { return rank < 0 || rank >= input.ranks(); });
  return ranks;
}

std::vector<SampleIndex> selectedSamples(const Selected& selected, qint64 dataset_size) {
  constexpr qint64 kMostMarked = 512;
  std::vector<SampleIndex> ids;
  if (!selected.sample || selected.samples > kMostMarked) return ids;
  for (qint64 i = 0; i < selected.samples; ++i) {
    const SampleIndex id = *selected.sample + i;
    if (id >= 0 && id < dataset_size) ids.push_back(id);
  }
  return ids;
}

std::vector<CellAddress> sharedCells(const EpochPlan& epoch, qint64 dataset_size, qint64 a, qint64 b,
                                     const Work& work) {
  const auto ranks = static_cast<qint64>(epoch.ranks.size());
  if (a == b || std::min(a, b) < 0 || std::max(a, b) >= ranks) return {};
  const RankEpoch& low = epoch.ranks[static_cast<std::size_t>(std::min(a, b))];
  const RankEpoch& high = epoch.ranks[static_cast<std::size_t>(std::max(a, b))];
  std::vector<bool> of_low(static_cast<std::size_t>(dataset_size));
  std::vector<bool> of_both(static_cast<std::size_t>(dataset_size));
  const auto inside = [dataset_size](SampleIndex id) { return id >= 0 && id < dataset_size; };
  const bool listed = eachBatchItem(low, work, [&](Step, SampleIndex id) {
    if (inside(id)) of_low[static_cast<std::size_t>(id)] = true;
  });
  if (!listed) return {};
  std::vector<CellAddress> cells;
  const auto add = [&cells](const RankEpoch& rank, Step step) {
    const CellAddress cell{rank.rank().value, step.value};
    if (cells.empty() || cells.back() != cell) cells.push_back(cell);
  };
  const bool compared = eachBatchItem(high, work, [&](Step step, SampleIndex id) {
    if (!inside(id) || !of_low[static_cast<std::size_t>(id)]) return;
    of_both[static_cast<std::size_t>(id)] = true;
    add(high, step);
  });
  const bool marked = compared && eachBatchItem(low, work, [&](Step step, SampleIndex id) {
                        if (inside(id) && of_both[static_cast<std::size_t>(id)]) add(low, step);
                      });
  if (!marked) return {};
  std::sort(cells.begin(), cells.end());
  return cells;
}

/// The working state of EpochFacts::compute: walks the epoch step by step over all ranks, so that neighbouring reads of
/// the shared order stay in the cache however many ranks stride over it.
class FactsPass {
 public:
  FactsPass(const EpochPlan& epoch, qint64 dataset_size, const Work& work)
      : epoch_(epoch), work_(work), facts_(releasedElsewhere(EpochFacts())) {
    facts_->size_ = dataset_size;
    facts_->steps_ = epoch.steps();
    facts_->parts_ = std::clamp<qint64>(dataset_size, 1, EpochFacts::kParts);
    facts_->moments_ = std::clamp<qint64>(facts_->steps_, 1, EpochFacts::kMoments);
    facts_->seen_stride_ = std::max<qint64>(1, (facts_->steps_ + kMostSeenCounts - 1) / kMostSeenCounts);
    group();
  }

  std::shared_ptr<const EpochFacts> run() {
    if (facts_->size_ <= 0 || facts_->size_ > EpochFacts::kMostSamples) return facts_;
    allocate();
    if (!count()) return nullptr;
    facts_->has_duplicates_ = duplicates_;
    if (duplicates_ && !markDuplicates()) return nullptr;
    return facts_;
  }

 private:
  /// Ranks that get the very same slice; where nodes repeat each other, only one of them is walked through.
  struct Group {
    const RankEpoch* rank = nullptr;
    std::uint8_t ranks = 0;  ///< at most EpochFacts::kTimes
  };

  void group() {
    using Geometry = decltype(std::declval<Slice>().geometry());
    std::map<std::pair<const Order*, Geometry>, std::size_t> known;
    for (const RankEpoch& rank : epoch_.ranks) {
      const Slice& slice = rank.slice();
      const auto [at, is_new] = known.try_emplace({slice.order().get(), slice.geometry()}, groups_.size());
      if (is_new) groups_.push_back({&rank, 0});
      Group& group = groups_[at->second];
      if (group.ranks < EpochFacts::kTimes) ++group.ranks;
      group_of_.push_back(at->second);
    }
  }

  void allocate() {
    EpochFacts& f = *facts_;
    f.times_.assign(f.size_, 0);
    f.first_step_.assign(f.parts_, -1);
    f.first_taker_.assign(f.parts_, -1);
    f.duplicate_since_.assign(f.parts_, -1);
    f.padding_since_.assign(f.parts_, -1);
    f.covered_.assign(f.moments_ * f.parts_, 0);
    f.takers_.assign(f.moments_ * f.parts_, -1);
    f.seen_.reserve(f.steps_ / f.seen_stride_ + 2);
  }

  bool count() {
    EpochFacts& f = *facts_;
    qint64 moment = 0;
    for (qint64 step = 0; step < f.steps_; ++step) {
      if (step % f.seen_stride_ == 0) f.seen_.push_back(seen_);
      if (step >= (moment + 1) * f.steps_ / f.moments_) carryOver(++moment);
      for (const Group& group : groups_) {
        if (step < group.rank->batches() && !countBatch(group, Step{step}, moment)) return false;
      }
    }
    f.seen_.push_back(seen_);
    return true;
  }

  void carryOver(qint64 moment) {
    EpochFacts& f = *facts_;
    std::copy_n(f.covered_.begin() + (moment - 1) * f.parts_, f.parts_, f.covered_.begin() + moment * f.parts_);
    std::copy_n(f.takers_.begin() + (moment - 1) * f.parts_, f.parts_, f.takers_.begin() + moment * f.parts_);
  }

  bool countBatch(const Group& group, Step step, qint64 moment) {
    const RankEpoch::Range range = group.rank->batch(step);
    // All ids first: the places they count in are far apart in memory and are fetched while the rest is looked up.
    batch_.clear();
    for (qint64 k = range.first; k < range.last; ++k) {
      const SampleIndex sample = group.rank->sample(k);
      batch_.push_back(sample);
      if (sample >= 0 && sample < facts_->size_) __builtin_prefetch(&facts_->times_[sample], 1);
    }
    for (qint64 k = range.first; k < range.last; ++k) countItem(group, batch_[k - range.first], k, step.value, moment);
    items_ += range.size();
    if (items_ < next_look_) return true;
    next_look_ = items_ + kSamplesBetweenLooks;
    work_.progress(0.7 * static_cast<double>(step.value) / static_cast<double>(facts_->steps_));
    return !work_.stopped();
  }

  void countItem(const Group& group, SampleIndex sample, qint64 k, qint64 step, qint64 moment) {
    EpochFacts& f = *facts_;
    if (sample < 0 || sample >= f.size_) return;
    std::uint8_t& times = f.times_[sample];
    if ((times & EpochFacts::kSeen) == 0) firstSeen(partOf(sample), group.rank->rank(), step, moment);
    times |= EpochFacts::kSeen;
    if (group.rank->isPadding(k)) return markSince(f.padding_since_[partOf(sample)], moment);
    const int counted = std::min((times & EpochFacts::kTimes) + group.ranks, int{EpochFacts::kTimes});
    times = static_cast<std::uint8_t>(EpochFacts::kSeen | counted);
    if (counted == 1) return;
    duplicates_ = true;
    markSince(f.duplicate_since_[partOf(sample)], moment);
  }

  void firstSeen(qint64 part, Rank rank, qint64 step, qint64 moment) {
    EpochFacts& f = *facts_;
    const auto taker = static_cast<std::int32_t>(rank.value);
    ++seen_;
    ++f.covered_[moment * f.parts_ + part];
    f.takers_[moment * f.parts_ + part] = taker;
    if (f.first_step_[part] >= 0) return;
    f.first_step_[part] = step;
    f.first_taker_[part] = taker;
  }

  static void markSince(std::int32_t& since, qint64 moment) {
    if (since < 0) since = static_cast<std::int32_t>(moment);
  }

  /// The inverse of partStart(): the last part that starts at or before the sample.
  [[nodiscard]] qint64 partOf(SampleIndex sample) const { return ((sample + 1) * facts_->parts_ - 1) / facts_->size_; }

  bool markDuplicates() {
    EpochFacts& f = *facts_;
    f.duplicates_ = BatchBits(std::ssize(epoch_.ranks), f.steps_);
    for (qint64 step = 0; step < f.steps_; ++step) {
      for (const Group& group : groups_) markCell(group, step);
      items_ += std::ssize(groups_);
      if (items_ < next_look_) continue;
      next_look_ = items_ + kSamplesBetweenLooks / 64;
      work_.progress(0.7 + 0.3 * static_cast<double>(step) / static_cast<double>(f.steps_));
      if (work_.stopped()) return false;
    }
    copyToGroups();
    f.duplicates_.seal();
    listRanks();
    return true;
  }

  void listRanks() {
    for (qint64 rank = 0; rank < std::ssize(epoch_.ranks); ++rank) {
      const qint64 all = facts_->duplicateCells(rank, 0, facts_->steps_);
      if (all > 0) facts_->duplicate_ranks_.push_back({rank, stepOf(rank, 1), stepOf(rank, all)});
    }
  }

  /// The step of the count-th batch of a rank that holds a duplicate.
  [[nodiscard]] qint64 stepOf(qint64 rank, qint64 count) const {
    qint64 from = 0;
    qint64 to = facts_->steps_;
    while (to - from > 1) {
      const qint64 middle = std::midpoint(from, to);
      (facts_->duplicateCells(rank, 0, middle) >= count ? to : from) = middle;
    }
    return from;
  }

  void markCell(const Group& group, qint64 step) {
    EpochFacts& f = *facts_;
    if (step >= group.rank->batches()) return;
    const RankEpoch::Range range = group.rank->batch(Step{step});
    for (qint64 k = range.first; k < range.last; ++k) {
      if (group.rank->isPadding(k) || !f.isDuplicate(group.rank->sample(k))) continue;
      f.duplicates_.set(group.rank->rank().value, step);
      return;
    }
  }

  void copyToGroups() {
    for (qint64 row = 0; row < std::ssize(group_of_); ++row) {
      const qint64 source = groups_[group_of_[row]].rank->rank().value;
      if (source != row) facts_->duplicates_.copyRank(source, row);
    }
  }

  const EpochPlan& epoch_;
  const Work& work_;
  std::shared_ptr<EpochFacts> facts_;
  std::vector<Group> groups_;
  std::vector<std::size_t> group_of_;  ///< by rank
  std::vector<SampleIndex> batch_;
  qint64 seen_ = 0;
  qint64 items_ = 0;
  qint64 next_look_ = kSamplesBetweenLooks;
  bool duplicates_ = false;
};

std::shared_ptr<const EpochFacts> EpochFacts::compute(const EpochPlan& epoch, qint64 dataset_size, const Work& work) {
  return FactsPass(epoch, dataset_size, work).run();
}

qint64 EpochFacts::seen(qint64 steps) const {
  if (seen_.empty() || steps <= 0) return 0;
  if (steps >= steps_) return seen_.back();
  return seen_[steps / seen_stride_];
}

EpochFacts::Part EpochFacts::part(qint64 part, qint64 steps) const {
  if (covered_.empty() || first_step_[part] < 0 || first_step_[part] >= steps) return {};
  // Moment m ends with step (m + 1) * steps_ / moments_. With few steps, moments are steps and all of this is exact.
  const qint64 done = std::min(((steps + 1) * moments_ - 1) / steps_, moments_);
  const qint64 next = std::min(done, moments_ - 1);
  const double from = done > 0 ? covered_[(done - 1) * parts_ + part] : 0;
  const double to = covered_[next * parts_ + part];
  const qint64 start = done * steps_ / moments_;
  const qint64 end = std::min((done + 1) * steps_ / moments_, steps_);
  const double way = end > start ? static_cast<double>(steps - start) / static_cast<double>(end - start) : 0;
  const auto samples = static_cast<double>(partStart(part + 1) - partStart(part));
  const std::int32_t taker = done > 0 ? takers_[(done - 1) * parts_ + part] : -1;
  const auto since = [done](std::int32_t moment) { return moment >= 0 && moment < done; };
  return {std::max(from + (to - from) * way, 1.0) / samples, taker >= 0 ? taker : first_taker_[part],
          since(duplicate_since_[part]), since(padding_since_[part])};
}

std::vector<CellAddress> findCells(const EpochPlan& epoch, const std::vector<SampleIndex>& samples, const Work& work) {
  const std::vector<bool> wanted = flagsOf(samples);
  std::vector<CellAddress> cells;
  std::unordered_set<const Order*> done;
  for (const RankEpoch& rank : epoch.ranks) {
    const Order* order = rank.slice().order().get();
    if (order == nullptr || !done.insert(order).second) continue;
    const std::vector<qint64> places = placesIn(*order, wanted, work);
    for (const RankEpoch& other : epoch.ranks) {
      if (other.slice().order().get() == order && !work.stopped()) addCells(other, places, cells);
    }
  }
  std::sort(cells.begin(), cells.end());
  cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
  return cells;
}

}  // namespace shardlens::ui
