// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/common/page.h"

#include <QKeySequence>
#include <QString>
#include <QStringList>

#include <vector>

namespace shardlens::ui {

/// A key that a page takes itself, without an action of the window.
struct PageKey {
  QString what;
  QStringList keys;  ///< "Shift+W", or "Wheel", "Alt+Wheel", "Drag", "Arrow keys"
};

/// One perspective. Header, menus, shortcuts, key sheet, locator, --perspective and sessions are made from these rows.
struct Perspective {
  QString name;   ///< stable: "lens"; the action that goes there is "view.lens"
  QString label;  ///< in the header
  QString menu;   ///< in menus, with the mark of its mnemonic
  QKeySequence key;
  PageMaker make;          ///< perspectives with the same maker share one page
  bool plays = false;      ///< Space and the arrow keys move the playhead
  bool shows_job = false;  ///< header and status line tell of the job, not of the plan
  QString keys_of = {};    ///< the heading of `page_keys`
  std::vector<PageKey> page_keys = {};
};

/// Names that other parts of the window go to.
inline const QString kDesignPerspective = QStringLiteral("design");
inline const QString kRunPerspective = QStringLiteral("run");
inline const QString kAutopsyPerspective = QStringLiteral("autopsy");

/// In the order of the header. The first one is shown at the first start.
std::vector<Perspective> perspectives();

QStringList namesOf(const std::vector<Perspective>& rows);

}  // namespace shardlens::ui
