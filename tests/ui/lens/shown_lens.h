// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/ui/common/eventually.h"
#include "ui/state/workspace.h"
#include "ui/widgets/lens/lens_column_view.h"
#include "ui/widgets/lens/lens_panel.h"

#include <algorithm>
#include <string>

namespace shardlens::ui {

/// What a user of Lightning writes: shuffle=True, four ranks.
inline PipelineSpec shuffled() {
  PipelineSpec spec;
  spec.dataset.size = 400;
  spec.world = {1, 4};
  spec.loader.batch_size = 5;
  spec.epochs = 3;
  spec.sampler = {"torch.RandomSampler", {}};
  return spec;
}

/// The panel in a window of its own.
struct ShownLens {
  explicit ShownLens(const PipelineSpec& spec) : panel((workspace.document.reset(spec), workspace)) {
    panel.resize(1100, 600);
    workspace.plan();
    panel.show();
  }
  /// The column is there, laid out, and its picture is of the spec in hand.
  LensColumnView* column(const std::string& id) {
    LensColumnView* found = nullptr;
    const auto is_there = [&] {
      const auto& columns = panel.columns();
      const auto at =
          std::find_if(columns.begin(), columns.end(), [&](LensColumnView* view) { return view->id() == id; });
      found = at == columns.end() ? nullptr : *at;
      return found != nullptr && LatestJob::allIdle() && Refresh::allDone();
    };
    const bool there = QTest::qWaitFor([&] { return staysSo(is_there); }, 240'000);  // a sanitizer on a busy host
    return there ? found : nullptr;
  }

  Workspace workspace;
  LensPanel panel;
};

}  // namespace shardlens::ui
