// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/header_bar.h"

#include "ui/state/phrase.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/common/page.h"

#include <QKeyEvent>
#include <QListWidget>
#include <QPainter>
#include <QPainterPath>
#include <QPushButton>
#include <QStyledItemDelegate>
#include <QToolButton>

#include <algorithm>

namespace shardlens::ui {
namespace {

/// Below that the program's name and what is said of the job give way to the buttons.
constexpr int kRoomy = 1120;

enum class Sign { Menu, Undo, Redo };

/// A drawn sign: three lines for the menu, an arrow that turns back or on.
class SignButton : public QToolButton {
 public:
  SignButton(Sign sign, QWidget* parent) : QToolButton(parent), sign_(sign) { setFixedSize(px(32), px(32)); }

 protected:
  void paintEvent(QPaintEvent* event) override {
    QToolButton::paintEvent(event);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing, sign_ != Sign::Menu);
    painter.setPen(QPen(isEnabled() ? theme().muted : theme().hairline, px(1) + 0.5));
    painter.translate(width() / 2.0, height() / 2.0);
    painter.scale((sign_ == Sign::Redo ? -1 : 1) * px(100) / 100.0, px(100) / 100.0);
    painter.drawPath(sign_ == Sign::Menu ? threeLines() : turningArrow());
  }

 private:
  static QPainterPath threeLines() {
    QPainterPath path;
    for (const int y : {-4, 0, 4}) {
      path.moveTo(-7, y);
      path.lineTo(7, y);
    }
    return path;
  }
  static QPainterPath turningArrow() {
    QPainterPath path(QPointF(-3, -5));
    path.lineTo(-6, -2);
    path.lineTo(-3, 1);
    path.moveTo(-6, -2);
    path.lineTo(2, -2);
    path.arcTo(QRectF(-1.5, -2, 7, 7), 90, -180);
    path.lineTo(-2, 5);
    return path;
  }

  Sign sign_;
};

/// Keeps the button as its action is, and lets it do what the action does.
void bind(QAbstractButton& button, QAction& action) {
  const auto follow = [&button, &action] {
    button.setToolTip(action.toolTip());
    button.setEnabled(action.isEnabled());
  };
  button.setObjectName("button:" + action.objectName());
  QObject::connect(&button, &QAbstractButton::clicked, &action, &QAction::trigger);
  QObject::connect(&action, &QAction::changed, &button, follow);
  follow();
}

QPushButton* buttonFor(QAction& action, const QString& text, const char* role, QWidget* parent) {
  auto* button = pushButton(text, role, parent);
  bind(*button, action);
  return button;
}

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

HeaderBar::HeaderBar(const Actions& actions, const std::vector<Perspective>& rows, QWidget* parent) : QWidget(parent) {
  setFixedHeight(px(48));
  auto* left = new QHBoxLayout;
  auto* right = new QHBoxLayout;
  buildLeft(*left, actions);
  buildPerspectives(actions, rows);
  buildRight(*right, actions);
  auto* line = rowIn(this, {px(8), 0, px(kMargin), 1});
  line->addLayout(left, 1);
  line->addWidget(perspectives_);
  line->addLayout(right, 1);
}

void HeaderBar::buildPerspectives(const Actions& actions, const std::vector<Perspective>& rows) {
  QStringList labels;
  for (const Perspective& row : rows) labels += row.label;
  perspectives_ = new SegmentedControl(labels, this);
  for (int i = 0; i < labels.size(); ++i) {
    const QAction* action = actions.get("view." + rows[static_cast<std::size_t>(i)].name);
    const auto hint = [this, i, action] { perspectives_->setHint(i, action->toolTip()); };
    connect(action, &QAction::changed, this, hint);
    hint();
  }
  connect(perspectives_, &SegmentedControl::currentChanged, this, &HeaderBar::perspectiveChosen);
}

void HeaderBar::buildLeft(QHBoxLayout& line, const Actions& actions) {
  menu_ = new SignButton(Sign::Menu, this);
  menu_->setAccessibleName(phrase("window", "Menu"));
  menu_->setToolTip(phrase("window", "Menu (F10)"));
  menu_->setPopupMode(QToolButton::InstantPopup);
  name_ = textLabel("ShardLens", "", this);
  setLook(name_, "role", "title");
  file_ = new ElidedLabel({}, this);
  setLook(file_, "tone", "muted");
  dot_ = textLabel("●", "accent", this);
  setLook(dot_, "role", "dot");
  dot_->setToolTip(phrase("window", "There are unsaved changes."));
  dot_->setAccessibleName(phrase("window", "modified"));
  auto* undo = new SignButton(Sign::Undo, this);
  auto* redo = new SignButton(Sign::Redo, this);
  undo->setAccessibleName(phrase("window", "Undo"));
  redo->setAccessibleName(phrase("window", "Redo"));
  bind(*undo, *actions.get("edit.undo"));
  bind(*redo, *actions.get("edit.redo"));
  line.setSpacing(px(kGap));
  line.addWidget(menu_);
  line.addWidget(name_);
  line.addSpacing(px(4));
  line.addWidget(file_);
  line.addWidget(dot_);
  line.addWidget(undo);
  line.addWidget(redo);
  line.addStretch(1);
}

void HeaderBar::buildRight(QHBoxLayout& line, const Actions& actions) {
  job_ = new LinkButton({}, "", this);
  job_->setObjectName("job");
  job_->setToolTip(phrase("window", "To the running job"));
  connect(job_, &QAbstractButton::clicked, actions.get("view.run"), &QAction::trigger);
  locator_ = new SearchField(this);
  locator_->setObjectName("locator");
  locator_->setWords(phrase("window", "Find sample, rank"), phrase("window", "Find"));
  locator_->setHint(actions.get("edit.locate")->shortcut().toString(QKeySequence::NativeText));
  locator_->setAccessibleName(phrase("window", "Locator"));
  locator_->setToolTip(phrase("window",
                              "Such as: sample 4711, ranks 3 and 7, rank 1 epoch 0 step 12, or words of a finding, a "
                              "field, an export"));
  locator_->setMinimumWidth(px(120));
  locator_->setMaximumWidth(px(230));
  export_ = buttonFor(*actions.get("analyse.export"), phrase("window", "Export"), "", this);
  launch_ = buttonFor(*actions.get("run.launch"), {}, "primary", this);
  launch_->setMinimumWidth(px(84));
  line.setSpacing(px(10));
  line.addStretch(1);
  line.addWidget(job_);
  line.addWidget(locator_, 4);
  line.addWidget(export_);
  line.addWidget(launch_);
  arrange();
}

void HeaderBar::setDocument(const QString& name, const QString& path, bool modified) {
  file_->setFullText(name);
  file_->setToolTip(path);
  dot_->setVisible(modified);
}

void HeaderBar::setJob(const QString& text) {
  job_->setText(text);
  job_->setAccessibleName(text);
  job_->updateGeometry();
  arrange();
}

void HeaderBar::setWatching(bool watching) {
  watching_ = watching;
  arrange();
}

void HeaderBar::arrange() {
  const bool job = !job_->text().isEmpty();
  const bool roomy = width() >= px(kRoomy);
  name_->setVisible(roomy);
  launch_->setText(roomy && !job ? phrase("window", "Launch a stand-in") : phrase("window", "Launch"));
  job_->setVisible(job && !watching_);
  locator_->setVisible(roomy || !job || watching_);
  export_->setVisible(!watching_ && !job);
}

void HeaderBar::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  arrange();
}

LocatorPopup::LocatorPopup(QLineEdit* field, Finder finder, QWidget* window)
    : QWidget(window), field_(field), list_(new QListWidget(this)), finder_(std::move(finder)) {
  setObjectName("locatorPopup");
  setLook(list_, "role", "popup");
  list_->setItemDelegate(new HitDelegate(list_));
  list_->setFocusPolicy(Qt::NoFocus);
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  list_->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  list_->setAccessibleName(phrase("window", "Locator results"));
  columnIn(this, {})->addWidget(list_);
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

#include "moc_header_bar.cpp"
