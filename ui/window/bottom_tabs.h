// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/state/workspace.h"

#include <QString>

#include <vector>

class QWidget;

namespace shardlens::ui {

/// One of the bottom tabs: its stable name, its word, and how it is made.
struct TabInfo {
  QString name;
  QString label;
  QWidget* (*make)(Workspace& workspace, QWidget* parent);
};

/// Overlap, Coverage, Seeds, Rank lanes, Waits, Export, Console.
const std::vector<TabInfo>& bottomTabs();

}  // namespace shardlens::ui
