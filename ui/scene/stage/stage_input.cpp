// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/stage/stage_input.h"

#include <algorithm>
#include <utility>

namespace shardlens::ui {

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

namespace {

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

}  // namespace

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

}  // namespace shardlens::ui
