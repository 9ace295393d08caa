// SPDX-License-Identifier: GPL-3.0-or-later
// bench_keystroke SAMPLES: the real window on a plan of that size; a digit is typed into sampler.seed, and the time
// until the Stage shows the new cells is taken. The median of nine.
#include "tests/benchmarks/measure.h"
#include "ui/widgets/common/style.h"
#include "ui/widgets/design/field_row.h"
#include "ui/widgets/design/form_panel.h"
#include "ui/widgets/stage/stage_panel.h"
#include "ui/widgets/stage/stage_view.h"
#include "ui/window/design_page.h"
#include "ui/window/main_window.h"

#include <QApplication>
#include <QKeyEvent>
#include <QLineEdit>

#include <algorithm>
#include <cstdlib>
#include <vector>

using namespace shardlens;
using namespace shardlens::ui;

namespace {

template <class Done>
void waitFor(Done done) {
  while (!done()) QApplication::processEvents(QEventLoop::WaitForMoreEvents, 50);
}

void press(QWidget* widget, int key, const QString& text) {
  QKeyEvent event(QEvent::KeyPress, key, Qt::NoModifier, text);
  QApplication::sendEvent(widget, &event);
}

double keystroke(MainWindow& window, QLineEdit* seed, int digit) {
  const StageView& stage = *window.design()->stage()->stage();
  const auto before = stage.input().epoch;
  seed->selectAll();
  return bench::timed([&] {
    press(seed, Qt::Key_0 + digit, QString::number(digit));
    waitFor([&] { return stage.input().epoch != before && stage.input().epoch != nullptr && !stage.isComputing(); });
    window.grab();
  });
}

}  // namespace

int main(int argc, char** argv) {
  QApplication app(argc, argv);
  if (argc != 2) return 2;
  installFonts();
  applyTheme(Theme::light());
  PipelineSpec spec;
  spec.dataset.size = std::atoll(argv[1]);
  spec.world.ranks_per_node = 8;
  spec.loader.batch_size = 32;
  MainWindow window({false, {}, false});
  window.workspace().document.reset(spec);
  window.resize(1440, 900);
  window.show();
  waitFor([&] { return window.isReady(); });

  auto* seed = qobject_cast<QLineEdit*>(window.design()->form()->row("sampler.seed")->editor());
  if (seed == nullptr) return 1;
  std::vector<double> times;
  for (int digit = 1; digit <= 9; ++digit) {
    times.push_back(keystroke(window, seed, digit));
    waitFor([&] { return window.isReady(); });
  }
  std::nth_element(times.begin(), times.begin() + 4, times.end());
  bench::print(times[4]);
  return 0;
}
