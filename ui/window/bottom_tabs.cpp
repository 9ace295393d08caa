// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/bottom_tabs.h"

#include "ui/state/phrase.h"
#include "ui/widgets/run/console_tab.h"
#include "ui/widgets/run/lanes_tab.h"
#include "ui/widgets/run/waits_tab.h"
#include "ui/widgets/tabs/all_reduce_view.h"
#include "ui/widgets/tabs/coverage_view.h"
#include "ui/widgets/tabs/export_view.h"
#include "ui/widgets/tabs/overlap_view.h"
#include "ui/widgets/tabs/seeds_view.h"

namespace shardlens::ui {
namespace {

template <class Tab>
QWidget* make(Workspace& workspace, QWidget* parent) {
  return new Tab(workspace, parent);
}

QKeySequence key(const char* keys) {
  return QKeySequence(QString(keys));
}

}  // namespace

std::vector<TabRow> bottomTabs() {
  return {
      {"overlap", phrase("window", "Overlap"), key("Alt+6"), "shardlens audit %1", make<OverlapTab>},
      {"coverage", phrase("window", "Coverage"), key("Alt+7"), "shardlens audit %1", make<CoverageTab>},
      {"seeds", phrase("window", "Seeds"), key("Alt+8"), "shardlens audit %1", make<SeedsTab>},
      {"lanes", phrase("window", "Rank lanes"), key("Alt+9"), "shardlens audit %1", make<LanesTab>},
      {"waits", phrase("window", "Waits"), key("Alt+W"), "shardlens audit %1", make<WaitsTab>},
      {"reduce", phrase("window", "All-reduce"), key("Alt+G"), "shardlens rehearse %1", make<AllReduceTab>,
       hasAllReduce},
      {"export", phrase("window", "Export"), key("Ctrl+E"), "shardlens export %1 --to lightning", make<ExportTab>},
      {"console", phrase("window", "Console"), key("Alt+0"), {}, make<ConsoleTab>},
  };
}

QStringList namesOf(const std::vector<TabRow>& rows) {
  QStringList names;
  for (const TabRow& row : rows) names += row.name;
  return names;
}

}  // namespace shardlens::ui
