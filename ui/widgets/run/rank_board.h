// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/run/board_layout.h"
#include "ui/scene/run/lanes.h"
#include "ui/scene/run/rank_rows.h"
#include "ui/scene/run/time_window.h"
#include "ui/state/run_service.h"

#include <QWidget>

#include <functional>
#include <memory>
#include <optional>
#include <vector>

class QPushButton;
class QScrollBar;

namespace shardlens::ui {

/// The table of ranks with their timeline in the same rows. The wheel zooms the lanes around the pointer, dragging
/// pans; either stops following the job until "Follow". Keys: arrows or A D pan, W S zoom, Up Down select a rank, L
/// sorts, 0 shows the usual length, Home all there is, R or End follows the job again.
class RankBoard : public QWidget {
  Q_OBJECT

 public:
  enum class Columns { All, Few };

  explicit RankBoard(Columns columns, QWidget* parent = nullptr);

  /// A moment of a run. While not following, only the table changes.
  void setRun(const RunStatePtr& state, qint64 ranks_per_node);
  /// What the plan predicts, dimmed; no run is shown then.
  void setPrediction(std::shared_ptr<const Timeline> timeline, qint64 ranks_per_node);

  /// Another run will be shown: follows it from its beginning on.
  void forget();

  /// Until somebody chooses, ranks that do not fit are sorted latest first: the one that matters is in sight.
  void setOrder(RankOrder order);
  [[nodiscard]] RankOrder order() const { return order_; }
  /// The ranks in the order of their rows; with a map of phases the latest only.
  [[nodiscard]] std::vector<qint64> shownRanks() const;
  /// Marks their rows and brings the first of them into view.
  void setSelectedRanks(std::vector<qint64> ranks);
  [[nodiscard]] const TimeWindow& window() const { return window_; }
  void follow();

  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;
  [[nodiscard]] BoardLayout layoutNow() const;
  /// "last 400 ms · one clock": the words beside the timeline.
  [[nodiscard]] QString windowText() const;

 signals:
  void rankClicked(qint64 rank);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void changeEvent(QEvent* event) override;
  bool event(QEvent* event) override;

 private:
  void takeTimeline(std::shared_ptr<const Timeline> timeline);
  void changeWindow(const std::function<void(TimeWindow&)>& change);
  void sortRows();
  void chooseOrder();
  void bringIntoView(qint64 rank);
  void arrange();
  void describe();
  void selectByKey(int direction);
  [[nodiscard]] RankRow rowOf(qint64 rank) const;
  [[nodiscard]] double scrolled() const;
  [[nodiscard]] double placeInLanes(double x) const;
  [[nodiscard]] qint64 rankAt(QPointF place) const;
  [[nodiscard]] QString tipAt(QPointF place) const;
  [[nodiscard]] BoardShape shape() const;

  void paintHead(QPainter& painter, const BoardLayout& layout) const;
  void paintRows(QPainter& painter, const BoardLayout& layout) const;
  void paintMap(QPainter& painter, const BoardLayout& layout) const;

  Columns columns_;
  RunStatePtr state_;
  std::shared_ptr<const Timeline> newest_;  ///< of the run
  std::shared_ptr<const Timeline> shown_;   ///< the same while following
  qint64 ranks_per_node_ = 0;
  double place_width_ = 0;
  RankOrder order_ = RankOrder::ByRank;
  bool order_chosen_ = false;
  std::vector<qint64> rows_;  ///< ranks in their order
  std::vector<qint64> selected_;
  TimeWindow window_;
  std::optional<QPointF> drag_;
  bool dragged_ = false;
  QScrollBar* scroll_;
  QPushButton* follow_;
  QPushButton* sort_;
};

}  // namespace shardlens::ui
