// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plot/plot_view.h"
#include "ui/scene/tabs/coverage_text.h"

#include <memory>
#include <optional>
#include <vector>

namespace shardlens::ui {

/// Distinct samples seen against steps, up to the size of the dataset, with a marker at the playhead. Moving the marker
/// repaints the marker alone.
class CoveragePlot : public PlotView {
  Q_OBJECT

 public:
  explicit CoveragePlot(QWidget* parent = nullptr);
  ~CoveragePlot() override;

  void setCurve(CoverageCurve curve);
  /// Steps done; nothing: the playhead is in another epoch.
  void setPlayhead(std::optional<double> step);
  /// The step that is selected, in the curve's epoch; nothing: none.
  void setSelected(std::optional<qint64> step);
  [[nodiscard]] const CoverageCurve& curve() const { return curve_; }

 signals:
  /// The step that the pointer chose: the last one whose samples are seen at that place of the curve.
  void stepChosen(qint64 step);

 protected:
  void restyle() override;
  void relayout() override;
  QString hover(QPointF pixel) override;
  void click(QPointF pixel) override;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
  CoverageCurve curve_;
};

/// A bar for each number of times a sample is seen, with the count above it. "Once" is quiet, the others stand out;
/// repeats that are padding are hatched. A bar that is not empty is never too low to be seen.
class TimesSeenPlot : public PlotView {
  Q_OBJECT

 public:
  explicit TimesSeenPlot(QWidget* parent = nullptr);
  ~TimesSeenPlot() override;

  void setBars(const std::vector<TimesSeen>& bars, bool repeats_are_padding);

 signals:
  /// A bar was chosen; `times` is the fewest times that it stands for.
  void timesChosen(qint64 times);

 protected:
  void restyle() override;
  void relayout() override;
  QString hover(QPointF pixel) override;
  void click(QPointF pixel) override;

 private:
  void nameBars();
  [[nodiscard]] const TimesSeen* barAt(QPointF pixel) const;

  struct Parts;
  std::unique_ptr<Parts> parts_;
  std::vector<TimesSeen> bars_;
  bool padding_ = false;
};

}  // namespace shardlens::ui
