// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/paint/stage_paint.h"
#include "ui/scene/stage/layout.h"
#include "ui/state/latest_job.h"
#include "ui/widgets/common/style.h"

#include <QPixmap>
#include <QWidget>

#include <memory>
#include <optional>
#include <vector>

namespace shardlens::ui {

/// What the Stage says instead of, or over, its picture.
struct StageNotice {
  QString title;
  QString text;
  double progress = -1;  ///< 0..1: something is being computed; negative: no bar
  bool dims = false;     ///< the picture behind is an older one
  bool operator==(const StageNotice&) const = default;
};

/// The picture of an epoch: ranks down, steps across. It is given values and reports what the user does; it knows no
/// document. The still part is a layer computed away from the GUI thread when it is large; a frame while playing copies
/// parts of two images.
class StageView : public QWidget {
  Q_OBJECT

 public:
  explicit StageView(QWidget* parent = nullptr);
  ~StageView() override;

  void setInput(const StageInput& input);
  void setFacts(std::shared_ptr<const EpochFacts> facts);
  void setColour(StageColour colour);
  /// While playing, the view turns its pages with the playhead until the user scrolls away; a playhead that is moved by
  /// hand is always brought into view.
  /// Batches are shown once they have landed; of the step under way, the first `landed_ranks` have, too.
  void setPlayhead(double position, bool playing, qint64 landed_ranks = 0);
  /// Brings the playhead into view and turns pages again.
  void revealPlayhead();
  /// Turns pages again, and zooms out so far that a page lasts about two seconds at this speed.
  void follow(double steps_per_second);
  void setSelected(std::optional<CellAddress> cell);
  /// Ranks that are selected as a whole: their rows are framed.
  void setSelectedRanks(std::vector<qint64> ranks);
  /// Cells that share a sample with the selected one or belong to both ranks of a pair, and cells of the highlighted
  /// sample; sorted by rank and step.
  void setTwins(std::vector<CellAddress> cells);
  void setHighlighted(std::vector<CellAddress> cells);
  void setNotice(const StageNotice& notice);
  /// For views side by side: ranks are named by their number alone, and every batch is shown as dealt.
  void setNarrow(bool narrow);
  /// Rows at the top and at the foot of the panel; the view takes them as its children.
  void setEdges(QWidget* head, QWidget* legend);
  /// Shows the same steps and ranks at the same size as another view of the same world.
  void alignTo(const StageView& other);

  [[nodiscard]] const StageInput& input() const { return input_; }
  [[nodiscard]] const StageAxis& steps() const { return steps_; }
  [[nodiscard]] const StageAxis& ranks() const { return ranks_; }
  [[nodiscard]] StageColour colour() const { return colour_; }
  [[nodiscard]] const std::optional<CellAddress>& selected() const { return selected_; }
  [[nodiscard]] const std::vector<CellAddress>& twins() const { return twins_; }
  [[nodiscard]] const std::vector<CellAddress>& highlighted() const { return highlighted_; }
  [[nodiscard]] const std::vector<qint64>& selectedRanks() const { return selected_ranks_; }
  [[nodiscard]] const StageNotice& notice() const { return notice_; }
  [[nodiscard]] const StageLayer* layer() const { return layer_.get(); }
  /// The step that is being dealt, or is dealt next; -1 before it plays.
  [[nodiscard]] qint64 stepUnderWay() const { return at_rest_ ? -1 : static_cast<qint64>(std::floor(position_)); }
  [[nodiscard]] bool isComputing() const { return job_.isBusy(); }
  [[nodiscard]] std::optional<CellAddress> cellAt(QPoint place) const;
  /// The rank whose name, left of the cells, is at this place.
  [[nodiscard]] std::optional<qint64> rankNameAt(QPoint place) const;
  /// The cell on the screen, in this widget's coordinates; empty when it is out of view.
  [[nodiscard]] QRect cellOnScreen(CellAddress cell) const;
  /// Where cells are drawn.
  [[nodiscard]] QRect cellsOnScreen() const { return layout_.cells; }
  /// The same without the gaps to its neighbours: what is painted.
  [[nodiscard]] QRectF cellFrame(CellAddress cell) const;
  [[nodiscard]] QSize minimumSizeHint() const override { return {px(narrow_ ? 150 : 320), px(120)}; }

  void zoomSteps(double factor, std::optional<double> pixel = {});
  /// The same for the rows.
  void zoomRanks(double factor, std::optional<double> pixel = {});
  void panSteps(double items);
  /// Everything into view; when it already is, back to the size that is easy to read.
  void toggleFit();

 signals:
  void cellChosen(shardlens::ui::CellAddress cell);
  void rankChosen(qint64 rank);
  void choiceCleared();
  void seekRequested(double position);
  /// What is in view moved: whoever draws over the Stage moves along.
  void viewChanged();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  bool event(QEvent* event) override;

 private:
  enum class Drag { None, Undecided, Pan, StepsOverview, RanksOverview };

  void resetAxes();
  void layOut();
  void setAxes(const StageAxis& steps, const StageAxis& ranks);
  void scrollTo(double first_step, double first_rank);
  void refreshLayer();
  [[nodiscard]] LayerKey key() const;
  [[nodiscard]] bool fitsByItself() const;
  [[nodiscard]] double defaultStepPitch() const;
  [[nodiscard]] double defaultRowPitch() const;
  [[nodiscard]] double largestStepPitch() const;
  [[nodiscard]] double largestRowPitch() const;
  void followPlayhead();
  void moveChoice(qint64 ranks, qint64 steps);
  bool handleViewKey(QKeyEvent* event);
  bool handleChoiceKey(QKeyEvent* event);
  void dragOverview(QPoint place);
  void paintBackdrop();
  void paintMarks(QPainter& painter);
  void paintSelectedRanks(QPainter& painter);
  [[nodiscard]] QRect playheadRect() const;
  [[nodiscard]] double dealtPixel() const;
  [[nodiscard]] double linePixel() const;
  void paintLandedRanks(QPainter& painter, const StageLayer& layer);
  /// The cells at the scale of what the painter paints on; null when there is nothing to see.
  [[nodiscard]] std::shared_ptr<const StageLayer> layerFor(const QPainter& painter) const;

  StageInput input_;
  std::shared_ptr<const EpochFacts> facts_;
  StageColour colour_ = StageColour::SamplePosition;
  double position_ = 0;
  qint64 landed_ranks_ = 0;  ///< of the step that has not landed as a whole
  bool at_rest_ = true;      ///< not begun to play: everything is seen
  std::optional<CellAddress> selected_;
  std::vector<qint64> selected_ranks_;
  std::vector<CellAddress> twins_;
  std::vector<CellAddress> highlighted_;
  StageNotice notice_;

  StageAxis steps_;
  StageAxis ranks_;
  StageLayout layout_;
  bool steps_fit_ = false;      ///< every step is kept in view when the size changes
  bool steps_by_hand_ = false;  ///< zoomed; until then the size decides whether all are shown
  bool rows_by_hand_ = false;   ///< the user zoomed the rows; a resize keeps that
  bool following_ = true;       ///< the view turns the page when the playhead leaves it
  bool narrow_ = false;
  QWidget* head_ = nullptr;
  QWidget* legend_ = nullptr;

  std::shared_ptr<const StageLayer> layer_;
  LayerKey computed_;  ///< what the job under way computes
  LatestJob job_;
  QPixmap backdrop_;
  bool backdrop_stale_ = true;

  Drag drag_ = Drag::None;
  QPoint pressed_at_;
  StageAxis pressed_steps_;
  StageAxis pressed_ranks_;
};

}  // namespace shardlens::ui
