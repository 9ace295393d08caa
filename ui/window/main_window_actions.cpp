// SPDX-License-Identifier: GPL-3.0-or-later
// What the window can do, one row an action. Ids are stable: tests, the locator and docs name them.
#include "core/sampling/registry.h"
#include "core/spec/field_table.h"
#include "ui/scene/design/form.h"
#include "ui/scene/design/inspection.h"
#include "ui/scene/run/text.h"
#include "ui/scene/theme.h"
#include "ui/widgets/design/findings_panel.h"
#include "ui/widgets/design/form_panel.h"
#include "ui/widgets/design/inspector_panel.h"
#include "ui/widgets/lens/lens_page.h"
#include "ui/widgets/lens/lens_panel.h"
#include "ui/widgets/resume/resume_page.h"
#include "ui/widgets/stage/stage_panel.h"
#include "ui/widgets/stage/stage_view.h"
#include "ui/window/banner.h"
#include "ui/window/bottom_tabs.h"
#include "ui/window/design_page.h"
#include "ui/window/dialogs.h"
#include "ui/window/examples.h"
#include "ui/window/file_commands.h"
#include "ui/window/header_bar.h"
#include "ui/window/main_window.h"
#include "ui/window/status_line.h"
#include "ui/window/tab_strip.h"

#include <QApplication>
#include <QClipboard>
#include <QLineEdit>
#include <QMenuBar>

namespace shardlens::ui {
namespace {

QList<QKeySequence> key(const char* keys) {
  return {QKeySequence(QString(keys))};
}

}  // namespace

QString MainWindow::specArgument() const {
  return workspace_.document.path().isEmpty() ? QString("spec.yaml") : workspace_.document.path();
}

void MainWindow::addFileActions() {
  actions_.add({"file.new", "&New", [this] { files_->newDocument(); }, key("Ctrl+N"), "A fresh pipeline"});
  actions_.add({"file.open", "&Open…", [this] { files_->openWithDialog(); }, key("Ctrl+O"),
                "Open a pipeline or a recorded run"});
  actions_.add({"file.examples", "&Examples…", [this] { openGallery(); }, key("Ctrl+Shift+O"),
                "Pipelines that show one thing each"});
  actions_.add({"file.save", "&Save", [this] { files_->save(); }, key("Ctrl+S")});
  actions_.add({"file.save_as", "Save &as…", [this] { files_->saveWithDialog(); }, key("Ctrl+Shift+S")});
  actions_.add({"file.quit", "&Quit", [this] { close(); }, key("Ctrl+Q")});
}

void MainWindow::addEditActions() {
  QUndoStack& undo = workspace_.document.undoStack();
  QAction* back = actions_.add({"edit.undo", "&Undo", [&undo] { undo.undo(); }, key("Ctrl+Z")});
  QAction* forth = actions_.add(
      {"edit.redo", "&Redo", [&undo] { undo.redo(); }, {QKeySequence("Ctrl+Shift+Z"), QKeySequence("Ctrl+Y")}});
  back->setEnabled(undo.canUndo());
  forth->setEnabled(undo.canRedo());
  connect(&undo, &QUndoStack::canUndoChanged, back, &QAction::setEnabled);
  connect(&undo, &QUndoStack::canRedoChanged, forth, &QAction::setEnabled);
  connect(&undo, &QUndoStack::undoTextChanged, back, [back](const QString& what) { back->setText("&Undo " + what); });
  connect(&undo, &QUndoStack::redoTextChanged, forth,
          [forth](const QString& what) { forth->setText("&Redo " + what); });
  actions_.add({"edit.locate", "&Find sample, rank, action…",
                [this] {
                  header_->locatorField()->setFocus(Qt::ShortcutFocusReason);
                  header_->locatorField()->selectAll();
                },
                key("Ctrl+K"), "rank 3 epoch 1 step 7, a sample id, an action, a field"});
  actions_.add({"edit.copy_command", "Copy &command line", [this] { copyTwin(); }, key("Ctrl+Shift+C"),
                "The command that shows the same without a window", [this] { return twin(); }});
}

QString MainWindow::twin() const {
  if (perspective_ == Perspective::Lens) return lensCommand();
  if (perspective_ == Perspective::Resume) return resumeCommand();
  return twinOf(workspace_.selection.current(), specArgument());
}

void MainWindow::addViewActions() {
  for (std::size_t i = 0; i < kPerspectives.size(); ++i) {
    const QList<QKeySequence> keys = {QKeySequence(QString("Ctrl+%1").arg(i + 1))};
    ActionInfo info{QString("view.") + kPerspectives[i].name, kPerspectives[i].menu,
                    [this, i] { setPerspective(static_cast<Perspective>(i)); }, keys};
    if (static_cast<Perspective>(i) == Perspective::Lens) info.twin = [this] { return lensCommand(); };
    if (static_cast<Perspective>(i) == Perspective::Resume) info.twin = [this] { return resumeCommand(); };
    actions_.add(std::move(info));
  }
  const std::pair<const char*, std::function<QWidget*()>> panels[] = {
      {"Design form", [this] { return static_cast<QWidget*>(design_->form()); }},
      {"Stage", [this] { return static_cast<QWidget*>(design_->stage()->stage()); }},
      {"Inspector", [this] { return static_cast<QWidget*>(design_->inspector()); }},
      {"Findings", [this] { return static_cast<QWidget*>(design_->findings()); }},
      {"Bottom tabs", [this] { return static_cast<QWidget*>(design_->tabs()); }}};
  int number = 1;
  for (const auto& [label, panel] : panels) {
    const QList<QKeySequence> keys = {QKeySequence(QString("Alt+%1").arg(number))};
    actions_.add({QString("view.panel.%1").arg(number), QString("Go to %1").arg(label),
                  [this, panel = panel] { focusPanel(panel()); }, keys});
    ++number;
  }
  actions_.add({"view.theme.light", "&Light", [this] { setThemeChoice(ThemeChoice::Light); }});
  actions_.add({"view.theme.dark", "&Dark", [this] { setThemeChoice(ThemeChoice::Dark); }});
  actions_.add({"view.theme.system", "As the &system", [this] { setThemeChoice(ThemeChoice::System); }});
  actions_.add({"view.theme.toggle", "&Light or dark",
                [this] { setThemeChoice(theme().dark ? ThemeChoice::Light : ThemeChoice::Dark); },
                key("Ctrl+Shift+L")});
  QAction* motion =
      actions_.add({"view.reduce_motion",
                    "&Reduce motion",
                    [this] { design_->stage()->setReducedMotion(actions_.get("view.reduce_motion")->isChecked()); },
                    {},
                    "Nothing flies or glides: the playhead goes from step to step"});
  motion->setCheckable(true);
  actions_.add({"view.menu_bar", "&Menu bar", [this] { menuBar()->setVisible(!menuBar()->isVisibleTo(this)); },
                key("Ctrl+M"), "Show the menus as a bar"});
  actions_.add({"view.full_screen", "&Full screen", [this] { setWindowState(windowState() ^ Qt::WindowFullScreen); },
                key("F11")});
  actions_.add({"view.reset_layout", "Reset la&yout", [this] { design_->resetLayout(); }});
}

QString MainWindow::resumeCommand() const {
  return resume_ == nullptr ? QString() : resume_->command();
}

QString MainWindow::lensCommand() const {
  const QStringList shown = lens_ == nullptr ? QStringList() : lens_->panel()->shownIds();
  return "shardlens lens " + specArgument() + (shown.isEmpty() ? "" : " --only " + shown.join(','));
}

void MainWindow::addDesignActions() {
  actions_.add({"design.plan", "&Plan again", [this] { workspace_.plan(); }, key("F5"), "",
                [this] { return "shardlens plan " + specArgument(); }});
  actions_.add({"design.cancel", "&Stop planning", [this] { workspace_.plans.cancel(); }, key("Shift+F5")});
  actions_.add(
      {"design.play", "Play or pa&use", [this] { workspace_.playback.toggle(); }, {}, "Play or pause (Space)"});
  actions_.add(
      {"design.first_step", "&First step", [this] { workspace_.playback.seek(workspace_.playback.epoch(), 0); }});
  actions_.add({"design.next_epoch", "&Next epoch", [this] { workspace_.playback.epochBy(1); }, key("Ctrl+Right")});
  actions_.add(
      {"design.previous_epoch", "Pre&vious epoch", [this] { workspace_.playback.epochBy(-1); }, key("Ctrl+Left")});
}

void MainWindow::addRunActions() {
  const auto command = [this] { return workspace_.runs.commandLine(specArgument()); };
  actions_.add({"run.launch",
                "&Launch",
                [this] { launch(); },
                {QKeySequence("Ctrl+Return"), QKeySequence("Ctrl+Enter")},
                "Launch the job on this machine",
                command});
  QAction* stop = actions_.add(
      {"run.stop", "&Stop job", [this] { workspace_.runs.stop(); }, {}, "End every process of the job (Esc)"});
  stop->setEnabled(false);
  actions_.add({"run.pause", "&Pause or follow the view",
                [this] { workspace_.runs.setPaused(!workspace_.runs.isPaused()); }, key("Ctrl+P"),
                "The job goes on and is recorded; the picture stands still"});
  actions_.add({"run.open", "&Open recorded run…", [this] { files_->openRunWithDialog(); }, key("Ctrl+Shift+R")});
  actions_.add({"run.copy_command",
                "&Copy launch command",
                [this, command] { QApplication::clipboard()->setText(command()); },
                {},
                "",
                command});
}

void MainWindow::addAnalyseActions() {
  int number = 6;
  for (const TabInfo& tab : bottomTabs()) {
    QList<QKeySequence> keys;
    if (tab.name == "export") {
      keys = key("Ctrl+E");
    } else if (tab.name == "console") {
      keys = key("Alt+0");
    } else if (number <= 9) {
      keys = {QKeySequence(QString("Alt+%1").arg(number++))};
    }
    actions_.add({"analyse." + tab.name, tab.label, [this, name = tab.name] { showTab(name); }, keys,
                  "Show " + tab.label,
                  [this, name = tab.name] {
                    if (name == "export") return "shardlens export " + specArgument() + " --to lightning";
                    return "shardlens audit " + specArgument();
                  }});
  }
}

void MainWindow::addHelpActions() {
  actions_.add({"help.keys", "&Keyboard", [this] { KeySheet(actions_, this).exec(); }, key("?"), "Every key"});
  actions_.add({"help.examples", "&Examples…", [this] { openGallery(); }});
  actions_.add({"help.about", "&About ShardLens", [this] { showAbout(this); }});
}

void MainWindow::openGallery() {
  Gallery gallery(this);
  connect(&gallery, &Gallery::chosen, this, [this](const QString& path) { openFile(path); });
  gallery.exec();
}

void MainWindow::launch() {
  if (workspace_.runs.isActive()) return;
  if (const auto started = workspace_.runs.launch(workspace_.document.spec()); !started) {
    banner_->show(QString::fromStdString(started.error().text()), "error");
    return;
  }
  setPerspective(Perspective::Run);
}

void MainWindow::copyTwin() {
  const QString twin = actions_.twin("edit.copy_command");
  QApplication::clipboard()->setText(twin);
  status_->say("Copied: " + twin);
}

void MainWindow::showJob() {
  const RunService& runs = workspace_.runs;
  const bool active = runs.isActive();
  const RunStatePtr state = runs.state();
  actions_.get("run.stop")->setEnabled(active && !runs.isStopping());
  actions_.get("run.pause")->setEnabled(active);
  actions_.get("run.launch")->setEnabled(!active);
  QString said = active && state ? "● " + recordingText(*state, active) : active ? QString("● starting") : QString();
  if (active && runs.isPaused()) said = "● view paused";
  header_->setJob(said, runs.isStopping(), runs.isPaused());
  header_->setWatching(isWatching());
  if (isWatching()) showFacts();
}

std::vector<LocatorTarget> MainWindow::locatorTargets() const {
  std::vector<LocatorTarget> targets;
  for (const QAction* action : actions_.all()) {
    if (!action->isEnabled()) continue;
    targets.push_back({LocatorTarget::Kind::Action, action->objectName(), Actions::plainText(*action),
                       action->shortcut().toString(QKeySequence::NativeText)});
  }
  const PipelineSpec& spec = workspace_.document.spec();
  for (const Field* field : fieldsOf(spec, sampling::catalogue())) {
    const QString path = QString::fromStdString(field->path);
    targets.push_back({LocatorTarget::Kind::Field, path, path, fieldText(*field, getValue(spec, *field))});
  }
  for (const Example& example : examples()) {
    targets.push_back({LocatorTarget::Kind::Example, example.path, "Example " + example.name, "open"});
  }
  return targets;
}

}  // namespace shardlens::ui
