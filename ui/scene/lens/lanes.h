// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/work.h"
#include "core/lens/report.h"
#include "ui/scene/number_text.h"
#include "ui/scene/stage/scene.h"

#include <QString>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace shardlens::ui {

/// One column of the lens report with its picture.
struct LensLane {
  JudgedColumn judged;
  StageInput stage;                         ///< empty when the column has no order, or was not asked for
  std::shared_ptr<const EpochFacts> facts;  ///< its duplicates; null for epochs too long to look through

  /// "The same samples in another order; 312 of 400 batches differ".
  [[nodiscard]] QString verdict() const;
  /// "First at rank 0, step 0"; empty where there is none.
  [[nodiscard]] QString detail() const;
  [[nodiscard]] Tone tone() const;
};

/// Every column for one epoch of the spec. Orders are computed for the columns that `wanted` names by their id, and for
/// the first; the others have their texts alone. `generation` tells this picture from every other one. Nothing when
/// stopped.
std::optional<std::vector<LensLane>> lensLanes(const PipelineSpec& spec, Epoch epoch, quint64 generation,
                                               const std::function<bool(const std::string& id)>& wanted,
                                               const Work& work = {});

/// "2 cannot run · 3 deal other batches · 1 the same", of the columns that were computed.
QString lensSummary(const std::vector<LensLane>& lanes);

}  // namespace shardlens::ui
