// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/number_text.h"
#include "ui/scene/stage/strip.h"
#include "ui/scene/theme.h"
#include "ui/state/playback.h"
#include "ui/widgets/common/style.h"

#include <QAbstractButton>
#include <QAbstractSlider>
#include <QWidget>

#include <utility>
#include <vector>

class QKeyEvent;
class QLabel;
class QSpacerItem;
class QToolButton;

namespace shardlens::ui {

/// A button with a painted sign, crisp at every scale. It leaves the arrow keys to what it stands in.
class TransportButton : public QAbstractButton {
  Q_OBJECT

 public:
  enum class Sign { ToStart, StepBack, Play, Pause, StepOn, ToEnd, Loop };

  TransportButton(Sign sign, const QString& name, const QString& keys, QWidget* parent = nullptr);
  void setSign(Sign sign, const QString& name, const QString& keys);
  [[nodiscard]] Sign sign() const { return sign_; }
  [[nodiscard]] QSize sizeHint() const override { return {px(28), px(28)}; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  Sign sign_;
};

/// A place on a slider that a finding names.
struct SliderMark {
  int value = 0;
  Tone tone = Tone::Note;
  QString title;
  bool operator==(const SliderMark&) const = default;
};

/// A thin line with a round handle. A click moves the handle there; while it is dragged nothing else moves it.
class ThinSlider : public QAbstractSlider {
  Q_OBJECT

 public:
  explicit ThinSlider(const QString& name, QWidget* parent = nullptr);
  /// The handle between two whole values, for a playhead that glides.
  void setFraction(double fraction);
  /// Triangles above the line; their titles are the tip there.
  void setMarks(std::vector<SliderMark> marks);
  /// Where the handle stands for a value.
  [[nodiscard]] double pixelOf(double value) const;
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* /*event*/) override { setSliderDown(false); }
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void dragTo(double x);

  double fraction_ = 0;
  double painted_at_ = -1;  ///< where the handle was when it was painted last
  std::vector<SliderMark> marks_;
};

/// The numbers below a slider of steps: its first and its last, and round ones between them.
class StepRuler : public QWidget {
  Q_OBJECT

 public:
  explicit StepRuler(const ThinSlider& slider, QWidget* parent = nullptr);
  [[nodiscard]] QSize sizeHint() const override { return {px(60), px(4) + QFontMetrics(smallFont()).height()}; }
  [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  const ThinSlider& slider_;
};

/// All epochs as a row of blocks, the shown one in the accent colour, findings as triangles above. A click or a drag
/// goes to an epoch.
class EpochRow : public QAbstractSlider {
  Q_OBJECT

 public:
  explicit EpochRow(QWidget* parent = nullptr);
  void setMarks(std::vector<TimeMark> marks);
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override { return {px(60), sizeHint().height()}; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* /*event*/) override { setSliderDown(false); }

 private:
  [[nodiscard]] qint64 epochs() const { return qint64{maximum()} + 1; }
  [[nodiscard]] QString tipAt(double x) const;

  std::vector<TimeMark> marks_;
};

class NumberField;

/// The controls of a playhead: buttons, epoch and step as numbers, speed and loop; below them all epochs as a row and
/// the steps of this one as a slider. Where there is little room, what another control says, too, is left out.
class TransportBar : public QWidget {
  Q_OBJECT

 public:
  explicit TransportBar(Playback& playback, QWidget* parent = nullptr);
  /// What the findings name, on epochs and steps.
  void setMarks(std::vector<TimeMark> marks);
  /// Without the row of epochs and the slider of steps: both can be typed, and the keys go on.
  void setBrief(bool brief);
  /// In a low panel the ruler gives way: the number of the step stands above.
  void setRuled(bool ruled);
  [[nodiscard]] QSize minimumSizeHint() const override { return {px(220), QWidget::minimumSizeHint().height()}; }

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void buildControls();
  void buildSpeedMenu();
  void addSpace(int width);
  void setClose(bool close);
  NumberField* numberField(const QString& name);
  /// Goes to the number that was typed, or shows the one in force again.
  void takeTyped(NumberField* field);
  void goTo(NumberField* field, qint64 value);
  [[nodiscard]] qint64 last(const NumberField* field) const;
  void showPosition();
  void showNumbers();
  void showExtent();
  void showSettings();
  void showMarks();
  void showPlaying(bool playing);
  /// Leaves out what has no room.
  void fit();

  Playback& playback_;
  std::vector<TimeMark> marks_;
  QHBoxLayout* row_ = nullptr;
  TransportButton* play_ = nullptr;
  TransportButton* loop_ = nullptr;
  NumberField* epoch_number_;
  NumberField* step_number_;
  QLabel* epochs_text_;
  QLabel* steps_text_;
  QToolButton* speed_;
  EpochRow* epochs_;
  ThinSlider* step_;
  StepRuler* ruler_ = nullptr;
  bool brief_ = false;
  bool ruled_ = true;
  std::vector<std::pair<QSpacerItem*, int>> spaces_;  ///< with their widths, where there is room
  std::vector<std::vector<QWidget*>> dispensable_;    ///< the first to go first; what belongs together goes together
};

/// Space plays and pauses; Left and Right step, with Shift ten steps, with Ctrl an epoch; comma and dot step as well;
/// Home and End go to the first and the last moment of the epoch. True when the key was one of these.
bool handleTransportKey(Playback& playback, const QKeyEvent& event);

/// "4 steps/s".
QString speedText(double steps_per_second);

}  // namespace shardlens::ui
