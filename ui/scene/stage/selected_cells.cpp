// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/stage/selected_cells.h"

namespace shardlens::ui {

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

}  // namespace shardlens::ui
