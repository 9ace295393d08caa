// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/locator_popup.h"

#include "ui/state/phrase.h"
#include "ui/widgets/common/metrics.h"
#include "ui/widgets/common/style.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include <algorithm>

namespace shardlens::ui {
namespace {

constexpr int kRowHeight = 28;
constexpr int kWidth = 380;

/// The name at the left, the detail muted at the right.
class HitDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const Theme& colors = theme();
    if (option.state & QStyle::State_Selected) {
      painter->fillRect(option.rect, mix(colors.accent, colors.panel, colors.dark ? 0.22 : 0.12));
    }
    const QRect inner = option.rect.adjusted(px(10), 0, -px(10), 0);
    painter->setPen(colors.muted);
    const QString detail = index.data(Qt::UserRole).toString();
    painter->drawText(inner, Qt::AlignRight | Qt::AlignVCenter, detail);
    painter->setPen(colors.text);
    const int room = inner.width() - option.fontMetrics.horizontalAdvance(detail) - px(kGap);
    const QString text = option.fontMetrics.elidedText(index.data().toString(), Qt::ElideRight, room);
    painter->drawText(inner, Qt::AlignLeft | Qt::AlignVCenter, text);
  }
  [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override {
    return {px(kWidth), px(kRowHeight)};
  }
};

}  // namespace

LocatorPopup::LocatorPopup(QLineEdit* field, Finder finder, QWidget* window)
    : QWidget(window), field_(field), list_(new QListWidget(this)), finder_(std::move(finder)) {
  setObjectName("locatorPopup");
  setLook(list_, "role", "popup");
  list_->setItemDelegate(new HitDelegate(list_));
  list_->setFocusPolicy(Qt::NoFocus);
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  list_->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  list_->setAccessibleName(phrase("window", "Locator results"));
  auto* column = columnIn(this, {});
  column->addWidget(list_);
  hide();
  field_->installEventFilter(this);
  connect(field_, &QLineEdit::textEdited, this, &LocatorPopup::search);
  connect(list_, &QListWidget::itemClicked, this, [this](QListWidgetItem* item) { go(list_->row(item)); });
}

void LocatorPopup::search(const QString& query) {
  hits_ = finder_(query);
  list_->clear();
  for (const LocatorHit& hit : hits_) {
    auto* item = new QListWidgetItem(hit.text, list_);
    item->setData(Qt::UserRole, hit.detail);
  }
  if (hits_.empty() && !query.trimmed().isEmpty()) {
    auto* item = new QListWidgetItem(phrase("window", "No match"), list_);
    item->setFlags(Qt::NoItemFlags);
  }
  list_->setCurrentRow(hits_.empty() ? -1 : 0);
  setVisible(list_->count() > 0);
  place();
}

void LocatorPopup::place() {
  const QPoint under = field_->mapTo(parentWidget(), QPoint(field_->width(), field_->height() + px(4)));
  const int width = std::max(field_->width(), px(kWidth));
  setGeometry(std::max(0, under.x() - width), under.y(), width, list_->count() * px(kRowHeight) + px(10));
  raise();
}

bool LocatorPopup::eventFilter(QObject* watched, QEvent* event) {
  if (watched == field_ && event->type() == QEvent::KeyPress) {
    if (handleKey(static_cast<QKeyEvent*>(event)->key())) return true;
  }
  if (watched == field_ && event->type() == QEvent::FocusOut) hide();
  return QWidget::eventFilter(watched, event);
}

bool LocatorPopup::handleKey(int key) {
  switch (key) {
    case Qt::Key_Down:
    case Qt::Key_Up:
      list_->setCurrentRow(
          std::clamp(list_->currentRow() + (key == Qt::Key_Down ? 1 : -1), 0, std::max(0, list_->count() - 1)));
      return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      go(list_->currentRow());
      return true;
    case Qt::Key_Escape:
      field_->clear();
      hide();
      parentWidget()->setFocus();
      return true;
    default:
      return false;
  }
}

void LocatorPopup::go(int row) {
  if (row < 0 || row >= static_cast<int>(hits_.size())) return;
  const LocatorHit hit = hits_[static_cast<std::size_t>(row)];
  field_->clear();
  hide();
  parentWidget()->setFocus();
  emit chosen(hit);
}

}  // namespace shardlens::ui

#include "moc_locator_popup.cpp"
