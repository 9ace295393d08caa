// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/resume/answer.h"
#include "ui/state/selection.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/common/style.h"

#include <string>
#include <vector>

class QScrollArea;

namespace shardlens::ui {

class ThinSlider;

/// The planned epoch of one way in time: the run until the stop, the seam, the run that goes on. A click or a drag asks
/// for another stop.
class WayStrip : public QWidget {
  Q_OBJECT

 public:
  explicit WayStrip(QWidget* parent = nullptr);

  /// Empty pieces: nothing is known of it, and it is hatched. `stop_share`: of the pieces that lie before the stop.
  void setPieces(std::vector<ResumeSpan> pieces, double stop_share);
  /// Where the stop is shown, 0..1; ahead of the answer the pieces are those of the last one.
  void setStop(double place);
  [[nodiscard]] double stop() const { return stop_; }
  [[nodiscard]] bool isKnown() const { return !pieces_.empty(); }
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override { return {px(80), sizeHint().height()}; }

 signals:
  void stopWanted(double share);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;

 private:
  [[nodiscard]] QRectF bar() const;
  [[nodiscard]] QString tipAt(double share) const;
  void ask(double x);

  std::vector<ResumeSpan> pieces_;
  double split_ = 0;  ///< the share of the pieces before the stop
  double stop_ = 0;
};

/// One way to go on: its verdict, its name, what it does, and the epoch in time. It can be chosen; Left and Right move
/// the stop, Up and Down go to the next row.
class WayRow : public QWidget {
  Q_OBJECT

 public:
  explicit WayRow(QWidget* parent = nullptr);

  /// `stop`: where the stop is shown, 0..1.
  void setRow(const ResumeRow& row, double stop);
  /// What is shown is of an older stop: dimmed until the answer comes.
  void setOld(bool old);
  void setChosen(bool chosen);
  [[nodiscard]] const std::string& id() const { return id_; }
  [[nodiscard]] QString verdict() const { return accessibleDescription(); }
  [[nodiscard]] bool isChosen() const { return chosen_; }
  [[nodiscard]] WayStrip* strip() const { return strip_; }

 signals:
  void chosen();
  void moveWanted(int rows);
  void stepWanted(qint64 steps);
  void endWanted(bool last);  ///< the first or the last step
  /// A link of its words.
  void placeWanted(const shardlens::ui::Selected& place);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void changeEvent(QEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;

 private:
  void showVerdict();

  std::string id_;
  QLabel* verdict_;  ///< wraps: nothing of it is cut
  std::vector<VerdictPart> parts_;
  ElidedLabel* title_;
  LinkLabel* rule_;
  LinkLabel* reason_;
  WayStrip* strip_;
  bool chosen_ = false;
  bool old_ = false;
  bool focus_ring_ = false;
};

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
  [[nodiscard]] QAbstractButton* fold() const { return fold_; }
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
