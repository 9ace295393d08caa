// SPDX-License-Identifier: Apache-2.0
// One program holds the tests of the window. Each source registers its class, and is run by its own name, so that a
// crash ends one test only.
#pragma once

#include <QObject>
#include <QString>

#include <functional>
#include <memory>

namespace shardlens::test {

/// Makes the object whose private slots are the test functions of `source`. True, so that a constant can be set from
/// it.
bool registerWindowTest(const char* source, std::function<std::unique_ptr<QObject>()> make);

}  // namespace shardlens::test

/// What QTEST_MAIN is in a program of its own.
#define SHARDLENS_WINDOW_TEST(Class)                                                           \
  namespace {                                                                                  \
  const bool is_##Class##_registered =                                                         \
      shardlens::test::registerWindowTest(__FILE__, [] { return std::make_unique<Class>(); }); \
  }
