// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/resume/resume_list.h"

#include "ui/paint/legend_paint.h"
#include "ui/paint/strip_paint.h"
#include "ui/scene/number_text.h"
#include "ui/scene/theme.h"
#include "ui/state/phrase.h"
#include "ui/widgets/common/card.h"
#include "ui/widgets/stage/transport_bar.h"

#include <QEvent>
#include <QFontMetricsF>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QSignalBlocker>

#include <algorithm>
#include <cmath>
#include <limits>

namespace shardlens::ui {
namespace {

/// What the colours of the strips mean.
class Legend : public QWidget {
 public:
  explicit Legend(QWidget* parent = nullptr) : QWidget(parent) { setFixedHeight(px(24)); }

 protected:
  void paintEvent(QPaintEvent* /*event*/) override {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(smallFont());
    const Theme& look = theme();
    double x = px(10);
    x = item(painter, x, duplicateColor(look), phrase("resume", "repeated"));
    const double lost = x;
    x = item(painter, x, neverColor(), phrase("resume", "lost"));
    paintLost(painter, boxAt(lost), 2);
    x = item(painter, x, trainedColor(look), phrase("resume", "trained"));
    item(painter, x, aheadColor(look), phrase("resume", "after the stop"));
  }

 private:
  [[nodiscard]] QRectF boxAt(double x) const {
    const double box = px(11);
    return {x, (height() - box) / 2, box, box};
  }

  double item(QPainter& painter, double x, const QColor& colour, const QString& words) const {
    const double box = boxAt(x).width();
    painter.setPen(QPen(theme().hairline, 1));
    painter.setBrush(colour);
    painter.drawRoundedRect(boxAt(x), 2, 2);
    painter.setPen(theme().muted);
    const double text_width = painter.fontMetrics().horizontalAdvance(words);
    painter.drawText(QRectF(x + box + px(5), 0, text_width + 2, height()), Qt::AlignVCenter, words);
    return x + box + px(5) + text_width + px(14);
  }
};

constexpr qint64 kBigStep = 10;

LinkLabel* wrapped(const char* tone) {
  return new LinkLabel(tone, "text", nullptr);
}

constexpr int kBar = 16;
constexpr int kBeyond = 4;  // room for the ends of the stop

constexpr int kWords = 18;
constexpr int kSlider = 24;

int asInt(qint64 value) {
  return static_cast<int>(std::min<qint64>(value, std::numeric_limits<int>::max() - 1));
}

}  // namespace

ResumeList::ResumeList(QWidget* parent)
    : QWidget(parent),
      fold_(new LinkButton({})),
      axis_(new ResumeAxis),
      column_(new Column({0, 0, px(kGap), 0}, px(2))) {
  fold_->setObjectName("resume:others");
  fold_->hide();
  connect(fold_, &QAbstractButton::clicked, this, [this] { setFolded(!folded_); });
  connect(axis_, &ResumeAxis::stepsWanted, this, &ResumeList::stopWanted);
  scroll_ = thinScroll(column_);
  scroll_->viewport()->installEventFilter(this);
  auto* column = columnIn(this, {}, px(2));
  column->addWidget(axis_);
  column->addWidget(scroll_, 1);
  column->addWidget(new Legend);
}

void ResumeList::setAnswer(const ResumeAnswer& answer) {
  answer_ = answer;
  const std::size_t count = answer.rows.size();
  while (rows_.size() < count) rows_.push_back(addRow());
  for (std::size_t i = 0; i < count; ++i) {
    rows_[i]->setRow(answer.rows[i], stopPlace(answer, answer.point.steps));
  }
  const auto same =
      std::ranges::find_if(answer.rows, [&](const ResumeRow& row) { return row.judged.way.id == chosen_id_; });
  showFold();
  choose(same == answer.rows.end() ? 0 : static_cast<int>(same - answer.rows.begin()));
  axis_->setSteps(answer.steps, answer.point.steps);
  alignAxis();
}

/// The rows of the design's framework, the line with the others, and those when it is open.
void ResumeList::showFold() {
  const std::size_t count = answer_.rows.size();
  const std::size_t own = ownRows(answer_);
  std::vector<QWidget*> shown;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    rows_[i]->setVisible(i < count && (i < own || !folded_));
    if (i == own) shown.push_back(fold_);
    shown.push_back(rows_[i]);
  }
  if (own >= rows_.size()) shown.push_back(fold_);
  column_->set(shown);
  fold_->setVisible(own < count);
  fold_->setText((folded_ ? tr("▸ %1") : tr("▾ %1")).arg(othersText(answer_)));
  fold_->setAccessibleName(folded_ ? tr("Show %1").arg(othersText(answer_)) : tr("Hide %1").arg(othersText(answer_)));
}

void ResumeList::setFolded(bool folded) {
  if (folded == folded_) return;
  const auto own = static_cast<int>(ownRows(answer_));
  if (folded) {  // what is explained, and what has the keys, can be seen
    for (std::size_t i = ownRows(answer_); i < rows_.size(); ++i) {
      if (rows_[i]->hasFocus()) fold_->setFocus(Qt::OtherFocusReason);
    }
    if (chosen_ >= own) choose(0);
  }
  folded_ = folded;
  showFold();
}

WayRow* ResumeList::addRow() {
  auto* row = new WayRow;
  const auto place = static_cast<int>(rows_.size());
  row->setParent(column_);
  connect(row, &WayRow::chosen, this, [this, place] { choose(place); });
  connect(row, &WayRow::moveWanted, this, [this, place](int by) { moveTo(place + by); });
  connect(row, &WayRow::stepWanted, this, &ResumeList::stepWanted);
  connect(row, &WayRow::endWanted, this, &ResumeList::endWanted);
  connect(row, &WayRow::placeWanted, this, &ResumeList::placeWanted);
  connect(row->strip(), &WayStrip::stopWanted, this, [this](double share) { emit stopWanted(stopAt(answer_, share)); });
  return row;
}

void ResumeList::choose(int row) {
  if (row < 0 || row >= static_cast<int>(answer_.rows.size())) return;
  if (row >= static_cast<int>(ownRows(answer_))) setFolded(false);
  chosen_ = row;
  chosen_id_ = answer_.rows[static_cast<std::size_t>(row)].judged.way.id;
  for (std::size_t i = 0; i < rows_.size(); ++i) rows_[i]->setChosen(static_cast<int>(i) == row);
  emit chosenChanged(row);
}

void ResumeList::moveTo(int row) {
  if (row < 0 || row >= static_cast<int>(answer_.rows.size())) return;
  WayRow* wanted = rows_[static_cast<std::size_t>(row)];
  wanted->setFocus(Qt::TabFocusReason);
  scroll_->ensureWidgetVisible(wanted, 0, px(kGap));
}

void ResumeList::setStop(qint64 steps) {
  for (std::size_t i = 0; i < answer_.rows.size(); ++i) rows_[i]->strip()->setStop(stopPlace(answer_, steps));
  axis_->setSteps(answer_.steps, steps);
  alignAxis();
}

void ResumeList::setOld(bool old) {
  for (WayRow* row : rows_) row->setOld(old);
}

std::vector<WayRow*> ResumeList::rows() const {
  return {rows_.begin(), rows_.begin() + static_cast<std::ptrdiff_t>(answer_.rows.size())};
}

/// The axis stands outside of what scrolls, over the same stretch.
void ResumeList::alignAxis() {
  if (answer_.rows.empty()) return;
  const QMargins inner = rows_.front()->layout()->contentsMargins();
  const int right = scroll_->viewport()->width() - px(kGap) - inner.right();
  axis_->setSpan(inner.left(), right);
}

void ResumeList::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  alignAxis();
}

bool ResumeList::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Resize) alignAxis();
  return QWidget::eventFilter(watched, event);
}

ResumeAxis::ResumeAxis(QWidget* parent)
    : QWidget(parent), slider_(new ThinSlider(tr("Steps done when it stops"), this)) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  connect(slider_, &QAbstractSlider::valueChanged, this, [this](int step) { emit stepsWanted(step); });
}

QSize ResumeAxis::sizeHint() const {
  return {px(200), px(kWords + kSlider)};
}

void ResumeAxis::setSteps(qint64 steps, qint64 stop) {
  steps_ = steps;
  stop_ = stop;
  const QSignalBlocker quiet(slider_);
  slider_->setRange(0, asInt(steps));
  slider_->setEnabled(steps > 0);
  if (!slider_->isSliderDown()) slider_->setValue(asInt(stop));
  update();
}

void ResumeAxis::setSpan(int left, int right) {
  if (left == left_ && right == right_) return;
  left_ = left;
  right_ = right;
  placeSlider();
  update();
}

/// The middle of the handle stands above the seams.
void ResumeAxis::placeSlider() {
  const int before = static_cast<int>(std::lround(slider_->pixelOf(slider_->minimum())));
  slider_->setGeometry(left_ - before, px(kWords), right_ - left_ + 2 * before, px(kSlider));
  const int again = static_cast<int>(std::lround(slider_->pixelOf(slider_->minimum())));
  if (again != before) slider_->setGeometry(left_ - again, px(kWords), right_ - left_ + 2 * again, px(kSlider));
}

void ResumeAxis::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  placeSlider();
}

void ResumeAxis::paintEvent(QPaintEvent* /*event*/) {
  if (right_ <= left_ || steps_ == 0) return;
  QPainter painter(this);
  painter.setFont(smallFont());
  const QFontMetricsF metrics(smallFont());
  const Theme& look = theme();
  const double share = double(stop_) / double(steps_);
  const double x = left_ + share * (right_ - left_);
  const QString stop = tr("stop after %1").arg(countOf(stop_, "step"));
  const double wide = metrics.horizontalAdvance(stop) + 4;
  const double at = std::clamp(x - wide / 2, double(left_), std::max<double>(left_, right_ - wide));
  painter.setPen(look.accent);
  painter.drawText(QRectF(at, 0, wide, px(kWords)), Qt::AlignCenter, stop);
  painter.setPen(look.muted);
  const QString first = tr("stopped run");
  const QString last = tr("resumed run, to step %1").arg(number(steps_));
  const double room = px(12);
  if (left_ + metrics.horizontalAdvance(first) + room < at) {
    painter.drawText(QRectF(left_, 0, at - left_, px(kWords)), Qt::AlignLeft | Qt::AlignVCenter, first);
  }
  if (right_ - metrics.horizontalAdvance(last) - room > at + wide) {
    painter.drawText(QRectF(at, 0, right_ - at, px(kWords)), Qt::AlignRight | Qt::AlignVCenter, last);
  }
}

WayRow::WayRow(QWidget* parent)
    : QWidget(parent),
      verdict_(textLabel({})),
      title_(new ElidedLabel),
      rule_(wrapped("muted")),
      reason_(wrapped("")),
      strip_(new WayStrip) {
  setFocusPolicy(Qt::StrongFocus);
  setLook(verdict_, "role", "title");
  verdict_->setTextFormat(Qt::RichText);
  verdict_->setWordWrap(true);
  verdict_->setObjectName("wayVerdict");
  for (LinkLabel* label : {rule_, reason_}) connect(label, &LinkLabel::followed, this, &WayRow::placeWanted);
  auto* column = columnIn(this, {px(10), px(7), px(10), px(5)}, px(2));
  column->addWidget(verdict_);
  title_->setAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  addAll(column, {title_, rule_, reason_, strip_});
}

void WayRow::setRow(const ResumeRow& row, double stop) {
  const ResumeWay& way = row.judged.way;
  id_ = way.id;
  setObjectName("way:" + text(id_));
  title_->setFullText(text(way.title));
  rule_->setPlain(text(way.rule));
  reason_->setPlain(row.reason);
  reason_->setVisible(!row.reason.isEmpty());
  setLook(reason_, "tone", row.tone == Tone::Error ? "error" : "");
  parts_ = row.verdict;
  setAccessibleName(text(way.title));
  setAccessibleDescription(row.verdictText());
  const bool known = row.judged.outcome && row.reason.isEmpty();
  strip_->setPieces(known ? row.judged.outcome->strip : std::vector<ResumeSpan>{}, stopShare(row, row.judged.at));
  strip_->setStop(stop);
  strip_->setVisible(row.tone != Tone::Error || known);
  setOld(row.old);
}

/// The parts in their colours, which another theme changes.
void WayRow::showVerdict() {
  QString html;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const VerdictPart& part = parts_[i];
    const QColor colour = old_ ? theme().faint : part.tone == Tone::Note ? theme().muted : toneColor(part.tone);
    const QString comma = i + 1 < parts_.size() ? phrase("resume", ", ") : QString();
    html +=
        QString("<span style=\"color:%1\">%2</span>").arg(colour.name(), QString(part.text + comma).toHtmlEscaped());
  }
  if (html != verdict_->text()) verdict_->setText(html);
}

void WayRow::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) showVerdict();
}

void WayRow::setOld(bool old) {
  old_ = old;
  showVerdict();
}

void WayRow::setChosen(bool chosen) {
  if (chosen == chosen_) return;
  chosen_ = chosen;
  update();
}

void WayRow::paintEvent(QPaintEvent* /*event*/) {
  if (!chosen_ && !focus_ring_) return;
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const Theme& look = theme();
  const QRectF area = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
  painter.setPen(focus_ring_ ? QPen(look.accent, 1) : QPen(Qt::NoPen));
  painter.setBrush(chosen_ ? QBrush(look.dark ? look.field : look.panel) : QBrush(Qt::NoBrush));
  painter.drawRoundedRect(area, px(6), px(6));
  if (!chosen_) return;
  painter.setPen(Qt::NoPen);
  painter.setBrush(look.accent);
  painter.drawRoundedRect(QRectF(0, px(8), px(3), height() - px(16)), 1.5, 1.5);
}

void WayRow::mousePressEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton) emit chosen();
}

void WayRow::keyPressEvent(QKeyEvent* event) {
  const bool shift = (event->modifiers() & Qt::ShiftModifier) != 0;
  const qint64 size = shift ? kBigStep : 1;
  switch (event->key()) {
    case Qt::Key_Up:
      return emit moveWanted(-1);
    case Qt::Key_Down:
      return emit moveWanted(1);
    case Qt::Key_Left:
      return emit stepWanted(-size);
    case Qt::Key_Right:
      return emit stepWanted(size);
    case Qt::Key_Home:
      return emit endWanted(false);
    case Qt::Key_End:
      return emit endWanted(true);
    default:
      QWidget::keyPressEvent(event);
  }
}

void WayRow::focusInEvent(QFocusEvent* event) {
  focus_ring_ = showsFocusRing(*this) && event->reason() != Qt::OtherFocusReason;
  if (event->reason() != Qt::ActiveWindowFocusReason) emit chosen();
  update();
}

void WayRow::focusOutEvent(QFocusEvent* /*event*/) {
  focus_ring_ = false;
  update();
}

WayStrip::WayStrip(QWidget* parent) : QWidget(parent) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setTips(this, [this](QPoint place) { return tipAt(place.x() / double(std::max(width(), 1))); });
  setCursor(Qt::SizeHorCursor);
}

QSize WayStrip::sizeHint() const {
  return {px(240), px(kBar) + 2 * kBeyond};
}

QRectF WayStrip::bar() const {
  return {0, double(kBeyond), double(width()), double(px(kBar))};
}

void WayStrip::setPieces(std::vector<ResumeSpan> pieces, double stop_share) {
  pieces_ = std::move(pieces);
  split_ = stop_share;
  setCursor(isKnown() ? Qt::SizeHorCursor : Qt::ArrowCursor);
  update();
}

void WayStrip::setStop(double place) {
  stop_ = place;
  update();
}

void WayStrip::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  if (!isKnown()) return paintUnknownStrip(painter, bar(), theme());
  const double scale = devicePixelRatioF();
  const int pixels = static_cast<int>(std::lround(width() * scale));
  const auto at = static_cast<int>(std::lround(stop_ * pixels));
  const ResumeStripScene scene = resumeStripScene(pieces_, split_, at, pixels);
  paintResumeStrip(painter, bar(), scene, scale, theme());
  if (scene.seam >= 0) paintSeam(painter, bar(), scene.seam / scale, theme());
}

void WayStrip::ask(double x) {
  if (isKnown() && width() > 0) emit stopWanted(std::clamp(x / width(), 0.0, 1.0));
}

void WayStrip::mousePressEvent(QMouseEvent* event) {
  event->ignore();  // the row is chosen too
  if (event->button() == Qt::LeftButton) ask(event->position().x());
}

void WayStrip::mouseMoveEvent(QMouseEvent* event) {
  if ((event->buttons() & Qt::LeftButton) != 0) ask(event->position().x());
}

QString WayStrip::tipAt(double share) const {
  if (!isKnown()) return {};
  const bool before = share < stop_;
  const double within =
      before ? split_ * share / stop_ : split_ + (1 - split_) * (share - stop_) / std::max(1 - stop_, 1e-9);
  const auto at = static_cast<std::size_t>(std::clamp(within, 0.0, 1.0) * static_cast<double>(pieces_.size()));
  const ResumeSpan& piece = pieces_[std::min(at, pieces_.size() - 1)];
  QString tip = before ? tr("trained before the stop") : tr("after the stop");
  tip += tr(": %1").arg(countOf(piece.items, "sample"));
  if (piece.repeated > 0) tip += tr("\n%1 of them repeated").arg(number(piece.repeated));
  if (piece.lost > 0) tip += tr("\n%1 of them lost").arg(number(piece.lost));
  return tip;
}

}  // namespace shardlens::ui

#include "moc_resume_list.cpp"
