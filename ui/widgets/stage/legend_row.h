// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/paint/legend_paint.h"
#include "ui/scene/stage/legend.h"
#include "ui/scene/stage/scene.h"
#include "ui/widgets/common/style.h"

#include <QToolButton>
#include <QWidget>

#include <vector>

namespace shardlens::ui {

/// "colour: sample position ▾": what the colour of a cell says, and the menu that changes it.
class ColourButton : public QToolButton {
  Q_OBJECT

 public:
  explicit ColourButton(QWidget* parent = nullptr);
  void setColour(StageColour colour);
  /// Only the name of what the colour says, where there is little room.
  void setBrief(bool brief);
  [[nodiscard]] int widthOf(bool brief) const { return fontMetrics().horizontalAdvance(words(brief)) + px(4); }
  /// Colouring by label is offered where samples have labels.
  void setLabelled(bool labelled);

 signals:
  /// The user chose it; setColour() shows it.
  void colourChosen(shardlens::ui::StageColour colour);

 private:
  [[nodiscard]] QString words(bool brief) const;

  StageColour colour_ = StageColour::SamplePosition;
  bool brief_ = false;
};

/// The foot of the Stage: what colours the cells, and what each mark in them means.
class LegendRow : public QWidget {
  Q_OBJECT

 public:
  explicit LegendRow(QWidget* parent = nullptr);

  [[nodiscard]] ColourButton* colour() const { return colour_; }
  void setEntries(std::vector<LegendEntry> entries);
  [[nodiscard]] const std::vector<LegendEntry>& entries() const { return entries_; }
  /// Where the entry is, in this widget's coordinates; empty when there is no room for it.
  [[nodiscard]] QRect entryOnScreen(std::size_t index) const;

 signals:
  /// The user goes to a mark that is out of view.
  void placeWanted(shardlens::ui::CellAddress place);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void fit();
  [[nodiscard]] QRect area() const;
  [[nodiscard]] std::vector<QRectF> places() const { return legendPlaces(area(), entries_); }
  [[nodiscard]] std::optional<std::size_t> linkAt(QPointF place) const;
  /// The link that Enter follows; the first one when none was chosen.
  [[nodiscard]] std::optional<std::size_t> linkInFocus() const;
  void moveFocus(int by);

  ColourButton* colour_;
  std::vector<LegendEntry> entries_;
  std::size_t focused_ = 0;  ///< the entry that the keyboard chose
};

}  // namespace shardlens::ui
