// SPDX-License-Identifier: GPL-3.0-or-later
// The tour of the window: what is shown on it, and when it comes by itself.
#include "ui/widgets/design/findings_panel.h"
#include "ui/widgets/design/form_panel.h"
#include "ui/widgets/stage/stage_panel.h"
#include "ui/widgets/stage/stage_view.h"
#include "ui/widgets/stage/transport_bar.h"
#include "ui/widgets/start/gallery.h"
#include "ui/widgets/start/tour.h"
#include "ui/window/design_page.h"
#include "ui/window/main_window.h"
#include "ui/window/tab_strip.h"

namespace shardlens::ui {
namespace {

constexpr const char* kSeen = "tour_seen";

}  // namespace

void MainWindow::startTour() {
  if (findChild<Tour*>() != nullptr) return;
  setPerspective(kDesignPerspective);
  const auto part = [this](QWidget* panel) {
    return [this, panel] {
      design_->reveal(panel);
      return panel;
    };
  };
  StagePanel* stage = design_->stage();
  auto* tour = new Tour(
      {{tr("Describe the job"),
        tr("Enter the dataset, ranks, loader and sampler of your training script. Each change is planned at once, and "
           "Ctrl+Z undoes it."),
        part(design_->form())},
       {tr("See who reads what"),
        tr("Each row is a rank, each column a step, each cell the batch that the rank reads there. Click a cell, a "
           "rank "
           "or the strip above to see its samples."),
        part(stage->stage())},
       {tr("Play an epoch"),
        tr("Space plays: batches leave the dataset for their ranks. The arrow keys go step by step."),
        part(stage->transport())},
       {tr("Fix what is wrong"),
        tr("Samples that are missed, read twice or shared are named here, the worst first. A fix changes the design "
           "with one click."),
        part(design_->findings())},
       {tr("Look closer"),
        tr("Overlap, coverage, seeds and waits show the same plan in detail. Export writes files for torchrun, mpirun "
           "and PyTorch."),
        part(design_->tabs())}},
      this);
  if (session_ != nullptr) session_->set(kSeen, true);
  tour->begin();
}

void MainWindow::startTourOnce() {
  if (session_ == nullptr || session_->value(kSeen, false).toBool()) return;
  startTour();
}

void MainWindow::welcome() {
  openGallery();
  auto* gallery = findChild<Gallery*>();
  if (gallery == nullptr) return;
  connect(gallery, &QDialog::rejected, this, &MainWindow::startTourOnce);
  connect(gallery, &Gallery::chosen, this, [this] {
    // The example plays first; the tour comes when its first epoch is over.
    auto* once = new QObject(this);
    const auto begin = [this, once] {
      once->deleteLater();
      startTourOnce();
    };
    connect(&workspace_.playback, &Playback::epochChanged, once, begin);
    connect(&workspace_.playback, &Playback::playingChanged, once, [begin](bool playing) {
      if (!playing) begin();
    });
  });
}

}  // namespace shardlens::ui
