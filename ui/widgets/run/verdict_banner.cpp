// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/run/verdict_banner.h"

#include "ui/scene/links.h"
#include "ui/scene/theme.h"
#include "ui/state/phrase.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/common/style.h"

#include <QFontMetrics>
#include <QGridLayout>
#include <QPainter>
#include <QPainterPath>
#include <QPushButton>
#include <QRegularExpression>
#include <QResizeEvent>

#include <algorithm>

namespace shardlens::ui {
namespace {

constexpr std::size_t kMostLines = 3;
constexpr qsizetype kBrief = 190;  ///< characters: about two lines
constexpr int kMessagePart = 62;   ///< of the width
constexpr int kNextPart = 38;

const QRegularExpression& endOfSentence() {
  static const QRegularExpression kEnd("(?:[.!?] +(?=[^a-z])|\\x{3002} *)");
  return kEnd;
}

/// The sentences but the first one that says this: it stands beside them already.
QString withoutSaying(const QString& message, const QString& words) {
  if (words.isEmpty()) return message;
  qsizetype begin = 0;
  for (auto matches = endOfSentence().globalMatch(message); begin < message.size();) {
    const qsizetype end = matches.hasNext() ? matches.next().capturedEnd() : message.size();
    if (begin > 0 && message.mid(begin, end - begin).contains(words))
      return (message.left(begin) + message.mid(end)).trimmed();
    begin = end;
  }
  return message;
}

/// As many sentences from the beginning as are brief; at least one.
template <class IsBrief>
QString firstSentences(const QString& message, IsBrief is_brief) {
  qsizetype end = 0;
  for (auto matches = endOfSentence().globalMatch(message); matches.hasNext();) {
    const qsizetype next = matches.next().capturedEnd();
    if (end > 0 && !is_brief(message.left(next).trimmed())) break;
    end = next;
  }
  return is_brief(message) || end == 0 ? message : message.left(end).trimmed();
}

/// A Chinese letter takes the room of two.
qsizetype lettersOf(const QString& text) {
  static const QRegularExpression kWide("[\\x{3000}-\\x{9fff}]");
  return text.size() + text.count(kWide);
}

bool isBrief(const QString& text) {
  return lettersOf(text) <= kBrief;
}

QString moreText(const RunHeadline& line, const QString& message) {
  return line.says_title_first ? phrase("run", "Also: %1").arg(message)
                               : phrase("run", "Also: %1. %2").arg(line.title, message);
}

LinkLabel* wrapping(const char* tone, Qt::Alignment alignment, QWidget* parent) {
  auto* label = new LinkLabel(tone, "", parent);
  label->setAlignment(alignment);
  label->setSelectable();
  return label;
}

}  // namespace

VerdictBanner::VerdictBanner(QWidget* parent) : QWidget(parent) {
  setObjectName("verdict");
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
  title_ = new LinkLabel("", "", this);
  title_->setObjectName("verdictTitle");
  title_->setFont(verdictFont());
  message_ = wrapping("muted", Qt::AlignLeft | Qt::AlignTop, this);
  message_->setObjectName("verdictMessage");
  cost_ = textLabel({}, "warning", this);
  setLook(cost_, "role", "title");
  cost_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  next_ = wrapping("muted", Qt::AlignRight | Qt::AlignTop, this);
  for (LinkLabel* label : {title_, message_, next_})
    connect(label, &LinkLabel::followed, this, &VerdictBanner::placeWanted);
  show_ = pushButton({}, "link", this);
  show_->setCursor(Qt::PointingHandCursor);
  show_->setObjectName("showRank");
  connect(show_, &QPushButton::clicked, this, [this] { emit rankWanted(first_.rank); });
  details_ = new LinkButton(phrase("run", "Details"), "", this);
  details_->setObjectName("verdictDetails");
  connect(details_, &QAbstractButton::clicked, this, [this] {
    unfolded_ = !unfolded_;
    showMessage();
    showMore();
  });
  auto* right = rowIn(nullptr, {}, px(12));
  right->addStretch();
  addAll(right, {cost_, details_, show_});
  auto* grid = grid_ = new QGridLayout;
  grid->setHorizontalSpacing(px(32));
  grid->setVerticalSpacing(px(4));
  grid->setColumnStretch(0, kMessagePart);
  grid->setColumnStretch(1, kNextPart);
  grid->addWidget(title_, 0, 0);
  grid->addLayout(right, 0, 1);
  grid->addWidget(message_, 1, 0);
  grid->addWidget(next_, 1, 1);
  more_column_ = columnIn(nullptr, {}, px(2));
  auto* column = columnIn(this, {px(22), px(10), px(18), px(10)}, px(6));
  column->addLayout(grid);
  column->addLayout(more_column_);
}

void VerdictBanner::setCompact(bool compact) {
  if (compact == compact_) return;
  compact_ = compact;
  showMessage();
  showMore();
}

void VerdictBanner::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  if (event->size().width() == event->oldSize().width()) return;
  compact_ ? showMessage() : offerDetails();
}

void VerdictBanner::setHeadlines(const RunHeadline& first, const std::vector<RunHeadline>& more) {
  if (!(first == first_)) {
    if (first.title != first_.title && unfolded_) {
      unfolded_ = false;
      showMore();
    }
    first_ = first;
    showFirst();
  }
  if (more != more_) {
    more_ = more;
    showMore();
    offerDetails();
  }
}

void VerdictBanner::showFirst() {
  Selected context;
  if (first_.rank >= 0) context.ranks = {first_.rank};
  title_->setPlain(first_.title, context);
  showMessage();
  cost_->setText(first_.cost);
  cost_->setVisible(!first_.cost.isEmpty());
  setLook(cost_, "tone", toneName(first_.tone));
  next_->setPlain(first_.next.isEmpty() ? QString() : phrase("run", "Next: %1").arg(commandsApart(first_.next)),
                  context);
  show_->setVisible(first_.rank >= 0);
  if (first_.rank >= 0) show_->setText(phrase("run", "Show rank %1").arg(first_.rank));
  setAccessibleName(first_.title);
  setAccessibleDescription(first_.message + " " + first_.next);
  update();
}

/// The lanes need the room more than the last of its sentences.
void VerdictBanner::showMessage() {
  Selected context;
  if (first_.rank >= 0) context.ranks = {first_.rank};
  const QString brief = briefMessage();
  const bool one_line = compact_ && !unfolded_;
  message_->setPlain(unfolded_ ? first_.message : brief, context);
  message_->setVisible(!first_.message.isEmpty());
  next_->setVisible(!first_.next.isEmpty() && !one_line);
  grid_->removeWidget(message_);
  grid_->addWidget(message_, 1, 0, 1, one_line ? 2 : 1);
  offerDetails();
}

/// Where anything is left out, or was until the details were wanted.
void VerdictBanner::offerDetails() {
  const QFontMetrics metrics = fontMetrics();
  const auto is_cut = [&](const RunHeadline& line) {
    return compact_ ? metrics.horizontalAdvance(moreText(line, line.message)) > roomForWords()
                    : firstSentences(line.message, isBrief) != line.message;
  };
  details_->setVisible(briefMessage().size() < withoutSaying(first_.message, first_.gain).size() ||
                       (compact_ && !first_.next.isEmpty()) || more_.size() > mostMore() ||
                       std::ranges::any_of(more_, is_cut));
  details_->setText(unfolded_ ? phrase("run", "Less") : phrase("run", "Details"));
}

std::size_t VerdictBanner::mostMore() const {
  return compact_ ? 1 : kMostLines;
}

int VerdictBanner::roomForWords() const {
  return contentsRect().width() - layout()->contentsMargins().left() - layout()->contentsMargins().right();
}

/// The first of its sentences: about two lines, or what is as high as the words beside it, or as many as fit into one
/// line.
QString VerdictBanner::briefMessage() const {
  const QString message = withoutSaying(first_.message, first_.gain);
  if (!compact_) {
    const qsizetype most = std::max(kBrief, lettersOf(first_.next) * kMessagePart / kNextPart);
    return firstSentences(message, [most](const QString& text) { return lettersOf(text) <= most; });
  }
  const QFontMetrics metrics = message_->fontMetrics();
  return firstSentences(message,
                        [&](const QString& text) { return metrics.horizontalAdvance(text) <= roomForWords(); });
}

void VerdictBanner::showMore() {
  while (QLayoutItem* item = more_column_->takeAt(0)) {
    item->widget()->deleteLater();
    delete item;
  }
  const std::size_t most = unfolded_ ? more_.size() : mostMore();
  for (std::size_t i = 0; i < more_.size() && i < most; ++i) {
    const RunHeadline& line = more_[i];
    auto* cut = compact_ && !unfolded_ ? new ElidedLinks(this) : nullptr;
    LinkLabel* label = cut != nullptr ? cut : new LinkLabel("", "", this);
    cut != nullptr ? cut->setFull(moreText(line, line.message))
                   : label->setPlain(moreText(line, unfolded_ ? line.message : firstSentences(line.message, isBrief)));
    connect(label, &LinkLabel::followed, this, &VerdictBanner::placeWanted);
    setLook(label, "tone", toneName(line.tone));
    more_column_->addWidget(label);
  }
  if (more_.size() > most) {
    more_column_->addWidget(textLabel(phrase("run", "and %1 more").arg(more_.size() - most), "muted", this));
  }
}

void VerdictBanner::paintEvent(QPaintEvent*) {
  constexpr int kBar = 5;
  const QRectF area = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  QPainterPath shape;
  shape.addRoundedRect(area, px(4), px(4));
  painter.fillPath(shape, theme().panel);
  painter.setPen(QPen(theme().hairline, 1));
  painter.drawPath(shape);
  painter.setClipPath(shape);
  painter.fillRect(QRectF(0, 0, px(kBar), height()), toneColor(first_.tone));
}

QString VerdictBanner::asText() const {
  QString out;
  for (const QString& line : {first_.title, first_.message, first_.cost, first_.next}) {
    if (!line.isEmpty()) out += line + '\n';
  }
  for (const RunHeadline& line : more_) out += line.title + ". " + line.message + '\n';
  return out;
}

}  // namespace shardlens::ui

#include "moc_verdict_banner.cpp"
