// SPDX-License-Identifier: GPL-3.0-or-later
// Whoever uses a plot must not get QCustomPlot's header, and with it printing support, along with it.
#include "tests/support/window_main.h"
#include "ui/plot/arrival_plot.h"
#include "ui/plot/matrix_plot.h"
#include "ui/plot/plot_view.h"

#ifdef QCUSTOMPLOT_H
#error "a public header of ui/plot shows qcustomplot.h"
#endif

#include <QTest>

class HeadersTest : public QObject {
  Q_OBJECT

 private slots:
  void plotsStandWithoutQCustomPlotsHeader() {
    const shardlens::ui::ArrivalPlot plot;
    QVERIFY(plot.minimumSizeHint().isValid());
  }
};

SHARDLENS_WINDOW_TEST(HeadersTest)
#include "headers_test.moc"
