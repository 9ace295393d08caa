// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/stage/transport_bar.h"

#include "core/base/text.h"
#include "ui/scene/number_text.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/common/metrics.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QToolButton>

#include <algorithm>
#include <cmath>
#include <limits>

namespace shardlens::ui {
namespace {

constexpr double kSpeeds[] = {0.25, 0.5, 1, 2, 4, 8, 16, 32, 64, 100, 250, 1000};

int asInt(qint64 value) {
  return static_cast<int>(std::clamp<qint64>(value, 0, std::numeric_limits<int>::max() - 1));
}

/// A label as wide as the widest text it will show, so that nothing beside it moves while playing.
void keepWidth(QLabel* label, const QString& widest) {
  label->setMinimumWidth(label->fontMetrics().horizontalAdvance(widest) + 2);
}

void setQuietly(ThinSlider* slider, int maximum, int value, double fraction) {
  if (slider->isSliderDown()) return;
  const QSignalBlocker blocker(slider);
  slider->setRange(0, maximum);
  slider->setValue(value);
  slider->setFraction(fraction);
}

QString speedSentence(double steps) {
  return steps == 1 ? TransportBar::tr("1 step per second") : TransportBar::tr("%1 steps per second").arg(steps);
}

}  // namespace

TransportBar::TransportBar(Playback& playback, QWidget* parent)
    : QWidget(parent),
      playback_(playback),
      epoch_text_(textLabel({})),
      epoch_(new ThinSlider(tr("Epoch"))),
      step_text_(textLabel({})),
      step_(new ThinSlider(tr("Step"))),
      steps_text_(textLabel({}, "muted")),
      speed_(new QToolButton) {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(px(2));
  buildButtons();
  row->addSpacing(px(10));
  row->addWidget(epoch_text_);
  row->addSpacing(px(6));
  row->addWidget(epoch_, 1);
  row->addSpacing(px(12));
  row->addWidget(step_text_);
  row->addSpacing(px(6));
  row->addWidget(step_, 4);
  row->addSpacing(px(12));
  row->addWidget(steps_text_);
  row->addSpacing(px(8));
  buildSpeedMenu();
  row->addWidget(speed_);
  loop_ = new TransportButton(TransportButton::Sign::Loop, tr("Loop"), {}, this);
  loop_->setCheckable(true);
  row->addWidget(loop_);
  connect(loop_, &QAbstractButton::toggled, &playback_, &Playback::setLoops);
  connect(epoch_, &QAbstractSlider::valueChanged, this, [this](int epoch) { playback_.seek(epoch, 0); });
  connect(step_, &QAbstractSlider::valueChanged, this, [this](int step) { playback_.seek(playback_.epoch(), step); });
  connect(&playback_, &Playback::moved, this, &TransportBar::showPosition);
  connect(&playback_, &Playback::playingChanged, this, &TransportBar::showPlaying);
  connect(&playback_, &Playback::settingsChanged, this, &TransportBar::showSettings);
  showSettings();
  showPlaying(playback_.isPlaying());
}

void TransportBar::buildButtons() {
  using Sign = TransportButton::Sign;
  const auto add = [this](Sign sign, const QString& name, const QString& keys, auto action) {
    auto* button = new TransportButton(sign, name, keys, this);
    layout()->addWidget(button);
    connect(button, &QAbstractButton::clicked, this, action);
    return button;
  };
  add(Sign::ToStart, tr("Start of the epoch"), tr("Home"), [this] { playback_.seek(playback_.epoch(), 0); });
  add(Sign::StepBack, tr("One step back"), tr("Left"), [this] { playback_.stepBy(-1); });
  play_ = add(Sign::Play, tr("Play"), tr("Space"), [this] { playback_.toggle(); });
  add(Sign::StepOn, tr("One step forward"), tr("Right"), [this] { playback_.stepBy(1); });
  add(Sign::ToEnd, tr("End of the epoch"), tr("End"),
      [this] { playback_.seek(playback_.epoch(), static_cast<double>(playback_.steps())); });
}

void TransportBar::buildSpeedMenu() {
  speed_->setPopupMode(QToolButton::InstantPopup);
  speed_->setToolButtonStyle(Qt::ToolButtonTextOnly);
  speed_->setFocusPolicy(Qt::TabFocus);
  auto* menu = new QMenu(speed_);
  for (const double speed : kSpeeds) {
    QAction* action = menu->addAction(speedSentence(speed));
    action->setCheckable(true);
    action->setData(speed);
    connect(action, &QAction::triggered, this, [this, speed] {
      playback_.setSpeed(speed);
      showSettings();  // choosing the speed in force again keeps its mark
    });
  }
  speed_->setMenu(menu);
}

void TransportBar::showSettings() {
  showExtent();
  speed_->setText(speedText(playback_.speed()));
  speed_->setToolTip(speedSentence(playback_.speed()));
  speed_->setAccessibleName(tr("Speed: %1").arg(speedSentence(playback_.speed())));
  for (QAction* action : speed_->menu()->actions()) action->setChecked(action->data().toDouble() == playback_.speed());
  const QSignalBlocker blocker(loop_);
  loop_->setChecked(playback_.loops());
  loop_->setToolTip(playback_.loops() ? tr("Starts again after the last epoch") : tr("Stops after the last epoch"));
}

void TransportBar::showExtent() {
  steps_text_->setText(tr("of %1").arg(number(playback_.steps())));
  keepWidth(epoch_text_, tr("epoch %1").arg(number(playback_.epochs() - 1)));
  keepWidth(step_text_, tr("step %1").arg(number(playback_.steps())));
  epoch_->setEnabled(playback_.epochs() > 1);
  step_->setEnabled(playback_.steps() > 0);
  showPosition();
}

void TransportBar::showPosition() {
  const double whole = std::floor(playback_.position());
  epoch_text_->setText(tr("epoch %1").arg(number(playback_.epoch())));
  step_text_->setText(tr("step %1").arg(number(static_cast<qint64>(whole))));
  setQuietly(epoch_, asInt(playback_.epochs() - 1), asInt(playback_.epoch()), 0);
  setQuietly(step_, asInt(playback_.steps()), asInt(static_cast<qint64>(whole)), playback_.position() - whole);
}

void TransportBar::showPlaying(bool playing) {
  using Sign = TransportButton::Sign;
  play_->setSign(playing ? Sign::Pause : Sign::Play, playing ? tr("Pause") : tr("Play"), tr("Space"));
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
  return QStringLiteral("%1 × speed").arg(steps_per_second);
}

}  // namespace shardlens::ui
