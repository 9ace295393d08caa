// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/stage/transport_bar.h"

#include "ui/paint/strip_paint.h"
#include "ui/scene/stage/scene.h"
#include "ui/widgets/common/fields.h"
#include "ui/widgets/common/labels.h"

#include <QEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolButton>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <limits>

namespace shardlens::ui {
namespace {

constexpr int kButton = 28;
constexpr int kCloseButton = 24;
constexpr double kSpeeds[] = {0.25, 0.5, 1, 2, 4, 8, 16, 32, 64, 100, 250, 1000};

int asInt(qint64 value) {
  return static_cast<int>(std::clamp<qint64>(value, 0, std::numeric_limits<int>::max() - 1));
}

/// As wide as the widest text that it will show, so that nothing beside it moves while playing.
void keepWidth(NumberField* field, qint64 largest) {
  field->setFixedWidth(field->fontMetrics().horizontalAdvance(number(largest)) + px(36));
}

void setQuietly(QAbstractSlider* slider, int maximum, int value) {
  if (slider->isSliderDown()) return;
  const QSignalBlocker blocker(slider);
  slider->setRange(0, maximum);
  slider->setValue(value);
}

QString speedSentence(double steps) {
  return steps == 1 ? TransportBar::tr("1 step per second") : TransportBar::tr("%1 steps per second").arg(steps);
}

/// Signs are drawn in a square of 16 units about its middle.
QPainterPath triangle(double x, double direction, double width, double height) {
  QPainterPath path(QPointF(x, -height / 2));
  path.lineTo(x + direction * width, 0);
  path.lineTo(x, height / 2);
  path.closeSubpath();
  return path;
}

QPainterPath bar(double x, double width, double height) {
  QPainterPath path;
  path.addRoundedRect(QRectF(x, -height / 2, width, height), 0.8, 0.8);
  return path;
}

QPainterPath loopPath() {
  QPainterPath path;
  path.moveTo(3.5, -4);
  path.lineTo(-2, -4);
  path.arcTo(QRectF(-6, -4, 8, 8), 90, 180);
  path.moveTo(-3.5, 4);
  path.lineTo(2, 4);
  path.arcTo(QRectF(-2, -4, 8, 8), -90, 110);
  return path;
}

QPainterPath signPath(TransportButton::Sign sign) {
  using Sign = TransportButton::Sign;
  switch (sign) {
    case Sign::ToStart:
      return bar(-6, 2, 9) + triangle(5, -1, 8, 9);
    case Sign::StepBack:
      return triangle(6, -1, 6, 8) + triangle(0, -1, 6, 8);
    case Sign::Play:
      return triangle(-5, 1, 11, 13);
    case Sign::Pause:
      return bar(-5, 3.6, 13) + bar(1.4, 3.6, 13);
    case Sign::StepOn:
      return triangle(-6, 1, 6, 8) + triangle(0, 1, 6, 8);
    case Sign::ToEnd:
      return bar(4, 2, 9) + triangle(-5, 1, 8, 9);
    case Sign::Loop:
      return loopPath();
  }
  return {};
}

void paintLoop(QPainter& painter, const QColor& colour) {
  painter.strokePath(loopPath(), QPen(colour, 1.5, Qt::SolidLine, Qt::RoundCap));
  QPainterPath head(QPointF(2.5, -7));
  head.lineTo(6, -4);
  head.lineTo(2.5, -1);
  head.closeSubpath();
  painter.fillPath(head, colour);
}

constexpr int kMarks = 6;
constexpr int kBlocks = 7;

}  // namespace

TransportBar::TransportBar(Playback& playback, QWidget* parent)
    : QWidget(parent),
      playback_(playback),
      row_(new QHBoxLayout),
      epoch_number_(numberField(tr("Epoch"))),
      step_number_(numberField(tr("Step"))),
      epochs_text_(textLabel({}, "muted")),
      steps_text_(textLabel({}, "muted")),
      speed_(new QToolButton),
      epochs_(new EpochRow),
      step_(new ThinSlider(tr("Step"))) {
  auto* column = columnIn(this, {}, 0);
  column->setSizeConstraint(QLayout::SetNoConstraint);  // fit() makes room
  buildControls();
  column->addLayout(row_);
  column->addSpacing(px(4));
  addAll(column, {epochs_, step_});
  ruler_ = new StepRuler(*step_);
  column->addWidget(ruler_);
  connect(epochs_, &QAbstractSlider::valueChanged, this, [this](int epoch) { playback_.seek(epoch, 0); });
  connect(step_, &QAbstractSlider::valueChanged, this, [this](int step) { playback_.seek(playback_.epoch(), step); });
  connect(&playback_, &Playback::moved, this, &TransportBar::showPosition);
  connect(&playback_, &Playback::epochChanged, this, &TransportBar::showMarks);
  connect(&playback_, &Playback::playingChanged, this, &TransportBar::showPlaying);
  connect(&playback_, &Playback::settingsChanged, this, &TransportBar::showSettings);
  showSettings();
  showPlaying(playback_.isPlaying());
}

void TransportBar::buildControls() {
  using Sign = TransportButton::Sign;
  const auto add = [this](Sign sign, const QString& name, const QString& keys, auto action) {
    auto* button = new TransportButton(sign, name, keys, this);
    row_->addWidget(button);
    connect(button, &QAbstractButton::clicked, this, action);
    return button;
  };
  row_->setSpacing(px(2));
  auto* to_start =
      add(Sign::ToStart, tr("Start of the epoch"), tr("Home"), [this] { playback_.seek(playback_.epoch(), 0); });
  auto* step_back = add(Sign::StepBack, tr("One step back"), tr("Left"), [this] { playback_.stepBy(-1); });
  play_ = add(Sign::Play, tr("Play"), tr("Space"), [this] { playback_.toggle(); });
  auto* step_on = add(Sign::StepOn, tr("One step forward"), tr("Right"), [this] { playback_.stepBy(1); });
  auto* to_end = add(Sign::ToEnd, tr("End of the epoch"), tr("End"),
                     [this] { playback_.seek(playback_.epoch(), static_cast<double>(playback_.steps())); });
  QLabel* epoch_name = textLabel(tr("epoch"), "muted");
  QLabel* step_name = textLabel(tr("step"), "muted");
  const auto add_group = [this](QLabel* name, NumberField* field, QLabel* of) {
    addSpace(10);
    row_->addWidget(name);
    addSpace(4);
    row_->addWidget(field);
    addSpace(4);
    row_->addWidget(of);
  };
  add_group(epoch_name, epoch_number_, epochs_text_);
  add_group(step_name, step_number_, steps_text_);
  row_->addStretch(1);
  buildSpeedMenu();
  row_->addWidget(speed_);
  loop_ = new TransportButton(TransportButton::Sign::Loop, tr("Loop"), {}, this);
  loop_->setCheckable(true);
  row_->addWidget(loop_);
  connect(loop_, &QAbstractButton::toggled, &playback_, &Playback::setLoops);
  dispensable_ = {{steps_text_}, {epochs_text_}, {to_start, to_end},  {step_name},
                  {epoch_name},  {loop_},        {step_back, step_on}};
}

void TransportBar::setBrief(bool brief) {
  if (brief == brief_) return;
  brief_ = brief;
  step_->setVisible(!brief);
  ruler_->setVisible(!brief && ruled_);
  showExtent();
}

void TransportBar::setRuled(bool ruled) {
  ruled_ = ruled;
  ruler_->setVisible(!brief_ && ruled_);
}

void TransportBar::addSpace(int width) {
  auto* space = new QSpacerItem(px(width), 0, QSizePolicy::Fixed);
  row_->addSpacerItem(space);
  spaces_.push_back({space, width});
}

/// Where everything does not fit, the parts move together first.
void TransportBar::setClose(bool close) {
  row_->setSpacing(close ? 0 : px(2));
  for (auto* button : findChildren<TransportButton*>())
    button->setFixedSize(px(close ? kCloseButton : kButton), px(kButton));
  for (const auto& [space, width] : spaces_) {
    space->changeSize(px(close ? (width + 1) / 2 : width), 0, QSizePolicy::Fixed);
  }
  row_->invalidate();
}

NumberField* TransportBar::numberField(const QString& name) {
  auto* field = new NumberField(this);
  field->setAccessibleName(name);
  field->setAlignment(Qt::AlignRight);
  field->setStepper([this, field](const QString& text, qint64 steps) {
    const auto typed = wholeNumber(text);
    return typed ? number(std::clamp<qint64>(*typed + steps, 0, last(field))) : QString();
  });
  field->installEventFilter(this);
  connect(field, &QLineEdit::returnPressed, this, [this, field] { takeTyped(field); });
  connect(field, &NumberField::stepped, this, [this, field](const QString& text) {
    if (const auto value = wholeNumber(text)) goTo(field, *value);
  });
  return field;
}

qint64 TransportBar::last(const NumberField* field) const {
  return field == epoch_number_ ? playback_.epochs() - 1 : playback_.steps();
}

void TransportBar::goTo(NumberField* field, qint64 value) {
  value = std::clamp<qint64>(value, 0, last(field));
  if (field == epoch_number_) return playback_.seek(value, 0);
  playback_.seek(playback_.epoch(), static_cast<double>(value));
}

void TransportBar::takeTyped(NumberField* field) {
  const auto typed = wholeNumber(field->text());
  field->setModified(false);
  if (typed) goTo(field, *typed);
  showNumbers();
}

/// Leaving a field goes to the number in it; Escape gives it up.
bool TransportBar::eventFilter(QObject* watched, QEvent* event) {
  auto* field = qobject_cast<NumberField*>(watched);
  if (field != nullptr && event->type() == QEvent::FocusOut && field->isModified()) takeTyped(field);
  const bool escapes = event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape;
  if (field == nullptr || !escapes || !field->isModified()) return QWidget::eventFilter(watched, event);
  field->setModified(false);
  showNumbers();
  return true;
}

void TransportBar::buildSpeedMenu() {
  speed_->setPopupMode(QToolButton::InstantPopup);
  speed_->setToolButtonStyle(Qt::ToolButtonTextOnly);
  speed_->setFocusPolicy(Qt::TabFocus);
  setLook(speed_, "role", "field");
  auto* menu = new QMenu(speed_);
  const auto add = [this, menu](const QString& words, double speed, auto choose) {
    QAction* action = menu->addAction(words);
    action->setCheckable(true);
    action->setData(speed);
    connect(action, &QAction::triggered, this, [this, choose] {
      playback_.setSpeed(choose());
      showSettings();  // choosing the speed in force again keeps its mark
    });
  };
  for (const double speed : kSpeeds) add(speedSentence(speed), speed, [speed] { return speed; });
  add(tr("1 epoch per second"), 0, [this] { return std::max(static_cast<double>(playback_.steps()), kSpeeds[0]); });
  speed_->setMenu(menu);
}

void TransportBar::setMarks(std::vector<TimeMark> marks) {
  if (marks == marks_) return;
  marks_ = std::move(marks);
  showMarks();
}

void TransportBar::showMarks() {
  epochs_->setMarks(marks_);
  std::vector<SliderMark> here;
  for (const TimeMark& mark : marks_) {
    if (mark.step && mark.epoch == playback_.epoch()) here.push_back({asInt(*mark.step), mark.tone, mark.title});
  }
  step_->setMarks(std::move(here));
}

void TransportBar::showSettings() {
  showExtent();
  speed_->setText(speedText(playback_.speed()) + QStringLiteral(" ▾"));
  speed_->setToolTip(speedSentence(playback_.speed()));
  speed_->setAccessibleName(tr("Speed: %1").arg(speedSentence(playback_.speed())));
  for (QAction* action : speed_->menu()->actions()) action->setChecked(action->data().toDouble() == playback_.speed());
  const QSignalBlocker blocker(loop_);
  loop_->setChecked(playback_.loops());
  loop_->setToolTip(playback_.loops() ? tr("Starts again after the last epoch") : tr("Stops after the last epoch"));
}

void TransportBar::showExtent() {
  epochs_text_->setText(tr("of %1").arg(number(playback_.epochs())));
  steps_text_->setText(tr("of %1").arg(number(playback_.steps())));
  keepWidth(epoch_number_, playback_.epochs() - 1);
  keepWidth(step_number_, playback_.steps());
  epoch_number_->setEnabled(playback_.epochs() > 1);
  epochs_->setVisible(!brief_ && playback_.epochs() > 1);
  step_->setEnabled(playback_.steps() > 0);
  step_number_->setEnabled(playback_.steps() > 0);
  showPosition();
  fit();
}

void TransportBar::showPosition() {
  const double whole = std::floor(playback_.position());
  const int extent = step_->maximum();
  showNumbers();
  setQuietly(epochs_, asInt(playback_.epochs() - 1), asInt(playback_.epoch()));
  setQuietly(step_, asInt(playback_.steps()), asInt(static_cast<qint64>(whole)));
  if (step_->maximum() != extent) ruler_->update();
  step_->setFraction(playback_.position() - whole);
}

void TransportBar::showNumbers() {
  const auto show = [](NumberField* field, qint64 value) {
    if (field->isModified()) return;  // being typed
    if (const QString words = number(value); field->text() != words) field->setText(words);
  };
  show(epoch_number_, playback_.epoch());
  show(step_number_, static_cast<qint64>(std::floor(playback_.position())));
}

void TransportBar::showPlaying(bool playing) {
  using Sign = TransportButton::Sign;
  play_->setSign(playing ? Sign::Pause : Sign::Play, playing ? tr("Pause") : tr("Play"), tr("Space"));
}

void TransportBar::fit() {
  for (const auto& group : dispensable_) {
    for (QWidget* widget : group) widget->show();
  }
  setClose(false);
  const bool close = row_->minimumSize().width() > width();
  if (close) setClose(true);
  for (const auto& group : dispensable_) {
    if (row_->minimumSize().width() <= width()) break;
    for (QWidget* widget : group) widget->hide();
    row_->invalidate();
  }
  layout()->activate();
}

void TransportBar::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fit();
}

void TransportBar::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) showExtent();
}

bool handleTransportKey(Playback& playback, const QKeyEvent& event) {
  const Qt::KeyboardModifiers modifiers = event.modifiers() & ~Qt::KeypadModifier;
  const bool plain = modifiers == Qt::NoModifier;
  const int direction = event.key() == Qt::Key_Left || event.key() == Qt::Key_Comma     ? -1
                        : event.key() == Qt::Key_Right || event.key() == Qt::Key_Period ? 1
                                                                                        : 0;
  if (direction != 0) {
    if (plain) return playback.stepBy(direction), true;
    if (modifiers == Qt::ShiftModifier) return playback.stepBy(qint64{10} * direction), true;
    if (modifiers == Qt::ControlModifier) return playback.epochBy(direction), true;
    return false;
  }
  if (!plain) return false;
  if (event.key() == Qt::Key_Space) return playback.toggle(), true;
  if (event.key() == Qt::Key_Home) return playback.seek(playback.epoch(), 0), true;
  if (event.key() == Qt::Key_End) {
    return playback.seek(playback.epoch(), static_cast<double>(playback.steps())), true;
  }
  return false;
}

QString speedText(double steps_per_second) {
  return steps_per_second == 1 ? TransportBar::tr("1 step/s") : TransportBar::tr("%1 steps/s").arg(steps_per_second);
}

StepRuler::StepRuler(const ThinSlider& slider, QWidget* parent) : QWidget(parent), slider_(slider) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setAttribute(Qt::WA_TransparentForMouseEvents);
}

void StepRuler::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.setFont(smallFont());
  const QFontMetricsF metrics(painter.font());
  const int last = slider_.maximum();
  const double end = slider_.pixelOf(last);
  const auto label = [&](int step) {
    const QString words = number(step);
    const double wide = metrics.horizontalAdvance(words);
    const double x = slider_.pixelOf(step);
    painter.fillRect(QRectF(x, 0, 1, px(3)), theme().hairline);
    painter.setPen(theme().muted);
    const double left = std::clamp(x - wide / 2, 0.0, width() - wide);
    painter.drawText(QRectF(left, px(3), wide + 1, height() - px(3)), Qt::AlignLeft | Qt::AlignVCenter, words);
    return left;
  };
  const double widest = metrics.horizontalAdvance(number(last));
  const double first_of_last = label(last);
  const double pitch = (end - slider_.pixelOf(0)) / std::max(last, 1);
  const qint64 every = tickDistance(pitch, widest + px(60));
  for (qint64 step = 0; step < last; step += every) {
    if (slider_.pixelOf(static_cast<int>(step)) + widest > first_of_last - px(8)) break;
    label(static_cast<int>(step));
  }
}

EpochRow::EpochRow(QWidget* parent) : QAbstractSlider(parent) {
  setOrientation(Qt::Horizontal);
  setAccessibleName(tr("Epochs"));
  setFocusPolicy(Qt::NoFocus);  // the field beside it takes numbers, Ctrl+Left and Ctrl+Right go from epoch to epoch
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setTips(this, [this](QPoint place) { return tipAt(place.x()); });
}

void EpochRow::setMarks(std::vector<TimeMark> marks) {
  if (marks == marks_) return;
  marks_ = std::move(marks);
  update();
}

QSize EpochRow::sizeHint() const {
  return {px(200), px(kMarks) + px(kBlocks) + 2};
}

void EpochRow::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  const QRectF row(0, px(kMarks) + 1, width(), px(kBlocks));
  paintEpochs(painter, row, epochs(), sliderPosition(), theme());
  const double pitch = epochPitch(epochs(), row.width(), row.height());
  for (const TimeMark& mark : marks_) {
    if (mark.epoch >= epochs()) continue;
    paintTimeMark(painter, {(static_cast<double>(mark.epoch) + 0.5) * pitch, row.top() - 1}, mark.tone, theme());
  }
}

void EpochRow::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return event->ignore();
  setSliderDown(true);
  setSliderPosition(static_cast<int>(epochAt(epochs(), width(), px(kBlocks), event->position().x())));
  update();
}

void EpochRow::mouseMoveEvent(QMouseEvent* event) {
  if (!isSliderDown()) return;
  setSliderPosition(static_cast<int>(epochAt(epochs(), width(), px(kBlocks), event->position().x())));
  update();
}

QString EpochRow::tipAt(double x) const {
  const qint64 epoch = epochAt(epochs(), width(), px(kBlocks), x);
  QStringList lines{tr("epoch %1").arg(number(epoch))};
  for (const TimeMark& mark : marks_) {
    if (mark.epoch == epoch) lines << mark.title;
  }
  return lines.join('\n');
}

TransportButton::TransportButton(Sign sign, const QString& name, const QString& keys, QWidget* parent)
    : QAbstractButton(parent), sign_(sign) {
  setSign(sign, name, keys);
  setFocusPolicy(Qt::TabFocus);
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
  setAttribute(Qt::WA_Hover);
}

void TransportButton::setSign(Sign sign, const QString& name, const QString& keys) {
  sign_ = sign;
  setAccessibleName(name);
  setToolTip(keys.isEmpty() ? name : QStringLiteral("%1 (%2)").arg(name, keys));
  update();
}

void TransportButton::keyPressEvent(QKeyEvent* event) {
  const bool steps = event->key() == Qt::Key_Left || event->key() == Qt::Key_Right;
  steps ? event->ignore() : QAbstractButton::keyPressEvent(event);
}

void TransportButton::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const Theme& look = theme();
  if (underMouse() || isDown()) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(mix(look.text, look.window, isDown() ? 0.12 : 0.06));
    painter.drawRoundedRect(rect(), 6, 6);
  }
  if (showsFocusRing(*this)) {
    painter.setPen(QPen(look.accent, 1.5));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.75, 0.75, -0.75, -0.75), 6, 6);
  }
  const bool main = sign_ == Sign::Play || sign_ == Sign::Pause;
  const QColor colour = !isEnabled() ? look.faint : isChecked() ? look.accent : main ? look.text : look.muted;
  painter.translate(width() / 2.0, height() / 2.0);
  painter.scale(height() / 28.0, height() / 28.0);
  sign_ == Sign::Loop ? paintLoop(painter, colour) : painter.fillPath(signPath(sign_), colour);
}

ThinSlider::ThinSlider(const QString& name, QWidget* parent) : QAbstractSlider(parent) {
  setOrientation(Qt::Horizontal);
  setAccessibleName(name);
  setFocusPolicy(Qt::StrongFocus);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setPageStep(10);
  setAttribute(Qt::WA_Hover);
}

QSize ThinSlider::sizeHint() const {
  return {px(120), px(24)};
}
QSize ThinSlider::minimumSizeHint() const {
  return {px(48), px(24)};
}

void ThinSlider::setFraction(double fraction) {
  constexpr double kSeen = 0.25;  // pixels: less is not worth a frame
  if (isSliderDown() || fraction == fraction_) return;
  fraction_ = fraction;
  if (std::abs(pixelOf(sliderPosition() + fraction_) - painted_at_) >= kSeen) update();
}

void ThinSlider::setMarks(std::vector<SliderMark> marks) {
  if (marks == marks_) return;
  marks_ = std::move(marks);
  update();
}

double ThinSlider::pixelOf(double value) const {
  const double span = std::max(maximum() - minimum(), 1);
  const double share = std::clamp((value - minimum()) / span, 0.0, 1.0);
  const double radius = height() * 0.29;
  return radius + share * (width() - 2 * radius);
}

void ThinSlider::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const Theme& look = theme();
  const double middle = height() / 2.0;
  const double thick = height() / 8.0;
  const double x = pixelOf(sliderPosition() + fraction_);
  painted_at_ = x;
  painter.setPen(Qt::NoPen);
  painter.setBrush(look.hairline);
  painter.drawRoundedRect(QRectF(0, middle - thick / 2, width(), thick), thick / 2, thick / 2);
  painter.setBrush(look.accent);
  painter.drawRoundedRect(QRectF(0, middle - thick / 2, x, thick), thick / 2, thick / 2);
  for (const SliderMark& mark : marks_) paintTimeMark(painter, {pixelOf(mark.value), middle - thick}, mark.tone, look);
  painter.setPen(Qt::NoPen);
  const double radius = height() * 0.25;
  if (showsFocusRing(*this)) {
    painter.setBrush(mix(look.accent, look.window, 0.3));
    painter.drawEllipse(QPointF(x, middle), radius + 4, radius + 4);
  }
  painter.setPen(QPen(look.accent, 2));
  painter.setBrush(underMouse() || isSliderDown() ? look.accent : look.window);
  painter.drawEllipse(QPointF(x, middle), radius - 0.5, radius - 0.5);
}

bool ThinSlider::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip || marks_.empty()) return QAbstractSlider::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  QStringList titles;
  for (const SliderMark& mark : marks_) {
    if (std::abs(pixelOf(mark.value) - help->pos().x()) <= px(6)) titles << mark.title;
  }
  titles.isEmpty() ? QToolTip::hideText() : QToolTip::showText(help->globalPos(), titles.join('\n'), this);
  return true;
}

void ThinSlider::dragTo(double x) {
  const double radius = height() * 0.29;
  const double share = std::clamp((x - radius) / std::max(width() - 2 * radius, 1.0), 0.0, 1.0);
  fraction_ = 0;
  setSliderPosition(minimum() + static_cast<int>(std::lround(share * (maximum() - minimum()))));
  update();
}

void ThinSlider::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return event->ignore();
  setSliderDown(true);
  dragTo(event->position().x());
}

void ThinSlider::mouseMoveEvent(QMouseEvent* event) {
  if (isSliderDown()) dragTo(event->position().x());
}

/// The transport's keys (with modifiers, Space, Home and End) mean the playhead, not this slider.
void ThinSlider::keyPressEvent(QKeyEvent* event) {
  const bool plain = (event->modifiers() & ~Qt::KeypadModifier) == Qt::NoModifier;
  if (!plain || event->key() == Qt::Key_Home || event->key() == Qt::Key_End) return event->ignore();
  QAbstractSlider::keyPressEvent(event);
}

}  // namespace shardlens::ui

#include "moc_transport_bar.cpp"
