// SPDX-License-Identifier: GPL-3.0-or-later
// What can be done on the page of runs, and how the same is typed.
#include "core/launch/launch_command.h"
#include "ui/state/phrase.h"
#include "ui/widgets/common/toast.h"
#include "ui/widgets/run/autopsy_bar.h"
#include "ui/widgets/run/job_bar.h"
#include "ui/widgets/run/launch_panel.h"
#include "ui/widgets/run/run_page.h"
#include "ui/widgets/run/watch_form.h"

#include <QStackedWidget>

#include <string>

namespace shardlens::ui {
namespace {

/// No stand-in of a design: that one is launched again by another command line.
bool isOwnCommand(const RunState& state) {
  return state.command.text().find(" -- ") != std::string::npos;
}

}  // namespace

QString RunPage::command() const {
  const QString recording = workspace_.runs.runFile();
  const RunStatePtr state = workspace_.runs.state();
  const bool is_in_view = panels_->currentWidget() == watch_panel_ && state != nullptr;
  const bool is_old = is_in_view && workspace_.runs.isRecording();
  if (mode_ == Mode::Run && is_in_view && !is_old && (workspace_.runs.isActive() || isOwnCommand(*state)))
    return QString::fromStdString(state->command.text());
  if (const QString own = launch_->watch()->command(); isLaunching() && !own.isEmpty()) return own;
  if ((mode_ == Mode::Run && !is_old) || recording.isEmpty())
    return workspace_.runs.commandLine(workspace_.document.spec(), workspace_.document.path());
  const QString run = QString::fromStdString(shellQuoted(recording.toStdString()));
  return workspace_.capture.otherDesign() ? "shardlens verify " + workspace_.specArgument() + ' ' + run
                                          : "shardlens replay " + run;
}

std::vector<ActionInfo> RunPage::actions() {
  RunService& runs = workspace_.runs;
  const auto twin = [this] {
    return workspace_.runs.commandLine(workspace_.document.spec(), workspace_.document.path());
  };
  return {
      {"run.launch",
       phrase("run", "&Launch a stand-in"),
       [this] { launch(); },
       {QKeySequence("Ctrl+Return"), QKeySequence("Ctrl+Enter")},
       phrase("run", "Ranks that read as planned, on this machine; your script does not run"),
       twin},
      {"run.watch", phrase("run", "&Watch your own job…"), [this] { typeCommand(); }, keys("Ctrl+Shift+W"),
       phrase("run", "Type a command; what its loaders read is recorded and shown")},
      {"run.stop", phrase("run", "&Stop job…"),
       [this] {
         emit perspectiveWanted("run");
         job_bar_->askToStop();
       },
       keys("Ctrl+."),
       phrase("run", "Stop every process of the job; asks first, and takes the same key as the answer")},
      {"run.pause", phrase("run", "&Pause or follow the view"), [&runs] { runs.setPaused(!runs.isPaused()); },
       keys("Ctrl+P"), phrase("run", "The job continues and is recorded; only the view is paused")},
      {},
      {"run.open", phrase("run", "&Open recorded run…"),
       [this] {
         emit perspectiveWanted("autopsy");
         showRecordings(true);
       },
       keys("Ctrl+Shift+R"), phrase("run", "The runs of this machine, and recordings from elsewhere")},
      {"run.compare",
       tr("Co&mpare with…"),
       [this] {
         emit perspectiveWanted("autopsy");
         if (workspace_.runs.state() == nullptr) return showRecordings(true);
         showComparison(false);
         autopsy_->openCompareMenu();
       },
       {},
       tr("The run beside another recording, or beside what its plan predicts")},
      {"run.copy_command",
       phrase("run", "&Copy launch command"),
       [this, twin] { copyText(*this, twin()); },
       {},
       "",
       twin},
  };
}

}  // namespace shardlens::ui
