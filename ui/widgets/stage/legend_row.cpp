// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/stage/legend_row.h"

#include "ui/paint/legend_paint.h"
#include "ui/widgets/common/metrics.h"
#include "ui/widgets/stage/colour_button.h"

#include <QHBoxLayout>
#include <QPainter>

namespace shardlens::ui {
namespace {

/// In words, for a tip and for screen readers.
QString inWords(const std::vector<LegendEntry>& entries) {
  QStringList lines;
  for (const LegendEntry& entry : entries) {
    if (entry.mark == LegendMark::Scale) {
      lines << LegendRow::tr("colour: sample %1 to sample %2").arg(entry.from, entry.to);
    } else {
      lines << entry.text;
    }
  }
  return lines.join('\n');
}

}  // namespace

LegendRow::LegendRow(QWidget* parent) : QWidget(parent), colour_(new ColourButton(this)) {
  setAccessibleName(tr("Legend"));
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->addWidget(colour_);
  row->addStretch(1);
}

void LegendRow::setEntries(std::vector<LegendEntry> entries) {
  if (entries == entries_) return;
  entries_ = std::move(entries);
  const QString words = inWords(entries_);
  setToolTip(words);
  setAccessibleDescription(words);
  update();
}

void LegendRow::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  const int left = colour_->geometry().right() + px(14);
  paintLegend(painter, QRect(left, 0, width() - left, height()), entries_, theme());
}

}  // namespace shardlens::ui
