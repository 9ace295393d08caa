// SPDX-License-Identifier: GPL-3.0-or-later
// Waiting for what comes sooner or later: the limit is there to end a test that waits for nothing, never to judge how
// quick the program is. Qt's own five seconds are too few on a busy host.
#pragma once

#include "ui/state/latest_job.h"
#include "ui/widgets/common/refresh.h"

#include <QCoreApplication>
#include <QDeadlineTimer>
#include <QTest>

/// Qt's own macro asks once more after the condition has come, and fails where it has just gone again.
#define EVENTUALLY(condition)                                                           \
  do {                                                                                  \
    bool has_come = static_cast<bool>(condition);                                       \
    for (const QDeadlineTimer patience(60'000); !has_come && !patience.hasExpired();) { \
      QTest::qWait(10);                                                                 \
      has_come = static_cast<bool>(condition);                                          \
    }                                                                                   \
    QVERIFY2(has_come, #condition);                                                     \
  } while (false)
#define EVENTUALLY_EQUAL(actual, expected) QTRY_COMPARE_WITH_TIMEOUT(actual, expected, 60000)

namespace shardlens::ui {

/// Whether this holds, and still does after a few turns of the event loop: layouts ask for others, and timers share the
/// room anew. Asked until it is true, it ends in a state in which sizes and places are final.
template <class Condition>
bool staysSo(Condition holds) {
  constexpr int kTurns = 3;
  for (int turn = 0; holds(); ++turn) {
    if (turn == kTurns) return true;
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    QCoreApplication::processEvents();
  }
  return false;
}

/// Nothing is being computed, and all widgets in sight show what is so and are laid out.
inline bool isSettled() {
  return staysSo([] { return LatestJob::allIdle() && Refresh::allDone(); });
}

/// Waits until a window is ready, and laid out; false: for nothing.
template <class Window>
bool waitUntilReady(const Window& window, int patience_ms = 60'000) {
  return QTest::qWaitFor([&window] { return staysSo([&window] { return window.isReady(); }); }, patience_ms);
}

}  // namespace shardlens::ui
