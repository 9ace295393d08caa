// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/collect/job_proof.h"
#include "core/collect/planned_batches.h"
#include "core/collect/run_replay.h"
#include "core/diagnose/run_state.h"
#include "ui/scene/run/in_view.h"
#include "ui/state/selection.h"

#include <QRectF>
#include <QSize>
#include <QString>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace shardlens::ui {

enum class ProofCell : std::uint8_t {
  None,       ///< the rank has no such batch
  Ahead,      ///< planned, not consumed by the moment that is shown
  NotKept,    ///< consumed so long ago that what is known of it is no longer kept batch by batch
  Unchecked,  ///< consumed, and never compared: its record was lost
  Match,
  Mismatch,
  Recorded,  ///< consumed; the plan is what was recorded, so that there is nothing to compare with
};

/// The proof of assignment on so many pixels: rows of ranks, columns of steps. Where several ranks share a row, or
/// several steps a column, the worst of them shows.
struct ProofScene {
  qint64 first_step = 0;  ///< over all epochs
  qint64 stride = 1;      ///< steps in a column
  int columns = 0;
  int rows = 0;
  double column_pitch = 0;
  double row_pitch = 0;
  double left = 0;               ///< of the first column
  std::vector<ProofCell> cells;  ///< row-major

  [[nodiscard]] ProofCell at(int row, int column) const {
    return cells[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) + static_cast<std::size_t>(column)];
  }
  [[nodiscard]] QRectF rect(int row, int column) const;
  /// The first step of a column.
  [[nodiscard]] qint64 stepOf(int column) const { return first_step + column * stride; }
  /// The column that a step is in, -1 when it is not in view.
  [[nodiscard]] int columnOf(qint64 global_step) const;
  /// The row that a rank is in.
  [[nodiscard]] int rowOf(qint64 rank, qint64 ranks) const;
};

/// Of these steps; without them, of those around the newest one. `scale`: of the type in use to the drawings' 13 px.
ProofScene proofScene(const RunState& state, const BatchProof& proof, QSize size, std::optional<StepRange> steps = {},
                      double scale = 1);

/// What the grid of a loader that was held against a plan is drawn from: ranks and steps, and no more.
struct LoaderGrid {
  std::shared_ptr<const RunState> state;
  std::shared_ptr<const BatchProof> proof;
  std::shared_ptr<const RunFacts> facts;
};
LoaderGrid gridOf(const JobProof& proof);

/// A step that is written below its column.
struct ProofTick {
  double x = 0;  ///< the column's middle
  QString text;
};
/// Round steps of an epoch, and where epochs begin, at least `spacing` pixels apart.
std::vector<ProofTick> proofTicks(const ProofScene& scene, const RunFacts* facts, double spacing);

/// "step 4 766", or "epoch 1 · step 12" when there are several epochs.
QString globalStepText(qint64 global_step, const RunFacts* facts);
/// The epoch and the step of it.
Selected placeOfStep(qint64 global_step, const RunFacts* facts);
/// The other way; nothing when no step is selected, or the run has no such epoch.
std::optional<qint64> globalStepOf(const Selected& place, const RunFacts* facts);

}  // namespace shardlens::ui
