// SPDX-License-Identifier: GPL-3.0-or-later
// Inside ui/plot only: the parts of a matrix that QCustomPlot has no item for.
#pragma once

#include "ui/plot/plot_style.h"
#include "ui/scene/tabs/heat.h"
#include "ui/scene/tabs/heat_colours.h"

#include <optional>

namespace shardlens::ui {

/// Cells with gaps and rounded corners: for matrices of few rows.
class CellsItem : public QCPAbstractItem {
 public:
  explicit CellsItem(QCustomPlot* plot) : QCPAbstractItem(plot) { setSelectable(false); }
  double selectTest(const QPointF&, bool, QVariant*) const override { return -1; }

  const Heat* heat = nullptr;
  HeatColours colours;

 protected:
  void draw(QCPPainter* painter) override;
};

/// Hatching over the cells that hold anything, drawn together in blocks: for matrices of many rows.
class HatchItem : public QCPAbstractItem {
 public:
  explicit HatchItem(QCustomPlot* plot) : QCPAbstractItem(plot) { setSelectable(false); }
  double selectTest(const QPointF&, bool, QVariant*) const override { return -1; }

  Heat blocks;       ///< the table with `block` x `block` cells drawn as one
  qint64 block = 1;  ///< rows of a block
  QColor colour;

 protected:
  void draw(QCPPainter* painter) override;
};

/// Hairlines between groups, the rings of the chosen cell and of its mirror image, and the cell cursor.
class MarksItem : public QCPAbstractItem {
 public:
  explicit MarksItem(QCustomPlot* plot) : QCPAbstractItem(plot) {
    setSelectable(false);
    setClipToAxisRect(false);
  }
  double selectTest(const QPointF&, bool, QVariant*) const override { return -1; }

  qint64 size = 0;
  qint64 group = 0;
  std::optional<HeatCell> selected;
  std::optional<HeatCell> cursor;

 protected:
  void draw(QCPPainter* painter) override;

 private:
  void drawGroups(QCPPainter* painter) const;
  void drawRing(QCPPainter* painter, HeatCell cell, const QPen& pen) const;
};

/// The pixels of a cell, gap included.
QRectF cellRect(const QCustomPlot& plot, HeatCell cell);

}  // namespace shardlens::ui
