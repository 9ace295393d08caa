// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/design/sampler_rows.h"

#include "ui/scene/theme.h"
#include "ui/state/phrase.h"
#include "ui/widgets/common/metrics.h"
#include "ui/widgets/common/style.h"

#include <QPainter>
#include <QPainterPath>
#include <QStyledItemDelegate>

#include <algorithm>
#include <utility>

namespace shardlens::ui {
namespace {

constexpr int kRowHeight = 47;
constexpr int kHeadHeight = 28;
constexpr int kFrameworkHeight = 26;
constexpr int kTagHeight = 18;
constexpr int kTagInset = 6;
constexpr int kRowInset = 12;

enum RowRole { kTypeRole = Qt::UserRole, kSummaryRole, kTagsRole, kInUseRole, kCountRole };

QColor tagColor(SamplerTagKind kind) {
  const Theme& colors = theme();
  switch (kind) {
    case SamplerTagKind::Divides:
      return colors.fine;
    case SamplerTagKind::Everywhere:
      return colors.warning;
    case SamplerTagKind::Evaluation:
      return colors.accent;
    case SamplerTagKind::Need:
      break;
  }
  return QColor::fromRgb(colors.dark ? 0xC4A5F5 : 0x6B3FA0);
}

/// One tag that ends at `right`; says where it begins.
int paintTag(QPainter& painter, const SamplerTag& tag, int right, int top) {
  const QFontMetrics metrics(smallFont());
  const int width = metrics.horizontalAdvance(tag.text) + 2 * px(kTagInset);
  const QRect place(right - width, top, width, px(kTagHeight));
  const QColor color = tagColor(tag.kind);
  painter.setPen(Qt::NoPen);
  painter.setBrush(mix(color, theme().panel, theme().dark ? 0.16 : 0.11));
  painter.drawRoundedRect(place, px(4), px(4));
  painter.setFont(smallFont());
  painter.setPen(mix(color, theme().text, 0.85));
  painter.drawText(place, Qt::AlignCenter, tag.text);
  return place.left();
}

class SamplerDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    index.data(kTypeRole).toString().isEmpty() ? paintHead(*painter, option.rect, index)
                                               : paintRow(*painter, option, index);
    painter->restore();
  }

  [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const override {
    return {px(200), px(index.data(kTypeRole).toString().isEmpty() ? kHeadHeight : kRowHeight)};
  }

 private:
  static void paintHead(QPainter& painter, const QRect& rect, const QModelIndex& index) {
    painter.setFont(headFont());
    painter.setPen(theme().muted);
    painter.drawText(rect.adjusted(px(kRowInset), 0, 0, -px(4)), Qt::AlignLeft | Qt::AlignBottom,
                     index.data().toString());
  }

  static void paintFrame(QPainter& painter, const QStyleOptionViewItem& option) {
    if (!(option.state & QStyle::State_Selected)) return;
    painter.setBrush(mix(theme().accent, theme().panel, theme().dark ? 0.2 : 0.1));
    painter.setPen(QPen(theme().accent, 2));
    painter.drawRoundedRect(QRectF(option.rect).adjusted(1, 1, -1, -1), px(5), px(5));
  }

  static void paintRow(QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index) {
    paintFrame(painter, option);
    const QRect inner = option.rect.adjusted(px(kRowInset), px(5), -px(kRowInset), -px(5));
    const auto tags = index.data(kTagsRole).value<std::vector<SamplerTag>>();
    int right = inner.right() + 1;
    for (auto tag = tags.rbegin(); tag != tags.rend(); ++tag) {
      right = paintTag(painter, *tag, right, inner.top()) - px(5);
    }
    QFont bold = option.font;
    bold.setWeight(QFont::DemiBold);
    const QFontMetrics metrics(bold);
    const QRect line(inner.left(), inner.top(), right - inner.left(), px(kTagHeight));
    const QString name = metrics.elidedText(index.data().toString(), Qt::ElideRight, line.width());
    painter.setFont(bold);
    painter.setPen(theme().text);
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, name);
    const int end = metrics.horizontalAdvance(name) + px(8);
    painter.setFont(smallFont());
    const QString said = index.data(kInUseRole).toBool() ? phrase("design", "in use")
                                                         : index.data(kTypeRole).toString().section('.', 0, 0);
    painter.setPen(index.data(kInUseRole).toBool() ? theme().accent : theme().faint);
    painter.drawText(line.adjusted(end, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, said);
    painter.setPen(theme().muted);
    const QRect below(inner.left(), line.bottom() + 1, inner.width(), inner.bottom() - line.bottom());
    const QString summary = index.data(kSummaryRole).toString();
    painter.drawText(below, Qt::AlignLeft | Qt::AlignVCenter,
                     QFontMetrics(smallFont()).elidedText(summary, Qt::ElideRight, below.width()));
  }
};

class FrameworkDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const bool chosen = option.state & QStyle::State_Selected;
    if (chosen) {
      const bool focused = option.state & QStyle::State_HasFocus;
      painter->setBrush(mix(theme().accent, theme().panel, theme().dark ? 0.2 : 0.1));
      painter->setPen(focused ? QPen(theme().accent, 2) : QPen(Qt::NoPen));
      painter->drawRoundedRect(QRectF(option.rect).adjusted(1, 1, -1, -1), px(5), px(5));
    }
    const QRect inner = option.rect.adjusted(px(kRowInset), 0, -px(kRowInset), 0);
    const int count = index.data(kCountRole).toInt();
    painter->setPen(count == 0 ? theme().faint : theme().muted);
    painter->setFont(smallFont());
    painter->drawText(inner, Qt::AlignRight | Qt::AlignVCenter, QString::number(count));
    QFont font = option.font;
    if (chosen) font.setWeight(QFont::DemiBold);
    painter->setFont(font);
    painter->setPen(count == 0 ? theme().faint : theme().text);
    painter->drawText(inner, Qt::AlignLeft | Qt::AlignVCenter, index.data().toString());
    painter->restore();
  }

  [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override {
    return {px(120), px(kFrameworkHeight)};
  }
};

/// What a screen reader says of a row.
QString spokenRow(const SamplerRow& row) {
  QStringList words = {row.name, row.framework};
  for (const SamplerTag& tag : row.tags) words << tag.text;
  return words.join(", ") + ". " + row.summary;
}

}  // namespace

SamplerRows::SamplerRows(std::string in_use, QWidget* parent) : QListWidget(parent), in_use_(std::move(in_use)) {
  setItemDelegate(new SamplerDelegate(this));
  setAccessibleName(phrase("design", "Samplers"));
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  setUniformItemSizes(false);
  setFocusPolicy(Qt::NoFocus);  // the search keeps the keyboard, and its arrow keys choose here
  connect(this, &QListWidget::currentItemChanged, this, [this](const QListWidgetItem* item) {
    if (item != nullptr) emit chosenChanged(item->data(kTypeRole).toString());
  });
  connect(this, &QListWidget::itemDoubleClicked, this, [this](const QListWidgetItem* item) {
    if (!item->data(kTypeRole).toString().isEmpty()) emit taken();
  });
}

void SamplerRows::addHead(const QString& title) {
  auto* item = new QListWidgetItem(title.toUpper(), this);
  item->setFlags(Qt::NoItemFlags);
}

void SamplerRows::addRow(const SamplerRow& row) {
  auto* item = new QListWidgetItem(row.name, this);
  item->setData(kTypeRole, text(row.type));
  item->setData(kSummaryRole, row.summary);
  item->setData(kTagsRole, QVariant::fromValue(row.tags));
  item->setData(kInUseRole, row.type == in_use_);
  item->setData(Qt::AccessibleTextRole, spokenRow(row));
  item->setToolTip(text(row.type) + "\n" + row.summary);
}

void SamplerRows::setRows(const std::vector<SamplerRow>& rows, bool with_heads, const std::string& preferred) {
  const std::string before = chosen();
  {
    const QSignalBlocker quiet(this);
    clear();
    QString head;
    for (const SamplerRow& row : rows) {
      if (with_heads && row.framework != head) addHead(head = row.framework);
      addRow(row);
    }
    int place = placeOf(before);
    if (place < 0) place = placeOf(preferred);
    if (place < 0 && !rows.empty()) place = placeOf(rows.front().type);
    setCurrentRow(place);
  }
  scrollToItem(currentItem(), QAbstractItemView::EnsureVisible);
  if (chosen() != before) emit chosenChanged(text(chosen()));
}

int SamplerRows::placeOf(const std::string& type) const {
  for (int row = 0; row < count(); ++row) {
    const QString here = item(row)->data(kTypeRole).toString();
    if (!here.isEmpty() && here.toStdString() == type) return row;
  }
  return -1;
}

std::string SamplerRows::chosen() const {
  return currentItem() == nullptr ? std::string() : currentItem()->data(kTypeRole).toString().toStdString();
}

void SamplerRows::moveBy(int rows) {
  std::vector<int> places;
  for (int row = 0; row < count(); ++row) {
    if (item(row)->flags() & Qt::ItemIsEnabled) places.push_back(row);
  }
  if (places.empty()) return;
  const auto at = std::ranges::find(places, currentRow()) - places.begin();
  setCurrentRow(places[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(at + rows, 0, std::ssize(places) - 1))]);
  if (currentRow() == places.front()) scrollToTop();  // its head is seen, too
}

int SamplerRows::rowsInSight() const {
  return std::max(1, viewport()->height() / px(kRowHeight));
}

FrameworkList::FrameworkList(QWidget* parent) : QListWidget(parent) {
  setItemDelegate(new FrameworkDelegate(this));
  setAccessibleName(phrase("design", "Frameworks"));
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
}

void FrameworkList::setCounts(const std::vector<FrameworkCount>& counts) {
  int all = 0;
  for (const FrameworkCount& framework : counts) all += framework.count;
  if (count() == 0) {
    addItem(phrase("design", "All frameworks"));
    for (const FrameworkCount& framework : counts) addItem(framework.title);
    setCurrentRow(0);
  }
  const auto show = [this](int row, int number) {
    item(row)->setData(kCountRole, number);
    item(row)->setData(Qt::AccessibleTextRole, QString("%1, %2").arg(item(row)->text(), countOf(number, "sampler")));
  };
  show(0, all);
  for (std::size_t i = 0; i < counts.size(); ++i) show(static_cast<int>(i) + 1, counts[i].count);
}

QString FrameworkList::chosen() const {
  return currentRow() <= 0 ? QString() : currentItem()->text();
}

}  // namespace shardlens::ui

#include "moc_sampler_rows.cpp"
