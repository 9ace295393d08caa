// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plot/plot_view.h"
#include "ui/scene/tabs/heat.h"

#include <QColor>
#include <QString>

#include <functional>
#include <memory>
#include <optional>
#include <utility>

namespace shardlens::ui {

/// A square heat map. Up to kGapRanks rows its cells are apart, with rounded corners; above, it is a plain colour map,
/// and when rows are narrower than two pixels each spot shows the hottest of the cells below it. Arrow keys move a cell
/// cursor, Enter or a click chooses a cell.
class MatrixPlot : public PlotView {
  Q_OBJECT

 public:
  static constexpr qint64 kGapRanks = 32;

  explicit MatrixPlot(QWidget* parent = nullptr);
  ~MatrixPlot() override;

  /// `group`: a hairline after each so many rows (the ranks of a node), 0 for none.
  void setHeat(Heat heat, HeatTone tone, qint64 group);
  /// What the rows and columns are: "rank".
  void setTitles(const QString& items);
  [[nodiscard]] qint64 rows() const { return heat_.size; }
  void setSelected(std::optional<HeatCell> cell);
  [[nodiscard]] std::optional<HeatCell> selected() const { return selected_; }
  [[nodiscard]] HeatCell cursor() const { return cursor_; }
  /// The sentence of a cell: tool tip, and what a screen reader says.
  void setSentence(std::function<QString(HeatCell)> sentence) { sentence_ = std::move(sentence); }

  /// The middle of a cell in this widget's pixels, for tests and tool tips.
  [[nodiscard]] QPoint pixelOf(HeatCell cell) const;
  /// The width that goes well with this height: the square with its labels.
  [[nodiscard]] int widthFor(int height) const;

 signals:
  void chosen(qint64 row, qint64 column);

 protected:
  void restyle() override;
  void relayout() override;
  QString hover(QPointF pixel) override;
  void click(QPointF pixel) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;

 private:
  struct Parts;
  [[nodiscard]] std::optional<HeatCell> cellAt(QPointF pixel) const;
  void moveCursor(qint64 rows, qint64 columns);
  void showMarks();
  void fillMap();

  std::unique_ptr<Parts> parts_;
  Heat heat_;
  HeatTone tone_ = HeatTone::Error;
  qint64 group_ = 0;
  qint64 block_ = 1;  ///< cells drawn as one, per side
  HeatCell cursor_;
  std::optional<HeatCell> selected_;
  std::function<QString(HeatCell)> sentence_;
};

}  // namespace shardlens::ui
