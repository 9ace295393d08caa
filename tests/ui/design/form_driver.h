// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/state/workspace.h"
#include "ui/widgets/common/refresh.h"
#include "ui/widgets/design/field_row.h"
#include "ui/widgets/design/form_panel.h"

#include <QComboBox>
#include <QLineEdit>
#include <QTest>

namespace shardlens::ui {

/// The plan of what the form says is there, and everything visible shows it.
inline bool isAnswered(const Workspace& workspace) {
  const PlanSnapshot& answer = *workspace.plans.snapshot();
  return !workspace.plans.isBusy() && answer.spec == workspace.document.spec() && Refresh::allDone();
}

/// Where a field is typed, a choice that can be typed included; after a change of the form, once it is there.
inline QLineEdit* lineOf(const FormPanel& panel, const char* path) {
  if (!QTest::qWaitFor([&] { return panel.row(path) != nullptr; }, 60'000)) return nullptr;
  auto* combo = qobject_cast<QComboBox*>(panel.row(path)->editor());
  return combo != nullptr ? combo->lineEdit() : qobject_cast<QLineEdit*>(panel.row(path)->editor());
}

/// Types in place of what is there.
inline void type(QLineEdit* line, const QString& text) {
  line->setFocus();
  line->selectAll();
  QTest::keyClicks(line, text);
}

}  // namespace shardlens::ui
