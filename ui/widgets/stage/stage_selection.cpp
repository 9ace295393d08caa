// SPDX-License-Identifier: GPL-3.0-or-later
// What is selected, marked on the Stage and in the dataset strip.
#include "ui/scene/stage/pair_cells.h"
#include "ui/state/workspace.h"
#include "ui/widgets/stage/dataset_strip.h"
#include "ui/widgets/stage/stage_panel.h"
#include "ui/widgets/stage/stage_view.h"

namespace shardlens::ui {
namespace {

std::optional<CellAddress> cellOf(const Selected& selected, qint64 epoch) {
  if (selected.ranks.size() != 1 || !selected.step || selected.epoch.value_or(epoch) != epoch) return std::nullopt;
  return CellAddress{selected.ranks.front(), *selected.step};
}

/// The ranks that are selected without a step: one by its name, several by what they share.
std::vector<qint64> wholeRanks(const Selected& selected, const StageInput& input) {
  if (selected.ranks.size() == 1 && selected.step) return {};
  std::vector<qint64> ranks = selected.ranks;
  std::erase_if(ranks, [&input](qint64 rank) { return rank < 0 || rank >= input.ranks(); });
  return ranks;
}

/// The samples whose cells are marked; none when there are too many to tell apart.
std::vector<SampleIndex> idsOf(const Selected& selected, qint64 dataset_size) {
  constexpr qint64 kMostMarked = 512;
  std::vector<SampleIndex> ids;
  if (!selected.sample || selected.samples > kMostMarked) return ids;
  for (qint64 i = 0; i < selected.samples; ++i) {
    const SampleIndex id = *selected.sample + i;
    if (id >= 0 && id < dataset_size) ids.push_back(id);
  }
  return ids;
}

/// The cells that hold a sample of this one which is handed out more than once; for a worker.
std::vector<CellAddress> twinsOf(const EpochPlan& epoch, const EpochFacts& facts, CellAddress cell, const Work& work) {
  std::vector<SampleIndex> shared;
  for (const SampleIndex sample : epoch.ranks[cell.rank].batchSamples(Step{cell.step})) {
    if (facts.isDuplicate(sample)) shared.push_back(sample);
  }
  return shared.empty() ? std::vector<CellAddress>() : findCells(epoch, shared, work);
}

}  // namespace

void StagePanel::showSelection() {
  const StageInput& input = stage_->input();
  if (input.isEmpty()) return;
  const Selected& selected = workspace_.selection.current();
  auto cell = cellOf(selected, input.epochNumber());
  if (cell && (cell->rank >= input.ranks() || cell->step >= input.steps)) cell.reset();
  stage_->setSelected(cell);
  stage_->setSelectedRanks(wholeRanks(selected, input));
  cell ? findTwins(*cell) : findShared(selected.ranks);
  strip_->setHighlighted(selected.sample, selected.samples);
  const std::vector<SampleIndex> ids = idsOf(selected, input.dataset_size);
  if (ids.empty()) {
    sample_job_.cancel();
    return stage_->setHighlighted({});
  }
  sample_job_.start(
      [epoch = input.epoch, ids](const Work& work) { return std::optional(findCells(*epoch, ids, work)); },
      [this](std::vector<CellAddress> cells) { stage_->setHighlighted(std::move(cells)); });
}

void StagePanel::findShared(const std::vector<qint64>& ranks) {
  const StageInput& input = stage_->input();
  if (ranks.size() != 2) {
    twins_job_.cancel();
    return stage_->setTwins({});
  }
  twins_job_.start([epoch = input.epoch, size = input.dataset_size, ranks](
                       const Work& work) { return std::optional(sharedCells(*epoch, size, ranks[0], ranks[1], work)); },
                   [this](std::vector<CellAddress> cells) { stage_->setTwins(std::move(cells)); });
}

void StagePanel::findTwins(CellAddress cell) {
  const std::shared_ptr<const EpochPlan> epoch = stage_->input().epoch;
  if (facts_ == nullptr || cell.step >= epoch->ranks[cell.rank].batches()) {
    twins_job_.cancel();
    return stage_->setTwins({});
  }
  twins_job_.start(
      [epoch, facts = facts_, cell](const Work& work) { return std::optional(twinsOf(*epoch, *facts, cell, work)); },
      [this](std::vector<CellAddress> cells) { stage_->setTwins(std::move(cells)); });
}

}  // namespace shardlens::ui
