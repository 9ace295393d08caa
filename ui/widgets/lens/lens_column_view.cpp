// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/lens/lens_column_view.h"

#include "core/base/text.h"
#include "core/sampling/recorded_lists.h"
#include "ui/paint/legend_paint.h"
#include "ui/scene/links.h"
#include "ui/scene/number_text.h"
#include "ui/scene/theme.h"
#include "ui/widgets/common/card.h"
#include "ui/widgets/common/style.h"
#include "ui/widgets/stage/stage_view.h"

#include <QAction>
#include <QLayout>
#include <QLinearGradient>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollBar>
#include <QStringList>
#include <QToolButton>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <utility>

namespace shardlens::ui {
namespace {

LinkLabel* wrapped(const char* tone, const char* role) {
  auto* label = new LinkLabel(tone, role, nullptr);
  label->setAlignment(Qt::AlignLeft | Qt::AlignTop);
  return label;
}

const char* noteTone(Severity severity) {
  return severity == Severity::Error ? "error" : severity == Severity::Warning ? "warning" : "muted";
}

/// The class alone: its arguments are in the tip, and on the command line.
QString className(const QString& code) {
  return code.section('(', 0, 0);
}

/// A shape besides the colour.
QString signOf(Tone tone, bool is_reference) {
  if (is_reference) return {};
  switch (tone) {
    case Tone::Fine:
      return QStringLiteral("✓ ");
    case Tone::Warning:
      return QStringLiteral("◆ ");
    case Tone::Error:
      return QStringLiteral("✕ ");
    case Tone::Note:
      break;
  }
  return {};
}

/// What a narrow picture has room for; longer messages stand below it.
bool isShort(const QString& message) {
  constexpr qsizetype kMost = 90;
  return message.size() <= kMost;
}

int heightOf(const QLabel& label, int width) {
  label.ensurePolished();
  return label.text().isEmpty() ? 0 : label.heightForWidth(width);
}

constexpr int kColumn = 182;
constexpr int kBetween = 9;
constexpr int kAfterGround = 8;  ///< beyond the usual gap, for the soft edge
constexpr int kTop = 10;
constexpr int kEdge = 7;
constexpr double kNotch = 120;

/// A shadow that says: what is at its right goes on under what is at its left.
class SoftEdge : public QWidget {
 public:
  explicit SoftEdge(QWidget* parent) : QWidget(parent) { setAttribute(Qt::WA_TransparentForMouseEvents); }

 protected:
  void paintEvent(QPaintEvent* /*event*/) override {
    QPainter painter(this);
    QLinearGradient shade(0, 0, width(), 0);
    QColor dark(Qt::black);
    dark.setAlphaF(theme().dark ? 0.4F : 0.12F);
    shade.setColorAt(0, dark);
    dark.setAlphaF(0);
    shade.setColorAt(1, dark);
    painter.fillRect(rect(), shade);
    painter.fillRect(QRect(0, 0, 1, height()), theme().hairline);
  }
};

}  // namespace

/// The bar at the head of a column: what becomes of the readings.
class ShareBarView : public QWidget {
 public:
  ShareBarView() {
    setFixedHeight(px(14));
    setAccessibleName(LensColumnView::tr("What becomes of the samples"));
  }

  void setShares(std::vector<LensShare> shares) {
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

 protected:
  void paintEvent(QPaintEvent* /*event*/) override {
    QPainter painter(this);
    paintShareBar(painter, rect(), shares_, theme());
  }

 private:
  std::vector<LensShare> shares_;
};

void LensColumnView::Heights::include(const Heights& other) {
  title = std::max(title, other.title);
  headline = std::max(headline, other.headline);
  shares = std::max(shares, other.shares);
  mend = std::max(mend, other.mend);
  price = std::max(price, other.price);
  notes = std::max(notes, other.notes);
}

LensColumnView::LensColumnView(QWidget* parent)
    : QWidget(parent),
      title_(new QLabel),
      menu_(new QToolButton),
      sampler_(new ElidedLabel),
      headline_(wrapped("", "title")),
      bar_(new ShareBarView),
      progress_(new QProgressBar),
      shares_(wrapped("muted", "small")),
      stop_(new LinkButton(tr("Stop"))),
      stage_(new StageView),
      notes_area_(new QWidget),
      notes_(new Column({0, 0, 0, px(kGap)}, px(6))),
      use_(new QPushButton(tr("Use this design"))),
      fold_(new LinkButton(tr("Details"))),
      mend_(new LinkButton(tr("Use the fixed design"))),
      price_(wrapped("muted", "small")) {
  build();
  makeMenu();
  for (LinkLabel* label : {headline_, shares_, price_}) {
    connect(label, &LinkLabel::followed, this, &LensColumnView::placeWanted);
  }
  connect(use_, &QAbstractButton::clicked, this, &LensColumnView::useWanted);
  connect(mend_, &QAbstractButton::clicked, this, &LensColumnView::mendWanted);
  connect(stop_, &QAbstractButton::clicked, this, [this] { stopped_ ? emit againWanted() : emit stopWanted(); });
}

void LensColumnView::build() {
  setLook(title_, "role", "title");
  title_->setObjectName("lens:title");
  title_->setWordWrap(true);
  title_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
  sampler_->setCut(Qt::ElideMiddle);
  title_->installEventFilter(this);
  title_->setCursor(Qt::OpenHandCursor);
  setLook(sampler_, "role", "small");
  setLook(sampler_, "tone", "muted");
  stage_->setNarrow(true);
  auto* column = columnIn(this, {}, px(4));
  addAll(column, {headRow(), sampler_, headline_, sharesRow()});
  column->addWidget(stage_, 3);
  column->addWidget(useBox());
  columnIn(notes_area_, {})->addWidget(notes_);
  column->addWidget(notes_area_, 2);
}

QWidget* LensColumnView::headRow() {
  menu_->setText(QStringLiteral("⋯"));
  menu_->setPopupMode(QToolButton::InstantPopup);
  menu_->setFocusPolicy(Qt::TabFocus);
  QSizePolicy keep = menu_->sizePolicy();
  keep.setRetainSizeWhenHidden(true);  // the reference has none, and is as high
  menu_->setSizePolicy(keep);
  auto* row = new QWidget;
  auto* line = rowIn(row, {}, px(2));
  line->addWidget(title_, 1);
  line->addWidget(menu_, 0, Qt::AlignTop);
  return row;
}

/// The bar, or one that moves while there is none; below it the figures, or "Stop".
QWidget* LensColumnView::sharesRow() {
  progress_->setTextVisible(false);
  progress_->setRange(0, 0);
  progress_->hide();
  stop_->hide();
  auto* slot = new QWidget;
  slot->setFixedHeight(px(14));
  auto* bars = columnIn(slot, {});
  addAll(bars, {bar_, progress_});
  auto* rows = new QWidget;
  auto* column = columnIn(rows, {}, px(3));
  auto* figures = rowIn(nullptr, {}, px(4));
  figures->addWidget(shares_, 1);
  figures->addWidget(stop_, 0, Qt::AlignTop);
  column->addWidget(slot);
  column->addLayout(figures);
  return rows;
}

QWidget* LensColumnView::useBox() {
  QSizePolicy keep = use_->sizePolicy();
  keep.setRetainSizeWhenHidden(true);
  use_->setSizePolicy(keep);
  mend_->setObjectName("lens:mend");
  mend_->setSizePolicy(keep);  // so that the buttons of all columns stand in rows
  mend_->hide();
  fold_->setObjectName("lens:details");
  connect(fold_, &QAbstractButton::clicked, this, [this] {
    unfolded_ = !unfolded_;
    showNotes();
    if (unfolded_) emit unfolded();
  });
  auto* box = new QWidget;
  auto* column = columnIn(box, {0, px(2), 0, 0}, px(4));
  auto* line = rowIn(nullptr, {}, px(2));
  line->addWidget(use_);
  line->addStretch(1);
  line->addWidget(fold_);
  column->addLayout(line);
  column->addWidget(mend_, 0, Qt::AlignLeft);
  column->addWidget(price_);
  return box;
}

void LensColumnView::makeMenu() {
  auto* menu = new QMenu(menu_);
  const auto add = [&](const QString& text, const char* key, auto done) {
    QAction* action = menu->addAction(text, this, done);
    action->setShortcut(QKeySequence(QLatin1String(key)));
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    addAction(action);
    return action;
  };
  pin_ = add(tr("Pin beside the reference"), "Ctrl+Shift+B", [this] { emit pinWanted(pin_->isChecked()); });
  pin_->setCheckable(true);
  moves_ = {add(tr("Move left"), "Ctrl+Shift+Left", [this] { emit moveWanted(-1); }),
            add(tr("Move right"), "Ctrl+Shift+Right", [this] { emit moveWanted(1); })};
  menu->addSeparator();
  hide_ = add(tr("Hide this column"), "Ctrl+Shift+D", [this] { emit hideWanted(); });
  menu_->setMenu(menu);
}

void LensColumnView::setPlace(bool is_reference, bool pinned, bool can_pin) {
  is_reference_ = is_reference;
  pin_->setChecked(pinned);
  pin_->setEnabled(!is_reference && (pinned || can_pin));
  for (QAction* action : moves_) action->setEnabled(!is_reference);
  hide_->setEnabled(!is_reference);
  menu_->setVisible(!is_reference);
  title_->setCursor(is_reference ? Qt::ArrowCursor : Qt::OpenHandCursor);
}

void LensColumnView::showHead(const LensLane& lane) {
  const LensColumn& column = lane.judged.column;
  id_ = column.id;
  shown_ = column;
  fixes_ = lane.fixes;
  setObjectName("lens:" + text(id_));
  title_->setText(breakable(text(column.title)));
  menu_->setAccessibleName(tr("Place of %1").arg(text(column.title)));
  const QString sampler = text(sampling::samplerName(column.sampler));
  sampler_->setFullText(className(sampler));
  sampler_->setToolTip(sampler);
  setAccessibleName(text(column.title));
}

void LensColumnView::showProgress(bool waiting) {
  waiting_ = waiting;
  progress_->setVisible(waiting);
  bar_->setVisible(!waiting);
  stop_->setVisible(waiting || stopped_);
  stop_->setText(stopped_ ? tr("Compute") : tr("Stop"));
  stop_->setAccessibleName((stopped_ ? tr("Compute %1") : tr("Stop computing %1")).arg(title()));
}

void LensColumnView::setWaiting(const LensLane& lane) {
  showHead(lane);
  stopped_ = false;
  headline_->setPlain(tr("Computing…"));
  setLook(headline_, "tone", "muted");
  shares_->setPlain({});
  price_->setPlain({});
  showProgress(true);
  use_->setEnabled(false);
  use_->setVisible(!is_reference_ && lane.judged.column.spec.has_value());
  StageNotice notice;
  if (stage_->input().isEmpty()) {
    notice.title = tr("Computing…");
  } else {
    notice.dims = true;
  }
  stage_->setNotice(notice);
  detail_.clear();
  showNotes();
}

void LensColumnView::setLane(const LensLane& lane) {
  const LensColumn& column = lane.judged.column;
  showHead(lane);
  context_ = {};
  if (!lane.stage.isEmpty()) context_.epoch = lane.stage.epochNumber();
  stopped_ = lane.state == LaneState::Stopped;
  verdict_text_ = lane.verdict();
  detail_ = lane.detail().isEmpty() ? verdict_text_ : verdict_text_ + QStringLiteral(". ") + lane.detail();
  headline_->setPlain(signOf(lane.tone(), is_reference_) + lane.headline(), context_);
  headline_->setToolTip(detail_);
  setLook(headline_, "tone", lane.tone() == Tone::Note ? "muted" : toneName(lane.tone()));
  bar_->setShares(sharesOf(lane.judged));
  shares_->setPlain(lane.shares(), context_);
  price_->setPlain(lane.cost.isEmpty() ? QString() : tr("%1. %2.").arg(lane.change, lane.cost));
  setLook(price_, "tone", costsSamples(lane.judged) ? "warning" : "muted");
  showProgress(false);
  setAccessibleDescription(QStringList{lane.headline(), lane.shares(), detail_}.join(QStringLiteral(". ")));
  stage_->setInput(lane.stage);
  stage_->setFacts(lane.facts);
  StageNotice notice;
  if (lane.stage.isEmpty()) {
    notice.title = column.error ? text(column.error->raised) : tr("Not computed");
    if (notice.title.isEmpty()) notice.title = tr("Not modelled");
    const QString message = column.error ? text(column.error->message).trimmed() : lane.verdict();
    notice.text = breakable(isShort(message) ? message : text(column.when));
  }
  stage_->setNotice(notice);
  use_->setVisible(column.spec && !column.error && id_ != "as-written");
  showNotes();
}

void LensColumnView::setMend(const QString& title, const QString& change) {
  mend_->setVisible(!title.isEmpty());
  mend_->setToolTip(change.isEmpty() ? title : title + QStringLiteral(": ") + change);
  mend_->setAccessibleDescription(mend_->toolTip());
}

LensColumnView::Heights LensColumnView::wanted(int width) const {
  return {heightOf(*title_, width - menu_->sizeHint().width() - px(2)),
          heightOf(*headline_, width),
          heightOf(*shares_, width),
          mend_->isHidden() ? 0 : mend_->sizeHint().height(),
          heightOf(*price_, width),
          notes_->minimumHeight()};
}

void LensColumnView::setHeights(const Heights& heights) {
  title_->setFixedHeight(heights.title);
  headline_->setFixedHeight(heights.headline);
  shares_->setFixedHeight(std::max(heights.shares, stop_->sizeHint().height()));
  mend_->setFixedHeight(heights.mend);
  price_->setFixedHeight(heights.price);
  notes_area_->setMinimumHeight(heights.notes);
}

/// What it makes of the design, the worst note; the others on demand.
void LensColumnView::showNotes() {
  notes_->clear();
  addNote(text(shown_.makes), "");
  if (!fixes_.isEmpty()) addNote(tr("Fixes “%1”.").arg(fixes_), "muted");
  if (shown_.error && !isShort(text(shown_.error->message))) addNote(text(shown_.error->message).trimmed(), "muted");
  std::size_t first = 0;
  if (!shown_.notes.empty() && shown_.notes.front().severity != Severity::Info) {
    addNote(text(shown_.notes.front().text), noteTone(shown_.notes.front().severity), true);
    first = 1;
  }
  const bool has_more = first < shown_.notes.size() || !detail_.isEmpty() || shown_.error;
  fold_->setVisible(has_more);
  fold_->setWords(unfolded_ ? tr("Less") : tr("Details"));
  if (has_more && unfolded_) {
    if (!detail_.isEmpty()) addNote(detail_ + QStringLiteral("."), "muted");
    if (shown_.error && !shown_.error->hint.empty()) addNote(text(shown_.error->hint), "muted");
    for (std::size_t i = first; i < shown_.notes.size(); ++i) {
      addNote(text(shown_.notes[i].text), noteTone(shown_.notes[i].severity));
    }
  }
}

void LensColumnView::addNote(const QString& note, const char* tone, bool bold) {
  LinkLabel* label = wrapped(tone, "text");
  connect(label, &LinkLabel::followed, this, &LensColumnView::placeWanted);
  if (bold) {
    label->ensurePolished();
    label->setFont(demiBold(label->font()));
  }
  label->setPlain(note, context_);
  notes_->add(label);
}

bool LensColumnView::eventFilter(QObject* watched, QEvent* event) {
  if (watched != title_ || is_reference_) return QWidget::eventFilter(watched, event);
  if (event->type() == QEvent::MouseButtonPress) return true;
  if (event->type() != QEvent::MouseMove) return QWidget::eventFilter(watched, event);
  const auto* mouse = static_cast<QMouseEvent*>(event);
  if ((mouse->buttons() & Qt::LeftButton) != 0) emit dragged(mouse->globalPosition().toPoint());
  return true;
}

LensColumns::LensColumns(QWidget* parent)
    : QWidget(parent),
      content_(new QWidget),
      rows_(thinScroll(content_, this)),
      ground_(new QWidget(content_)),
      scroll_(new QScrollArea(content_)),
      strip_(new QWidget),
      bar_(new QScrollBar(Qt::Horizontal, this)) {
  setSurface(ground_, "panel");
  scroll_->setObjectName("lens:others");
  scroll_->setWidget(strip_);
  scroll_->setFrameShape(QFrame::NoFrame);
  scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);  // bar_ is in sight however high the columns are
  scroll_->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll_->setFocusPolicy(Qt::NoFocus);
  edge_ = new SoftEdge(content_);
  for (QWidget* part : std::initializer_list<QWidget*>{content_, ground_, strip_, bar_}) part->installEventFilter(this);
  const QScrollBar* across = scroll_->horizontalScrollBar();
  connect(across, &QScrollBar::rangeChanged, bar_, &QScrollBar::setRange);
  connect(across, &QScrollBar::valueChanged, bar_, &QScrollBar::setValue);
  connect(bar_, &QScrollBar::valueChanged, across, &QScrollBar::setValue);
}

/// Whether or not they scroll up and down: that bar has room in the margin.
int LensColumns::roomForColumns() const {
  return width() - 2 * px(kMargin) - px(kAfterGround);
}

int LensColumns::fitting() const {
  const int gap = px(kBetween);
  return std::max(2, (roomForColumns() + gap) / (px(kColumn) + gap));
}

/// From a column to the next. Columns share the width; those that do not all fit are as wide as lets none in sight be
/// cut.
double LensColumns::pitch() const {
  const int beside = std::clamp(static_cast<int>(columns_.size()), 1, fitting());
  return static_cast<double>(roomForColumns() + px(kBetween)) / beside;
}

int LensColumns::columnWidth() const {
  return std::max(1, static_cast<int>(pitch()) - px(kBetween));
}

void LensColumns::setColumns(const std::vector<LensColumnView*>& columns, std::size_t standing) {
  QWidget* focused = window()->focusWidget();  // a column that changes its ground would lose it
  columns_ = columns;
  standing_ = std::min(standing, columns.size());
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    QWidget* place = i < standing_ ? ground_ : strip_;
    if (columns_[i]->parentWidget() != place) {
      columns_[i]->setParent(place);
      columns_[i]->stage()->removeEventFilter(this);
      columns_[i]->stage()->installEventFilter(this);
    }
    columns_[i]->show();
    if (focused != nullptr && columns_[i]->isAncestorOf(focused)) focused->setFocus(Qt::OtherFocusReason);
  }
  orderTabs();
  arrange();
}

/// Tab goes through the columns as they stand.
void LensColumns::orderTabs() {
  QWidget* last = nullptr;
  for (const LensColumnView* column : columns_) {
    for (QWidget* part : std::initializer_list<QWidget*>{column->menuButton(), column->stopButton(), column->stage(),
                                                         column->useButton()}) {
      if (last != nullptr) setTabOrder(last, part);
      last = part;
    }
  }
}

void LensColumns::arrange() {
  const int bar = scrolls() ? bar_->sizeHint().height() : 0;
  rows_->setGeometry(0, 0, width(), height() - bar);
  bar_->setVisible(scrolls());
  if (columns_.empty()) return;
  const auto at = [each = pitch()](int place) { return static_cast<int>(std::lround(place * each)); };
  const int left = px(kMargin);
  const int high = content_->height();
  const auto standing = static_cast<int>(standing_);
  const int ground_width = left + at(standing);
  ground_->setGeometry(0, 0, ground_width, high);
  const int others_from = ground_width + px(kAfterGround);
  scroll_->setGeometry(others_from, 0, std::max(0, width() - left - others_from), high);
  scroll_->setVisible(columns_.size() > standing_);
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const int place = static_cast<int>(i) - (i < standing_ ? 0 : standing);
    columns_[i]->setGeometry(at(place) + (i < standing_ ? left : 0), px(kTop), columnWidth(), high - px(kTop));
  }
  const int others = static_cast<int>(columns_.size()) - standing;
  strip_->setFixedSize(std::max(1, at(others) - px(kBetween)), high);
  edge_->setGeometry(ground_width, 0, px(kEdge), high);
  edge_->raise();
  bar_->setGeometry(others_from, height() - bar, scroll_->width(), bar);
  bar_->setPageStep(scroll_->width());
  alignRows();
}

void LensColumns::alignRows() {
  LensColumnView::Heights heights;
  for (const LensColumnView* column : columns_) heights.include(column->wanted(columnWidth()));
  int needed = 0;
  for (LensColumnView* column : columns_) {
    column->setHeights(heights);
    needed = std::max(needed, column->layout()->totalMinimumHeightForWidth(columnWidth()));
  }
  content_->setMinimumHeight(px(kTop) + needed);
}

void LensColumns::reveal(LensColumnView& column) {
  if (strip_->isAncestorOf(&column)) scroll_->ensureWidgetVisible(&column, 0, 0);
}

void LensColumns::revealNotes(LensColumnView& column) {
  alignRows();
  column.layout()->activate();
  const int top = column.notes()->mapTo(content_, QPoint()).y();
  const int bottom = top + column.notes()->minimumHeight();
  QScrollBar* bar = rows_->verticalScrollBar();
  bar->setValue(std::min(top, std::max(bar->value(), bottom - rows_->viewport()->height())));
}

int LensColumns::placeAt(QPoint global) const {
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const int x = columns_[i]->mapFromGlobal(global).x();
    const QRect seen = columns_[i]->visibleRegion().boundingRect();
    if (x >= seen.left() && x <= seen.right()) return static_cast<int>(i);
  }
  return -1;
}

/// One notch is one column. At the end of the columns the event is ignored: it is for what is around the widget.
/// False: it is not for the columns.
bool LensColumns::scrollBy(QWheelEvent& event) {
  if (!scrolls() || (event.modifiers() & (Qt::ControlModifier | Qt::ShiftModifier)) != 0) return false;
  const QPoint pixels = event.pixelDelta();
  const QPoint angle = event.angleDelta();
  const bool fine = !pixels.isNull();
  const QPoint delta = fine ? pixels : angle;
  const double turned = std::abs(delta.x()) > std::abs(delta.y()) ? delta.x() : delta.y();
  const double each = pitch();
  QScrollBar* bar = scroll_->horizontalScrollBar();
  const int by = static_cast<int>(std::lround(fine ? turned : turned / kNotch * each));
  const int before = bar->value();
  bar->setValue(before - by);
  event.setAccepted(by == 0 || bar->value() != before);
  return true;
}

/// What was over no picture; columns that are higher than the room scroll up and down.
void LensColumns::wheelEvent(QWheelEvent* event) {
  const bool upright = std::abs(event->angleDelta().y()) >= std::abs(event->angleDelta().x());
  const bool goes_down = upright && rows_->verticalScrollBar()->maximum() > 0;
  if (goes_down || !scrollBy(*event)) event->setAccepted(goes_down);
}

bool LensColumns::eventFilter(QObject* watched, QEvent* event) {
  if (watched == content_) {
    if (event->type() == QEvent::Resize) arrange();
  } else if (watched == ground_ || watched == strip_) {
    if (event->type() == QEvent::LayoutRequest || event->type() == QEvent::Show) alignRows();
  } else if (event->type() == QEvent::Wheel && scrollBy(*static_cast<QWheelEvent*>(event))) {
    return true;
  }
  return QWidget::eventFilter(watched, event);
}

void LensColumns::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  arrange();
}

}  // namespace shardlens::ui

#include "moc_lens_column_view.cpp"
