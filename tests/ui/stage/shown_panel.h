// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/ui/common/eventually.h"
#include "ui/state/workspace.h"
#include "ui/widgets/stage/dataset_strip.h"
#include "ui/widgets/stage/stage_panel.h"
#include "ui/widgets/stage/stage_view.h"

namespace shardlens::ui {

inline PipelineSpec specOf(qint64 samples, qint64 ranks, qint64 batch_size) {
  PipelineSpec spec;
  spec.dataset.size = samples;
  spec.world = {1, ranks};
  spec.loader.batch_size = batch_size;
  spec.epochs = 3;
  return spec;
}

/// The panel in a window of its own, showing a plan.
struct ShownStage {
  explicit ShownStage(const PipelineSpec& spec) : panel((workspace.document.reset(spec), workspace)) {
    panel.resize(900, 440);
    panel.show();
  }
  /// The shown epoch is this one, and its picture is complete and laid out.
  bool ready(qint64 epoch = 0) {
    const auto is_shown = [&] {
      const StageView& stage = *panel.stage();
      return !stage.input().isEmpty() && stage.input().epochNumber() == epoch &&
             stage.input().dataset_size == workspace.document.spec().dataset.size && !stage.isComputing() &&
             stage.notice().title.isEmpty() && panel.strip()->summary().contains("seen");
    };
    return QTest::qWaitFor([&] { return staysSo(is_shown); }, 60'000);
  }
  void click(CellAddress cell) {
    QTest::mouseClick(panel.stage(), Qt::LeftButton, {}, panel.stage()->cellOnScreen(cell).center());
  }

  Workspace workspace;
  StagePanel panel;
};

}  // namespace shardlens::ui
