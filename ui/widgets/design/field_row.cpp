// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/design/field_row.h"

#include "ui/scene/design/form.h"
#include "ui/scene/theme.h"
#include "ui/state/phrase.h"
#include "ui/widgets/common/fields.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/common/style.h"
#include "ui/widgets/common/toast.h"

#include <QContextMenuEvent>
#include <QGridLayout>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QtMath>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <utility>

namespace shardlens::ui {
namespace {

constexpr int kDrawnWidth = 280;
constexpr int kLabelWidth = 106;
constexpr int kRightMargin = 10;  // the thin scroll bar stands beside it
constexpr int kShownOfPasted = 200;
constexpr int kNoteOverhang = 8;  // a note may reach nearer to the edge than its field

/// Of the column of names: what a wide form has beyond the drawn one is shared by name and field.
int nameWidth(int row) {
  return px(kLabelWidth) + std::max(0, row - px(kDrawnWidth)) * 2 / 5;
}

/// A long name may break behind an underscore: persistent_workers.
QString foldable(QString name) {
  return name.replace('_', QStringLiteral("_\u200b"));
}

QString sentence(const Error& error) {
  const QString message = QString::fromStdString(error.message);
  return error.hint.empty() ? message : message + " " + QString::fromStdString(error.hint);
}

/// The value, or the one of `known` that equals it: equal lists are one list from then on, and compare at once.
Result<Value> sharedWith(Result<Value> value, const std::vector<Value>& known) {
  if (!value) return value;
  for (const Value& other : known) {
    if (*value == other) return other;
  }
  return value;
}

bool isUndoOrRedo(const QKeyEvent& event) {
  return event.matches(QKeySequence::Undo) || event.matches(QKeySequence::Redo);
}

constexpr const char* kPickedField = "sampler.type";

/// How a list is written, seen while there is none.
QString exampleOfText(const Field& field) {
  if (field.kind == FieldKind::Numbers) return "0.5, 1, 2";
  return field.path.ends_with("indices") ? "0..7, 12" : "4, 4, 8";
}

constexpr int kPixelsOfStep = 4;
constexpr qint64 kFastSteps = 10;

/// The dot left of a field whose value is not the default. Under the mouse it becomes an arrow that goes back to it.
class ResetDot : public QAbstractButton {
 public:
  explicit ResetDot(QWidget* parent) : QAbstractButton(parent) {
    setFocusPolicy(Qt::NoFocus);  // by keyboard: the field's context menu
    setCursor(Qt::PointingHandCursor);
    setAttribute(Qt::WA_Hover);
  }

 protected:
  void paintEvent(QPaintEvent* /*event*/) override {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QPointF centre = QRectF(rect()).center();
    if (!underMouse()) {
      painter.setPen(Qt::NoPen);
      painter.setBrush(theme().faint);
      painter.drawEllipse(centre, px(2), px(2));
      return;
    }
    const double radius = px(4);
    painter.setPen(QPen(theme().accent, 1.5, Qt::SolidLine, Qt::RoundCap));
    painter.drawArc(QRectF(centre.x() - radius, centre.y() - radius, 2 * radius, 2 * radius), 120 * 16, -300 * 16);
    const QPointF tip(centre.x() - radius / 2, centre.y() - radius * 0.87);
    painter.drawLine(tip, tip + QPointF(px(3), -px(2)));
    painter.drawLine(tip, tip + QPointF(px(3), px(2)));
  }
};

/// Lets a number be changed by dragging its label to the left and right.
class LabelScrub : public QObject {
 public:
  /// `move` gets the steps since `begin`: one for every few pixels, ten times as many with Shift.
  LabelScrub(QWidget* label, std::function<void()> begin, std::function<void(qint64 steps)> move,
             std::function<void()> end)
      : QObject(label), begin_(std::move(begin)), move_(std::move(move)), end_(std::move(end)) {
    label->setCursor(Qt::SizeHorCursor);
    label->installEventFilter(this);
  }

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override {
    const auto mouse = [event] { return static_cast<QMouseEvent*>(event); };
    switch (event->type()) {
      case QEvent::MouseButtonPress:
        if (mouse()->button() != Qt::LeftButton) break;
        pressed_ = true;
        dragged_ = false;
        steps_ = 0;
        pressed_at_ = mouse()->position().toPoint().x();
        return true;
      case QEvent::MouseMove:
        if (!pressed_) break;
        drag(mouse()->position().toPoint().x() - pressed_at_, mouse()->modifiers() & Qt::ShiftModifier);
        return true;
      case QEvent::MouseButtonRelease:
        if (!std::exchange(pressed_, false)) break;
        if (dragged_) end_();
        return true;
      default:
        break;
    }
    return QObject::eventFilter(watched, event);
  }

 private:
  void drag(int pixels, bool fast) {
    const qint64 steps = pixels / px(kPixelsOfStep) * (fast ? kFastSteps : 1);
    if (!dragged_ && std::abs(pixels) < px(kPixelsOfStep)) return;
    if (!std::exchange(dragged_, true)) begin_();
    if (std::exchange(steps_, steps) != steps) move_(steps);
  }

  std::function<void()> begin_;
  std::function<void(qint64)> move_;
  std::function<void()> end_;
  int pressed_at_ = 0;
  bool pressed_ = false;
  bool dragged_ = false;
  qint64 steps_ = 0;
};

}  // namespace

FieldRow::FieldRow(Field field, const Value& value, QWidget* parent)
    : QWidget(parent), field_(std::move(field)), value_(value), before_(value) {
  label_ = textLabel(foldable(fieldLabel(field_)), "", this);
  label_->setWordWrap(true);
  label_->setFixedWidth(px(kLabelWidth - kGap));
  note_ = noteLabel({}, "muted", this);
  under_ = noteLabel({}, "error", this);
  note_->hide();
  editor_ = makeEditor();
  editor_->setAccessibleName(QString::fromStdString(field_.path));
  editor_->setAccessibleDescription(helpText(field_));
  editor_->setObjectName("field:" + QString::fromStdString(field_.path));
  editor_->installEventFilter(this);
  setToolTip(helpText(field_).toHtmlEscaped());
  addMarks();
  auto* grid = new QGridLayout(this);
  grid->setContentsMargins(px(kMargin), 0, px(kRightMargin - kNoteOverhang), 0);
  grid->setHorizontalSpacing(0);
  grid->setVerticalSpacing(px(3));
  grid->setColumnMinimumWidth(0, px(kLabelWidth));
  grid->setColumnStretch(1, 1);
  grid->setColumnMinimumWidth(2, px(kNoteOverhang));
  label_->setMinimumHeight(px(kFieldHeight));
  grid->addWidget(label_, 0, 0, Qt::AlignTop);
  // A button keeps its width: without an alignment it would narrow the whole row.
  grid->addWidget(editor_, 0, 1, field_.kind == FieldKind::Records ? Qt::AlignLeft : Qt::Alignment());
  grid->addWidget(note_, 1, 1, 1, 2);
  grid->addWidget(under_, 2, 1, 1, 2);
  if (isLongList(field_.kind)) addListLink();
  label_->setBuddy(editor_);
  showValue();
  showRemark();
}

void FieldRow::setDefaultText(const QString& what) {
  reset_->setToolTip(phrase("design", "Set here. Reset to %1").arg(what));
  reset_->setAccessibleName(phrase("design", "Reset %1 to %2").arg(QString::fromStdString(field_.path), what));
}

void FieldRow::placeReset() {
  const int side = px(kMargin);
  reset_->setGeometry(0, label_->geometry().center().y() - side / 2, side, side);
  reset_->setVisible(isChanged());
}

void FieldRow::setExample(const QString& what) {
  if (list_link_ == nullptr) return;
  const QString link = what.isEmpty() ? phrase("design", "edit the list…") : phrase("design", "use my own…");
  setNote(what.isEmpty() ? QString() : phrase("design", "made up: %1").arg(what));
  list_link_->setText(link);
  list_link_->setAccessibleName(QString("%1: %2").arg(QString::fromStdString(field_.path), link));
  list_link_->updateGeometry();
}

void FieldRow::take(const QString& text) {
  typing_ = true;
  decide(parseValue(field_, text.trimmed().toStdString()));
}

void FieldRow::decide(const Result<Value>& value) {
  const bool finish = finishing_;
  typed_ = value ? std::optional(*value) : std::nullopt;
  value ? accept(*value) : refuse(sentence(value.error()));
  if (!finish) return;
  if (value) showValue();
  commit();
}

void FieldRow::read(const QString& text) {
  typing_ = true;
  finishing_ = false;
  reading_.start(
      [field = field_, text, known = std::vector{value_, before_}](const Work& work) {
        return std::optional(sharedWith(parseValue(field, text.trimmed().toStdString(), work), known));
      },
      [this](const Result<Value>& value) { decide(value); },
      [this](double fraction) {
        progress_ = phrase("design", "reading the list: %1 %").arg(qFloor(100 * fraction));
        showRemark();
      },
      [this](const Error& error) { decide(error); });
}

void FieldRow::stopReading() {
  reading_.cancel();
  progress_.clear();
  finishing_ = false;
}

void FieldRow::accept(const Value& value) {
  stopReading();
  refusal_.clear();
  showRemark();
  change(value);
}

void FieldRow::refuse(const QString& why) {
  stopReading();
  refusal_ = why;
  showRemark();
  change(before_);
}

void FieldRow::change(const Value& value) {
  if (value == value_) return;
  value_ = value;
  placeReset();
  emit edited(value);
}

void FieldRow::restore() {
  stopReading();
  typing_ = false;
  refusal_.clear();
  change(before_);
  showValue();
  showRemark();
}

void FieldRow::commit() {
  if (isReading()) {
    finishing_ = true;
    return;
  }
  typing_ = false;
  before_ = value_;
  emit left();
}

void FieldRow::reset() {
  commit();  // what was typed before is a change of its own
  if (!isChanged()) return;
  accept(field_.fallback);
  showValue();
  commit();
  emit wasReset();
}

void FieldRow::setValue(const Value& value) {
  const bool same = value == value_;
  value_ = value;
  if (same && isOwnText()) return;
  if (!same) {  // somebody else changed the document
    typing_ = false;
    stopReading();
  }
  if (!typing_) before_ = value_;
  refusal_.clear();
  if (line() == nullptr || typed_ != value_) showValue();  // else the user's own way to write it stays
  showRemark();
  placeReset();
}

QLineEdit* FieldRow::line() const {
  if (field_.kind == FieldKind::Records) return nullptr;
  auto* choice = qobject_cast<ChoiceField*>(editor_);
  return choice != nullptr ? choice->lineEdit() : static_cast<QLineEdit*>(editor_);
}

void FieldRow::showValue() {
  typed_ = value_;
  if (QLineEdit* text = line()) {
    text->setText(fieldText(field_, value_));
    text->setCursorPosition(0);
    return;
  }
  if (field_.kind == FieldKind::Records) return;  // the entries stand below
  auto* choice = static_cast<ChoiceField*>(editor_);
  const auto* name = std::get_if<std::string>(&value_);
  const QVariant wanted = name != nullptr ? QVariant(QString::fromStdString(*name)) : QVariant(std::get<bool>(value_));
  choice->setCurrentIndex(choice->findData(wanted));
}

void FieldRow::setExampleOffered(bool offered) {
  if (example_link_ != nullptr) example_link_->setVisible(offered);
}

void FieldRow::setNote(const QString& text) {
  note_->setText(text);
  note_->setVisible(!text.isEmpty());
  if (auto* number = qobject_cast<NumberField*>(editor_)) number->setUnit(shownUnit(field_, text));
}

void FieldRow::setInUse(bool in_use) {
  label_->setEnabled(in_use);
  editor_->setEnabled(in_use);
}

void FieldRow::setRemark(const QString& text, const QString& tone) {
  if (text == remark_ && tone == tone_) return;
  remark_ = text;
  tone_ = tone;
  showRemark();
}

void FieldRow::showRemark() {
  const bool waits = !progress_.isEmpty();
  const QString text = waits ? progress_ : isRefused() ? refusal_ : remark_;
  under_->setText(text);
  under_->setVisible(!text.isEmpty());
  setLook(under_, "tone", waits ? QString("muted") : isRefused() ? QString("error") : tone_);
  setLook(editor_, "state", isRefused() ? "error" : "");
}

bool FieldRow::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::FocusOut) {
    if (!isOwnText()) showValue();
    commit();
  }
  if (event->type() == QEvent::ShortcutOverride && isUndoOrRedo(*static_cast<QKeyEvent*>(event))) {
    event->setAccepted(isOwnText());  // else the document's undo is meant, not that of the text
    return true;
  }
  if (event->type() == QEvent::KeyPress && handleKey(*static_cast<QKeyEvent*>(event))) return true;
  return QWidget::eventFilter(watched, event);
}

bool FieldRow::handleKey(const QKeyEvent& event) {
  const bool changed = isOwnText() || value_ != before_;
  if (event.key() == Qt::Key_Return || event.key() == Qt::Key_Enter) {
    if (!isRefused() || isReading()) commit();
    return false;
  }
  if (isUndoOrRedo(event)) {
    if (isOwnText()) restore();
    return true;
  }
  if (event.key() != Qt::Key_Escape || !changed) return false;
  restore();
  return true;
}

void FieldRow::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  const int name = nameWidth(width());
  label_->setFixedWidth(name - px(kGap));
  static_cast<QGridLayout*>(layout())->setColumnMinimumWidth(0, name);
  placeReset();
}

bool FieldRow::event(QEvent* event) {
  if (event->type() == QEvent::LayoutRequest || event->type() == QEvent::Show) placeReset();
  return QWidget::event(event);
}

void FieldRow::contextMenuEvent(QContextMenuEvent* event) {
  QMenu menu(this);
  const QString fallback = fieldText(field_, field_.fallback);
  auto* reset = menu.addAction(phrase("design", "Reset to default (%1)").arg(fallback), this, &FieldRow::reset);
  reset->setEnabled(isChanged());
  menu.addAction(phrase("design", "Copy value"), this,
                 [this] { copyText(*this, QString::fromStdString(valueText(value_))); });
  menu.addAction(phrase("design", "Copy field path"), this,
                 [this] { copyText(*this, QString::fromStdString(field_.path)); });
  menu.exec(event->globalPos());
}

// What a field of each kind is edited with.

QWidget* FieldRow::makeEditor() {
  switch (field_.kind) {
    case FieldKind::Bool:
    case FieldKind::Choice:
      return makeChoice(false);
    case FieldKind::IntOrName:
      return makeChoice(true);
    case FieldKind::Int:
    case FieldKind::IntOrList:
    case FieldKind::Float:
      return makeNumber();
    case FieldKind::Records:
      return makeAdder();
    case FieldKind::Indices:
    case FieldKind::Numbers:
      return makeList();
    case FieldKind::Lists:
    case FieldKind::Text:
      break;
  }
  auto* text = new QLineEdit(this);
  connect(text, &QLineEdit::textEdited, this, &FieldRow::take);
  return text;
}

void FieldRow::fillChoices(ChoiceField* choice) const {
  if (field_.kind == FieldKind::Bool) {
    choice->addItem(fieldText(field_, true), true);
    choice->addItem(fieldText(field_, false), false);
    return;
  }
  for (const std::string& name : field_.choices) {
    choice->addItem(choiceLabel(field_, name), QString::fromStdString(name));
    choice->setItemData(choice->count() - 1, QString::fromStdString(name), Qt::ToolTipRole);
  }
}

QWidget* FieldRow::makeChoice(bool editable) {
  auto* choice = new ChoiceField(this);
  fillChoices(choice);
  choice->setEditable(editable);
  if (editable) {
    choice->setInsertPolicy(QComboBox::NoInsert);
    choice->setCompleter(nullptr);
    choice->lineEdit()->installEventFilter(this);
    connect(choice->lineEdit(), &QLineEdit::textEdited, this, &FieldRow::take);
  }
  connect(choice, &QComboBox::activated, this, [this, choice](int index) {
    const QVariant chosen = choice->itemData(index);
    accept(field_.kind == FieldKind::Bool ? Value(chosen.toBool()) : Value(chosen.toString().toStdString()));
  });
  if (field_.path == kPickedField) choice->setPopup([this] { emit pickerWanted(); });
  return choice;
}

QWidget* FieldRow::makeNumber() {
  auto* number = new NumberField(this);
  number->setStepper([this](const QString& text, qint64 steps) { return steppedText(field_, text, steps); });
  number->setUnit(shownUnit(field_, {}));
  connect(number, &QLineEdit::textEdited, this, &FieldRow::take);
  connect(number, &NumberField::stepped, this, &FieldRow::take);
  return number;
}

QWidget* FieldRow::makeAdder() {
  auto* adder = new LinkButton(phrase("design", "add an entry"), "", this);
  connect(adder, &QAbstractButton::clicked, this, [this] {
    std::vector<Record> records = std::get<RecordList>(value_);
    records.push_back(freshRecord(field_));
    accept(RecordList(std::move(records)));
  });
  return adder;
}

QWidget* FieldRow::makeList() {
  auto* line = new ListField(this);
  line->setPlaceholderText(exampleOfText(field_));
  connect(line, &QLineEdit::textEdited, this, [this, line](const QString& text) {
    text.size() < line->maxLength()
        ? read(text)
        : refuse(phrase("design", "The line is full. Copy the whole list and paste it here."));
  });
  // The line shows how the text begins: it has no room for the rest.
  connect(line, &ListField::pastedLong, this, [this, line](const QString& text) {
    line->setText(text.left(kShownOfPasted).simplified() + "…");
    read(text);
    finishing_ = true;
  });
  return line;
}

void FieldRow::addListLink() {
  list_link_ = new LinkButton(phrase("design", "edit the list…"), "", this);
  list_link_->setObjectName("list:" + QString::fromStdString(field_.path));
  static_cast<QGridLayout*>(layout())->addWidget(list_link_, 3, 1, 1, 2, Qt::AlignLeft);
  connect(list_link_, &QAbstractButton::clicked, this, &FieldRow::listEditorWanted);
  example_link_ = new LinkButton(phrase("design", "make one up"), "", this);
  example_link_->setObjectName("example:" + QString::fromStdString(field_.path));
  example_link_->setAccessibleName(phrase("design", "%1: make one up").arg(QString::fromStdString(field_.path)));
  example_link_->setToolTip(
      phrase("design", "Fills in what the sampler needs: halves of the dataset, ten classes, lengths"));
  static_cast<QGridLayout*>(layout())->addWidget(example_link_, 4, 1, 1, 2, Qt::AlignLeft);
  connect(example_link_, &QAbstractButton::clicked, this, &FieldRow::exampleWanted);
  example_link_->hide();
  setExample({});
}

/// The dot of a value that is not the default, and the label of a number, which can be dragged.
void FieldRow::addMarks() {
  reset_ = new ResetDot(this);
  reset_->setObjectName("reset:" + QString::fromStdString(field_.path));
  setDefaultText(phrase("design", "the default (%1)").arg(fieldText(field_, field_.fallback)));
  connect(reset_, &QAbstractButton::clicked, this, &FieldRow::reset);
  if (!isScrubbed(field_.kind)) return;
  const auto scrub = [this](qint64 steps) {
    const QString shown = scrubbedText(field_, scrubbed_, steps);
    if (shown.isEmpty()) return;
    line()->setText(shown);
    take(shown);
  };
  new LabelScrub(
      label_, [this] { scrubbed_ = fieldText(field_, value_); }, scrub, [this] { commit(); });
}

}  // namespace shardlens::ui

#include "moc_field_row.cpp"
