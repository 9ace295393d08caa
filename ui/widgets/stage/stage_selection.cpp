// SPDX-License-Identifier: GPL-3.0-or-later
// What is selected, marked on the Stage and in the dataset strip.
#include "ui/scene/stage/pair_cells.h"
#include "ui/scene/stage/selected_cells.h"
#include "ui/state/workspace.h"
#include "ui/widgets/stage/dataset_strip.h"
#include "ui/widgets/stage/stage_panel.h"
#include "ui/widgets/stage/stage_view.h"

namespace shardlens::ui {
namespace {

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
  const auto cell = selectedCell(selected, input);
  stage_->setSelected(cell);
  stage_->setSelectedRanks(selectedRanks(selected, input));
  cell ? findTwins(*cell) : findShared(selected.ranks);
  strip_->setHighlighted(selected.sample, selected.samples);
  placeLegend();
  const std::vector<SampleIndex> ids = selectedSamples(selected, input.dataset_size);
  if (ids.empty()) {
    sample_job_.cancel();
    stage_->setHighlighted({});
    return placeLegend();
  }
  sample_job_.start(
      [epoch = input.epoch, ids](const Work& work) { return std::optional(findCells(*epoch, ids, work)); },
      [this](std::vector<CellAddress> cells) {
        stage_->setHighlighted(std::move(cells));
        placeLegend();
      });
}

void StagePanel::takeTwins(std::vector<CellAddress> cells) {
  stage_->setTwins(std::move(cells));
  placeLegend();
}

void StagePanel::findShared(const std::vector<qint64>& ranks) {
  const StageInput& input = stage_->input();
  if (ranks.size() != 2) {
    twins_job_.cancel();
    return takeTwins({});
  }
  twins_job_.start([epoch = input.epoch, size = input.dataset_size, ranks](
                       const Work& work) { return std::optional(sharedCells(*epoch, size, ranks[0], ranks[1], work)); },
                   [this](std::vector<CellAddress> cells) { takeTwins(std::move(cells)); });
}

void StagePanel::findTwins(CellAddress cell) {
  const std::shared_ptr<const EpochPlan> epoch = stage_->input().epoch;
  if (facts_ == nullptr || cell.step >= epoch->ranks[cell.rank].batches()) {
    twins_job_.cancel();
    return takeTwins({});
  }
  twins_job_.start(
      [epoch, facts = facts_, cell](const Work& work) { return std::optional(twinsOf(*epoch, *facts, cell, work)); },
      [this](std::vector<CellAddress> cells) { takeTwins(std::move(cells)); });
}

}  // namespace shardlens::ui
