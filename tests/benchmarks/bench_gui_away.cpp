// SPDX-License-Identifier: GPL-3.0-or-later
// bench_gui_away [SAMPLER [SAMPLES]]: the real window on a plan of this sampler, at the largest size up to SAMPLES
// (1e8) that it draws in two seconds; without a sampler their names. Edits values, plays, turns to another epoch,
// selects; and takes the longest turn of the event loop: the time for which the GUI thread was away from new input.
// With SHARDLENS_TURNS set every turn above 4 ms is told, with the time of its beginning.
#include "core/base/large_array.h"
#include "core/plan/plan.h"
#include "core/sampling/registry.h"
#include "core/spec/field_table.h"
#include "core/spec/value.h"
#include "tests/benchmarks/measure.h"
#include "ui/widgets/common/style.h"
#include "ui/window/main_window.h"

#include <QAbstractEventDispatcher>
#include <QApplication>
#include <QByteArray>
#include <QElapsedTimer>
#include <QEvent>
#include <QTimer>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fcntl.h>
#include <stop_token>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace shardlens;
using namespace shardlens::ui;

namespace {

constexpr std::int64_t kMostListed = 10'000'000;  ///< samples with a length or a label each
constexpr std::int64_t kShard = 100'000;

/// What the GUI thread has done so far, in seconds.
struct Spent {
  double wall = 0;
  double busy = 0;  ///< running or blocked: wall time, less what it was ready to run and had to wait for a core
  [[nodiscard]] Spent since(const Spent& start) const { return {wall - start.wall, busy - start.busy}; }
};

Spent spentNow() {
  static const int kScheduled = ::open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
  const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  char text[96] = {};  // "RAN WAITED SLICES", in nanoseconds
  if (::pread(kScheduled, text, sizeof text - 1, 0) <= 0) return {wall, wall};
  char* waited = nullptr;
  (void)std::strtoll(text, &waited, 10);
  return {wall, wall - static_cast<double>(std::strtoll(waited, nullptr, 10)) / 1e9};
}

/// Takes the turns of the event loop, from the moment that it has something to do until it waits again or looks for
/// new input, and knows which event took most of each.
class WatchedApplication : public QApplication {
 public:
  using QApplication::QApplication;

  bool notify(QObject* receiver, QEvent* event) override {
    if (depth_ > 0) return QApplication::notify(receiver, event);
    const QByteArray receiver_is = receiver->metaObject()->className();
    const int kind = event->type();
    ++depth_;
    const Spent start = spentNow();
    if (!turning_) start_ = start;
    turning_ = true;
    const bool done = QApplication::notify(receiver, event);
    const double wall = spentNow().since(start).wall;
    --depth_;
    if (wall > slowest_) {
      slowest_ = wall;
      slowest_is_ = receiver_is + " (event " + QByteArray::number(kind) + ")";
    }
    return done;
  }

  /// One turn, after waiting for something to do for at most `ms`.
  void turn(int ms) {
    patience_.start(ms);
    slowest_ = 0;
    turning_ = false;
    QAbstractEventDispatcher::instance()->processEvents(QEventLoop::WaitForMoreEvents);
    if (turning_) take(spentNow().since(start_));
  }
  void watch(bool tells) {
    watching_ = true;
    tells_ = tells;
  }
  [[nodiscard]] const Spent& longest() const { return longest_; }
  [[nodiscard]] const QByteArray& where() const { return where_; }
  void setAct(const char* act) { act_ = act; }

 private:
  void take(const Spent& spent) {
    if (!watching_) return;
    if (tells_ && spent.wall > 0.004) {
      std::fprintf(stderr, "%.6f %5.1f ms, %5.1f ms busy, after %-12s of it %5.1f ms in %s\n", start_.wall,
                   spent.wall * 1e3, spent.busy * 1e3, act_, slowest_ * 1e3, slowest_is_.constData());
    }
    if (spent.busy <= longest_.busy) return;
    longest_ = spent;
    where_ = slowest_is_;
  }

  bool watching_ = false;
  bool tells_ = false;
  const char* act_ = "";
  int depth_ = 0;
  bool turning_ = false;  ///< the first event of the turn has come: before it, the loop waited
  QTimer patience_;
  Spent start_;
  double slowest_ = 0;
  QByteArray slowest_is_;
  Spent longest_;
  QByteArray where_;
};

WatchedApplication& app() {
  return *static_cast<WatchedApplication*>(qApp);
}

bool reads(const sampling::SamplerRule& rule, const char* path) {
  return std::ranges::find(rule.info.reads, path) != rule.info.reads.end();
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
  while (!done() && timer.elapsed() < ms) app().turn(20);
}

/// As an event of its own, so that it is timed as a click or a key is.
template <class Act>
void act(const char* name, Act what) {
  app().setAct(name);
  QTimer::singleShot(0, qApp, what);
}

void use(MainWindow& window, const PipelineSpec& spec) {
  constexpr int kPatience = 15'000;
  Workspace& workspace = window.workspace();
  const auto ready = [&] { return window.isReady(); };
  const auto never = [] { return false; };
  const auto edit = [&](const char* path, std::int64_t value) {
    act(path, [&workspace, path, value] { (void)workspace.document.edit({{path, value}}, "change"); });
  };
  act("sampler", [&] { workspace.document.replace(spec, "another sampler"); });
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
  act("play", [&] {
    workspace.playback.setSpeed(1000);
    workspace.playback.play();
  });
  live(1000, never);
  act("epoch", [&] { workspace.playback.seek(1, 0); });
  live(200, never);
  live(kPatience, ready);
  act("select batch", [&] { workspace.selection.select({{1}, 1, 3, std::nullopt}); });
  live(kPatience, ready);
  act("select rank", [&] { workspace.selection.select({{1}, std::nullopt, std::nullopt, std::nullopt}); });
  live(kPatience, ready);
  act("undo", [&] { workspace.document.undoStack().undo(); });
  live(200, never);
  live(kPatience, ready);
}

}  // namespace

int main(int argc, char** argv) {
  keepHeapAtHand();  // as the studio does
  WatchedApplication watched(argc, argv);
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
  watched.watch(std::getenv("SHARDLENS_TURNS") != nullptr);
  use(window, spec);
  std::fprintf(stderr, "%s, %lld samples: %.1f ms, %.1f ms of them busy, most of it in %s\n", argv[1],
               static_cast<long long>(spec.dataset.size), watched.longest().wall * 1e3, watched.longest().busy * 1e3,
               watched.where().constData());
  bench::print(watched.longest().busy);
  return 0;
}
