// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/design/sampler_picker.h"

#include "ui/paint/legend_paint.h"
#include "ui/scene/stage/legend.h"
#include "ui/scene/theme.h"
#include "ui/state/phrase.h"
#include "ui/widgets/common/card.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/common/style.h"
#include "ui/widgets/stage/stage_view.h"

#include <QKeyEvent>
#include <QPainter>
#include <QPushButton>
#include <QStyledItemDelegate>

#include <algorithm>
#include <utility>

namespace shardlens::ui {
namespace {

constexpr QSize kPickerSize{880, 626};
constexpr int kPickerHead = 56;
constexpr int kPickerFoot = 44;

constexpr int kLegendLine = 20;

QLabel* sentenceLabel(QWidget* parent, const char* tone) {
  QLabel* label = noteLabel({}, tone, parent);
  label->hide();
  return label;
}

void say(QLabel* label, const QString& text) {
  label->setText(text);
  label->setVisible(!text.isEmpty());
}

constexpr int kRowHeight = 47;
constexpr int kHeadHeight = 28;
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
    const QFont bold = demiBold(option.font);
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
    return {px(120), px(26)};
  }
};

/// What a screen reader says of a row.
QString spokenRow(const SamplerRow& row) {
  QStringList words = {row.name, row.framework};
  for (const SamplerTag& tag : row.tags) words << tag.text;
  return words.join(", ") + ". " + row.summary;
}

}  // namespace

SamplerPicker::SamplerPicker(SamplerCatalogue catalogue, const std::string& in_use, QWidget* opener)
    : Sheet(kPickerSize, opener), catalogue_(catalogue), in_use_(in_use) {
  setObjectName("samplerPicker");
  setAccessibleName(phrase("design", "Choose a sampler"));
  build();
}

QPushButton* SamplerPicker::makeFilter(const QString& text) {
  auto* button = pushButton(text, "filter", panel());
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
  auto* close_button = pushButton("✕", "quiet", head);
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
  use_ = pushButton(phrase("design", "Use this sampler"), "primary", foot);
  auto* line = rowIn(foot, {px(kMargin), px(7), px(kMargin - 2), px(8)}, px(kGap));
  line->addWidget(noteLabel(phrase("design", "↑ ↓ choose · Tab frameworks · Enter use · Esc close"), "muted", foot), 1);
  addAll(line, {cancel, use_});
  foot->setFixedHeight(px(kPickerFoot));
  connect(cancel, &QPushButton::clicked, this, &Sheet::dismiss);
  connect(use_, &QPushButton::clicked, this, [this] { take(false); });
  return foot;
}

void SamplerPicker::build() {
  QWidget* head = makeHead();
  frameworks_ = new FrameworkList(panel());
  frameworks_->setFixedWidth(px(192));
  frameworks_->installEventFilter(this);
  list_ = new SamplerRows(in_use_, panel());
  preview_ = new SamplerPreviewPane(catalogue_, panel());
  auto* right = columnIn(nullptr, {}, 0);
  auto* framed = columnIn(nullptr, {px(8), px(4), px(6), px(4)});
  framed->addWidget(list_);
  right->addLayout(framed, 1);
  addAll(right, {hairline(Qt::Horizontal, panel()), preview_});
  auto* left = columnIn(nullptr, {px(8), px(8), px(8), px(8)});
  left->addWidget(frameworks_);
  auto* middle = rowIn(nullptr, {}, 0);
  middle->addLayout(left);
  middle->addWidget(hairline(Qt::Vertical, panel()));
  middle->addLayout(right, 1);
  auto* column = columnIn(panel(), {1, 1, 1, 1}, 0);
  addAll(column, {head, hairline(Qt::Horizontal, panel())});
  column->addLayout(middle, 1);
  addAll(column, {hairline(Qt::Horizontal, panel()), makeFoot()});
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
                 [this](std::vector<SamplerRow> rows) {
                   all_ = std::move(rows);
                   filter();
                   if (list_->currentItem() != nullptr)
                     list_->scrollToItem(list_->currentItem(), QAbstractItemView::PositionAtCenter);
                 });
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
  preview_->setFixedHeight(std::clamp(room * 2 / 5, px(166), px(204)));
}

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
      if (with_heads && row.framework != head) {
        head = row.framework;
        (new QListWidgetItem(head.toUpper(), this))->setFlags(Qt::NoItemFlags);
      }
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

/// What is drawn in the picture, and what it means; on as many lines as it takes.
class SamplerPreviewPane::Legend : public QWidget {
 public:
  using QWidget::QWidget;

  void setEntries(const std::vector<LegendEntry>& entries) {
    entries_ = entries;
    QStringList words;
    for (const LegendEntry& entry : entries_)
      words << (entry.text.isEmpty() ? entry.from + " – " + entry.to : entry.text);
    setAccessibleName(words.join(QStringLiteral(", ")));
    arrange();
  }

 protected:
  void resizeEvent(QResizeEvent* event) override {
    QWidget::resizeEvent(event);
    arrange();
  }
  void paintEvent(QPaintEvent* /*event*/) override {
    QPainter painter(this);
    painter.setFont(smallFont());
    for (std::size_t i = 0; i < lines_.size(); ++i) paintLegend(painter, line(i), lines_[i], theme());
  }

 private:
  [[nodiscard]] QRect line(std::size_t index) const {
    return {0, static_cast<int>(index) * px(kLegendLine), width(), px(kLegendLine)};
  }
  void arrange() {
    lines_.clear();
    for (const LegendEntry& entry : entries_) {
      if (lines_.empty()) lines_.emplace_back();
      lines_.back().push_back(entry);
      if (lines_.back().size() == 1 || legendPlaces(line(0), lines_.back()).size() == lines_.back().size()) continue;
      lines_.back().pop_back();
      lines_.push_back({entry});
    }
    setFixedHeight(static_cast<int>(lines_.size()) * px(kLegendLine));
    update();
  }

  std::vector<LegendEntry> entries_;
  std::vector<std::vector<LegendEntry>> lines_;
};

SamplerPreviewPane::SamplerPreviewPane(SamplerCatalogue catalogue, QWidget* parent)
    : QWidget(parent), catalogue_(catalogue), stage_(new StageView(this)), legend_(new Legend(this)) {
  setSurface(this, "window");
  setAccessibleName(phrase("design", "Preview"));
  stage_->setNarrow(true);
  legend_->setObjectName("previewLegend");
  stage_->setFocusPolicy(Qt::NoFocus);  // a picture to look at
  stage_->setAttribute(Qt::WA_TransparentForMouseEvents);
  auto* words = new QWidget(this);
  made_up_ = sentenceLabel(words, "muted");
  own_ = new LinkButton(phrase("design", "Use my own lists…"), "", words);
  own_->setToolTip(
      phrase("design", "Use this sampler and enter its lists: type them, paste them or read them from a file"));
  own_->hide();
  outcome_ = sentenceLabel(words, "");
  beware_ = sentenceLabel(words, "muted");
  auto* column = columnIn(words, {0, px(2), px(4), px(2)}, px(5));
  addAll(column, {outcome_, made_up_, own_, beware_});
  column->addStretch();
  QScrollArea* scroll = thinScroll(words, this);
  scroll->setFixedWidth(px(222));
  scroll->setFocusPolicy(Qt::NoFocus);
  auto* line = rowIn(nullptr, {}, px(14));
  auto* picture = columnIn(nullptr, {}, 0);
  picture->addWidget(stage_, 1);
  picture->addWidget(legend_);
  line->addLayout(picture, 1);
  line->addWidget(scroll);
  QLabel* head = textLabel(phrase("design", "Preview: epoch 0 of 16 samples on 2 ranks"), "", this);
  setLook(head, "role", "title");
  deals_ = new ElidedLabel({}, this);
  deals_->setObjectName("howItDeals");
  setLook(deals_, "role", "small");
  setLook(deals_, "tone", "muted");
  deals_->setAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  auto* all = columnIn(this, {px(kMargin + 4), px(10), px(12), px(10)}, px(4));
  addAll(all, {head, deals_});
  all->addLayout(line, 1);
  connect(own_, &QAbstractButton::clicked, this, &SamplerPreviewPane::ownListsWanted);
}

void SamplerPreviewPane::setType(const std::string& type) {
  if (type.empty()) {
    job_.cancel();
    return take({});
  }
  job_.start([type, catalogue = catalogue_](const Work& work) { return samplerPreview(type, catalogue, work); },
             [this](SamplerPreview preview) { take(std::move(preview)); });
}

void SamplerPreviewPane::take(SamplerPreview preview) {
  shown_ = std::move(preview);
  shown_.stage.generation = ++generation_;
  stage_->setInput(shown_.stage);
  stage_->setFacts(shown_.facts);
  // The samples of a batch are what there is to see: fewer steps where all of them leave no room for it.
  const double wanted = px(56);
  if (stage_->steps().count > 0 && stage_->steps().pitch < wanted)
    stage_->zoomSteps(wanted / stage_->steps().pitch, 0.0);
  auto entries = stageLegend(stage_->input(), shown_.facts.get(), stage_->colour(), false, theme());
  placeLegend(entries, stage_->input(), shown_.facts.get(), stage_->steps(), stage_->ranks());
  for (LegendEntry& entry : entries) entry.place.reset();  // nothing is selected here
  legend_->setEntries(entries);
  StageNotice notice;
  if (shown_.stage.isEmpty()) {
    notice.title = shown_.type.empty() ? phrase("design", "No sampler matches these words")
                                       : phrase("design", "Cannot be planned");
    notice.text = shown_.error;
  }
  stage_->setNotice(notice);
  stage_->setAccessibleDescription(shown_.outcome);
  deals_->setFullText(shown_.deals.isEmpty() ? QString() : phrase("design", "How it deals: %1").arg(shown_.deals));
  deals_->setToolTip(deals_->fullText());
  say(outcome_, shown_.outcome);
  setLook(outcome_, "tone", shown_.loses ? "warning" : "fine");
  say(made_up_, shown_.made_up.isEmpty() ? QString() : phrase("design", "Made up for this: %1.").arg(shown_.made_up));
  own_->setVisible(!shown_.made_up.isEmpty());
  say(beware_, shown_.beware);
}

}  // namespace shardlens::ui

#include "moc_sampler_picker.cpp"
