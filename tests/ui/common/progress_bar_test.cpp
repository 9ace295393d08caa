// SPDX-License-Identifier: Apache-2.0
#include "tests/support/window_main.h"
#include "tests/ui/common/eventually.h"
#include "ui/widgets/common/state_pane.h"

#include <QPaintEvent>
#include <QTest>
#include <QWidget>

using namespace shardlens::ui;

namespace {

/// Counts how often it is painted.
struct Canvas : QWidget {
  using QWidget::QWidget;
  void paintEvent(QPaintEvent* /*event*/) override { ++painted; }
  int painted = 0;
};

}  // namespace

class ProgressBarTest : public QObject {
  Q_OBJECT

 private slots:
  void aNewShareIsShownWithTheNextPictureAndNotAtOnce() {
    QWidget window;
    window.resize(200, 200);
    auto* canvas = new Canvas(&window);
    canvas->setGeometry(0, 20, 200, 180);
    auto* bar = new ProgressBar(&window);
    bar->setGeometry(0, 0, 200, 10);
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window, 60'000));
    EVENTUALLY(canvas->painted > 0);
    bar->setFraction(0.25);
    QCoreApplication::processEvents();
    const QImage before = bar->grab().toImage();
    const int painted = canvas->painted;
    canvas->update();
    bar->setFraction(0.75);
    QCOMPARE(canvas->painted, painted);
    EVENTUALLY(canvas->painted > painted);
    QCOMPARE(bar->value(), 750);
    QVERIFY(bar->grab().toImage() != before);
  }
};

SHARDLENS_WINDOW_TEST(ProgressBarTest)
#include "progress_bar_test.moc"
