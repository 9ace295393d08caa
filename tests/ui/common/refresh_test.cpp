// SPDX-License-Identifier: Apache-2.0
#include "ui/widgets/common/refresh.h"

#include "tests/support/window_main.h"
#include "tests/ui/common/eventually.h"

#include <QSignalSpy>
#include <QTest>
#include <QWidget>

#include <memory>

using namespace shardlens::ui;

class RefreshTest : public QObject {
  Q_OBJECT

 private slots:
  void aVisibleWidgetIsRefreshedLaterAndOnceForManyWishes() {
    QWidget widget;
    widget.show();
    int made = 0;
    Refresh refresh(&widget, [&made] { ++made; });
    for (int i = 0; i < 3; ++i) refresh.want();
    QCOMPARE(made, 0);
    QVERIFY(!Refresh::allDone());
    EVENTUALLY(Refresh::allDone());
    QCOMPARE(made, 1);
  }

  void aHiddenWidgetIsRefreshedWhenItIsShown() {
    QWidget widget;
    int made = 0;
    Refresh refresh(&widget, [&made] { ++made; });
    refresh.want();
    QVERIFY(Refresh::allDone());
    QCoreApplication::processEvents();
    QCOMPARE(made, 0);
    widget.show();
    QCOMPARE(made, 1);
    widget.hide();
    widget.show();
    QCOMPARE(made, 1);  // nothing has changed meanwhile
  }

  void aWidgetThatIsHiddenBeforeItsTurnKeepsNobodyWaiting() {
    QWidget widget;
    widget.show();
    int made = 0;
    Refresh refresh(&widget, [&made] { ++made; });
    refresh.want();
    widget.hide();
    QVERIFY(Refresh::allDone());
    QCoreApplication::processEvents();
    QCOMPARE(made, 0);
    widget.show();
    QCOMPARE(made, 1);
  }

  void nowMakesUpForWhatWasWantedAndForNothingElse() {
    QWidget widget;
    int made = 0;
    Refresh refresh(&widget, [&made] { ++made; });
    refresh.now();
    QCOMPARE(made, 0);
    refresh.want();
    refresh.now();
    QCOMPARE(made, 1);
  }

  /// Two that take long do not keep the user waiting for both.
  void aLongRefreshEndsTheTurn() {
    QWidget widget;
    widget.show();
    int made = 0;
    const auto slowly = [&made] {
      QTest::qSleep(10);
      ++made;
    };
    Refresh first(&widget, slowly);
    Refresh second(&widget, slowly);
    int between = -1;
    Refresh third(&widget, [&] { between = made; });
    first.want();
    second.want();
    const auto turn = [&made] {
      const int before = made;
      while (made == before) QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    };
    turn();
    QCOMPARE(made, 1);
    third.want();
    EVENTUALLY(Refresh::allDone());
    QCOMPARE(between, 2);  // in the order of the wishes
  }

  void aWishEndsWithItsWidget() {
    auto widget = std::make_unique<QWidget>();
    widget->show();
    auto* refresh = new Refresh(widget.get(), [] { QFAIL("the widget is gone"); });
    refresh->want();
    widget.reset();
    QVERIFY(Refresh::allDone());
    QCoreApplication::processEvents();
  }
};

SHARDLENS_WINDOW_TEST(RefreshTest)
#include "refresh_test.moc"
