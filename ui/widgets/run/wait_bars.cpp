// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/run/wait_bars.h"

#include "ui/paint/hatch.h"
#include "ui/scene/theme.h"
#include "ui/widgets/common/metrics.h"

#include <QMouseEvent>
#include <QPainter>

#include <algorithm>

namespace shardlens::ui {
namespace {

constexpr int kTallest = 28;
constexpr int kSmallest = 16;
constexpr int kName = 44;
constexpr double kMostWords = 0.6;  ///< of the width

}  // namespace

WaitBars::WaitBars(QWidget* parent) : QWidget(parent) {
  setObjectName("waitBars");
  setAccessibleName("Waiting of each rank");
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void WaitBars::setRows(std::vector<WaitRow> rows, bool is_predicted) {
  rows_ = std::move(rows);
  is_predicted_ = is_predicted;
  update();
}

QSize WaitBars::minimumSizeHint() const {
  return {px(300), px(80)};
}

double WaitBars::pitch() const {
  const double room = static_cast<double>(height()) / static_cast<double>(std::max<std::size_t>(1, rows_.size()));
  return std::clamp<double>(room, px(kSmallest), px(kTallest));
}

/// All of them, or those that are last most often when there are too many.
std::vector<WaitRow> WaitBars::shown() const {
  const auto room = static_cast<std::size_t>(std::max(1.0, height() / pitch()));
  if (rows_.size() <= room) return rows_;
  std::vector<WaitRow> rows = rows_;
  std::stable_sort(rows.begin(), rows.end(),
                   [](const WaitRow& a, const WaitRow& b) { return a.last_share > b.last_share; });
  rows.resize(room);
  return rows;
}

void WaitBars::paintRow(QPainter& painter, const QRectF& place, const WaitRow& row, const Scale& scale) const {
  const Theme& colours = theme();
  painter.setPen(row.is_culprit ? colours.warning : colours.text);
  painter.drawText(QRectF(place.left(), place.top(), px(kName), place.height()), Qt::AlignVCenter,
                   QString::number(row.rank));
  const QRectF track(place.left() + px(kName), place.center().y() - px(5), place.width() - px(kName) - scale.words,
                     px(10));
  painter.setPen(Qt::NoPen);
  if (row.share < 0) {
    paintHatch(painter, track, mix(colours.faint, colours.panel, 0.5), 3);
  } else {
    painter.setBrush(colours.cell_empty);
    painter.drawRoundedRect(track, 3, 3);
    QRectF bar = track;
    bar.setWidth(scale.most_ns > 0 ? track.width() * row.wait_ns / scale.most_ns : 0);
    painter.setBrush(is_predicted_ ? phaseColor(Phase::Wait) : phaseAccent(Phase::Wait));
    if (bar.width() >= 1) painter.drawRoundedRect(bar, 3, 3);
  }
  const QRectF words(track.right() + px(12), place.top(), scale.words - px(12), place.height());
  painter.setPen(row.is_culprit ? colours.warning : colours.muted);
  painter.drawText(words, Qt::AlignVCenter,
                   painter.fontMetrics().elidedText(row.words(), Qt::ElideRight, int(words.width())));
}

void WaitBars::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setFont(smallFont());
  const auto rows = shown();
  Scale scale;
  for (const WaitRow& row : rows) {
    scale.most_ns = std::max(scale.most_ns, row.wait_ns);
    scale.words = std::max<double>(scale.words, painter.fontMetrics().horizontalAdvance(row.words()) + px(16));
  }
  scale.words = std::min(scale.words, kMostWords * width());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    paintRow(painter, {0, static_cast<double>(i) * pitch(), double(width()), pitch()}, rows[i], scale);
  }
}

void WaitBars::mousePressEvent(QMouseEvent* event) {
  const auto rows = shown();
  const auto row = static_cast<std::size_t>(event->position().y() / pitch());
  if (row < rows.size()) emit rankClicked(rows[row].rank);
}

}  // namespace shardlens::ui
