// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/run/stall_panel.h"

#include "ui/scene/theme.h"
#include "ui/state/phrase.h"
#include "ui/widgets/common/card.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/common/panel_menu.h"

#include <QFontMetrics>
#include <QPainter>

#include <algorithm>

namespace shardlens::ui {
namespace {

int lineHeight() {
  return QFontMetrics(monoFont()).height() + px(2);
}

int gap() {
  return px(6);
}

}  // namespace

CallsView::CallsView(QWidget* parent) : QWidget(parent) {
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  setTips(this, [this](QPoint place) -> QString {
    int bottom = 0;
    for (const CallList::Row& row : rows_) {
      bottom += heightOf(row);
      if (place.y() < bottom) return row.function + '\n' + row.file + '\n' + row.place;
    }
    return {};
  });
}

void CallsView::setCalls(const CallList& calls) {
  std::vector<CallList::Row> rows = calls.shortened();
  setAccessibleName(calls.head);
  setAccessibleDescription(calls.text());
  if (rows == rows_) return;
  rows_ = std::move(rows);
  updateGeometry();
  update();
}

int CallsView::heightOf(const CallList::Row& row) const {
  return lineHeight() * (row.is_own && !row.code.isEmpty() ? 2 : 1) + gap();
}

QSize CallsView::sizeHint() const {
  int height = 0;
  for (const CallList::Row& row : rows_) height += heightOf(row);
  return {px(220), height};
}

void CallsView::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  int top = 0;
  for (const CallList::Row& row : rows_) {
    const int height = heightOf(row);
    paintRow(painter, row, {0, top, width(), height - gap()});
    top += height;
  }
}

void CallsView::paintRow(QPainter& painter, const CallList::Row& row, const QRect& area) const {
  painter.fillRect(QRect(0, area.top(), px(2), area.height()), row.is_own ? theme().error : theme().hairline);
  QFont font = monoFont();
  const QFontMetrics metrics(font);
  const int left = px(10);
  const int line = lineHeight();
  const int place_width = std::min(metrics.horizontalAdvance(row.place) + 2, area.width() / 2);
  const int function_width = area.width() - left - place_width - px(8);
  painter.setFont(font);
  painter.setPen(theme().muted);
  painter.drawText(QRect(area.right() - place_width + 1, area.top(), place_width, line),
                   Qt::AlignRight | Qt::AlignVCenter, metrics.elidedText(row.place, Qt::ElideLeft, place_width));
  if (row.is_own && !row.code.isEmpty()) {
    painter.drawText(QRect(left, area.top() + line, area.width() - left, line), Qt::AlignLeft | Qt::AlignVCenter,
                     metrics.elidedText(row.code, Qt::ElideRight, area.width() - left));
  }
  font.setBold(row.is_own);
  painter.setFont(font);
  painter.setPen(theme().text);
  painter.drawText(QRect(left, area.top(), function_width, line), Qt::AlignLeft | Qt::AlignVCenter,
                   QFontMetrics(font).elidedText(row.function, Qt::ElideRight, function_width));
}

StallPanel::StallPanel(QWidget* parent)
    : QWidget(parent), title_(new LinkLabel("", "", this)), column_(new Column({0, 0, px(4), 0}, px(4))) {
  setObjectName("stallPanel");
  setMinimumWidth(px(200));
  setAccessibleName(phrase("run", "The job stands still"));
  title_->setFont(demiBold(title_->font()));
  title_->setObjectName("stallTitle");
  connect(title_, &LinkLabel::followed, this, &StallPanel::placeWanted);
  auto* close = new LinkButton(phrase("run", "Close"), "", this);
  close->setObjectName("stallClose");
  close->setAccessibleName(phrase("run", "Close the card of the stall"));
  connect(close, &QAbstractButton::clicked, this, &StallPanel::closeWanted);
  auto* head = rowIn(nullptr, {}, px(kGap));
  head->addWidget(title_, 1);
  head->addWidget(close, 0, Qt::AlignTop);
  auto* rows = columnIn(this, {px(kMargin), px(14), px(kMargin), px(12)}, px(8));
  rows->addLayout(head);
  rows->addWidget(thinScroll(column_, this), 1);
  addPanelMenu(*this, {phrase("run", "Stall"), [this] { return asText(); }});
}

/// Times go on while it stands: words change in place, so that focus and marked text stay.
void StallPanel::setText(const StallText& said) {
  if (said == said_) return;
  const bool is_same_shape =
      said.more.size() == said_.more.size() && said.calls.size() == said_.calls.size() &&
      std::equal(said.lines.begin(), said.lines.end(), said_.lines.begin(), said_.lines.end(),
                 [](const StallText::Line& a, const StallText::Line& b) { return a.head == b.head; });
  said_ = said;
  if (!is_same_shape || words_.empty()) build();
  if (title_->plain() != said.title) title_->setPlain(said.title);
  std::size_t next = 0;
  const auto put = [this, &next](const QString& words) {
    LinkLabel* label = words_[next++];
    if (label->plain() != words) label->setPlain(words);
  };
  for (const StallText::Line& line : said.lines) put(line.text);
  for (std::size_t i = 0; i < times_.size(); ++i) {
    times_[i]->setWithoutLinks(said.lines[i].time);
    times_[i]->setVisible(!said.lines[i].time.isEmpty());
  }
  for (const QString& more : said.more) put(more);
  Selected rank;
  rank.ranks = {said.rank};
  for (std::size_t i = 0; i < calls_.size(); ++i) {
    const CallList& calls = said.calls[i];
    if (calls_[i].head->plain() != calls.head) calls_[i].head->setPlain(calls.head, rank);
    if (calls_[i].note->plain() != calls.note) calls_[i].note->setWithoutLinks(calls.note);
    calls_[i].view->setCalls(calls);
  }
}

void StallPanel::build() {
  column_->clear();
  words_.clear();
  times_.clear();
  calls_.clear();
  for (const StallText::Line& line : said_.lines) {
    addLine(line.head);
    times_.push_back(new LinkLabel("muted", "text", nullptr));
    column_->add(times_.back());
  }
  for (std::size_t i = 0; i < said_.calls.size(); ++i) addCalls();
  if (!said_.more.empty()) addHead(phrase("run", "more findings"));
  for (std::size_t i = 0; i < said_.more.size(); ++i) addLine({});
}

void StallPanel::addHead(const QString& head) {
  QLabel* label = sectionHead(head);
  label->setContentsMargins(0, px(6), 0, 0);
  column_->add(label);
}

void StallPanel::addLine(const QString& head) {
  if (!head.isEmpty()) addHead(head);
  auto* label = new LinkLabel("", "text", nullptr);
  label->setSelectable();
  connect(label, &LinkLabel::followed, this, &StallPanel::placeWanted);
  column_->add(label);
  words_.push_back(label);
}

void StallPanel::addCalls() {
  auto* head = new LinkLabel("muted", "", nullptr);
  head->setFont(headFont());
  head->setContentsMargins(0, px(6), 0, 0);
  connect(head, &LinkLabel::followed, this, &StallPanel::placeWanted);
  auto* note = new LinkLabel("muted", "note", nullptr);
  auto* view = new CallsView;
  for (QWidget* part : std::initializer_list<QWidget*>{head, note, view}) column_->add(part);
  calls_.push_back({head, note, view});
}

QString StallPanel::asText() const {
  QString out = said_.title + '\n';
  for (const StallText::Line& line : said_.lines)
    out += line.head + ": " + line.text + (line.time.isEmpty() ? QString() : ", " + line.time) + '\n';
  for (const CallList& calls : said_.calls) out += calls.text();
  for (const QString& more : said_.more) out += more + '\n';
  return out;
}

/// A card with a red edge on the page.
void StallPanel::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const QRectF card = QRectF(rect()).adjusted(px(4), px(6) + 0.5, -px(6) - 0.5, -px(6) - 0.5);
  painter.setPen(QPen(theme().hairline, 1));
  painter.setBrush(theme().panel);
  painter.drawRoundedRect(card, px(8), px(8));
  painter.setPen(Qt::NoPen);
  painter.setBrush(theme().error);
  painter.drawRoundedRect(QRectF(card.left(), card.top() + px(8), px(3), card.height() - 2 * px(8)), 1.5, 1.5);
}

}  // namespace shardlens::ui

#include "moc_stall_panel.cpp"
