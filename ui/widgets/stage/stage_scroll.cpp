// SPDX-License-Identifier: GPL-3.0-or-later
// Which steps and ranks the Stage has in view, and at which size: layout, zoom, scrolling, pages.
#include "ui/widgets/common/metrics.h"
#include "ui/widgets/stage/stage_view.h"

#include <algorithm>
#include <cmath>

namespace shardlens::ui {
namespace {

/// Lengths of the drawings follow the font in use.
double scaleOfType() {
  return px(100) / 100.0;
}

}  // namespace

double StageView::largestStepPitch() const {
  return StageMetrics::kLargestStepPitch * scaleOfType();
}

double StageView::largestRowPitch() const {
  const bool few = input_.ranks() <= StageMetrics::kFewRanks;
  return (few ? StageMetrics::kLargestRowOfFew : StageMetrics::kLargestRow) * scaleOfType();
}

double StageView::roomForRows() const {
  const bool overview = input_.steps > 0 && !steps_.showsAll();
  return stageLayout(size(), overview, false, size().height(), scaleOfType(), narrow_, legend_ != nullptr)
      .cells.height();
}

double StageView::defaultRowPitch() const {
  StageAxis all = ranks_;
  all.length = static_cast<int>(roomForRows());
  const double fitting = input_.ranks() > 0 ? all.pitchOfAll() : 1;
  return std::clamp(fitting, StageMetrics::kSmallestRow * scaleOfType(), largestRowPitch());
}

void StageView::resetAxes() {
  ranks_ = {input_.ranks(), 0, largestRowPitch(), layout_.cells.height()};
  const double pitch = StageMetrics::kDefaultStepPitch * scaleOfType();
  steps_ = {input_.steps, 0, pitch, layout_.cells.width()};
  // Few steps fill the width rather than leave most of it empty.
  steps_fit_ = input_.steps > 0 && steps_.showsAll();
  // Beside other views the whole epoch is what is compared, as long as its cells can be told apart.
  constexpr double kLeastPitch = 5.5;
  if (narrow_ && static_cast<double>(input_.steps) * kLeastPitch <= layout_.cells.width()) steps_fit_ = true;
}

/// The ranks of one node stand together, apart from those of the next.
void StageView::groupRanks() {
  const bool apart = input_.blockSize() > 1 && input_.ranks() > input_.blockSize();
  ranks_.group = apart ? input_.blockSize() : 0;
  ranks_.gap = apart ? std::round(StageMetrics::kNodeGap * scaleOfType()) : 0;
}

void StageView::layOut() {
  groupRanks();
  // Whether an overview is needed depends on the room, which depends on the overviews: two rounds settle it.
  bool steps_overview = false;
  bool ranks_overview = false;
  for (int round = 0; round < 2; ++round) {
    layout_ = stageLayout(size(), steps_overview, ranks_overview, size().height(), scaleOfType(), narrow_,
                          legend_ != nullptr);
    steps_.length = std::max(layout_.cells.width(), 1);
    ranks_.length = std::max(layout_.cells.height(), 1);
    if (!rows_by_hand_) ranks_.pitch = defaultRowPitch();
    steps_ = steps_fit_ ? steps_.fitted(largestStepPitch()) : steps_.clamped(largestStepPitch());
    ranks_ = ranks_.clamped(largestRowPitch());
    steps_overview = input_.steps > 0 && !steps_.showsAll();
    ranks_overview = input_.ranks() > 0 && !ranks_.showsAll();
  }
  layout_ =
      stageLayout(size(), steps_overview, ranks_overview, ranks_.content(), scaleOfType(), narrow_, legend_ != nullptr);
  steps_.length = std::max(layout_.cells.width(), 1);
  ranks_.length = std::max(layout_.cells.height(), 1);
  if (legend_ != nullptr) {
    head_->setGeometry(layout_.head);
    legend_->setGeometry(layout_.legend);
  }
  backdrop_stale_ = true;
  refreshLayer();
  update();
  emit viewChanged();
}

void StageView::setAxes(const StageAxis& steps, const StageAxis& ranks) {
  if (steps == steps_ && ranks == ranks_) return;
  steps_ = steps;
  ranks_ = ranks;
  layOut();
}

void StageView::scrollTo(double first_step, double first_rank) {
  StageAxis steps = steps_;
  StageAxis ranks = ranks_;
  steps.first = first_step;
  ranks.first = first_rank;
  setAxes(steps.clamped(largestStepPitch()), ranks.clamped(largestRowPitch()));
}

void StageView::alignTo(const StageView& other) {
  following_ = other.following_;
  steps_fit_ = other.steps_fit_;
  StageAxis steps = steps_;
  if (!steps_fit_) {
    steps.first = other.steps_.first;
    steps.pitch = other.steps_.pitch;
  }
  StageAxis ranks = ranks_;
  ranks.first = other.ranks_.first;
  ranks.pitch = other.ranks_.pitch;
  rows_by_hand_ = other.rows_by_hand_;
  setAxes(steps_fit_ ? steps.fitted(largestStepPitch()) : steps.clamped(largestStepPitch()),
          ranks.clamped(largestRowPitch()));
}

void StageView::follow(double steps_per_second) {
  following_ = true;
  constexpr double kSecondsOfAPage = 2;
  const double wanted = steps_per_second * kSecondsOfAPage;
  if (input_.steps == 0 || steps_.showsAll() || steps_.shown() >= wanted) return;
  StageAxis steps = steps_;
  steps.pitch = steps.length / wanted;
  steps.first = std::floor(position_);
  setAxes(steps.clamped(largestStepPitch()), ranks_);
}

void StageView::revealPlayhead() {
  following_ = true;
  followPlayhead();
}

void StageView::followPlayhead() {
  if (drag_ != Drag::None || steps_.showsAll()) return;
  const double last = steps_.first + steps_.shown();
  constexpr double kPlayheadAt = 0.4;
  if (!at_rest_ && steps_.pitch >= 3 * StageMetrics::kTouching) {
    // Free space ahead, where what is dealt can be seen coming: the steps scroll below a playhead that stays.
    const double first = std::floor(position_) - std::floor(steps_.shown() * kPlayheadAt);
    if (first > steps_.first || position_ < steps_.first) scrollTo(first, ranks_.first);
    return;
  }
  if (position_ >= steps_.first && position_ < last - 0.25) return;
  // Turning the page keeps one step of the old one in sight; going back shows what came before.
  const bool on = position_ >= last - 0.25;
  scrollTo(std::floor(position_) - (on ? 1 : steps_.shown() / 4), ranks_.first);
}

void StageView::zoomSteps(double factor, std::optional<double> pixel) {
  const StageAxis steps = steps_.zoomed(factor, pixel.value_or(layout_.cells.width() / 2.0), largestStepPitch());
  steps_fit_ = steps.showsAll();
  setAxes(steps, ranks_);
}

void StageView::zoomRanks(double factor, std::optional<double> pixel) {
  rows_by_hand_ = true;
  setAxes(steps_, ranks_.zoomed(factor, pixel.value_or(layout_.cells.height() / 2.0), largestRowPitch()));
}

void StageView::panSteps(double items) {
  following_ = false;
  scrollTo(steps_.first + items, ranks_.first);
}

void StageView::toggleFit() {
  const bool all = steps_.showsAll() && ranks_.showsAll();
  following_ = true;
  rows_by_hand_ = !all;
  steps_fit_ = !all;
  if (!all) return setAxes(steps_.fitted(largestStepPitch()), ranks_.fitted(largestRowPitch()));
  resetAxes();
  layOut();
}

}  // namespace shardlens::ui
