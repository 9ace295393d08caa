// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/stage/legend.h"

#include <QWidget>

#include <vector>

namespace shardlens::ui {

/// What the marks in the cells and the colours of the bars mean: in one line where there is room, else in two.
class LensLegend : public QWidget {
  Q_OBJECT

 public:
  explicit LensLegend(QWidget* parent = nullptr);

  void setEntries(std::vector<LegendEntry> cells, std::vector<LegendEntry> bar);
  [[nodiscard]] const std::vector<LegendEntry>& cells() const { return cells_; }
  [[nodiscard]] const std::vector<LegendEntry>& bar() const { return bar_; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  [[nodiscard]] bool fitsOneLine() const;
  void fitHeight();

  std::vector<LegendEntry> cells_;
  std::vector<LegendEntry> bar_;
};

}  // namespace shardlens::ui
