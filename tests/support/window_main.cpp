// SPDX-License-Identifier: Apache-2.0
#include "tests/support/window_main.h"

#include <QApplication>
#include <QTest>

#include <cstdio>
#include <map>
#include <string>

namespace shardlens::test {
namespace {

auto& tests() {
  static std::map<std::string, std::function<std::unique_ptr<QObject>()>> tests;
  return tests;
}

}  // namespace

bool registerWindowTest(const char* source, std::function<std::unique_ptr<QObject>()> make) {
  std::string name = source;
  name = name.substr(name.rfind('/') + 1);
  return tests().emplace(name.substr(0, name.rfind('.')), std::move(make)).second;
}

}  // namespace shardlens::test

// tests_window NAME [QT TEST ARGUMENTS]: runs tests/ui/.../NAME.cpp.
int main(int argc, char** argv) {
  const auto& tests = shardlens::test::tests();
  const auto test = argc > 1 ? tests.find(argv[1]) : tests.end();
  if (test == tests.end()) {
    std::fputs("Name one of these tests:\n", stderr);
    for (const auto& [name, make] : tests) std::fprintf(stderr, "  %s\n", name.c_str());
    return 1;
  }
  argv[1] = argv[0];
  int count = argc - 1;
  QApplication app(count, argv + 1);
  const std::unique_ptr<QObject> object = test->second();
  return QTest::qExec(object.get(), count, argv + 1);
}
