// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/run/run_page.h"

#include "ui/scene/run/in_view.h"
#include "ui/scene/run/rank_rows.h"
#include "ui/scene/run/stalls.h"
#include "ui/scene/run/text.h"
#include "ui/state/phrase.h"
#include "ui/state/recording_library.h"
#include "ui/widgets/common/arrangement.h"
#include "ui/widgets/common/card.h"
#include "ui/widgets/common/panel_menu.h"
#include "ui/widgets/common/style.h"
#include "ui/widgets/run/arrival_panel.h"
#include "ui/widgets/run/autopsy_bar.h"
#include "ui/widgets/run/compare_panel.h"
#include "ui/widgets/run/console_view.h"
#include "ui/widgets/run/job_bar.h"
#include "ui/widgets/run/launch_panel.h"
#include "ui/widgets/run/loaders_panel.h"
#include "ui/widgets/run/proof_panel.h"
#include "ui/widgets/run/rank_board.h"
#include "ui/widgets/run/stall_panel.h"
#include "ui/widgets/run/time_input.h"
#include "ui/widgets/run/verdict_banner.h"
#include "ui/widgets/run/watch_form.h"

#include <QDragEnterEvent>
#include <QFileDialog>
#include <QMimeData>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace shardlens::ui {
namespace {

constexpr int kLow = 560;  ///< a page lower than this has little room for ranks

/// The one local recording that is being dragged, or nothing.
QString recordingOf(const QMimeData* data) {
  for (const QUrl& url : data->urls()) {
    QString recording = url.isLocalFile() ? recordingAt(url.toLocalFile()) : QString();
    if (!recording.isEmpty()) return recording;
  }
  return {};
}

}  // namespace

RunPage::RunPage(Workspace& workspace, QWidget* parent)
    : Page(parent), workspace_(workspace), share_soon_(this, [this] { shareRoom(); }) {
  setObjectName("runPage");
  setAcceptDrops(true);
  setSurface(this, "window");
  panels_ = new QStackedWidget(this);
  launch_ = new LaunchPanel(workspace_, panels_);
  recordings_ = new RecordingsPanel(workspace_, panels_);
  watch_panel_ = makeWatchPanel();
  compare_ = new ComparePanel(workspace_, panels_);
  for (QWidget* panel : {static_cast<QWidget*>(launch_), static_cast<QWidget*>(recordings_), watch_panel_,
                         static_cast<QWidget*>(compare_)}) {
    panels_->addWidget(panel);
  }
  auto* column = columnIn(this, {}, 0);
  job_bar_ = new JobBar(workspace_.runs, this);
  column->addWidget(job_bar_);
  column->addWidget(panels_);
  connect(recordings_, &RecordingsPanel::openWanted, this, &RunPage::chooseRecording);
  connect(recordings_, &RecordingsPanel::recordingWanted, this, [this](const QString& file) {
    file == workspace_.runs.runFile() ? showRecordings(false) : emit fileWanted(file);
  });
  connect(&workspace_.runs, &RunService::stateChanged, this, &RunPage::refresh);
  connect(&workspace_.runs, &RunService::activeChanged, this, &RunPage::refresh);
  connect(&workspace_.document, &Document::specChanged, this, &RunPage::refresh);
  connect(recordings_, &RecordingsPanel::backWanted, this, [this] { showRecordings(false); });
  connect(&workspace_.runs, &RunService::runFileChanged, this, [this] {
    board_->forget();
    has_shown_all_ = false;
    compares_ = false;
    types_ = false;
    compare_->end();
    showRecordings(false);
  });
  addPlaces();
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
  auto* upper = upper_ = new QWidget(panel);
  upper_->installEventFilter(this);
  auto* column = columnIn(upper, {0, px(14), 0, 0}, px(12));
  auto* framed = rowIn(nullptr, {px(kMargin), 0, px(kMargin), 0});
  banner_area_ = thinScroll(banner_, upper);
  banner_area_->setObjectName("verdictArea");
  banner_area_->setFixedHeight(banner_->sizeHint().height());
  framed->addWidget(banner_area_);
  column->addLayout(framed);
  column->addWidget(board_, 1);
  column->addWidget(autopsy_);
  addPanelMenu(*upper, {phrase("run", "Rank lanes"), [this] { return banner_->asText() + board_->asText(); },
                        [this] { return board_->csv(); }});
  splitter_ = thinSplitter(Qt::Vertical);
  splitter_->addWidget(upper);
  splitter_->addWidget(makeEvidence());
  beside_ = thinSplitter(Qt::Horizontal, panel);
  beside_->addWidget(splitter_);
  beside_->addWidget(makeSide());
  beside_->setStretchFactor(0, 1);
  auto* outer = columnIn(panel, {});
  outer->addWidget(beside_);
  connect(board_, &RankBoard::rankClicked, this, &RunPage::selectRank);
  connect(board_, &RankBoard::placeClicked, &workspace_.selection, &Selection::select);
  connect(&board_->view(), &TimeView::changed, this, &RunPage::followWindow);
  connect(banner_, &VerdictBanner::rankWanted, this, &RunPage::selectRank);
  connect(banner_, &VerdictBanner::placeWanted, &workspace_.selection, &Selection::select);
  connect(autopsy_, &AutopsyBar::openWanted, this, [this] { showRecordings(true); });
  connect(autopsy_, &AutopsyBar::placeWanted, &workspace_.selection, &Selection::select);
  connect(autopsy_, &AutopsyBar::sought, board_, &RankBoard::follow);
  return panel;
}

/// The card of a stall above the findings.
QWidget* RunPage::makeSide() {
  side_ = thinSplitter(Qt::Vertical, beside_);
  stall_ = new StallPanel(side_);
  findings_ = new LoaderFindings(workspace_.capture, workspace_.selection, side_);
  side_->addWidget(stall_);
  side_->addWidget(findings_);
  connect(stall_, &StallPanel::placeWanted, &workspace_.selection, &Selection::select);
  connect(stall_, &StallPanel::closeWanted, this, [this] {
    stall_closed_ = true;
    places_->setAvailable("stall", false);
  });
  connect(findings_, &LoaderFindings::placeWanted, this, [this](const Selected& place) {
    workspace_.selection.select(place);
    proof_->view().reveal(place);
  });
  return side_;
}

/// Proof, arrivals and console, side by side below.
QWidget* RunPage::makeEvidence() {
  auto* evidence = evidence_ = new QWidget(this);
  setSurface(evidence, "panel");
  proof_ = new ProofPanel(evidence);
  connect(&proof_->view(), &ProofView::placeChosen, &workspace_.selection, &Selection::select);
  loaders_ = new LoadersPanel(workspace_, evidence);
  connect(&workspace_.capture, &JobCapture::changed, this, [this] {
    if (workspace_.runs.state() == nullptr) return;
    showHeadlines();
    showLoaders();
    share_soon_.want();
  });
  arrivals_ = new ArrivalPanel(evidence);
  console_ = new ConsoleView(evidence);
  connect(arrivals_, &ArrivalPanel::rankClicked, this, &RunPage::selectRank);
  connect(console_, &ConsoleView::rankChosen, this, &RunPage::selectRank);
  connect(proof_, &ProofPanel::placeWanted, &workspace_.selection, &Selection::select);
  evidence_row_ = new QSplitter(Qt::Horizontal, evidence);
  setLook(evidence_row_, "handle", "gap");
  evidence_row_->setChildrenCollapsible(false);
  for (QWidget* one : {static_cast<QWidget*>(proof_), static_cast<QWidget*>(loaders_), static_cast<QWidget*>(arrivals_),
                       static_cast<QWidget*>(console_)}) {
    evidence_row_->addWidget(one);
  }
  auto* row = rowIn(evidence, {px(kMargin), px(12), px(kMargin), px(12)});
  row->addWidget(evidence_row_);
  return evidence;
}

bool RunPage::isLaunching() const {
  return panels_->currentWidget() == launch_;
}

void RunPage::enter(const QString& perspective) {
  setMode(perspective == QLatin1String("autopsy") ? Mode::Autopsy : Mode::Run);
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
  const bool types = types_ && !runs.isActive();
  if (mode_ == Mode::Run && (runs.state() == nullptr || types)) panel = launch_;
  if (mode_ == Mode::Autopsy && compares_) panel = compare_;
  if (mode_ == Mode::Autopsy && (runs.state() == nullptr || lists_)) panel = recordings_;
  panels_->setCurrentWidget(panel);
  job_bar_->setVisible(runs.isActive());
  if (runs.isActive()) job_bar_->refresh();
  autopsy_->setVisible(mode_ == Mode::Autopsy);
}

/// The verdicts, and what is wrong with what the loaders read, as soon as that is known.
void RunPage::showHeadlines() {
  const RunService& runs = workspace_.runs;
  const RunStatePtr state = runs.state();
  if (state == nullptr) return;
  const JobCapture& loaders = workspace_.capture;
  RunHeadline first = headlineOf(*state, loaders.compared());
  if (runs.isStopping() && runs.isActive()) {
    first = {Tone::Note,
             phrase("run", "Stopping"),
             phrase("run", "The launcher is stopping every process of the job."),
             {},
             {},
             -1};
  }
  std::vector<RunHeadline> further = furtherHeadlines(*state);
  if (loaders.found() != nullptr) {
    further = withLoaders(std::move(first), std::move(further), *loaders.found());
    first = further.front();
    further.erase(further.begin());
  }
  const auto& proof = loaders.proof();
  if (proof != nullptr && loaders.loader().isEmpty() && proof->proof.result == ProofResult::Mismatch) {
    const bool is_of_open_design = loaders.otherDesign().has_value();
    further.insert(further.begin(), std::exchange(first, mismatchHeadline(*proof, is_of_open_design)));
  }
  banner_->setHeadlines(first, further);
}

void RunPage::showRun() {
  const RunService& runs = workspace_.runs;
  const RunStatePtr state = runs.state();
  const auto facts = runs.facts();
  showHeadlines();
  board_->setRun(state, runs.overview(), emulatedNodeSize(*state, facts.get()));
  showAllOfRecording(*state);
  workspace_.capture.refresh();
  followDesign();
  showLoaders();
  followWindow();
  console_->setRun(state);
  showStall(*state);
  if (mode_ == Mode::Autopsy) autopsy_->refresh();
  share_soon_.want();
}

/// What is over is looked at from its beginning, unless it stands still: then that is in view.
void RunPage::showAllOfRecording(const RunState& state) {
  const bool is_new = workspace_.runs.isRecording() && !isUnderWay(state.status) && !has_shown_all_;
  if (!is_new || workspace_.runs.overview() == nullptr) return;
  has_shown_all_ = true;
  if (board_->window().isUsual() && stallLength(state) == 0)
    board_->view().change([](TimeWindow& window) { window.fit(); });
}

/// A comparison with the open design is with what that is now.
void RunPage::followDesign() {
  const auto& compared = workspace_.capture.otherDesign();
  const PipelineSpec& open = workspace_.document.spec();
  if (compared && *compared != open) workspace_.capture.compareWithDesign(open);
}

/// What a probe saw is held against the plan of the recording, or against what was captured; what ranks report, against
/// that plan.
void RunPage::showLoaders() {
  const RunService& runs = workspace_.runs;
  const JobCapture& loaders = workspace_.capture;
  const bool has_plan = !runs.state()->spec_yaml.text().empty();
  const bool is_compared = loaders.proof() != nullptr || !loaders.noProof().isEmpty();
  places_->setAvailable("proof", has_plan || is_compared);
  places_->setAvailable("loaders", !has_plan || loaders.found() != nullptr);
  places_->setAvailable("findings", loaders.audit() != nullptr);
  is_compared ? proof_->setLoaders(loaders) : proof_->setRun(runs);
  chooseEvidence();
}

/// The card comes with a stall; closed, it stays away until the next one.
void RunPage::showStall(const RunState& state) {
  const auto said = stallText(state);
  if (!said) stall_closed_ = false;
  if (said) stall_->setText(*said);
  places_->setAvailable("stall", said && !stall_closed_);
}

/// What is in view is in view everywhere: its steps in the proof, its collectives in the arrivals.
void RunPage::followWindow() {
  const RunService& runs = workspace_.runs;
  if (runs.state() == nullptr || board_->lanes().recent == nullptr) return;
  const TimeWindow& window = board_->window();
  const bool is_chosen = !window.isUsual() && !window.isWhole() && runs.overview() != nullptr;
  proof_->view().setSteps(is_chosen ? stepsIn(*runs.overview(), window, runs.facts().get()) : std::nullopt);
  is_chosen ? arrivals_->setInView(runs.state(), board_->lanes(), window) : arrivals_->setRun(*runs.state());
}

void RunPage::followSelection() {
  const Selected& selected = workspace_.selection.current();
  board_->setSelected(selected);
  proof_->view().setSelected(selected);
  arrivals_->setSelected(selected.ranks);
}

void RunPage::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  setCompact(height() < px(kLow));
  chooseEvidence();
  share_soon_.want();
}

/// The words of the verdict take more lines or fewer, or what is below them needs another height.
bool RunPage::eventFilter(QObject* watched, QEvent* event) {
  const bool banner_resized = watched == banner_ && event->type() == QEvent::Resize;
  const bool needs_changed = watched == upper_ && event->type() == QEvent::LayoutRequest;
  if (banner_resized || needs_changed) share_soon_.want();
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
  connect(autopsy_, &AutopsyBar::compareDesignWanted, this, [this] {
    showComparison(true);
    compare_->compareWithDesign();
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
  const bool is_chosen = !window.isUsual() && !window.isWhole();
  if (shown && !compares_)
    compare_->setPart(is_chosen ? std::optional(std::pair(window.begin(), window.end())) : std::nullopt);
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

void RunPage::typeCommand() {
  types_ = true;
  emit perspectiveWanted("run");
  refresh();
  if (panels_->currentWidget() == launch_) launch_->watch()->typeCommand();
}

void RunPage::launch() {
  if (workspace_.runs.isActive()) return;
  types_ = true;
  emit perspectiveWanted("run");
  refresh();
  launch_->refresh();
  launch_->launchOrAsk();
}

void RunPage::dragEnterEvent(QDragEnterEvent* event) {
  if (!recordingOf(event->mimeData()).isEmpty()) event->acceptProposedAction();
}

void RunPage::dropEvent(QDropEvent* event) {
  emit fileWanted(recordingOf(event->mimeData()));
}

}  // namespace shardlens::ui

#include "moc_run_page.cpp"
