// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/resume/answer.h"
#include "ui/state/selection.h"

#include <QWidget>

#include <string>
#include <vector>

class QAbstractButton;
class QScrollArea;

namespace shardlens::ui {

class ThinSlider;

/// The steps of the interrupted epoch above all strips, with the one mark of the stop: it says where the run stops, and
/// is dragged to stop it elsewhere. The seams of the strips stand below it.
class ResumeAxis : public QWidget {
  Q_OBJECT

 public:
  explicit ResumeAxis(QWidget* parent = nullptr);

  void setSteps(qint64 steps, qint64 stop);
  /// Where the strips begin and end, in this widget's coordinates.
  void setSpan(int left, int right);
  [[nodiscard]] ThinSlider* slider() const { return slider_; }
  [[nodiscard]] QSize sizeHint() const override;

 signals:
  void stepsWanted(qint64 steps);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void placeSlider();

  ThinSlider* slider_;
  qint64 steps_ = 0;
  qint64 stop_ = 0;
  int left_ = 0;
  int right_ = 0;
};

class Column;
class LinkButton;
class ResumeAxis;
class WayRow;

/// Every way to go on, under each other on one axis of time, with a legend below: those of the design's framework
/// first, the others folded under one line. One row is chosen.
class ResumeList : public QWidget {
  Q_OBJECT

 public:
  explicit ResumeList(QWidget* parent = nullptr);

  void setAnswer(const ResumeAnswer& answer);
  /// The user is on his way to another stop: the lines move at once.
  void setStop(qint64 steps);
  /// What is shown is of an older stop.
  void setOld(bool old);
  [[nodiscard]] std::vector<WayRow*> rows() const;
  [[nodiscard]] int chosen() const { return chosen_; }
  void choose(int row);
  [[nodiscard]] ResumeAxis* axis() const { return axis_; }
  /// The line that the methods of other frameworks are folded under.
  [[nodiscard]] QAbstractButton* fold() const;
  [[nodiscard]] bool isFolded() const { return folded_; }
  void setFolded(bool folded);

 signals:
  void chosenChanged(int row);
  void stopWanted(qint64 steps);
  void stepWanted(qint64 steps);  ///< so many on from where the stop is
  void endWanted(bool last);
  void placeWanted(const shardlens::ui::Selected& place);

 protected:
  void resizeEvent(QResizeEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  WayRow* addRow();
  void moveTo(int row);
  void alignAxis();
  void showFold();

  ResumeAnswer answer_;
  std::vector<WayRow*> rows_;  ///< the first of them are in use
  int chosen_ = 0;
  bool folded_ = true;
  LinkButton* fold_;
  std::string chosen_id_;
  ResumeAxis* axis_;
  Column* column_;
  QScrollArea* scroll_;
};

}  // namespace shardlens::ui
