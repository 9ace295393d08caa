// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/run/board_layout.h"
#include "ui/scene/run/lanes.h"
#include "ui/scene/run/rank_rows.h"
#include "ui/scene/run/time_window.h"
#include "ui/state/run_service.h"
#include "ui/state/selection.h"
#include "ui/widgets/common/style.h"
#include "ui/widgets/run/time_input.h"

#include <QScrollBar>
#include <QWidget>

#include <memory>
#include <optional>
#include <vector>

class QPushButton;

namespace shardlens::ui {

class MinimapView;

/// The table of ranks with their lanes in the same rows, below one axis of time and, of a run, a minimap. Dragging on
/// the lanes shows what was dragged over, the wheel zooms around the pointer, with Shift or the middle button they are
/// moved; either stops following the job until "Latest". A double click goes back to the latest. A click selects
/// a rank, and in its lane the step. Keys: arrows or A D
/// pan, W S zoom, Up Down select a rank, L sorts, 0 shows the usual length, Home all there is, R or End follows the job
/// again, Esc drops what is being dragged over.
class RankBoard : public QWidget {
  Q_OBJECT

 public:
  enum class Columns { All, Few };

  explicit RankBoard(Columns columns, QWidget* parent = nullptr);

  /// A moment of a run, and the run as a whole as far as it is known. While not following, the part in view stays.
  void setRun(const RunStatePtr& state, std::shared_ptr<const Overview> overview, qint64 ranks_per_node);
  /// What the plan predicts, dimmed; no run is shown then.
  void setPrediction(std::shared_ptr<const Timeline> timeline, qint64 ranks_per_node);

  /// Another run will be shown: follows it from its beginning on.
  void forget();

  /// Until somebody chooses, ranks that do not fit are sorted latest first: the one that matters is in sight.
  void setOrder(RankOrder order);
  [[nodiscard]] RankOrder order() const { return order_; }
  /// The ranks in the order of their rows; with a map of phases the latest only.
  [[nodiscard]] std::vector<qint64> shownRanks() const;
  /// Marks the rows of its ranks, and brings the first of them into view; marks its step. A step that is not in view
  /// comes into it.
  void setSelected(const Selected& place);
  [[nodiscard]] const TimeWindow& window() const { return view_->window(); }
  [[nodiscard]] TimeView& view() const { return *view_; }
  [[nodiscard]] const RunLanes& lanes() const { return lanes_; }
  [[nodiscard]] MinimapView* minimap() const { return minimap_; }
  /// Back to the latest moment, at the length in view.
  void follow() {
    view_->change([](TimeWindow& window) { window.follow(); });
  }

  [[nodiscard]] QSize sizeHint() const override { return {px(1000), boardHeight(shape())}; }
  /// The height that it makes use of where there is much room.
  [[nodiscard]] int largestHeight() const { return boardHeight(shape(), true); }
  [[nodiscard]] QSize minimumSizeHint() const override;
  [[nodiscard]] BoardLayout layoutNow() const { return boardLayout(size(), shape()); }
  /// "400 ms in view · same clock": the words beside the legend.
  [[nodiscard]] QString windowText() const;
  /// The table of ranks, and the pieces of the lanes in view, for the menu of the panel that the board is in.
  [[nodiscard]] QString asText() const;
  [[nodiscard]] QString csv() const { return lanesCsv(lanes_, rows_, window().begin(), window().end()); }

 signals:
  void rankClicked(qint64 rank);
  /// A rank at one of its steps, chosen in its lane.
  void placeClicked(const shardlens::ui::Selected& place);

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

 private:
  void addButtons();
  void takeRun();
  void windowChanged();
  void sortRows();
  void chooseOrder();
  void bringIntoView(qint64 rank);
  void findStep();
  void arrange();
  void describe();
  void selectByKey(int direction);
  [[nodiscard]] RankRow rowOf(qint64 rank) const;
  [[nodiscard]] double scrolled() const { return scroll_->isHidden() ? 0 : scroll_->value(); }
  [[nodiscard]] qint64 rankAt(QPointF place) const;
  /// A moment of a rank's lane; none beside the lanes.
  struct LanePlace {
    LaneSource source;
    std::int64_t ns = 0;
    const Span* span = nullptr;  ///< null: nothing is known of it, or the rank has ended
  };
  [[nodiscard]] std::optional<LanePlace> laneAt(qint64 rank, double x) const;
  [[nodiscard]] std::optional<Selected> stepAt(QPointF place) const;
  [[nodiscard]] bool knowsSteps() const;
  [[nodiscard]] QString tipAt(QPointF place) const;
  [[nodiscard]] QString rankTip(qint64 rank) const;
  [[nodiscard]] BoardShape shape() const;

  [[nodiscard]] QRectF lanesArea(const BoardLayout& layout) const;
  void paintHead(QPainter& painter, const BoardLayout& layout) const;
  /// The moments that the axis names: none below the buttons.
  [[nodiscard]] std::vector<TimeTick> namedTicks(std::vector<TimeTick> ticks, const BoardLayout& layout) const;
  void paintAxis(QPainter& painter, const BoardLayout& layout) const;
  void paintSelectedStep(QPainter& painter, const BoardLayout& layout) const;
  void paintRankLane(QPainter& painter, const BoardLayout& layout, const QRectF& row, qint64 rank) const;
  void paintRows(QPainter& painter, const BoardLayout& layout) const;
  void paintNodeLines(QPainter& painter, const BoardLayout& layout) const;
  void paintMap(QPainter& painter, const BoardLayout& layout) const;
  void paintOver(QPainter& painter, const BoardLayout& layout) const;
  void paintFoot(QPainter& painter, const BoardLayout& layout) const;

  Columns columns_;
  RunStatePtr state_;
  RunLanes lanes_;
  qint64 ranks_per_node_ = 0;
  double place_width_ = 0;
  int wanted_height_ = 0;
  RankOrder order_ = RankOrder::ByRank;
  bool order_chosen_ = false;
  std::vector<qint64> rows_;                                            ///< ranks in their order
  std::vector<qint64> node_starts_;                                     ///< ranks that begin another node
  std::optional<std::pair<std::int64_t, std::int64_t>> selected_time_;  ///< of the selected step
  Selected place_;
  TimeView* view_;
  TimeInput input_;
  QScrollBar* scroll_;
  MinimapView* minimap_ = nullptr;
  QPushButton* whole_ = nullptr;
  QPushButton* latest_ = nullptr;
  QPushButton* sort_;
};

}  // namespace shardlens::ui
