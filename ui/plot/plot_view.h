// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QCustomPlot;

namespace shardlens::ui {

/// A widget around one QCustomPlot that takes every colour and font from the theme, again after each change of palette
/// or font, and repaints at most once per pass of the event loop.
class PlotView : public QWidget {
  Q_OBJECT

 public:
  explicit PlotView(QWidget* parent = nullptr);
  ~PlotView() override;

  [[nodiscard]] QSize minimumSizeHint() const override { return {120, 80}; }

 protected:
  /// Puts the theme's colours and fonts on what the subclass has added. Called after the frame itself is styled.
  virtual void restyle() = 0;
  /// What depends on the size: tick density, decimation. Called before the plot is painted at the new size.
  virtual void relayout() {}
  /// The pointer stands at this pixel, or has left (a negative point). Returns the tool tip, empty for none.
  virtual QString hover(QPointF /*pixel*/) { return {}; }
  virtual void click(QPointF pixel);

  [[nodiscard]] QCustomPlot& plot() const { return *plot_; }
  void replotSoon();
  /// Styles everything; subclasses call it once at the end of their constructor.
  void applyTheme();

  void changeEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QCustomPlot* plot_;
};

}  // namespace shardlens::ui
