// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/panels.h"

#include "ui/widgets/common/card.h"
#include "ui/widgets/stage/stage_panel.h"
#include "ui/widgets/stage/stage_view.h"
#include "ui/widgets/tabs/coverage_tab.h"
#include "ui/widgets/tabs/export_tab.h"
#include "ui/widgets/tabs/overlap_tab.h"
#include "ui/widgets/tabs/seeds_tab.h"

namespace shardlens::ui {
namespace {

template <class Panel>
QWidget* make(Workspace& workspace, QWidget* parent) {
  return new Panel(workspace, parent);
}

QWidget* makeEmpty(Workspace&, QWidget* parent) {
  return new EmptyState("Not here yet", "This panel is being built.", parent);
}

}  // namespace

const std::vector<TabInfo>& bottomTabs() {
  static const std::vector<TabInfo> kTabs = {
      {"overlap", "Overlap", make<OverlapTab>},
      {"coverage", "Coverage", make<CoverageTab>},
      {"seeds", "Seeds", make<SeedsTab>},
      {"lanes", "Rank lanes", makeEmpty},
      {"waits", "Waits", makeEmpty},
      {"export", "Export", make<ExportTab>},
      {"console", "Console", makeEmpty},
  };
  return kTabs;
}

StagePanel* makeStagePanel(Workspace& workspace, QWidget* parent) {
  return new StagePanel(workspace, parent);
}

QWidget* stageWidget(StagePanel* panel) {
  return panel->stage();
}

QWidget* makeRunPanel(Workspace&, QWidget* parent) {
  return new EmptyState("Run", "This panel is being built.", parent);
}

}  // namespace shardlens::ui
