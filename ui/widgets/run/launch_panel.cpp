// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/run/launch_panel.h"

#include "core/base/process.h"
#include "ui/scene/run/recording_row.h"
#include "ui/scene/run/text.h"
#include "ui/scene/theme.h"
#include "ui/state/phrase.h"
#include "ui/widgets/common/card.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/common/panel_menu.h"
#include "ui/widgets/common/style.h"
#include "ui/widgets/run/recording_list.h"
#include "ui/widgets/run/watch_form.h"

#include <QDateTime>
#include <QGridLayout>
#include <QPushButton>

namespace shardlens::ui {
namespace {

constexpr int kWidth = 620;

/// A column of fixed width in the middle of the panel.
QVBoxLayout* centredColumn(QWidget* panel) {
  auto* inner = new QWidget(panel);
  inner->setMaximumWidth(px(kWidth));
  inner->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  auto* row = new QHBoxLayout;
  row->addStretch(1);
  row->addWidget(inner, 100);
  row->addStretch(1);
  auto* column = columnIn(panel, {px(kMargin), px(kMargin), px(kMargin), px(kMargin)});
  column->addStretch(2);
  column->addLayout(row);
  column->addStretch(3);
  auto* content = columnIn(inner, {}, px(kGap));
  return content;
}

QLabel* verdictLabel(const QString& text, QWidget* parent) {
  QLabel* label = textLabel(text, "", parent);
  label->setFont(verdictFont());
  return label;
}

QString runText(const KnownRun& run) {
  return QString::fromStdString(run.name) + " · " + whenText(run.started_s, QDateTime::currentDateTime());
}

/// A line for each run of the list.
QString recordingsText(const std::vector<RecordingButton*>& buttons) {
  QString out;
  for (const RecordingButton* button : buttons) {
    const RecordingRow& row = button->row();
    out += row.name + " · " + row.when + " · " + row.facts + '\n';
  }
  return out;
}

}  // namespace

LaunchPanel::LaunchPanel(Workspace& workspace, QWidget* parent) : QWidget(parent), workspace_(workspace) {
  setObjectName("launchPanel");
  auto* content = new QWidget;
  auto* column = centredColumn(content);
  columnIn(this, {})->addWidget(thinScroll(content, this));
  title_ = verdictLabel({}, this);
  facts_ = new QGridLayout;
  facts_->setHorizontalSpacing(px(kMargin));
  facts_->setVerticalSpacing(px(6));
  facts_->setColumnMinimumWidth(0, px(104));
  facts_->setColumnStretch(1, 1);
  command_ = new CommandField(this);
  command_->setObjectName("launchCommand");
  launch_ = pushButton({}, "primary", this);
  launch_->setObjectName("launch");
  connect(launch_, &QPushButton::clicked, this, &LaunchPanel::launch);
  auto* buttons = new QHBoxLayout;
  buttons->addWidget(launch_);
  buttons->addStretch();
  makeNotes();
  watch_ = new WatchForm(workspace_, this);
  runs_ = new QVBoxLayout;
  column->addWidget(title_);
  column->addSpacing(px(4));
  column->addLayout(facts_);
  column->addSpacing(px(4));
  addAll(column, {command_, unsaved_, problem_, hint_, question_});
  column->addLayout(buttons);
  column->addSpacing(px(kMargin));
  column->addWidget(watch_);
  column->addLayout(runs_);
  connect(&workspace_.document, &Document::specChanged, this, [this] {
    if (isVisible()) showFacts();
  });
  connect(&workspace_.document, &Document::pathChanged, this, &LaunchPanel::showFacts);
  connect(&workspace_.document, &Document::modifiedChanged, this, &LaunchPanel::showFacts);
  setFocusProxy(launch_);
  setTabOrder(launch_, command_->copyButton());
  addPanelMenu(*this, {phrase("run", "Launch")});
  refresh();
}

/// What is said of the command, and what keeps it from being launched.
void LaunchPanel::makeNotes() {
  unsaved_ = textLabel(phrase("run",
                              "The command reads the saved file: save the design before you use it. Launch runs "
                              "the design as it is here."),
                       "muted", this);
  unsaved_->setObjectName("launchUnsaved");
  unsaved_->setWordWrap(true);
  question_ = textLabel({}, "warning", this);
  question_->setObjectName("launchQuestion");
  question_->setWordWrap(true);
  question_->hide();
  problem_ = textLabel({}, "error", this);
  problem_->setObjectName("launchProblem");
  hint_ = textLabel({}, "muted", this);
  for (QLabel* label : {problem_, hint_}) {
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  }
}

void LaunchPanel::refresh() {
  showFacts();
  showRuns();
}

void LaunchPanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  refresh();
}

void LaunchPanel::hideEvent(QHideEvent* event) {
  QWidget::hideEvent(event);
  question_->hide();
}

void LaunchPanel::showFacts() {
  const PipelineSpec& spec = workspace_.document.spec();
  const LaunchFacts facts = launchFacts(spec, usableCores(), workspace_.runs.readiness(spec));
  title_->setText(facts.title);
  removeAll(*facts_);
  int row = 0;
  for (const LaunchFacts::Line& line : facts.lines) {
    facts_->addWidget(textLabel(line.name, "muted", this), row, 0, Qt::AlignTop);
    QLabel* value = textLabel(line.value, line.is_warning ? "warning" : "", this);
    value->setWordWrap(true);
    facts_->addWidget(value, row++, 1);
  }
  const Document& document = workspace_.document;
  command_->setCommand(workspace_.runs.commandLine(document.spec(), document.path()));
  unsaved_->setVisible(document.path().isEmpty() || document.isModified());
  launch_->setText(facts.button);
  launch_->setEnabled(facts.problem.isEmpty());
  question_->setText(facts.question);
  if (facts.question.isEmpty()) question_->hide();
  say(facts.problem, facts.hint);
}

void LaunchPanel::say(const QString& problem, const QString& hint) {
  problem_->setText(problem);
  hint_->setText(hint.isEmpty() ? QString() : phrase("run", "To do: %1").arg(hint));
  problem_->setVisible(!problem.isEmpty());
  hint_->setVisible(!hint.isEmpty());
}

void LaunchPanel::launch() {
  if (auto launched = workspace_.runs.launch(workspace_.document.spec()); !launched) {
    say(QString::fromStdString(launched.error().message), QString::fromStdString(launched.error().hint));
  }
}

void LaunchPanel::launchOrAsk() {
  if (question_->text().isEmpty() || !launch_->isEnabled()) return launch();
  question_->show();
  launch_->setFocus(Qt::OtherFocusReason);
}

void LaunchPanel::showRuns() {
  removeAll(*runs_);
  const auto active = workspace_.runs.activeRuns();
  if (active.empty()) return;
  runs_->addSpacing(px(kMargin));
  runs_->addWidget(sectionHead(phrase("run", "still running"), this));
  for (const KnownRun& run : active) {
    auto* link = new LinkButton(phrase("run", "Watch %1").arg(runText(run)), "", this);
    link->setObjectName("watch");
    connect(link, &QPushButton::clicked, this, [this, file = QString::fromStdString(run.run_file.string())] {
      if (auto opened = workspace_.runs.open(file); !opened) {
        say(QString::fromStdString(opened.error().message), QString::fromStdString(opened.error().hint));
      }
    });
    runs_->addWidget(link, 0, Qt::AlignLeft);
  }
}

RecordingsPanel::RecordingsPanel(Workspace& workspace, QWidget* parent) : QWidget(parent), workspace_(workspace) {
  setObjectName("recordingsPanel");
  title_ = verdictLabel({}, this);
  QLabel* text = textLabel(
      phrase("run",
             "A recording replays a run, moment by moment, with the verdicts of that time. Every job launched here "
             "is recorded. Open one, or drop a recording (.slrun) on this window."),
      "muted", this);
  text->setWordWrap(true);
  auto* open = new QPushButton(phrase("run", "Open a recording…"), this);
  open->setObjectName("openRecording");
  connect(open, &QPushButton::clicked, this, &RecordingsPanel::openWanted);
  back_ = new LinkButton({}, "", this);
  back_->setObjectName("backToRun");
  connect(back_, &QAbstractButton::clicked, this, &RecordingsPanel::backWanted);
  list_ = new RecordingList(workspace, this);
  connect(list_, &RecordingList::chosen, this, &RecordingsPanel::recordingWanted);
  auto* buttons = new QHBoxLayout;
  addAll(buttons, {open, back_});
  buttons->addStretch();
  auto* content = new QWidget;
  auto* inner = columnIn(content, {0, px(kGap), px(kGap), 0});
  inner->addWidget(list_);
  inner->addStretch(1);
  auto* middle = new QWidget(this);
  middle->setMaximumWidth(px(kWidth));
  auto* column = columnIn(middle, {}, px(kGap));
  addAll(column, {title_, text});
  column->addLayout(buttons);
  column->addWidget(thinScroll(content, this), 1);
  auto* row = rowIn(this, {px(kMargin), px(2 * kMargin), px(kMargin), px(kMargin)});
  row->addStretch(1);
  row->addWidget(middle, 100);
  row->addStretch(1);
  setFocusProxy(open);
  addPanelMenu(*this, {phrase("run", "Recordings"), [this] { return recordingsText(list_->buttons()); },
                       [this] { return list_->csv(); }});
  refresh();
}

void RecordingsPanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  refresh();
}

void RecordingsPanel::refresh() {
  const RunStatePtr shown = workspace_.runs.state();
  title_->setText(shown == nullptr ? phrase("run", "No recording is open") : phrase("run", "Recordings"));
  back_->setVisible(shown != nullptr);
  if (shown != nullptr) {
    back_->setWords(phrase("run", "Back to %1")
                        .arg(shown->name.empty() ? phrase("run", "the run") : QString::fromStdString(shown->name)));
  }
  list_->refresh();
}

}  // namespace shardlens::ui

#include "moc_launch_panel.cpp"
