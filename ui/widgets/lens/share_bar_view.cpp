// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/lens/share_bar_view.h"

#include "core/base/text.h"
#include "ui/paint/share_bar_paint.h"
#include "ui/scene/number_text.h"
#include "ui/widgets/common/metrics.h"

#include <QPainter>
#include <QStringList>

#include <utility>

namespace shardlens::ui {
namespace {

constexpr int kHeight = 14;

}  // namespace

ShareBarView::ShareBarView(QWidget* parent) : QWidget(parent) {
  setFixedHeight(px(kHeight));
  setAccessibleName(tr("What becomes of the samples"));
}

void ShareBarView::setShares(std::vector<LensShare> shares) {
  shares_ = std::move(shares);
  QStringList lines;
  for (const LensShare& share : shares_) {
    lines << QStringLiteral("%1: %2. %3")
                 .arg(text(shareName(share.kind)), countOf(share.readings, "sample"), text(shareMeaning(share.kind)));
  }
  setToolTip(lines.join('\n'));
  setAccessibleDescription(lines.join('\n'));
  update();
}

void ShareBarView::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  paintShareBar(painter, rect(), shares_, theme());
}

}  // namespace shardlens::ui

#include "moc_share_bar_view.cpp"
