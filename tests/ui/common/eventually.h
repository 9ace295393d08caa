// SPDX-License-Identifier: GPL-3.0-or-later
// Waiting for what comes sooner or later: the limit is there to end a test that waits for nothing, never to judge how
// quick the program is. Qt's own five seconds are too few on a busy host.
#pragma once

#include <QTest>

#define EVENTUALLY(condition) QTRY_VERIFY_WITH_TIMEOUT(condition, 60000)
#define EVENTUALLY_EQUAL(actual, expected) QTRY_COMPARE_WITH_TIMEOUT(actual, expected, 60000)
