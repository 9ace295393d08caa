// SPDX-License-Identifier: GPL-3.0-or-later
// bench_gui_away [SAMPLER [SAMPLES]]: the real window on a plan of this sampler, at the largest size up to SAMPLES
// (1e8) that it draws in two seconds; without a sampler their names. Edits values, plays, turns to another epoch,
// selects; and takes the longest time for which the GUI thread was busy with one event and away from all others.
#include "core/plan/plan.h"
#include "core/sampling/registry.h"
#include "core/spec/field_table.h"
#include "tests/benchmarks/measure.h"
#include "ui/widgets/common/style.h"
#include "ui/window/main_window.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QEvent>
#include <QTimer>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <stop_token>
#include <thread>
#include <vector>

using namespace shardlens;
using namespace shardlens::ui;

namespace {

constexpr std::int64_t kMostListed = 10'000'000;  ///< samples with a length or a label each
constexpr std::int64_t kShard = 100'000;

/// Times every event that is taken from the event loop.
class WatchedApplication : public QApplication {
 public:
  using QApplication::QApplication;

  bool notify(QObject* receiver, QEvent* event) override {
    if (!watching_ || depth_ > 0) return QApplication::notify(receiver, event);
    ++depth_;
    const QString name = QString("%1 (event %2)").arg(receiver->metaObject()->className()).arg(event->type());
    QElapsedTimer timer;
    timer.start();
    const bool done = QApplication::notify(receiver, event);
    const double seconds = static_cast<double>(timer.nsecsElapsed()) / 1e9;
    --depth_;
    if (seconds > longest_) {
      longest_ = seconds;
      where_ = name;
    }
    return done;
  }
  void watch() { watching_ = true; }
  [[nodiscard]] double longest() const { return longest_; }
  [[nodiscard]] const QString& where() const { return where_; }

 private:
  bool watching_ = false;
  int depth_ = 0;
  double longest_ = 0;
  QString where_;
};

bool reads(const sampling::SamplerRule& rule, const char* path) {
  return std::ranges::find(rule.info.reads, path) != rule.info.reads.end();
}

template <class Item>
IndexList listOf(std::int64_t count, Item item) {
  std::vector<std::int64_t> items;
  items.reserve(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) items.push_back(item(i));
  return items;
}

PipelineSpec specOf(const sampling::SamplerRule& rule, std::int64_t size) {
  PipelineSpec spec;
  spec.dataset.size = size;
  spec.world.ranks_per_node = 8;
  spec.loader.batch_size = 32;
  spec.sampler.type = rule.info.type;
  if (reads(rule, "dataset.shards") && size >= kShard) {
    spec.dataset.shards = IndexList(static_cast<std::size_t>(size / kShard), kShard);
  }
  if (reads(rule, "dataset.lengths"))
    spec.dataset.lengths = listOf(size, [](std::int64_t i) { return i * 7 % 11 + 1; });
  if (reads(rule, "dataset.labels")) spec.dataset.labels = listOf(size, [](std::int64_t i) { return i % 10; });
  for (const Field& field : rule.info.parameters) {
    const PipelineSpec without = spec;
    if (field.kind == FieldKind::Indices) {
      setValue(spec, field, listOf(std::min(size, kMostListed), [size](std::int64_t i) { return i * 2 % size; }));
    }
    if (rule.check(without) && !rule.check(spec)) spec = without;  // its list is not of samples
  }
  return spec;
}

bool isDrawnInTime(const PipelineSpec& spec) {
  std::stop_source stop;
  const std::jthread clock([&stop](const std::stop_token& end) {
    for (int tick = 0; tick < 200 && !end.stop_requested(); ++tick) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    stop.request_stop();
  });
  const auto plan = Plan::make(spec);
  return plan && plan->rankEpoch(Epoch{0}, Rank{0}, {stop.get_token(), {}}).has_value();
}

PipelineSpec largest(const sampling::SamplerRule& rule, std::int64_t most) {
  const bool listed = reads(rule, "dataset.lengths") || reads(rule, "dataset.labels");
  std::int64_t size = listed ? std::min(most, kMostListed) : most;
  for (; size > 1000; size /= 10) {
    if (isDrawnInTime(specOf(rule, size))) break;
  }
  return specOf(rule, size);
}

/// Handles events for so long, or until `done`.
template <class Done>
void live(int ms, Done done) {
  QElapsedTimer timer;
  timer.start();
  while (!done() && timer.elapsed() < ms) QApplication::processEvents(QEventLoop::WaitForMoreEvents, 20);
}

/// As an event of its own, so that it is timed as a click or a key is.
template <class Act>
void act(Act what) {
  QTimer::singleShot(0, qApp, what);
}

void use(MainWindow& window, const PipelineSpec& spec) {
  constexpr int kPatience = 60'000;
  Workspace& workspace = window.workspace();
  const auto ready = [&] { return window.isReady(); };
  const auto never = [] { return false; };
  const auto edit = [&](const char* path, std::int64_t value) {
    act([&workspace, path, value] { (void)workspace.document.edit({{path, value}}, "change"); });
  };
  act([&] { workspace.document.replace(spec, "another sampler"); });
  live(200, never);
  live(kPatience, ready);
  edit("loader.batch_size", 64);
  live(100, never);
  edit("dataset.size", spec.dataset.size - 1);  // refused where a list has the old length: an answer, too
  live(100, never);
  edit("dataset.size", spec.dataset.size);
  edit("loader.batch_size", 32);
  live(100, never);
  live(kPatience, ready);
  act([&] {
    workspace.playback.setSpeed(1000);
    workspace.playback.play();
  });
  live(1000, never);
  act([&] { workspace.playback.seek(1, 0); });
  live(200, never);
  live(kPatience, ready);
  act([&] { workspace.selection.select({{1}, 1, 3, std::nullopt}); });
  live(kPatience, ready);
  act([&] { workspace.selection.select({{1}, std::nullopt, std::nullopt, std::nullopt}); });
  live(kPatience, ready);
  act([&] { workspace.document.undoStack().undo(); });
  live(200, never);
  live(kPatience, ready);
}

}  // namespace

int main(int argc, char** argv) {
  WatchedApplication app(argc, argv);
  if (argc == 1) {
    for (const sampling::SamplerRule& rule : sampling::rules()) std::printf("%s\n", rule.info.type.c_str());
    return 0;
  }
  const sampling::SamplerRule* rule = sampling::findRule(argv[1]);
  if (rule == nullptr) return 2;
  const PipelineSpec spec = largest(*rule, argc > 2 ? std::atoll(argv[2]) : 100'000'000);
  installFonts();
  applyTheme(Theme::light());
  MainWindow window({false, {}, false});
  window.resize(1440, 900);
  window.show();
  live(30'000, [&] { return window.isReady(); });
  app.watch();
  use(window, spec);
  std::fprintf(stderr, "%s, %lld samples: %.1f ms in %s\n", argv[1], static_cast<long long>(spec.dataset.size),
               app.longest() * 1e3, app.where().toUtf8().constData());
  bench::print(app.longest());
  return 0;
}
