// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/state/workspace.h"

#include <QKeySequence>
#include <QString>
#include <QStringList>

#include <vector>

class QWidget;

namespace shardlens::ui {

/// One tab below the Stage. The strip, the Analyse menu, shortcuts, --tab and sessions are made from these rows.
struct TabRow {
  QString name;   ///< stable: "overlap"; the action that shows it is "analyse.overlap"
  QString label;  ///< on the strip
  QKeySequence key;
  QString twin;  ///< the command line that says the same, with %1 for the spec; empty: there is none
  QWidget* (*make)(Workspace& workspace, QWidget* parent);
  bool (*offered)(const PipelineSpec& spec) = nullptr;  ///< whether the design has something for it; null: always
};

/// In the order of the strip. The first one is shown at the first start.
std::vector<TabRow> bottomTabs();

QStringList namesOf(const std::vector<TabRow>& rows);

}  // namespace shardlens::ui
