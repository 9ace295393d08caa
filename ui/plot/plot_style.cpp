// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot/plot_style.h"

#include "ui/scene/number_text.h"
#include "ui/scene/theme.h"

#include <cmath>

namespace shardlens::ui {
namespace {

class UnitTicker : public QCPAxisTicker {
 public:
  explicit UnitTicker(QString unit) : unit_(std::move(unit)) {}

 protected:
  /// One tick at least beside that of zero: a scale has two numbers.
  double getTickStep(const QCPRange& range) override {
    const double step = QCPAxisTicker::getTickStep(range);
    return step > range.upper && range.upper > 0 ? step / 2 : step;
  }
  QString getTickLabel(double tick, const QLocale& /*locale*/, QChar /*format*/, int /*precision*/) override {
    return tick == 0 ? QStringLiteral("0") : QStringLiteral("%1 %2").arg(QString::number(tick, 'g', 4), unit_);
  }

 private:
  QString unit_;
};

class CountTicker : public QCPAxisTicker {
 protected:
  /// Whole, so that ticks are equally far apart, and not more ticks than wanted.
  double getTickStep(const QCPRange& range) override {
    const double least = range.size() / std::max(1, mTickCount);
    if (least <= 1) return 1;
    const double power = std::pow(10, std::floor(std::log10(least)));
    for (const double factor : {1.0, 2.0, 4.0, 5.0}) {
      if (factor * power >= least) return factor * power;
    }
    return 10 * power;
  }
  QString getTickLabel(double tick, const QLocale& /*locale*/, QChar /*format*/, int /*precision*/) override {
    return number(std::llround(tick));
  }
};

void styleAxis(QCPAxis& axis) {
  axis.setBasePen(hairlinePen());
  axis.setTickPen(Qt::NoPen);
  axis.setSubTickPen(Qt::NoPen);
  axis.setTickLabelColor(theme().muted);
  axis.setLabelColor(theme().muted);
  axis.setTickLabelFont(smallFont());
  axis.setLabelFont(smallFont());
  axis.grid()->setPen(hairlinePen());
  axis.grid()->setZeroLinePen(Qt::NoPen);
  axis.grid()->setSubGridVisible(false);
}

}  // namespace

void styleFrame(QCustomPlot& plot) {
  plot.setBackground(theme().panel);
  QCPAxisRect& frame = *plot.axisRect();
  frame.setBackground(Qt::NoBrush);
  for (QCPAxis* axis : frame.axes()) styleAxis(*axis);
}

QPen hairlinePen() {
  QPen pen(theme().hairline);
  pen.setCosmetic(true);
  return pen;
}

QSharedPointer<QCPAxisTicker> unitTicker(const QString& unit, int ticks) {
  auto ticker = QSharedPointer<UnitTicker>::create(unit);
  ticker->setTickCount(ticks);
  return ticker;
}

QSharedPointer<QCPAxisTicker> countTicker(int ticks) {
  auto ticker = QSharedPointer<CountTicker>::create();
  ticker->setTickCount(ticks);
  return ticker;
}

QSharedPointer<QCPAxisTicker> rowTicker(qint64 rows, double pixels, double pitch,
                                        const std::function<QString(qint64)>& label) {
  auto ticker = QSharedPointer<QCPAxisTickerText>::create();
  const double fit = std::max(1.0, std::floor(pixels / pitch));
  auto every = static_cast<qint64>(std::ceil(static_cast<double>(rows) / fit));
  // A step of 1, 2, 4, 8 ... meets the node boundaries of usual machines.
  every = static_cast<qint64>(std::exp2(std::ceil(std::log2(std::max<double>(1, static_cast<double>(every))))));
  for (qint64 row = 0; row < rows; row += every) ticker->addTick(static_cast<double>(row), label(row));
  return ticker;
}

}  // namespace shardlens::ui
