// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/bottom_tabs.h"

#include "ui/widgets/run/console_tab.h"
#include "ui/widgets/run/lanes_tab.h"
#include "ui/widgets/run/waits_tab.h"
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

}  // namespace

const std::vector<TabInfo>& bottomTabs() {
  static const std::vector<TabInfo> kTabs = {
      {"overlap", "Overlap", make<OverlapTab>}, {"coverage", "Coverage", make<CoverageTab>},
      {"seeds", "Seeds", make<SeedsTab>},       {"lanes", "Rank lanes", make<LanesTab>},
      {"waits", "Waits", make<WaitsTab>},       {"export", "Export", make<ExportTab>},
      {"console", "Console", make<ConsoleTab>},
  };
  return kTabs;
}

}  // namespace shardlens::ui
