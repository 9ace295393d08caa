// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/run/proof.h"

#include "ui/scene/number_text.h"
#include "ui/scene/stage/layout.h"
#include "ui/state/phrase.h"

#include <algorithm>
#include <cmath>

namespace shardlens::ui {
namespace {

constexpr double kColumnPitch = 7.5;
constexpr double kNarrowPitch = 5;  ///< where that brings all steps into view
constexpr double kWidestPitch = 18;
constexpr double kWidestOfHigh = 36;  ///< of few ranks on more than the usual height
constexpr double kUsualHeight = 180;  ///< of all rows, in type of 13 px
constexpr double kSmallestPitch = 3;
constexpr double kTallestPitch = 17;
constexpr double kTallestOfWide = 1.4;  ///< of the width of a cell
constexpr double kGap = 1.5;
constexpr double kTouching = 4;
constexpr double kNewestAt = 0.66;  ///< of the width; what is planned next stands to the right

ProofCell cellOf(const RunState& state, const BatchProof& proof, qint64 rank, qint64 step) {
  const qint64 column = step - proof.first_step;
  if (rank < proof.ranks && column >= 0 && column < proof.steps) {
    const BatchMark mark = proof.at(rank, column);
    if (mark != BatchMark::Unknown) return mark == BatchMark::Match ? ProofCell::Match : ProofCell::Mismatch;
  }
  if (step >= state.planned_steps) return ProofCell::None;
  const bool is_forgotten = column < 0 && proof.steps == ProofRecorder::kWindow;
  if (is_forgotten && step < state.ranks[static_cast<std::size_t>(rank)].steps_done) return ProofCell::NotKept;
  return step < state.ranks[static_cast<std::size_t>(rank)].steps_done ? ProofCell::Unchecked : ProofCell::Ahead;
}

qint64 newestStep(const RunState& state, const BatchProof& proof) {
  qint64 newest = proof.first_step + proof.steps - 1;
  for (const RankState& rank : state.ranks) newest = std::max<qint64>(newest, rank.steps_done);
  return newest;
}

/// A third of what each row has beyond the usual height, within bounds.
double widestPitch(const RunState& state, int height, double scale) {
  const double more = (height - scale * kUsualHeight) / static_cast<double>(state.ranks.size());
  return std::clamp(more / 3, kWidestPitch, kWidestOfHigh);
}

void placeColumns(ProofScene& scene, const RunState& state, const BatchProof& proof, QSize size,
                  std::optional<StepRange>& range, double scale) {
  const int width = size.width();
  const double widest = widestPitch(state, size.height(), scale);
  if (!range) {
    const double all = static_cast<double>(state.planned_steps) * kNarrowPitch;
    const auto most = static_cast<qint64>(width / (all <= width ? kNarrowPitch : kColumnPitch));
    const qint64 steps = std::min<qint64>(state.planned_steps, most);
    scene.columns = static_cast<int>(steps);
    scene.column_pitch = std::min(widest, width / static_cast<double>(steps));
    const auto before = static_cast<qint64>(kNewestAt * static_cast<double>(steps));
    scene.first_step = std::clamp<qint64>(newestStep(state, proof) - before, 0, state.planned_steps - steps);
    return;
  }
  range->first = std::clamp<qint64>(range->first, 0, state.planned_steps - 1);
  range->last = std::clamp<qint64>(range->last, range->first, state.planned_steps - 1);
  const qint64 steps = range->last - range->first + 1;
  const auto most = std::max<qint64>(1, static_cast<qint64>(width / kSmallestPitch));
  scene.first_step = range->first;
  scene.stride = (steps + most - 1) / most;
  scene.columns = static_cast<int>((steps + scene.stride - 1) / scene.stride);
  scene.column_pitch = std::min(widest, width / static_cast<double>(scene.columns));
}

}  // namespace

int ProofScene::columnOf(qint64 global_step) const {
  const qint64 column = (global_step - first_step) / stride;
  return global_step < first_step || column >= columns ? -1 : static_cast<int>(column);
}

QRectF ProofScene::rect(int row, int column) const {
  const double gap_x = column_pitch >= kTouching ? kGap : 0;
  const double gap_y = row_pitch >= kTouching ? std::min(kGap * 2, row_pitch / 4) : 0;
  return {left + column * column_pitch, row * row_pitch, column_pitch - gap_x, row_pitch - gap_y};
}

int ProofScene::rowOf(qint64 rank, qint64 ranks) const {
  return rows >= ranks ? static_cast<int>(rank) : static_cast<int>(rank * rows / ranks);
}

ProofScene proofScene(const RunState& state, const BatchProof& proof, QSize size, std::optional<StepRange> range,
                      double scale) {
  ProofScene scene;
  const auto ranks = static_cast<qint64>(state.ranks.size());
  if (ranks == 0 || state.planned_steps == 0 || size.width() < kColumnPitch || size.height() < 2) return scene;
  placeColumns(scene, state, proof, size, range, scale);
  scene.rows = static_cast<int>(std::min<qint64>(ranks, size.height() / 2));
  const double tallest = std::max(kTallestPitch, kTallestOfWide * scene.column_pitch);
  scene.row_pitch = std::min(tallest, size.height() / static_cast<double>(scene.rows));
  scene.cells.assign(static_cast<std::size_t>(scene.rows) * static_cast<std::size_t>(scene.columns), ProofCell::None);
  // A batch that some rank has still to consume hides one that another has consumed, unless that was wrong.
  const auto weight = [](ProofCell one) { return one == ProofCell::Ahead ? 4.5 : static_cast<double>(one) * 1.0; };
  const qint64 end = range ? range->last + 1 : scene.stepOf(scene.columns);
  for (qint64 rank = 0; rank < ranks; ++rank) {
    const auto row = static_cast<std::size_t>(scene.rowOf(rank, ranks));
    for (qint64 step = scene.first_step; step < end; ++step) {
      const auto column = static_cast<std::size_t>((step - scene.first_step) / scene.stride);
      ProofCell& cell = scene.cells[row * static_cast<std::size_t>(scene.columns) + column];
      const ProofCell mine = cellOf(state, proof, rank, step);
      if (weight(mine) > weight(cell)) cell = mine;
    }
  }
  return scene;
}

LoaderGrid gridOf(const JobProof& proof) {
  RunState state;
  state.status = JobStatus::Unknown;  // a recording that was read to its end
  state.world_size = proof.grid.ranks;
  state.planned_steps = proof.epoch_starts.empty() ? 0 : proof.epoch_starts.back();
  state.planned_batches = proof.proof.planned_batches;
  for (qint64 rank = 0; rank < proof.grid.ranks; ++rank) {
    state.ranks.emplace_back().rank = rank;
    state.ranks.back().steps_done = proof.grid.first_step;  // of those before, nothing is kept
  }
  RunFacts facts;
  facts.planned_batches = proof.proof.planned_batches;
  facts.epoch_starts = proof.epoch_starts;
  return {std::make_shared<const RunState>(std::move(state)), std::make_shared<const BatchProof>(proof.grid),
          std::make_shared<const RunFacts>(std::move(facts))};
}

std::vector<ProofTick> proofTicks(const ProofScene& scene, const RunFacts* facts, double spacing) {
  std::vector<ProofTick> ticks;
  if (scene.columns == 0) return ticks;
  const qint64 distance = tickDistance(scene.column_pitch / static_cast<double>(scene.stride), spacing);
  const bool has_epochs = facts != nullptr && facts->epoch_starts.size() > 2;
  bool names_epoch = false;  // the last tick
  std::optional<qint64> epoch;
  for (int column = 0; column < scene.columns; ++column) {
    const Selected place = placeOfStep(scene.stepOf(column), facts);
    const bool begins = epoch ? *epoch != *place.epoch : has_epochs && *place.step == 0;
    epoch = place.epoch;
    if (!begins && *place.step % distance >= scene.stride) continue;
    const double x = scene.left + (column + 0.5) * scene.column_pitch;
    if (!ticks.empty() && x - ticks.back().x < spacing) {
      if (!begins || names_epoch) continue;
      ticks.pop_back();  // where an epoch begins is said first
    }
    names_epoch = begins;
    ticks.push_back({x, begins ? phrase("run", "epoch %1").arg(number(*place.epoch)) : number(*place.step)});
  }
  return ticks;
}

Selected placeOfStep(qint64 global_step, const RunFacts* facts) {
  Selected place;
  place.epoch = 0;
  place.step = global_step;
  if (facts == nullptr || facts->epoch_starts.size() <= 2) return place;
  const auto& starts = facts->epoch_starts;
  auto epoch = std::upper_bound(starts.begin(), starts.end(), global_step);
  if (epoch == starts.end()) --epoch;
  --epoch;
  place.epoch = epoch - starts.begin();
  place.step = global_step - *epoch;
  return place;
}

std::optional<qint64> globalStepOf(const Selected& place, const RunFacts* facts) {
  if (!place.step) return std::nullopt;
  const qint64 epoch = place.epoch.value_or(0);
  if (facts == nullptr || facts->epoch_starts.size() <= 2) {
    return epoch == 0 ? place.step : std::nullopt;
  }
  if (epoch < 0 || epoch + 1 >= static_cast<qint64>(facts->epoch_starts.size())) return std::nullopt;
  return facts->epoch_starts[static_cast<std::size_t>(epoch)] + *place.step;
}

QString globalStepText(qint64 global_step, const RunFacts* facts) {
  if (facts == nullptr || facts->epoch_starts.size() <= 2) return phrase("run", "step %1").arg(number(global_step));
  const Selected place = placeOfStep(global_step, facts);
  return phrase("run", "epoch %1 · step %2").arg(number(*place.epoch), number(*place.step));
}

}  // namespace shardlens::ui
