// SPDX-License-Identifier: Apache-2.0
// bench_stage_frame WIDTHxHEIGHT [RANKS STEPS]: the mean time of a frame while playing 1,024 ranks x 100,000 steps in a
// window of that size, from the timer's tick to the pixels; on the offscreen platform. The 95th percentile and the
// slowest frame go to stderr.
// bench_stage_frame WIDTHxHEIGHT --deal RANKS: the same of ImageNet on so many ranks at four steps a second, with all
// that moves between dataset and Stage.
// bench_stage_frame WIDTHxHEIGHT --turn RANKS: the same of what is painted while an epoch of ImageNet turns to the
// next.
#include "core/sampling/order.h"
#include "tests/benchmarks/measure.h"
#include "ui/state/workspace.h"
#include "ui/widgets/common/style.h"
#include "ui/widgets/stage/dataset_strip.h"
#include "ui/widgets/stage/stage_panel.h"
#include "ui/widgets/stage/stage_view.h"
#include "ui/widgets/stage/transport_bar.h"

#include <QApplication>
#include <QStringList>
#include <QThread>
#include <QVBoxLayout>

#include <algorithm>
#include <vector>

namespace {

using namespace shardlens;
using namespace shardlens::ui;

constexpr int kFrames = 400;  // of each kind

/// A dataset of one sample a cell, dealt round-robin. The order is the identity: looking up ids is not what is
/// measured.
StageInput inputOf(qint64 ranks, qint64 steps) {
  auto epoch = std::make_shared<EpochPlan>();
  const OrderPtr order = Order::identity(ranks * steps);
  for (qint64 rank = 0; rank < ranks; ++rank) {
    epoch->ranks.emplace_back(Rank{rank}, Epoch{0}, Slice(order, rank, ranks, steps, ranks * steps),
                              Batching::ofSize(1, false), 0);
  }
  PipelineSpec spec;
  spec.dataset.size = ranks * steps;
  spec.world = {ranks / 8, 8};
  return stageInput(1, spec, epoch);
}

struct Window : QWidget {
  Window() : strip(new DatasetStrip), stage(new StageView), transport(new TransportBar(playback)) {
    auto* column = new QVBoxLayout(this);
    column->addWidget(strip);
    column->addWidget(stage, 1);
    column->addWidget(transport);
    connect(&playback, &Playback::moved, this, [this] {
      strip->setPlayhead(playback.position());
      stage->setPlayhead(playback.position(), true);
    });
  }

  Playback playback;
  DatasetStrip* strip;
  StageView* stage;
  TransportBar* transport;
};

void waitForPicture(const StageView& stage) {
  while (stage.isComputing() || stage.layer() == nullptr) {
    QCoreApplication::processEvents();
    QThread::msleep(1);
  }
}

std::vector<double> play(Playback& playback, double speed) {
  std::vector<double> frames;
  playback.setSpeed(speed);
  for (int frame = 0; frame < kFrames; ++frame) {
    frames.push_back(bench::timed([&] {
      playback.advance(speed / 60);
      QCoreApplication::processEvents();
    }));
  }
  return frames;
}

PipelineSpec imageNet(qint64 ranks) {
  PipelineSpec spec;
  spec.dataset.size = 1'281'167;
  spec.world = {std::max<qint64>(1, ranks / 8), std::min<qint64>(ranks, 8)};
  spec.loader.batch_size = 32;
  spec.epochs = 100;
  return spec;
}

constexpr double kDealSpeed = 4;  // steps a second

/// The Stage of ImageNet, with its picture.
struct DealWindow {
  DealWindow(QSize size, qint64 ranks) : panel((workspace.document.reset(imageNet(ranks)), workspace)) {
    panel.resize(size);
    panel.show();
    settle();
  }
  void settle() {
    while (panel.stage()->input().isEmpty() || workspace.plans.isBusy()) QCoreApplication::processEvents();
    waitForPicture(*panel.stage());
  }

  Workspace workspace;
  StagePanel panel;
};

std::vector<double> playDeal(QSize size, qint64 ranks) {
  DealWindow window(size, ranks);
  Playback& playback = window.workspace.playback;
  playback.seek(0, 8);
  playback.play();
  playback.setHeld(true);  // the frames are made here and not by the timer
  return play(playback, kDealSpeed);
}

/// Counts what is painted of a widget.
struct Painted : QObject {
  bool eventFilter(QObject* watched, QEvent* event) override {
    if (event->type() == QEvent::Paint) ++count;
    return QObject::eventFilter(watched, event);
  }
  int count = 0;
};

/// The frames of one turn after the other, each from the animation's tick to the pixels.
std::vector<double> playTurns(QSize size, qint64 ranks) {
  DealWindow window(size, ranks);
  Playback& playback = window.workspace.playback;
  Painted painted;
  window.panel.overlay()->installEventFilter(&painted);
  playback.setSpeed(kDealSpeed);
  std::vector<double> frames;
  for (int epoch = 0; frames.size() < kFrames && epoch < 90; ++epoch) {
    playback.seek(epoch, static_cast<double>(playback.steps()) - 0.01);
    window.settle();
    playback.play();
    playback.advance(0.02);
    while (window.panel.strip()->keepsFull()) {
      const int before = painted.count;
      const bool shows = !window.panel.overlay()->turn().isEmpty();
      const double took = bench::timed([] { QCoreApplication::processEvents(); });
      if (shows && painted.count > before) frames.push_back(took);
    }
    playback.pause();
  }
  return frames;
}

int report(std::vector<double> frames) {
  if (frames.empty()) return 1;
  double sum = 0;
  for (const double frame : frames) sum += frame;
  const double mean = sum / static_cast<double>(frames.size());
  std::sort(frames.begin(), frames.end());
  std::fprintf(stderr, "mean %.3f ms, 95%% %.3f ms, slowest %.3f ms\n", mean * 1e3,
               frames[frames.size() * 95 / 100] * 1e3, frames.back() * 1e3);
  bench::print(mean);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  QApplication app(argc, argv);
  const QStringList size = QString(argc > 1 ? argv[1] : "1280x720").split('x');
  if (size.size() != 2) return 2;
  const qint64 ranks = argc > 3 ? QString(argv[2]).toLongLong() : 1024;
  const qint64 steps = argc > 3 ? QString(argv[3]).toLongLong() : 100'000;
  installFonts();
  applyTheme(Theme::darkTheme());
  const QSize pixels(size[0].toInt(), size[1].toInt());
  if (argc > 3 && QString(argv[2]) == "--deal") return report(playDeal(pixels, QString(argv[3]).toLongLong()));
  if (argc > 3 && QString(argv[2]) == "--turn") return report(playTurns(pixels, QString(argv[3]).toLongLong()));
  Window window;
  window.resize(pixels);
  const StageInput input = inputOf(ranks, steps);
  const auto facts = EpochFacts::compute(*input.epoch, input.dataset_size);
  window.playback.setExtent(10, steps);
  window.show();
  window.stage->setInput(input);
  window.strip->setInput(input);
  window.stage->setFacts(facts);
  window.strip->setFacts(facts);
  // Half of the frames at the size that is easy to read, turning pages; half with the whole epoch in view.
  waitForPicture(*window.stage);
  std::vector<double> frames = play(window.playback, 100);
  window.stage->toggleFit();
  waitForPicture(*window.stage);
  for (const double frame : play(window.playback, 1000)) frames.push_back(frame);
  return report(std::move(frames));
}
