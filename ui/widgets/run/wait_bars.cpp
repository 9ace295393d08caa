// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/run/wait_bars.h"

#include "ui/paint/cell_marks.h"
#include "ui/paint/lane_paint.h"
#include "ui/scene/theme.h"
#include "ui/state/phrase.h"
#include "ui/widgets/common/metrics.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <tuple>

namespace shardlens::ui {
namespace {

constexpr int kTallest = 48;
constexpr int kSmallest = 16;
constexpr int kName = 64;
constexpr std::size_t kFewestBars = 4;
constexpr std::size_t kBarsInSight = 8;  ///< more may give way to what stands beside them
constexpr double kMostWords = 0.6;       ///< of the width

bool contains(const std::vector<qint64>& ranks, qint64 rank) {
  return std::find(ranks.begin(), ranks.end(), rank) != ranks.end();
}

}  // namespace

WaitBars::WaitBars(QWidget* parent) : QWidget(parent) {
  setObjectName("waitBars");
  setAccessibleName(phrase("run", "Waiting of each rank"));
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  setFocusPolicy(Qt::StrongFocus);
}

void WaitBars::setSelected(std::vector<qint64> ranks) {
  if (ranks == selected_) return;
  selected_ = std::move(ranks);
  update();
}

void WaitBars::setOnly(std::vector<qint64> ranks) {
  only_ = std::move(ranks);
  update();
}

std::vector<qint64> WaitBars::shownRanks() const {
  std::vector<qint64> ranks;
  for (const WaitRow& row : shown()) ranks.push_back(row.rank);
  return ranks;
}

void WaitBars::setRows(std::vector<WaitRow> rows, bool is_predicted) {
  rows_ = std::move(rows);
  is_predicted_ = is_predicted;
  setAccessibleDescription(noWaitText(rows_, is_predicted_));
  updateGeometry();
  update();
}

QSize WaitBars::minimumSizeHint() const {
  const auto rows = static_cast<int>(std::clamp(rows_.size(), kFewestBars, kBarsInSight));
  return {px(240), rows * px(kSmallest)};
}

double WaitBars::pitch() const {
  const double room = static_cast<double>(height()) / static_cast<double>(std::max<std::size_t>(1, rows_.size()));
  return std::clamp<double>(room, px(kSmallest), px(kTallest));
}

/// All of them; when there are too many, the culprits, then those that are last most often.
std::vector<WaitRow> WaitBars::shown() const {
  if (!noWaitText(rows_, is_predicted_).isEmpty()) return {};
  const auto room = static_cast<std::size_t>(std::max(1.0, height() / pitch()));
  std::vector<WaitRow> rows = rows_;
  if (!only_.empty()) std::erase_if(rows, [this](const WaitRow& row) { return !contains(only_, row.rank); });
  if (rows.size() <= room) return rows;
  const auto is_selected = [this](const WaitRow& row) { return !selected_.empty() && row.rank == selected_.front(); };
  std::stable_sort(rows.begin(), rows.end(), [&](const WaitRow& a, const WaitRow& b) {
    return std::tuple(is_selected(a), a.is_culprit, a.last_share) >
           std::tuple(is_selected(b), b.is_culprit, b.last_share);
  });
  rows.resize(room);
  return rows;
}

void WaitBars::paintRow(QPainter& painter, const QRectF& place, const WaitRow& row, const Scale& scale) const {
  const Theme& colours = theme();
  if (contains(selected_, row.rank)) paintRowBand(painter, place.adjusted(0, 1, -1, -1), false, true, colours);
  painter.setPen(row.is_culprit ? colours.warning : colours.text);
  painter.drawText(QRectF(place.left(), place.top(), px(kName), place.height()), Qt::AlignVCenter,
                   phrase("run", "rank %1").arg(row.rank));
  const QRectF track(place.left() + px(kName), place.center().y() - px(5), place.width() - px(kName) - scale.words,
                     px(10));
  painter.setPen(Qt::NoPen);
  if (row.share < 0) {
    paintHatch(painter, track, mix(colours.faint, colours.panel, 0.5), 3);
  } else {
    painter.setBrush(colours.cell_empty);
    painter.drawRoundedRect(track, 3, 3);
    QRectF bar = track;
    const bool is_part = row.wait_ns < scale.most_ns;  // where the longest wait is without end, the others are none
    bar.setWidth(is_part ? track.width() * row.wait_ns / scale.most_ns : row.wait_ns > 0 ? track.width() : 0);
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
  const QString none = noWaitText(rows_, is_predicted_);
  painter.setPen(theme().muted);
  painter.drawText(rect(), Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, none);
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
  if (!focus_ring_) return;
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(theme().accent, 1));
  painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
}

/// Up and Down go through the rows.
void WaitBars::keyPressEvent(QKeyEvent* event) {
  const int by = event->key() == Qt::Key_Down ? 1 : event->key() == Qt::Key_Up ? -1 : 0;
  const std::vector<qint64> ranks = shownRanks();
  if (by == 0 || ranks.empty()) return QWidget::keyPressEvent(event);
  const auto at = selected_.empty() ? ranks.end() : std::find(ranks.begin(), ranks.end(), selected_.front());
  const auto last = static_cast<std::ptrdiff_t>(ranks.size()) - 1;
  const std::ptrdiff_t next = at == ranks.end() ? 0 : std::clamp<std::ptrdiff_t>(at - ranks.begin() + by, 0, last);
  emit rankClicked(ranks[static_cast<std::size_t>(next)]);
}

void WaitBars::focusInEvent(QFocusEvent* event) {
  focus_ring_ = event->reason() != Qt::MouseFocusReason && event->reason() != Qt::ActiveWindowFocusReason;
  update();
}

void WaitBars::focusOutEvent(QFocusEvent* /*event*/) {
  focus_ring_ = false;
  update();
}

void WaitBars::mousePressEvent(QMouseEvent* event) {
  const auto rows = shown();
  const auto row = static_cast<std::size_t>(event->position().y() / pitch());
  if (row < rows.size()) emit rankClicked(rows[row].rank);
}

}  // namespace shardlens::ui

#include "moc_wait_bars.cpp"
