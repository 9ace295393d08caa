// SPDX-License-Identifier: GPL-3.0-or-later
// Where the window can go by name or by place: tabs, panels, fields, examples, ranks and steps. And the tour: what is
// shown on it, and when it comes by itself.
#include "core/spec/field_table.h"
#include "ui/scene/design/form.h"
#include "ui/scene/number_text.h"
#include "ui/scene/tabs/export_text.h"
#include "ui/state/phrase.h"
#include "ui/widgets/common/card.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/common/style.h"
#include "ui/widgets/design/findings_panel.h"
#include "ui/widgets/design/form_panel.h"
#include "ui/widgets/run/recording_list.h"
#include "ui/widgets/stage/stage_panel.h"
#include "ui/widgets/stage/stage_view.h"
#include "ui/widgets/stage/transport_bar.h"
#include "ui/widgets/start/gallery.h"
#include "ui/widgets/start/tour.h"
#include "ui/widgets/tabs/export_view.h"
#include "ui/window/bottom_tabs.h"
#include "ui/window/design_page.h"
#include "ui/window/file_commands.h"
#include "ui/window/main_window.h"
#include "ui/window/session.h"

#include <QFileInfo>

#include <algorithm>
#include <memory>
#include <utility>

namespace shardlens::ui {
namespace {

constexpr double kSlow = 2;         ///< steps a second of an example
constexpr double kFirstEpoch = 15;  ///< seconds that its first epoch takes at most

constexpr const char* kSeen = "tour_seen";

}  // namespace

std::vector<LocatorTarget> MainWindow::locatorTargets() const {
  std::vector<LocatorTarget> targets;
  for (const QAction* action : actions_.all()) {
    if (!action->isEnabled()) continue;
    targets.push_back({LocatorTarget::Kind::Action, action->objectName(), Actions::plainText(*action),
                       action->shortcut().toString(QKeySequence::NativeText)});
  }
  const PipelineSpec& spec = workspace_.document.spec();
  for (const Field* field : fieldsOf(spec, workspace_.document.catalogue())) {
    const QString path = QString::fromStdString(field->path);
    targets.push_back({LocatorTarget::Kind::Field, path, path, fieldText(*field, getValue(spec, *field))});
  }
  for (const FindingCard* card : design_->findings()->cards()) {
    const Finding& finding = card->finding();
    targets.push_back(
        {LocatorTarget::Kind::Finding, text(finding.code), text(finding.title), phrase("window", "where it is")});
  }
  for (const yaml::ExportTarget& target : yaml::exportTargets()) {
    targets.push_back({LocatorTarget::Kind::Export, QString::fromStdString(target.id),
                       phrase("window", "Export: %1").arg(exportTitle(target)),
                       QString::fromStdString(target.file_name)});
  }
  for (const Example& example : examples()) {
    targets.push_back({LocatorTarget::Kind::Example, example.path, phrase("window", "Example: %1").arg(example.title),
                       phrase("window", "open")});
  }
  return targets;
}

void MainWindow::showTab(const QString& name) {
  setPerspective(kDesignPerspective);
  design_->reveal(design_->tabs());
  design_->tabs()->show(name);
}

void MainWindow::goTo(const LocatorHit& hit) {
  if (hit.target.empty()) return goToPlace(hit.place);
  const LocatorTarget& target = hit.target.front();
  switch (target.kind) {
    case LocatorTarget::Kind::Action:
      actions_.get(target.id)->trigger();
      break;
    case LocatorTarget::Kind::Field:
      setPerspective(kDesignPerspective);
      design_->reveal(design_->form());
      design_->form()->focusField(target.id);
      break;
    case LocatorTarget::Kind::Finding:
      setPerspective(kDesignPerspective);
      design_->reveal(design_->findings());
      design_->findings()->pointAt(target.id);
      break;
    case LocatorTarget::Kind::Export:
      showTab("export");
      design_->tabs()->findChild<ExportView*>()->setTarget(target.id.toStdString());
      break;
    case LocatorTarget::Kind::Example:
      playExample(target.id);
      break;
  }
}

void MainWindow::goToPlace(const Selected& place) {
  setPerspective(kDesignPerspective);
  workspace_.goTo(place);
}

void MainWindow::focusPanel(QWidget* panel) {
  setPerspective(kDesignPerspective);
  design_->reveal(panel);
  if (panel->focusProxy() != nullptr || panel->focusPolicy() != Qt::NoFocus)
    return panel->setFocus(Qt::ShortcutFocusReason);
  for (QWidget* child : panel->findChildren<QWidget*>()) {
    if ((child->focusPolicy() & Qt::TabFocus) != 0 && child->isVisible()) {
      return child->setFocus(Qt::ShortcutFocusReason);
    }
  }
}

void MainWindow::openGallery() {
  auto* gallery = new Gallery(!actions_.get("view.reduce_motion")->isChecked(), this);
  gallery->setAttribute(Qt::WA_DeleteOnClose);
  connect(gallery, &Gallery::chosen, this, &MainWindow::playExample);
  gallery->setAside(startBeside(gallery));
  gallery->open();
}

/// One way to start: a card with what it is called and what comes of it, which closes the gallery and triggers
/// `action`.
QWidget* MainWindow::wayToStart(QDialog* gallery, const char* action, const QString& name, const QString& about) {
  auto* card = new Card(Tone::Note, gallery);
  card->setObjectName(QString("start.") + action);
  card->setClickable(true);
  card->setAccessibleName(name);
  QLabel* title = textLabel(name, "", card);
  title->setFont(demiBold(title->font()));
  card->column()->addWidget(title);
  const bool is_first = card->objectName() == QLatin1String("start.file.new");
  card->setPrimary(is_first);
  if (is_first) setLook(title, "tone", "on_accent");
  card->column()->addWidget(noteLabel(about, is_first ? "on_accent" : "muted", card));
  // A fresh design is what closing the gallery leaves: the first time, the tour follows.
  const int how = is_first ? QDialog::Rejected : QDialog::Accepted;
  connect(card, &Card::activated, this, [this, gallery, action, how] {
    gallery->done(how);
    actions_.get(action)->trigger();
  });
  return card;
}

/// Links to the designs that were opened or saved last; null when there are none.
QWidget* MainWindow::recentDesigns(QDialog* gallery) {
  constexpr qsizetype kMost = 4;
  QStringList designs = session_ != nullptr ? session_->recentFiles() : QStringList();
  designs.removeIf([](const QString& path) {
    return !(path.endsWith(".yaml") || path.endsWith(".yml")) || !QFileInfo::exists(path);
  });
  if (designs.isEmpty()) return nullptr;
  auto* list = new QWidget;
  auto* column = columnIn(list, {}, px(4));
  column->addWidget(sectionHead(phrase("window", "recent designs"), list));
  for (const QString& path : designs.mid(0, kMost)) {
    auto* link = new LinkButton(shortName(path), "", list);
    link->setToolTip(path);
    column->addWidget(link);
    connect(link, &LinkButton::clicked, this, [this, gallery, path] {
      gallery->accept();
      openFile(path);
    });
  }
  return list;
}

/// A column of ways to start, and of the runs of this machine: what still runs can be returned to, what is over be
/// looked at.
QWidget* MainWindow::startBeside(QDialog* gallery) {
  auto* content = new QWidget;
  auto* column = columnIn(content, {px(kMargin), px(kMargin), px(kGap), px(kGap)}, px(kGap));
  column->addWidget(wayToStart(gallery, "file.new", phrase("window", "New design"),
                               phrase("window", "16 samples, 2 ranks, ready to play")));
  column->addWidget(wayToStart(gallery, "run.watch", phrase("window", "Watch a job"),
                               phrase("window", "type its command; nothing in it is changed")));
  column->addWidget(
      wayToStart(gallery, "file.open", phrase("window", "Open"), phrase("window", "a design or a recording")));
  auto* runs = new RecordingList(workspace_, content);
  column->addWidget(runs);
  if (QWidget* designs = recentDesigns(gallery)) column->addWidget(designs);
  runs->setVisible(!workspace_.runs.knownRuns().empty());
  column->addStretch(1);
  connect(runs, &RecordingList::chosen, this, [this, gallery](const QString& file) {
    gallery->accept();
    file == workspace_.runs.runFile() ? setPerspective(kRunPerspective) : static_cast<void>(openFile(file));
  });
  return thinScroll(content, gallery);
}

void MainWindow::playExample(const QString& path) {
  if (!files_->openCopy(path)) return;
  setPerspective(kDesignPerspective);
  playFirstEpoch();
}

/// In a quarter of a minute at most; then what is wrong is pointed at. Whoever edits, pauses or moves the playhead has
/// taken over.
void MainWindow::playFirstEpoch() {
  auto* once = new QObject(this);
  Playback& playback = workspace_.playback;
  const auto pace = [this, &playback, is_set = std::make_shared<bool>(false)] {
    if (*is_set || !workspace_.plans.snapshot()->shape) return;
    *is_set = true;
    playback.setSpeed(std::max(kSlow, static_cast<double>(playback.steps()) / kFirstEpoch));
  };
  const auto end = [this, once, &playback](bool is_over) {
    once->deleteLater();
    disconnect(&playback, nullptr, once, nullptr);
    if (!is_over) return;
    playback.pause();
    design_->findings()->pointAtWorst();
  };
  connect(&workspace_.plans, &PlanService::snapshotChanged, once, pace);
  connect(&workspace_.document, &Document::specChanged, once, [end] { end(false); });
  connect(&workspace_.document, &Document::leaving, once, [end] { end(false); });
  connect(&playback, &Playback::playingChanged, once, [end, &playback](bool playing) {
    if (!playing) end(playback.position() >= static_cast<double>(playback.steps()));
  });
  connect(&playback, &Playback::moved, once, [end, &playback, last = 0.0]() mutable {
    const double before = std::exchange(last, playback.position());
    if (playback.epoch() == 0 && last >= before) return;
    end(before + playback.speed() >= static_cast<double>(playback.steps()));
  });
  pace();
  playback.play();
}

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
