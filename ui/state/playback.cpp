// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/playback.h"

#include <algorithm>
#include <cmath>

namespace shardlens::ui {
namespace {

constexpr int kFrameMs = 16;
/// A frame that came late (a busy machine, a closed lid) moves the playhead by at most this much time.
constexpr double kLongestFrame = 0.25;

}  // namespace

Playback::Playback(QObject* parent) : QObject(parent) {
  timer_.setTimerType(Qt::PreciseTimer);
  timer_.setInterval(kFrameMs);
  connect(&timer_, &QTimer::timeout, this, [this] {
    const double seconds = std::min(static_cast<double>(clock_.restart()) / 1000.0, kLongestFrame);
    if (!held_) advance(seconds * speed_);
  });
}

void Playback::setExtent(qint64 epochs, qint64 steps_per_epoch) {
  epochs = std::max<qint64>(epochs, 1);
  steps_per_epoch = std::max<qint64>(steps_per_epoch, 0);
  if (epochs == epochs_ && steps_per_epoch == steps_) return;
  epochs_ = epochs;
  steps_ = steps_per_epoch;
  emit settingsChanged();
  moveTo(epoch_, position_);
}

qint64 Playback::step() const {
  return std::clamp<qint64>(static_cast<qint64>(std::floor(position_)), 0, std::max<qint64>(steps_ - 1, 0));
}

void Playback::play() {
  if (playing_) return;
  playing_ = true;
  if (epoch_ == epochs_ - 1 && position_ >= static_cast<double>(steps_)) moveTo(0, 0);
  clock_.start();
  timer_.start();
  emit playingChanged(true);
}

void Playback::pause() {
  if (!playing_) return;
  playing_ = false;
  timer_.stop();
  emit playingChanged(false);
}

void Playback::toggle() {
  playing_ ? pause() : play();
}

void Playback::setSpeed(double steps_per_second) {
  steps_per_second = std::clamp(steps_per_second, 0.01, 1e6);
  if (steps_per_second == speed_) return;
  speed_ = steps_per_second;
  emit settingsChanged();
}

void Playback::setLoops(bool loops) {
  if (loops == loops_) return;
  loops_ = loops;
  emit settingsChanged();
}

void Playback::stepBy(qint64 steps) {
  pause();
  if (steps_ == 0) return;
  const double whole = steps > 0 ? std::floor(position_) : std::ceil(position_);
  // One step on ends in the epoch whose step it is; from its end on, the next epoch begins.
  if (steps == 1 && epoch_ + 1 < epochs_) {
    const bool at_end = whole >= static_cast<double>(steps_);
    return at_end ? moveTo(epoch_ + 1, 0) : moveTo(epoch_, whole + 1);
  }
  const qint64 total = epochs_ * steps_;
  const qint64 at = std::clamp<qint64>(epoch_ * steps_ + static_cast<qint64>(whole) + steps, 0, total);
  // The end of an epoch is the start of the next, except that of the last.
  const qint64 epoch = std::min(at / steps_, epochs_ - 1);
  moveTo(epoch, static_cast<double>(at - epoch * steps_));
}

void Playback::advance(double steps) {
  if (steps_ == 0) return pause();
  const auto length = static_cast<double>(steps_);
  const double at = position_ + steps;
  qint64 epoch = epoch_ + static_cast<qint64>(std::floor(at / length));
  if (epoch >= epochs_ && !loops_) {
    moveTo(epochs_ - 1, length);
    return pause();
  }
  epoch %= epochs_;
  moveTo(epoch, at - std::floor(at / length) * length);
}

void Playback::moveTo(qint64 epoch, double position) {
  epoch = std::clamp<qint64>(epoch, 0, epochs_ - 1);
  position = std::clamp(position, 0.0, static_cast<double>(steps_));
  if (epoch == epoch_ && position == position_) return;
  const bool other_epoch = epoch != epoch_;
  epoch_ = epoch;
  position_ = position;
  if (other_epoch) emit epochChanged(epoch);
  emit moved();
}

}  // namespace shardlens::ui

#include "moc_playback.cpp"
