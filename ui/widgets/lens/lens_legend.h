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
  /// How many of them there is room for.
  [[nodiscard]] std::size_t shownEntries() const;

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  /// Entries on one line.
  struct Group {
    QRect place;
    bool of_cells = false;
    std::vector<LegendEntry> entries;
  };

  void arrange();
  void placeBar();
  void addLines(bool of_cells, const std::vector<LegendEntry>& entries);
  [[nodiscard]] static bool fits(const QRect& line, const std::vector<LegendEntry>& entries);

  std::vector<Group> groups_;
  std::vector<LegendEntry> cells_;
  std::vector<LegendEntry> bar_;
};

}  // namespace shardlens::ui
