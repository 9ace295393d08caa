// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/start/gallery.h"

#include "core/audit/audit.h"
#include "core/base/phrase.h"
#include "core/sampling/registry.h"
#include "core/sampling/sampler_facts.h"
#include "core/yaml/spec_file.h"
#include "ui/scene/design/form.h"
#include "ui/scene/theme.h"
#include "ui/state/phrase.h"
#include "ui/widgets/common/card.h"
#include "ui/widgets/common/fields.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/common/metrics.h"
#include "ui/widgets/common/sheet.h"
#include "ui/widgets/common/style.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>
#include <memory>
#include <string>

namespace shardlens::ui {
namespace {

constexpr int kBetween = 13;
constexpr int kAside = 280;

}  // namespace

Gallery::Gallery(bool moves, QWidget* parent)
    : QDialog(parent), grid_(new QWidget), frameworks_(new SegmentedControl({tr("All")})) {
  setWindowTitle(tr("Examples"));
  setObjectName("gallery");
  if (parent != nullptr) new Shade(this);
  build(moves);
  compute();
}

Gallery::~Gallery() = default;

void Gallery::build(bool moves) {
  const std::vector<Example> all = examples();
  for (const Example& example : all) {
    auto* card = new ExampleCard(example, grid_);
    card->setMoves(moves);
    connect(card, &ExampleCard::activated, this, [this, path = example.path] {
      emit chosen(path);
      accept();
    });
    cards_.push_back(card);
  }
  QLabel* title = textLabel(tr("Mistakes from real training jobs"));
  title->setFont(verdictFont());
  QLabel* text = textLabel(
      tr("Open one: a copy plays its first epoch, and Findings says what is wrong and what fixes it."), "muted");
  text->setWordWrap(true);
  frameworks_->setAccessibleName(tr("Framework"));
  connect(frameworks_, &SegmentedControl::currentChanged, this, [this](int) { arrange(); });
  auto* head = head_ = new QBoxLayout(QBoxLayout::LeftToRight);
  head->addWidget(title, 1);
  head->addWidget(frameworks_);
  grid_->installEventFilter(this);
  row_ = rowIn(this, {}, 0);
  auto* column = new QVBoxLayout;
  row_->addLayout(column, 1);
  column->setContentsMargins(px(kMargin), px(kMargin), 0, 0);
  column->setSpacing(px(4));
  column->addLayout(head);
  column->addWidget(text);
  column->addSpacing(px(6));
  column->addWidget(all.empty() ? static_cast<QWidget*>(new EmptyState(
                                      tr("No examples"), tr("The source tree and the package include them."), this))
                                : thinScroll(grid_, this),
                    1);
  head->setContentsMargins(0, 0, px(kMargin), 0);
  resize(px(1030), px(660));
}

void Gallery::setAside(QWidget* column) {
  column->setFixedWidth(px(kAside));
  row_->insertWidget(0, column);
  resize(width() + px(kAside), height());
  keepInside();
}

/// A dialog that is larger than the window it belongs to hides where it came from.
void Gallery::keepInside() {
  constexpr int kEdge = 12;
  if (parentWidget() == nullptr) return;
  const QSize most = parentWidget()->window()->size() - 2 * QSize(px(kEdge), px(kEdge));
  resize(size().boundedTo(most.expandedTo(minimumSizeHint())));
}

void Gallery::showEvent(QShowEvent* event) {
  keepInside();
  QDialog::showEvent(event);
}

void Gallery::compute() {
  std::vector<QString> paths;
  for (const ExampleCard* card : cards_) paths.push_back(card->example().path);
  job_.startParts([this, paths, dark = theme().dark, ratio = devicePixelRatioF(), size = ExampleCard::pictureSize()](
                      const Work& work, const LatestJob::HandOver& hand_over) {
    for (std::size_t i = 0; i < paths.size() && !work.stopped(); ++i) {
      auto facts = std::make_shared<std::optional<ExampleFacts>>(exampleFacts(paths[i], size, dark, ratio, work));
      hand_over([this, i, facts] { cards_[i]->setFacts(std::move(*facts)); });
    }
    hand_over([this] { showFrameworks(); });
  });
}

void Gallery::showFrameworks() {
  QStringList names;
  for (const ExampleCard* card : cards_) {
    if (card->facts() && !names.contains(card->facts()->framework)) names << card->facts()->framework;
  }
  names.prepend(tr("All"));
  frameworks_->setLabels(names);
  placeHead();
}

void Gallery::placeHead() {
  const int needed = head_->itemAt(0)->sizeHint().width() + px(kGap) + frameworks_->sizeHint().width();
  const bool fits = needed <= grid_->width() - px(kMargin);
  head_->setDirection(fits ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
}

void Gallery::arrange() {
  if (cards_.empty()) return;
  const QString wanted = frameworks_->current() <= 0 ? QString() : frameworks_->labels()[frameworks_->current()];
  QSize each = ExampleCard::leastSize();
  const int gap = px(kBetween);
  const int room = grid_->width() - px(kMargin) + gap;
  const int columns = std::max(1, room / (each.width() + gap));
  each.setWidth(std::max(each.width(), room / columns - gap));
  int shown = 0;
  for (ExampleCard* card : cards_) {
    card->setVisible(wanted.isEmpty() || (card->facts() && card->facts()->framework == wanted));
    if (!card->isVisibleTo(grid_)) continue;
    card->setFixedSize(each);
    card->move(shown % columns * (each.width() + gap), shown / columns * (each.height() + gap) + 1);
    ++shown;
  }
  grid_->setMinimumHeight((shown + columns - 1) / columns * (each.height() + gap) + px(kGap));
}

bool Gallery::eventFilter(QObject* watched, QEvent* event) {
  if (watched == grid_ && event->type() == QEvent::Resize) {
    placeHead();
    arrange();
  }
  return QDialog::eventFilter(watched, event);
}

namespace {

constexpr int kWidth = 232;
constexpr int kPicture = 136;
constexpr int kHeight = 266;
constexpr int kInset = 14;
constexpr int kDealMs = 3500;

void paintPill(QPainter& painter, const QRect& place, const QString& words, const QColor& ground, const QColor& ink) {
  painter.setPen(Qt::NoPen);
  painter.setBrush(ground);
  painter.drawRoundedRect(place, px(4), px(4));
  painter.setPen(ink);
  painter.drawText(place, Qt::AlignCenter, words);
}

}  // namespace

ExampleCard::ExampleCard(Example example, QWidget* parent) : QWidget(parent), example_(std::move(example)) {
  setObjectName("example:" + example_.name);
  setAccessibleName(example_.title);
  setAccessibleDescription(example_.summary);
  setToolTip(example_.look_for.isEmpty() ? QString() : withPlainCommands(tr("Look for: %1").arg(example_.look_for)));
  setFocusPolicy(Qt::StrongFocus);
  setCursor(Qt::PointingHandCursor);
  setFixedSize(px(kWidth), px(kHeight));
  deal_.setStartValue(0.0);
  deal_.setEndValue(1.0);
  deal_.setDuration(kDealMs);
  deal_.setLoopCount(-1);
  connect(&deal_, &QVariantAnimation::valueChanged, this, qOverload<>(&QWidget::update));
}

QSize ExampleCard::sizeHint() const {
  return leastSize();
}

QSize ExampleCard::leastSize() {
  return {px(kWidth), px(kHeight)};
}

QSize ExampleCard::pictureSize() {
  return {px(kWidth) - 2 * px(kInset), px(kPicture) - 2 * px(kInset)};
}

void ExampleCard::setFacts(std::optional<ExampleFacts> facts) {
  facts_ = std::move(facts);
  if (facts_) setAccessibleDescription(facts_->verdict + ". " + facts_->framework + ". " + example_.summary);
  playIfLive();
  update();
}

void ExampleCard::playIfLive() {
  const bool plays = moves_ && isLive() && facts_.has_value();
  if (plays != isPlaying()) plays ? deal_.start() : deal_.stop();
  update();
}

void ExampleCard::paintPicture(QPainter& painter) const {
  if (!facts_) return;
  const QSize size = pictureSize();
  const QRect place(QPoint((width() - size.width()) / 2, px(kInset)), size);
  painter.drawImage(place.topLeft(), isPlaying() ? facts_->picture.undealt : facts_->picture.dealt);
  if (!isPlaying()) return;
  // The last fifth of the time shows the whole epoch.
  const double share = std::min(1.0, deal_.currentValue().toDouble() * 1.25);
  painter.save();
  painter.setClipRect(QRect(place.topLeft(), QSize(static_cast<int>(share * place.width()), place.height())));
  painter.drawImage(place.topLeft(), facts_->picture.dealt);
  painter.restore();
}

void ExampleCard::paintFoot(QPainter& painter, QRect foot) const {
  if (!facts_) return;
  painter.setFont(smallFont());
  const QFontMetrics metrics = painter.fontMetrics();
  const QColor tone = facts_->tone == Tone::Fine ? theme().fine : toneColor(facts_->tone);
  const int side = px(8);
  painter.setPen(Qt::NoPen);
  painter.setBrush(tone);
  const QRect mark(foot.left(), foot.center().y() - side / 2, side, side);
  if (facts_->tone == Tone::Warning) {
    painter.save();
    painter.translate(QRectF(mark).center());
    painter.rotate(45);
    painter.drawRect(QRectF(-side * 0.42, -side * 0.42, side * 0.84, side * 0.84));
    painter.restore();
  } else {
    painter.drawEllipse(mark);
  }
  painter.setPen(tone);
  painter.drawText(foot.adjusted(side + px(6), 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, facts_->verdict);
  const auto pill = [&](const QString& words) {
    const int width = metrics.horizontalAdvance(words) + px(14);
    const QRect place(foot.right() - width + 1, foot.top(), width, foot.height());
    foot.setRight(place.left() - px(6));
    return place;
  };
  if (isLive()) paintPill(painter, pill(tr("▶ Play")), tr("▶ Play"), theme().accent, theme().on_accent);
  paintPill(painter, pill(facts_->framework), facts_->framework, theme().cell_empty, theme().muted);
}

void ExampleCard::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const QRectF frame = QRectF(rect()).adjusted(1, 1, -1, -1);
  painter.setPen(QPen(isLive() ? theme().accent : theme().hairline, isLive() ? 2 : 1));
  painter.setBrush(theme().panel);
  painter.drawRoundedRect(frame, px(8), px(8));
  paintPicture(painter);
  painter.fillRect(QRect(1, px(kPicture), width() - 2, 1), theme().hairline);
  QRect text = rect().adjusted(px(kInset), px(kPicture) + px(10), -px(kInset), -px(10));
  QFont bold = uiFont();
  bold.setWeight(QFont::DemiBold);
  painter.setFont(bold);
  painter.setPen(theme().text);
  const QString title = painter.fontMetrics().elidedText(example_.title, Qt::ElideRight, text.width());
  painter.drawText(text, Qt::AlignLeft | Qt::AlignTop, title);
  text.setTop(text.top() + painter.fontMetrics().height() + px(3));
  const QRect foot(text.left(), text.bottom() - px(22) + 1, text.width(), px(22));
  text.setBottom(foot.top() - px(2));
  painter.setFont(smallFont());
  painter.setPen(theme().muted);
  painter.drawText(text, Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, example_.summary);
  paintFoot(painter, foot);
}

void ExampleCard::enterEvent(QEnterEvent* /*event*/) {
  playIfLive();
}
void ExampleCard::leaveEvent(QEvent* /*event*/) {
  playIfLive();
}
void ExampleCard::focusInEvent(QFocusEvent* /*event*/) {
  playIfLive();
}
void ExampleCard::focusOutEvent(QFocusEvent* /*event*/) {
  playIfLive();
}

void ExampleCard::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton && rect().contains(event->pos())) emit activated();
}

void ExampleCard::keyPressEvent(QKeyEvent* event) {
  const bool go = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter || event->key() == Qt::Key_Space;
  if (!go) return QWidget::keyPressEvent(event);
  event->accept();
  emit activated();
}

std::optional<ExampleFacts> exampleFacts(const QString& path, QSize picture, bool dark, qreal ratio, const Work& work) {
  const yaml::SpecFile file = yaml::readSpecFile(path.toStdString(), sampling::catalogue());
  if (!file.read.issues.empty()) return std::nullopt;
  const auto plan = Plan::make(file.read.spec);
  if (!plan) return std::nullopt;
  auto drawn = planPicture(*plan, picture, dark, ratio, work);
  const auto report = audit(*plan, {.fixes = false, .later_epochs = false}, work);
  if (!drawn || !report) return std::nullopt;
  ExampleFacts facts;
  facts.picture = *std::move(drawn);
  const std::string framework(sampling::frameworkTitle(sampling::frameworkOf(file.read.spec.sampler.type)));
  facts.framework = QString::fromStdString(worded("samplers", framework.c_str()));
  if (report->hasErrors()) {
    facts.tone = Tone::Error;
  } else if (report->count(Severity::Warning) > 0) {
    facts.tone = Tone::Warning;
  }
  facts.verdict = facts.tone == Tone::Error     ? phrase("start", "Error")
                  : facts.tone == Tone::Warning ? phrase("start", "Warning")
                                                : phrase("start", "No problem");
  return facts;
}

}  // namespace shardlens::ui

#include "moc_gallery.cpp"
