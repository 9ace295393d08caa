// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/stage/legend_row.h"

#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>

namespace shardlens::ui {
namespace {

constexpr int kBetween = 14;  ///< the button and the entries

/// In words, for a tip and for screen readers.
QString inWords(const std::vector<LegendEntry>& entries) {
  QStringList lines;
  for (const LegendEntry& entry : entries) {
    if (entry.mark == LegendMark::Scale) {
      lines << LegendRow::tr("colour: sample %1 to sample %2").arg(entry.from, entry.to);
    } else {
      lines << (entry.place ? LegendRow::tr("%1 (out of view: click to go there)").arg(entry.text) : entry.text);
    }
  }
  return lines.join('\n');
}

}  // namespace

LegendRow::LegendRow(QWidget* parent) : QWidget(parent), colour_(new ColourButton(this)) {
  setAccessibleName(tr("Legend"));
  auto* row = rowIn(this, {});
  row->addWidget(colour_);
  row->addStretch(1);
  setMouseTracking(true);
}

void LegendRow::setEntries(std::vector<LegendEntry> entries) {
  if (entries == entries_) return;
  entries_ = std::move(entries);
  const bool links = std::ranges::any_of(entries_, [](const LegendEntry& entry) { return entry.place.has_value(); });
  setFocusPolicy(links ? Qt::TabFocus : Qt::NoFocus);
  if (!links) unsetCursor();
  fit();
  const QString words = inWords(entries_);
  setToolTip(words);
  setAccessibleDescription(words);
  update();
}

/// The entries say more than the word before the colour's name.
void LegendRow::fit() {
  const int room = width() - px(kBetween) - colour_->widthOf(false);
  colour_->setBrief(leastLegendWidth(entries_) > room);
  layout()->activate();
}

void LegendRow::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fit();
}

void LegendRow::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  paintLegend(painter, area(), entries_, theme());
  const auto link = showsFocusRing(*this) ? linkInFocus() : std::nullopt;
  if (!link) return;
  painter.setPen(QPen(theme().accent, 2));
  painter.setBrush(Qt::NoBrush);
  painter.drawRoundedRect(places()[*link].adjusted(-4, 3, 4, -3), 4, 4);
}

QRect LegendRow::area() const {
  const int left = colour_->geometry().right() + px(kBetween);
  return {left, 0, width() - left, height()};
}

QRect LegendRow::entryOnScreen(std::size_t index) const {
  const std::vector<QRectF> shown = places();
  return index < shown.size() ? shown[index].toRect() : QRect();
}

std::optional<std::size_t> LegendRow::linkAt(QPointF place) const {
  const std::vector<QRectF> shown = places();
  for (std::size_t i = 0; i < shown.size(); ++i) {
    if (entries_[i].place && shown[i].contains(place)) return i;
  }
  return std::nullopt;
}

std::optional<std::size_t> LegendRow::linkInFocus() const {
  const std::size_t shown = places().size();
  if (focused_ < shown && entries_[focused_].place) return focused_;
  for (std::size_t i = 0; i < shown; ++i) {
    if (entries_[i].place) return i;
  }
  return std::nullopt;
}

void LegendRow::moveFocus(int by) {
  const auto now = linkInFocus();
  if (!now) return;
  const auto shown = static_cast<int>(places().size());
  for (int i = static_cast<int>(*now) + by; i >= 0 && i < shown; i += by) {
    if (!entries_[static_cast<std::size_t>(i)].place) continue;
    focused_ = static_cast<std::size_t>(i);
    return update();
  }
}

void LegendRow::mousePressEvent(QMouseEvent* event) {
  const auto link = event->button() == Qt::LeftButton ? linkAt(event->position()) : std::nullopt;
  link ? emit placeWanted(*entries_[*link].place) : event->ignore();
}

void LegendRow::mouseMoveEvent(QMouseEvent* event) {
  linkAt(event->position()) ? setCursor(Qt::PointingHandCursor) : unsetCursor();
}

void LegendRow::keyPressEvent(QKeyEvent* event) {
  const int key = event->key();
  if (key == Qt::Key_Left || key == Qt::Key_Right) return moveFocus(key == Qt::Key_Left ? -1 : 1);
  const bool goes = key == Qt::Key_Return || key == Qt::Key_Enter;
  const auto link = goes ? linkInFocus() : std::nullopt;
  link ? emit placeWanted(*entries_[*link].place) : QWidget::keyPressEvent(event);
}

ColourButton::ColourButton(QWidget* parent) : QToolButton(parent) {
  setPopupMode(QToolButton::InstantPopup);
  setFocusPolicy(Qt::TabFocus);
  setLook(this, "role", "inline");
  auto* menu = new QMenu(this);
  for (const StageColour colour : kStageColours) {
    QAction* action = menu->addAction(stageColourName(colour));
    action->setCheckable(true);
    action->setData(static_cast<int>(colour));
    connect(action, &QAction::triggered, this, [this, colour] { emit colourChosen(colour); });
  }
  setMenu(menu);
}

void ColourButton::setLabelled(bool labelled) {
  for (QAction* action : menu()->actions()) {
    if (action->data().toInt() == static_cast<int>(StageColour::Label)) action->setEnabled(labelled);
  }
}

QString ColourButton::words(bool brief) const {
  const QString name = stageColourName(colour_);
  return brief ? name + QStringLiteral(" ▾") : tr("colour: %1 ▾").arg(name);
}

void ColourButton::setBrief(bool brief) {
  brief_ = brief;
  if (text() != words(brief)) setText(words(brief));
  setFixedWidth(widthOf(brief));
}

void ColourButton::setColour(StageColour colour) {
  colour_ = colour;
  setBrief(brief_);
  setAccessibleName(tr("Colour of the cells: %1").arg(stageColourName(colour)));
  for (QAction* action : menu()->actions()) action->setChecked(action->data().toInt() == static_cast<int>(colour));
}

}  // namespace shardlens::ui

#include "moc_legend_row.cpp"
