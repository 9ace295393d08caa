// SPDX-License-Identifier: GPL-3.0-or-later
// bench_start FILE: from the start of a new process to the first picture of the real window in which the plan of FILE
// is complete, offscreen. Loading the program and its libraries is part of it.
#include "core/base/large_array.h"
#include "tests/benchmarks/measure.h"
#include "ui/widgets/common/style.h"
#include "ui/window/main_window.h"

#include <QApplication>

#include <cstdlib>
#include <cstring>
#include <sys/wait.h>
#include <unistd.h>

using namespace shardlens;
using namespace shardlens::ui;

namespace {

int showWindow(int argc, char** argv) {
  keepHeapAtHand();  // as the studio does
  QApplication app(argc, argv);
  useFusion();
  installFonts();
  MainWindow window({false, {}, false});
  window.setThemeChoice(ThemeChoice::Light);
  window.resize(1280, 720);
  if (!window.openFirst(argv[2])) return 2;
  window.show();
  while (!window.isReady()) QApplication::processEvents(QEventLoop::WaitForMoreEvents, 50);
  window.grab();
  std::_Exit(0);  // what closing takes is not asked
}

/// Seconds until another process of this program has shown FILE; negative when it could not.
double start(char* program, char* file) {
  int status = 0;
  const double taken = bench::timed([&] {
    const pid_t child = ::fork();
    if (child == 0) {
      ::execl("/proc/self/exe", program, "--window", file, nullptr);
      std::_Exit(127);
    }
    ::waitpid(child, &status, 0);
  });
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? taken : -1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 3 && std::strcmp(argv[1], "--window") == 0) return showWindow(argc, argv);
  if (argc != 2) return 2;
  const double taken = start(argv[0], argv[1]);
  if (taken < 0) return 1;
  bench::print(taken);
  return 0;
}
