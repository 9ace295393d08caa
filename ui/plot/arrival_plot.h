// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plot/plot_view.h"

#include <cstddef>
#include <memory>
#include <vector>

class QBrush;
class QPen;

namespace shardlens::ui {

/// When one rank arrives in a collective, after the first rank, over the last so many collectives. Milliseconds.
struct Arrival {
  qint64 rank = 0;
  qint64 measured = 0;  ///< number of collectives behind the figures; 0 = unmeasured, drawn hatched
  double median_ms = 0;
  double p5_ms = 0;
  double p95_ms = 0;
};

/// A row for each rank in the order given: a dot at the median, a bar from the 5th to the 95th percentile. Up, Down,
/// Home and End choose a row; what it says is the accessible description.
class ArrivalPlot : public PlotView {
  Q_OBJECT

 public:
  explicit ArrivalPlot(QWidget* parent = nullptr);
  ~ArrivalPlot() override;

  void setArrivals(const std::vector<Arrival>& arrivals);
  [[nodiscard]] const std::vector<Arrival>& arrivals() const { return arrivals_; }
  /// "rank 3 arrives 12 ms after the first (5 to 95 %: 3.1 ms to 20 ms)".
  [[nodiscard]] static QString sentence(const Arrival& arrival);
  /// Paints the rows of these ranks in the warning colour: the others wait for them.
  void setHighlights(std::vector<qint64> ranks);
  /// Puts a band behind the rows of these ranks: they are selected.
  void setSelected(std::vector<qint64> ranks);

 signals:
  void rankClicked(qint64 rank);

 protected:
  void restyle() override;
  void relayout() override;
  QString hover(QPointF pixel) override;
  void click(QPointF pixel) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* /*event*/) override { setFocusRing(false); }

 private:
  struct Parts;
  void fill();
  void showSelected();
  void showRing();
  void addBand(double first, double last, const QPen& pen, const QBrush& brush);
  void setFocusRing(bool shown);
  void describe();
  /// The row of the selected rank; -1 when there is none.
  [[nodiscard]] std::ptrdiff_t selectedRow() const;
  [[nodiscard]] const Arrival* rowAt(QPointF pixel) const;

  std::unique_ptr<Parts> parts_;
  std::vector<Arrival> arrivals_;
  std::vector<qint64> highlights_;
  std::vector<qint64> selected_;
  bool focus_ring_ = false;  ///< the focus came by key
};

}  // namespace shardlens::ui
