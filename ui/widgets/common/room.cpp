// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/common/room.h"

#include <QAbstractScrollArea>
#include <QWidget>

namespace shardlens::ui {

QSize roomOf(const QWidget& widget) {
  for (const QWidget* outer = widget.parentWidget(); outer != nullptr; outer = outer->parentWidget()) {
    const auto* area = qobject_cast<const QAbstractScrollArea*>(outer->parentWidget());
    if (area != nullptr && area->viewport() == outer) return outer->size();
  }
  return widget.size();
}

}  // namespace shardlens::ui
