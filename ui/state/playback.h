// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

namespace shardlens::ui {

/// The playhead: where in epochs and steps the animation stands. Playing moves one number; nothing else is touched.
class Playback : public QObject {
  Q_OBJECT

 public:
  explicit Playback(QObject* parent = nullptr);

  /// How far the plan reaches. The playhead is kept inside.
  void setExtent(qint64 epochs, qint64 steps_per_epoch);
  [[nodiscard]] qint64 epochs() const { return epochs_; }
  [[nodiscard]] qint64 steps() const { return steps_; }

  [[nodiscard]] qint64 epoch() const { return epoch_; }
  /// Steps done in this epoch, with the fraction of the one under way: 0 .. steps().
  [[nodiscard]] double position() const { return position_; }
  /// The step under the playhead, 0 .. steps()-1.
  [[nodiscard]] qint64 step() const;
  [[nodiscard]] bool isPlaying() const { return playing_; }
  [[nodiscard]] double speed() const { return speed_; }  ///< steps per second
  [[nodiscard]] bool loops() const { return loops_; }

 public slots:
  void play();
  void pause();
  void toggle();
  void setSpeed(double steps_per_second);
  void setLoops(bool loops);  ///< start again at epoch 0 after the last one
  /// While held, playing stands still: the plan of this epoch is still being computed.
  void setHeld(bool held) { held_ = held; }
  /// Lets the playhead run on by so many steps, as playing does: into the next epoch, and after the last one to the
  /// start (loops) or to a stop at the end.
  void advance(double steps);
  void seek(qint64 epoch, double position) { moveTo(epoch, position); }
  void stepBy(qint64 steps);  ///< crosses epochs; pauses
  void epochBy(qint64 epochs) { moveTo(epoch_ + epochs, 0); }

 signals:
  void moved();  ///< position or epoch changed
  void epochChanged(qint64 epoch);
  void playingChanged(bool playing);
  void settingsChanged();  ///< speed, loop, extent

 private:
  void moveTo(qint64 epoch, double position);

  qint64 epochs_ = 1;
  qint64 steps_ = 1;
  qint64 epoch_ = 0;
  double position_ = 0;
  double speed_ = 4;
  bool playing_ = false;
  bool loops_ = true;
  bool held_ = false;
  QTimer timer_;
  QElapsedTimer clock_;
};

}  // namespace shardlens::ui
