// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot/plot_view.h"

#include "ui/plot/plot_style.h"

#include <QEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <QVBoxLayout>

namespace shardlens::ui {

PlotView::PlotView(QWidget* parent) : QWidget(parent), plot_(new QCustomPlot(this)) {
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins({});
  layout->addWidget(plot_);
  plot_->setMinimumSize(16, 16);                           // QCustomPlot warns about every paint of an empty one
  plot_->setPlottingHint(QCP::phImmediateRefresh, false);  // would paint at once all of the window that waits for it
  plot_->setFocusPolicy(Qt::NoFocus);
  plot_->setMouseTracking(true);
  plot_->installEventFilter(this);
}

PlotView::~PlotView() {
  plot_->removeEventFilter(this);
}

void PlotView::click(QPointF /*pixel*/) {}

void PlotView::replotSoon() {
  plot_->replot(QCustomPlot::rpQueuedReplot);
}

void PlotView::applyTheme() {
  styleFrame(*plot_);
  restyle();
  relayout();
  replotSoon();
}

void PlotView::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  const auto type = event->type();
  if (type == QEvent::PaletteChange || type == QEvent::FontChange || type == QEvent::StyleChange) applyTheme();
}

void PlotView::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  relayout();
  replotSoon();
}

bool PlotView::eventFilter(QObject* watched, QEvent* event) {
  switch (event->type()) {
    case QEvent::MouseMove: {
      const auto* mouse = static_cast<QMouseEvent*>(event);
      QToolTip::showText(mouse->globalPosition().toPoint(), hover(mouse->position()), plot_);
      break;
    }
    case QEvent::Leave:
      hover({-1, -1});
      break;
    case QEvent::MouseButtonPress:
      if (static_cast<QMouseEvent*>(event)->button() == Qt::LeftButton) {
        setFocus(Qt::MouseFocusReason);
        click(static_cast<QMouseEvent*>(event)->position());
      }
      break;
    default:
      break;
  }
  return QWidget::eventFilter(watched, event);
}

}  // namespace shardlens::ui

#include "moc_plot_view.cpp"
