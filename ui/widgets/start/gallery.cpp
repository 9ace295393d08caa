// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/start/gallery.h"

#include "ui/scene/theme.h"
#include "ui/widgets/common/card.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/common/metrics.h"
#include "ui/widgets/common/segmented.h"
#include "ui/widgets/common/shade.h"
#include "ui/widgets/common/style.h"
#include "ui/widgets/start/example_card.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>
#include <memory>

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

}  // namespace shardlens::ui

#include "moc_gallery.cpp"
