// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/run/run_page.h"

#include "core/launch/launch_command.h"
#include "ui/scene/run/in_view.h"
#include "ui/scene/run/text.h"
#include "ui/state/phrase.h"
#include "ui/state/recording_path.h"
#include "ui/widgets/common/card.h"
#include "ui/widgets/common/metrics.h"
#include "ui/widgets/common/style.h"
#include "ui/widgets/common/toast.h"
#include "ui/widgets/run/arrival_panel.h"
#include "ui/widgets/run/autopsy_bar.h"
#include "ui/widgets/run/compare_panel.h"
#include "ui/widgets/run/console_view.h"
#include "ui/widgets/run/launch_panel.h"
#include "ui/widgets/run/proof_panel.h"
#include "ui/widgets/run/rank_board.h"
#include "ui/widgets/run/time_view.h"
#include "ui/widgets/run/verdict_banner.h"

#include <QDragEnterEvent>
#include <QFileDialog>
#include <QMimeData>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace shardlens::ui {
namespace {

constexpr int kLow = 560;  ///< a page lower than this has little room for ranks
constexpr int kLeastEvidence = 160;
constexpr int kLeastEvidenceOfLow = 144;

/// The one local recording that is being dragged, or nothing.
QString recordingOf(const QMimeData* data) {
  for (const QUrl& url : data->urls()) {
    QString recording = url.isLocalFile() ? recordingAt(url.toLocalFile()) : QString();
    if (!recording.isEmpty()) return recording;
  }
  return {};
}

}  // namespace

RunPage::RunPage(Workspace& workspace, QWidget* parent) : Page(parent), workspace_(workspace) {
  setObjectName("runPage");
  setAcceptDrops(true);
  setLook(this, "surface", "window");
  setAttribute(Qt::WA_StyledBackground);
  panels_ = new QStackedWidget(this);
  launch_ = new LaunchPanel(workspace_, panels_);
  recordings_ = new RecordingsPanel(workspace_, panels_);
  watch_panel_ = makeWatchPanel();
  compare_ = new ComparePanel(workspace_, panels_);
  for (QWidget* panel : {static_cast<QWidget*>(launch_), static_cast<QWidget*>(recordings_), watch_panel_,
                         static_cast<QWidget*>(compare_)}) {
    panels_->addWidget(panel);
  }
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(panels_);
  share_soon_.setSingleShot(true);
  connect(&share_soon_, &QTimer::timeout, this, &RunPage::shareHeight);
  connect(recordings_, &RecordingsPanel::openWanted, this, &RunPage::chooseRecording);
  connect(recordings_, &RecordingsPanel::recordingWanted, this, [this](const QString& file) {
    file == workspace_.runs.runFile() ? showRecordings(false) : emit fileWanted(file);
  });
  connect(&workspace_.runs, &RunService::stateChanged, this, &RunPage::refresh);
  connect(&workspace_.runs, &RunService::activeChanged, this, &RunPage::refresh);
  connect(recordings_, &RecordingsPanel::backWanted, this, [this] { showRecordings(false); });
  connect(&workspace_.runs, &RunService::runFileChanged, this, [this] {
    board_->forget();
    compares_ = false;
    compare_->end();
    showRecordings(false);
  });
  wireComparison();
  connect(&workspace_.selection, &Selection::changed, this, &RunPage::followSelection);
  followSelection();
  refresh();
}

QWidget* RunPage::makeWatchPanel() {
  auto* panel = new QWidget(panels_);
  banner_ = new VerdictBanner(panel);
  banner_->installEventFilter(this);
  board_ = new RankBoard(RankBoard::Columns::All, panel);
  autopsy_ = new AutopsyBar(workspace_, panel);
  autopsy_->hide();
  auto* upper = new QWidget(panel);
  auto* column = new QVBoxLayout(upper);
  column->setContentsMargins(0, px(14), 0, 0);
  column->setSpacing(px(12));
  auto* framed = new QHBoxLayout;
  framed->setContentsMargins(px(kMargin), 0, px(kMargin), 0);
  framed->addWidget(banner_);
  column->addLayout(framed);
  column->addWidget(board_, 1);
  column->addWidget(autopsy_);
  splitter_ = new QSplitter(Qt::Vertical, panel);
  splitter_->setHandleWidth(1);
  splitter_->setChildrenCollapsible(false);
  splitter_->addWidget(upper);
  splitter_->addWidget(makeEvidence());
  connect(splitter_, &QSplitter::splitterMoved, this, [this] { height_chosen_ = true; });
  auto* outer = new QVBoxLayout(panel);
  outer->setContentsMargins(0, 0, 0, 0);
  outer->addWidget(splitter_);
  connect(board_, &RankBoard::rankClicked, this, &RunPage::selectRank);
  connect(&board_->view(), &TimeView::changed, this, &RunPage::followWindow);
  connect(banner_, &VerdictBanner::rankWanted, this, &RunPage::selectRank);
  connect(banner_, &VerdictBanner::placeWanted, this,
          [this](const Selected& place) { workspace_.selection.select(place); });
  connect(autopsy_, &AutopsyBar::openWanted, this, [this] { showRecordings(true); });
  connect(autopsy_, &AutopsyBar::placeWanted, this,
          [this](const Selected& place) { workspace_.selection.select(place); });
  connect(autopsy_, &AutopsyBar::sought, board_, &RankBoard::follow);
  return panel;
}

/// Proof, arrivals and console, side by side below.
QWidget* RunPage::makeEvidence() {
  auto* evidence = evidence_ = new QWidget(this);
  setLook(evidence, "surface", "panel");
  evidence->setAttribute(Qt::WA_StyledBackground);
  proof_ = new ProofPanel(evidence);
  connect(&proof_->view(), &ProofView::placeChosen, this,
          [this](const Selected& place) { workspace_.selection.select(place); });
  arrivals_ = new ArrivalPanel(evidence);
  console_ = new ConsoleView(evidence);
  connect(arrivals_, &ArrivalPanel::rankClicked, this, &RunPage::selectRank);
  connect(proof_, &ProofPanel::placeWanted, this,
          [this](const Selected& place) { workspace_.selection.select(place); });
  auto* row = new QHBoxLayout(evidence);
  row->setContentsMargins(px(kMargin), px(12), px(kMargin), px(12));
  row->setSpacing(px(32));
  row->addWidget(proof_, 36);
  row->addWidget(arrivals_, 28);
  row->addWidget(console_, 36);
  evidence->setMinimumHeight(px(kLeastEvidence));
  return evidence;
}

void RunPage::enter(const QString& perspective) {
  setMode(perspective == QLatin1String("autopsy") ? Mode::Autopsy : Mode::Run);
}

QString RunPage::command() const {
  const QString recording = workspace_.runs.runFile();
  if (mode_ == Mode::Run || recording.isEmpty())
    return workspace_.runs.commandLine(workspace_.document.spec(), workspace_.document.path());
  return "shardlens replay " + QString::fromStdString(shellQuoted(recording.toStdString()));
}

std::vector<ActionInfo> RunPage::actions() {
  RunService& runs = workspace_.runs;
  const auto twin = [this] {
    return workspace_.runs.commandLine(workspace_.document.spec(), workspace_.document.path());
  };
  return {
      {"run.launch",
       phrase("run", "&Launch"),
       [this] { launch(); },
       {QKeySequence("Ctrl+Return"), QKeySequence("Ctrl+Enter")},
       phrase("run", "Launch the job on this machine"),
       twin},
      {"run.stop", phrase("run", "&Stop job"), [&runs] { runs.stop(); }, keys("Ctrl+."),
       phrase("run", "Stop every process of the job")},
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

QVariantMap RunPage::layout() const {
  return {{"run_split", height_chosen_ ? splitter_->saveState() : QByteArray()}};
}

void RunPage::restoreLayout(const QVariantMap& layout) {
  height_chosen_ = splitter_->restoreState(layout["run_split"].toByteArray());
}

void RunPage::resetLayout() {
  height_chosen_ = false;
  shareHeightSoon();
}

void RunPage::setMode(Mode mode) {
  mode_ = mode;
  refresh();
}

void RunPage::refresh() {
  choosePanel();
  if (isVisible() && workspace_.runs.state() != nullptr) showRun();
}

void RunPage::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  refresh();
}

void RunPage::choosePanel() {
  const RunService& runs = workspace_.runs;
  QWidget* panel = watch_panel_;
  if (mode_ == Mode::Run && (runs.state() == nullptr || runs.isRecording())) panel = launch_;
  if (mode_ == Mode::Autopsy && compares_) panel = compare_;
  if (mode_ == Mode::Autopsy && (runs.state() == nullptr || lists_)) panel = recordings_;
  panels_->setCurrentWidget(panel);
  autopsy_->setVisible(mode_ == Mode::Autopsy);
}

void RunPage::showRun() {
  const RunService& runs = workspace_.runs;
  const RunStatePtr state = runs.state();
  const auto facts = runs.facts();
  RunHeadline first = headlineOf(*state);
  if (runs.isStopping() && runs.isActive()) {
    first = {Tone::Note,
             phrase("run", "Stopping"),
             phrase("run", "The launcher is stopping every process of the job."),
             {},
             {},
             -1};
  }
  banner_->setHeadlines(first, furtherHeadlines(*state));
  board_->setRun(state, runs.overview(), facts != nullptr ? facts->spec.world.ranks_per_node : 0);
  proof_->setRun(runs);
  followWindow();
  console_->setRun(state);
  if (mode_ == Mode::Autopsy) autopsy_->refresh();
  shareHeightSoon();
}

/// What is in view is in view everywhere: its steps in the proof, its collectives in the arrivals.
void RunPage::followWindow() {
  const RunService& runs = workspace_.runs;
  if (runs.state() == nullptr || board_->lanes().recent == nullptr) return;
  const TimeWindow& window = board_->window();
  const bool is_chosen = !window.isUsual() && runs.overview() != nullptr;
  proof_->view().setSteps(is_chosen ? stepsIn(*runs.overview(), window, runs.facts().get()) : std::nullopt);
  is_chosen ? arrivals_->setInView(runs.state(), board_->lanes(), window) : arrivals_->setRun(*runs.state());
}

void RunPage::followSelection() {
  const Selected& selected = workspace_.selection.current();
  board_->setSelected(selected);
  proof_->view().setSelected(selected);
  arrivals_->setSelected(selected.ranks);
}

/// The ranks take what they need at full size, at most two thirds or so; evidence takes the rest. Done when the
/// layout has settled: the height of the verdict follows from its width.
void RunPage::shareHeight() {
  if (height_chosen_ || splitter_->height() <= 0 || !watch_panel_->isVisible()) return;
  constexpr double kMost = 0.7;
  const int all = splitter_->height() - splitter_->handleWidth();
  const int beside = board_->parentWidget()->height() - board_->height();
  const int most = compact_ ? all - evidence_->minimumHeight() : static_cast<int>(kMost * all);
  const int upper = std::min(most, board_->sizeHint().height() + beside);
  if (splitter_->sizes().value(0) != upper) splitter_->setSizes({upper, all - upper});
}

/// A low window: verdict, margins and evidence give what they can spare to the ranks.
void RunPage::setCompact(bool compact) {
  if (compact == compact_) return;
  compact_ = compact;
  banner_->setCompact(compact);
  QLayout* upper = board_->parentWidget()->layout();
  upper->setContentsMargins(0, px(compact ? 6 : 14), 0, 0);
  upper->setSpacing(px(compact ? 6 : 12));
  evidence_->layout()->setContentsMargins(px(kMargin), px(compact ? 6 : 12), px(kMargin), px(compact ? 4 : 12));
  evidence_->setMinimumHeight(px(compact ? kLeastEvidenceOfLow : kLeastEvidence));
}

void RunPage::shareHeightSoon() {
  share_soon_.start();
}

void RunPage::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  setCompact(height() < px(kLow));
  shareHeightSoon();
}

/// The words of the verdict take more lines or fewer: the ranks have another height.
bool RunPage::eventFilter(QObject* watched, QEvent* event) {
  if (watched == banner_ && event->type() == QEvent::Resize) shareHeightSoon();
  return Page::eventFilter(watched, event);
}

void RunPage::selectRank(qint64 rank) {
  if (rank < 0) return;
  Selected selected = workspace_.selection.current();
  selected.ranks = {rank};
  workspace_.selection.select(selected);
}

void RunPage::wireComparison() {
  connect(compare_, &ComparePanel::closeWanted, this, [this] { showComparison(false); });
  connect(autopsy_, &AutopsyBar::compareWanted, this, [this](const QString& file) {
    showComparison(true);
    compare_->compareWith(file);
  });
  connect(autopsy_, &AutopsyBar::comparePlanWanted, this, [this] {
    showComparison(true);
    compare_->compareWithPlan();
  });
}

/// One part of the run is in view on both panels, whichever of them it was chosen on.
void RunPage::showComparison(bool shown) {
  const TimeWindow& window = board_->window();
  const auto chosen = compares_ ? compare_->chosenPart() : std::nullopt;
  if (shown && !compares_)
    compare_->setPart(window.isUsual() ? std::nullopt : std::optional(std::pair(window.begin(), window.end())));
  if (!shown && chosen) board_->view().change([&](TimeWindow& part) { part.show(chosen->first, chosen->second); });
  compares_ = shown;
  if (!shown) compare_->end();
  refresh();
  if (shown) compare_->setFocus(Qt::OtherFocusReason);
}

void RunPage::showRecordings(bool shown) {
  lists_ = shown;
  refresh();
}

void RunPage::chooseRecording() {
  const QString file = QFileDialog::getOpenFileName(this, phrase("run", "Open a recording"),
                                                    workspace_.runs.recordingsFolder(), recordingFilter());
  if (!file.isEmpty()) emit fileWanted(file);
}

void RunPage::launch() {
  if (workspace_.runs.isActive()) return;
  if (const auto started = workspace_.runs.launch(workspace_.document.spec()); !started) {
    emit failed(QString::fromStdString(started.error().text()));
    return;
  }
  emit perspectiveWanted("run");
}

void RunPage::dragEnterEvent(QDragEnterEvent* event) {
  if (!recordingOf(event->mimeData()).isEmpty()) event->acceptProposedAction();
}

void RunPage::dropEvent(QDropEvent* event) {
  emit fileWanted(recordingOf(event->mimeData()));
}

}  // namespace shardlens::ui
