// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/design/sampler_picker.h"

#include "ui/state/phrase.h"
#include "ui/widgets/common/card.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/common/metrics.h"
#include "ui/widgets/common/search_field.h"
#include "ui/widgets/common/style.h"
#include "ui/widgets/design/sampler_preview.h"
#include "ui/widgets/design/sampler_rows.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace shardlens::ui {
namespace {

constexpr QSize kPickerSize{880, 626};
constexpr int kFrameworksWidth = 192;
constexpr int kPreviewHeight = 204;
constexpr int kLeastPreviewHeight = 166;
constexpr int kPickerHead = 56;
constexpr int kPickerFoot = 44;

}  // namespace

SamplerPicker::SamplerPicker(SamplerCatalogue catalogue, const std::string& in_use, QWidget* opener)
    : Sheet(kPickerSize, opener), catalogue_(catalogue), in_use_(in_use) {
  setObjectName("samplerPicker");
  setAccessibleName(phrase("design", "Choose a sampler"));
  build();
}

QPushButton* SamplerPicker::makeFilter(const QString& text) {
  auto* button = new QPushButton(text, panel());
  setLook(button, "role", "filter");
  button->setCheckable(true);
  button->setAutoDefault(false);
  connect(button, &QPushButton::toggled, this, &SamplerPicker::filter);
  return button;
}

QWidget* SamplerPicker::makeHead() {
  auto* head = new QWidget(panel());
  search_ = new SearchField(head);
  search_->setMagnifier(true);
  search_->setPlaceholderText(
      phrase("design", "Search %1 samplers by name, framework or purpose").arg(std::ssize(catalogue_)));
  search_->setAccessibleName(phrase("design", "Search samplers"));
  setLook(search_, "role", "search");
  search_->setClearButtonEnabled(true);
  search_->installEventFilter(this);
  training_ = makeFilter(phrase("design", "training"));
  evaluation_ = makeFilter(phrase("design", "evaluation"));
  no_lists_ = makeFilter(phrase("design", "needs no lists"));
  auto* close_button = new QPushButton("✕", head);
  setLook(close_button, "role", "quiet");
  close_button->setAccessibleName(phrase("design", "Close"));
  close_button->setToolTip(phrase("design", "Close and change nothing (Esc)"));
  auto* line = rowIn(head, {px(14), px(8), px(10), px(8)}, px(6));
  line->addWidget(search_, 1);
  line->addSpacing(px(4));
  for (QPushButton* button : {training_, evaluation_, no_lists_, close_button}) line->addWidget(button);
  head->setFixedHeight(px(kPickerHead));
  connect(search_, &QLineEdit::textChanged, this, &SamplerPicker::filter);
  connect(close_button, &QPushButton::clicked, this, &Sheet::dismiss);
  connect(training_, &QPushButton::toggled, this, [this](bool on) {
    if (on) evaluation_->setChecked(false);
  });
  connect(evaluation_, &QPushButton::toggled, this, [this](bool on) {
    if (on) training_->setChecked(false);
  });
  return head;
}

QWidget* SamplerPicker::makeFoot() {
  auto* foot = new QWidget(panel());
  auto* cancel = new QPushButton(phrase("design", "Cancel"), foot);
  use_ = new QPushButton(phrase("design", "Use this sampler"), foot);
  setLook(use_, "role", "primary");
  auto* line = rowIn(foot, {px(kMargin), px(7), px(kMargin - 2), px(8)}, px(kGap));
  line->addWidget(noteLabel(phrase("design", "↑ ↓ choose · Tab frameworks · Enter use · Esc close"), "muted", foot), 1);
  line->addWidget(cancel);
  line->addWidget(use_);
  foot->setFixedHeight(px(kPickerFoot));
  connect(cancel, &QPushButton::clicked, this, &Sheet::dismiss);
  connect(use_, &QPushButton::clicked, this, [this] { take(false); });
  return foot;
}

void SamplerPicker::build() {
  QWidget* head = makeHead();
  frameworks_ = new FrameworkList(panel());
  frameworks_->setFixedWidth(px(kFrameworksWidth));
  frameworks_->installEventFilter(this);
  list_ = new SamplerRows(in_use_, panel());
  preview_ = new SamplerPreviewPane(catalogue_, panel());
  auto* right = columnIn(nullptr, {}, 0);
  auto* framed = columnIn(nullptr, {px(8), px(4), px(6), px(4)});
  framed->addWidget(list_);
  right->addLayout(framed, 1);
  right->addWidget(hairline(Qt::Horizontal, panel()));
  right->addWidget(preview_);
  auto* left = columnIn(nullptr, {px(8), px(8), px(8), px(8)});
  left->addWidget(frameworks_);
  auto* middle = rowIn(nullptr, {}, 0);
  middle->addLayout(left);
  middle->addWidget(hairline(Qt::Vertical, panel()));
  middle->addLayout(right, 1);
  auto* column = columnIn(panel(), {1, 1, 1, 1}, 0);
  column->addWidget(head);
  column->addWidget(hairline(Qt::Horizontal, panel()));
  column->addLayout(middle, 1);
  column->addWidget(hairline(Qt::Horizontal, panel()));
  column->addWidget(makeFoot());
  connect(frameworks_, &QListWidget::currentRowChanged, this, &SamplerPicker::filter);
  connect(list_, &SamplerRows::chosenChanged, this,
          [this](const QString& type) { preview_->setType(type.toStdString()); });
  connect(list_, &SamplerRows::taken, this, [this] { take(false); });
  connect(preview_, &SamplerPreviewPane::ownListsWanted, this, [this] { take(true); });
}

/// What the rules need is asked in the background: the panel is there at once, its rows a moment later.
void SamplerPicker::open() {
  Sheet::open(search_);
  reading_.start([catalogue = catalogue_](const Work&) { return std::optional(samplerRows(catalogue)); },
                 [this](std::vector<SamplerRow> rows) { takeRows(std::move(rows)); });
}

void SamplerPicker::takeRows(std::vector<SamplerRow> rows) {
  all_ = std::move(rows);
  filter();
  if (list_->currentItem() != nullptr) list_->scrollToItem(list_->currentItem(), QAbstractItemView::PositionAtCenter);
}

SamplerFilter SamplerPicker::wanted() const {
  return {search_->text(), frameworks_->chosen(), training_->isChecked(), evaluation_->isChecked(),
          no_lists_->isChecked()};
}

void SamplerPicker::filter() {
  if (all_.empty()) return;
  const SamplerFilter filter = wanted();
  {
    const QSignalBlocker quiet(frameworks_);
    frameworks_->setCounts(frameworkCounts(all_, filter));
  }
  const std::vector<SamplerRow> rows = wantedRows(all_, filter);
  list_->setRows(rows, filter.words.trimmed().isEmpty(), in_use_);
  if (rows.empty()) preview_->setType({});
  use_->setEnabled(!rows.empty());
}

void SamplerPicker::take(bool own_lists) {
  const QString type = text(list_->chosen());
  if (type.isEmpty()) return;
  dismiss();
  own_lists ? emit pickedForOwnLists(type) : emit picked(type);
}

bool SamplerPicker::handleKey(int key) {
  switch (key) {
    case Qt::Key_Up:
    case Qt::Key_Down:
      list_->moveBy(key == Qt::Key_Up ? -1 : 1);
      return true;
    case Qt::Key_PageUp:
    case Qt::Key_PageDown:
      list_->moveBy(key == Qt::Key_PageUp ? -list_->rowsInSight() : list_->rowsInSight());
      return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      take(false);
      return true;
    default:
      return false;
  }
}

bool SamplerPicker::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::KeyPress) {
    const auto* key = static_cast<QKeyEvent*>(event);
    if (watched == search_ && handleKey(key->key())) return true;
    const bool enters = key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter;
    if (watched == frameworks_ && enters) {
      take(false);
      return true;
    }
  }
  return Sheet::eventFilter(watched, event);
}

/// A small window has room for the list first.
void SamplerPicker::panelResized() {
  const int room = panel()->height() - px(kPickerHead + kPickerFoot);
  preview_->setFixedHeight(std::clamp(room * 2 / 5, px(kLeastPreviewHeight), px(kPreviewHeight)));
}

}  // namespace shardlens::ui

#include "moc_sampler_picker.cpp"
