// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/common/metrics.h"

#include "ui/scene/theme.h"

#include <QAbstractScrollArea>
#include <QBoxLayout>
#include <QWidget>

#include <cmath>

namespace shardlens::ui {
namespace {

template <class Layout>
Layout* layoutIn(QWidget* parent, const QMargins& margins, int gap) {
  auto* layout = new Layout(parent);
  layout->setContentsMargins(margins);
  layout->setSpacing(gap);
  return layout;
}

}  // namespace

int px(int design) {
  constexpr double kDrawnType = 13.0;
  return static_cast<int>(std::lround(design * uiFont().pixelSize() / kDrawnType));
}

QHBoxLayout* rowIn(QWidget* parent, const QMargins& margins, int gap) {
  return layoutIn<QHBoxLayout>(parent, margins, gap);
}

QVBoxLayout* columnIn(QWidget* parent, const QMargins& margins, int gap) {
  return layoutIn<QVBoxLayout>(parent, margins, gap);
}

QSize roomOf(const QWidget& widget) {
  for (const QWidget* outer = widget.parentWidget(); outer != nullptr; outer = outer->parentWidget()) {
    const auto* area = qobject_cast<const QAbstractScrollArea*>(outer->parentWidget());
    if (area != nullptr && area->viewport() == outer) return outer->size();
  }
  return widget.size();
}

}  // namespace shardlens::ui
