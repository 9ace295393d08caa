// SPDX-License-Identifier: GPL-3.0-or-later
// On a screen of 1280x720 (small_screen.json): what a window may be as large as.
#include "tests/support/window_main.h"
#include "ui/window/main_window.h"

#include <QScreen>
#include <QTemporaryDir>
#include <QTest>

using namespace shardlens;
using namespace shardlens::ui;

class FirstWindowTest : public QObject {
  Q_OBJECT

 private slots:
  void theFirstWindowFillsASmallScreen() {
    const QTemporaryDir folder;
    MainWindow window({true, folder.path(), false});
    const QRect room = window.screen()->availableGeometry();
    QCOMPARE(room.size(), QSize(1280, 720));
    QVERIFY2(room.width() >= window.width() && room.height() >= window.height(), "before it is shown");
    window.show();
    QVERIFY(window.isMaximized());
    QCOMPARE(window.size(), room.size());
  }

  void aWindowFromALargerScreenFillsThisOne() {
    const QTemporaryDir folder;
    {
      MainWindow window({true, folder.path(), false});
      window.setWindowState(Qt::WindowNoState);
      window.setGeometry(100, 50, 1440, 900);
      window.show();
      QCOMPARE(window.size(), QSize(1440, 900));
      window.close();
    }
    MainWindow window({true, folder.path(), false});
    window.show();
    QVERIFY(window.isMaximized());
    QCOMPARE(window.size(), window.screen()->availableGeometry().size());
  }
};

SHARDLENS_WINDOW_TEST(FirstWindowTest)
#include "first_window_test.moc"
