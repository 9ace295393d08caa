// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/state/playback.h"
#include "ui/widgets/stage/transport_controls.h"

#include <QWidget>

class QKeyEvent;
class QLabel;
class QToolButton;

namespace shardlens::ui {

/// Buttons and scrubbers of a playhead: start, step back, play, step on, end; epoch; step; speed; loop.
class TransportBar : public QWidget {
  Q_OBJECT

 public:
  explicit TransportBar(Playback& playback, QWidget* parent = nullptr);

 private:
  void buildButtons();
  void buildSpeedMenu();
  void showPosition();
  void showExtent();
  void showSettings();
  void showPlaying(bool playing);

  Playback& playback_;
  TransportButton* play_ = nullptr;
  TransportButton* loop_ = nullptr;
  QLabel* epoch_text_;
  ThinSlider* epoch_;
  QLabel* step_text_;
  ThinSlider* step_;
  QLabel* steps_text_;
  QToolButton* speed_;
};

/// Space plays and pauses; Left and Right step, with Shift ten steps, with Ctrl an epoch; comma and dot step as well;
/// Home and End go to the first and the last moment of the epoch. True when the key was one of these.
bool handleTransportKey(Playback& playback, const QKeyEvent& event);

/// "4 × speed"; speeds are steps a second.
QString speedText(double steps_per_second);

}  // namespace shardlens::ui
