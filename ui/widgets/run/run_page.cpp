// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/run/run_page.h"

#include "core/launch/launch_command.h"
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
#include "ui/widgets/common/toast.h"
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
#include <QStackedWidget>

#include <algorithm>
#include <string>
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

/// No stand-in of a design: that one is launched again by another command line.
bool isOwnCommand(const RunState& state) {
  return state.command.text().find(" -- ") != std::string::npos;
}

constexpr int kUsualHeight = 660;  ///< a page higher than this has room to spare
constexpr double kShareOfSpare = 0.55;
constexpr int kLeastBanner = 63;
constexpr int kLeastEvidence = 160;
constexpr int kLeastEvidenceOfLow = 144;
constexpr int kThreeBesideSide = 1180;  ///< width of the page
constexpr int kGapOfEvidence = 32;
constexpr int kGapOfLow = 16;

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
  addAll(panels_, {launch_, recordings_, watch_panel_, compare_});
  auto* column = columnIn(this, {}, 0);
  job_bar_ = new JobBar(workspace_.runs, this);
  addAll(column, {job_bar_, panels_});
  connect(recordings_, &RecordingsPanel::openWanted, this, [this] {
    const QString file = QFileDialog::getOpenFileName(this, phrase("run", "Open a recording"),
                                                      workspace_.runs.recordingsFolder(), recordingFilter());
    if (!file.isEmpty()) emit fileWanted(file);
  });
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
  addAll(splitter_, {upper, makeEvidence()});
  beside_ = thinSplitter(Qt::Horizontal, panel);
  beside_->addWidget(splitter_);
  beside_->addWidget(makeSide());
  beside_->setStretchFactor(0, 1);
  columnIn(panel, {})->addWidget(beside_);
  connect(board_, &RankBoard::rankClicked, &workspace_.selection, &Selection::selectRank);
  connect(board_, &RankBoard::placeClicked, &workspace_.selection, &Selection::select);
  connect(&board_->view(), &TimeView::changed, this, &RunPage::followWindow);
  connect(banner_, &VerdictBanner::rankWanted, &workspace_.selection, &Selection::selectRank);
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
  addAll(side_, {stall_, findings_});
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
  connect(arrivals_, &ArrivalPanel::rankClicked, &workspace_.selection, &Selection::selectRank);
  connect(console_, &ConsoleView::rankChosen, &workspace_.selection, &Selection::selectRank);
  connect(proof_, &ProofPanel::placeWanted, &workspace_.selection, &Selection::select);
  evidence_row_ = new QSplitter(Qt::Horizontal, evidence);
  setLook(evidence_row_, "handle", "gap");
  evidence_row_->setChildrenCollapsible(false);
  addAll(evidence_row_, {proof_, loaders_, arrivals_, console_});
  rowIn(evidence, {px(kMargin), px(12), px(kMargin), px(12)})->addWidget(evidence_row_);
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
  // A comparison with the open design is with what that is now.
  const auto& compared = workspace_.capture.otherDesign();
  const PipelineSpec& open = workspace_.document.spec();
  if (compared && *compared != open) workspace_.capture.compareWithDesign(open);
  showLoaders();
  followWindow();
  console_->setRun(state);
  // The card comes with a stall; closed, it stays away until the next one.
  const auto said = stallText(*state);
  if (!said) stall_closed_ = false;
  if (said) stall_->setText(*said);
  places_->setAvailable("stall", said && !stall_closed_);
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

void RunPage::addPlaces() {
  evidence_row_->setHandleWidth(px(kGapOfEvidence));
  evidence_->setMinimumHeight(px(kLeastEvidence));
  places_ = new Arrangement(this, "run", [this] { shareRoom(); });
  places_->addSplitter(beside_);
  places_->addSplitter(splitter_);
  places_->addSplitter(evidence_row_);
  places_->addSplitter(side_);  // last: sessions that do not know it keep the sizes of the others
  places_->addPanel("ranks", phrase("run", "Rank lanes"), upper_, Arrangement::Hiding::Never);
  places_->addPanel("proof", phrase("run", "Proof of assignment"), proof_);
  places_->addPanel("loaders", phrase("run", "What its loaders read"), loaders_);
  places_->addPanel("arrivals", phrase("run", "Arrivals"), arrivals_);
  places_->addPanel("console", phrase("run", "Console"), console_);
  places_->addPanel("stall", phrase("run", "Stall"), stall_);
  places_->addPanel("findings", phrase("design", "Findings"), findings_);
  places_->settle();
  connect(places_, &Arrangement::changed, this, &RunPage::chooseEvidence);
  for (const char* id : {"loaders", "stall", "findings"}) places_->setAvailable(id, false);
}

QVariantMap RunPage::layout() const {
  QVariantMap remembered = places_->layout();
  remembered.insert(launch_->watch()->typed());
  return remembered;
}

void RunPage::restoreLayout(const QVariantMap& layout) {
  places_->restoreLayout(layout);
  launch_->watch()->setTyped(layout);
}

void RunPage::shareRoom() {
  fitBanner();
  shareHeight();
  shareWidth();
}

/// Beside the card of a stall, or the findings, there is no room for all three in a narrow page, and who came late
/// before it matters least. Nor beside what loaders read where no rank met another one.
void RunPage::chooseEvidence() {
  const RunStatePtr state = workspace_.runs.state();
  const bool is_empty =
      workspace_.capture.found() != nullptr && state != nullptr &&
      std::ranges::none_of(state->arrivals, [](const shardlens::Arrival& one) { return one.collectives > 0; });
  places_->setAvailable("arrivals", !is_empty && (width() >= px(kThreeBesideSide) || side_->isHidden()));
}

/// Proof and console take a little more than the arrivals; the card of a stall and the findings have a half each.
void RunPage::shareWidth() {
  if (!places_->isByHand(beside_) && beside_->width() > 0) {
    const int side = px(288);
    Arrangement::giveSizes(*beside_, {{splitter_, beside_->width() - side}, {side_, side}});
  }
  if (!places_->isByHand(side_)) Arrangement::giveSizes(*side_, {{stall_, 1}, {findings_, 1}});
  if (places_->isByHand(evidence_row_) || evidence_row_->width() <= 0) return;
  Arrangement::giveSizes(*evidence_row_, {{proof_, 360}, {loaders_, 360}, {arrivals_, 280}, {console_, 360}});
}

/// All words of the verdict, as far as ranks and evidence keep the least that they need: then they scroll. A splitter
/// asks nobody how high words are at a width, so the height is said.
void RunPage::fitBanner() {
  if (splitter_->height() <= 0 || !watch_panel_->isVisible()) return;
  banner_area_->setMinimumWidth(banner_->minimumSizeHint().width());
  const int wanted = banner_->heightForWidth(banner_area_->width());
  const int beside = upper_->minimumSizeHint().height() - banner_area_->height();
  const int room = splitter_->height() - splitter_->handleWidth() - evidence_->minimumHeight() - beside;
  banner_area_->setFixedHeight(std::max(px(kLeastBanner), std::min(wanted, room)));
}

/// The ranks take what they need at their usual size, at most two thirds or so, and in a tall window more than half of
/// what is left; evidence takes the rest. Done when the layout has settled: the height of the verdict follows from its
/// width.
void RunPage::shareHeight() {
  if (places_->isByHand(splitter_) || splitter_->height() <= 0 || !watch_panel_->isVisible()) return;
  constexpr double kMost = 0.7;
  const int all = splitter_->height() - splitter_->handleWidth();
  const int beside = upper_->sizeHint().height() - board_->sizeHint().height();
  const int most = compact_ ? all - evidence_->minimumHeight() : static_cast<int>(kMost * all);
  const int spare = static_cast<int>(kShareOfSpare * std::max(0, all - px(kUsualHeight)));
  const int wanted = std::min(board_->largestHeight(), board_->sizeHint().height() + spare);
  const int upper = std::min(most, wanted + beside);
  if (upper_->height() != upper) Arrangement::giveSizes(*splitter_, {{upper_, upper}, {evidence_, all - upper}});
}

/// A low window: verdict, margins and evidence give what they can spare to the ranks.
void RunPage::setCompact(bool compact) {
  if (compact == compact_) return;
  compact_ = compact;
  banner_->setCompact(compact);
  evidence_row_->setHandleWidth(px(compact ? kGapOfLow : kGapOfEvidence));
  QLayout* upper = board_->parentWidget()->layout();
  upper->setContentsMargins(0, px(compact ? 6 : 14), 0, 0);
  upper->setSpacing(px(compact ? 6 : 12));
  evidence_->layout()->setContentsMargins(px(kMargin), px(compact ? 6 : 12), px(kMargin), px(compact ? 4 : 12));
  evidence_->setMinimumHeight(px(compact ? kLeastEvidenceOfLow : kLeastEvidence));
}

}  // namespace shardlens::ui

#include "moc_run_page.cpp"
