// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/main_window.h"

#include "ui/scene/design/form.h"
#include "ui/scene/number_text.h"
#include "ui/scene/run/text.h"
#include "ui/state/latest_job.h"
#include "ui/state/phrase.h"
#include "ui/state/recording_path.h"
#include "ui/widgets/common/metrics.h"
#include "ui/widgets/common/refresh.h"
#include "ui/widgets/common/style.h"
#include "ui/widgets/common/toast.h"
#include "ui/widgets/design/form_panel.h"
#include "ui/widgets/run/run_page.h"
#include "ui/widgets/stage/stage_panel.h"
#include "ui/widgets/stage/stage_view.h"
#include "ui/widgets/stage/transport_bar.h"
#include "ui/widgets/start/gallery.h"
#include "ui/window/banner.h"
#include "ui/window/design_page.h"
#include "ui/window/dialogs.h"
#include "ui/window/file_commands.h"
#include "ui/window/header_bar.h"
#include "ui/window/status_line.h"
#include "ui/window/tab_strip.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QGuiApplication>
#include <QLineEdit>
#include <QMenuBar>
#include <QMimeData>
#include <QMouseEvent>
#include <QScreen>
#include <QStackedWidget>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>
#include <cassert>
#include <vector>

namespace shardlens::ui {
namespace {

constexpr int kWindowWidth = 1440;
constexpr int kWindowHeight = 900;

bool system_is_dark = false;

/// Where a session keeps what a page calls `key`.
QString layoutKey(const QString& key) {
  return "layout/" + key;
}

}  // namespace

void rememberSystemColors() {
  system_is_dark = QApplication::palette().color(QPalette::Window).lightness() < 128;
}

MainWindow::MainWindow(const Setup& setup, QWidget* parent)
    : QMainWindow(parent),
      rows_(setup.perspectives),
      session_(setup.remembers ? std::make_unique<Session>(setup.session_folder) : nullptr),
      actions_(this) {
  setObjectName("studio");
  setAcceptDrops(true);
  banner_ = new Banner(this);
  files_ = new FileCommands(workspace_, session_.get(), *banner_, this);
  page_commands_ = new PageCommands(workspace_, *banner_, this);
  buildPages();
  addFileActions();
  addEditActions();
  addViewActions();
  addArrangementActions();
  addPageActions();
  addAnalyseActions();
  addHelpActions();
  buildLayout();
  buildMenus();
  wire();
  wireJob();
  restoreLayout(setup.reset_layout);
  showTitle();
  showFacts();
  showJob();
  design_->stage()->stage()->setFocus();
  qApp->installEventFilter(this);
}

MainWindow::~MainWindow() {
  delete takeCentralWidget();  // panels look at the workspace, which goes before Qt deletes children
  for (QObject* part : {static_cast<QObject*>(&workspace_.document), static_cast<QObject*>(&workspace_.plans),
                        static_cast<QObject*>(&workspace_.runs)}) {
    part->disconnect(this);  // what they say while they go has nobody to show it any more
  }
}

void MainWindow::buildPages() {
  pages_ = new QStackedWidget(this);
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const auto first = std::find_if(rows_.begin(), rows_.end(),
                                    [this, i](const Perspective& other) { return other.make == rows_[i].make; });
    const auto shared = static_cast<std::size_t>(first - rows_.begin());
    if (shared < i) {
      page_of_.push_back(page_of_[shared]);
      continue;
    }
    Page* page = rows_[i].make(workspace_, pages_);
    page_of_.push_back(page);
    pages_->addWidget(page);
    connect(page, &Page::perspectiveWanted, this, &MainWindow::setPerspective);
    connect(page, &Page::fileWanted, this, &MainWindow::openFile);
    connect(page, &Page::failed, this, [this](const QString& what) { banner_->show(what, "error"); });
  }
  design_ = page<DesignPage>();
  assert(design_ != nullptr && "a window has a Design page");
}

void MainWindow::openDesignOfRun(const PipelineSpec& spec, const QString& text, const QString& said, bool unasked) {
  if (!files_->openDesign(spec, text, unasked)) return;
  notice_->designIsOfRun(said);
  if (row().shows_job) setPerspective(kDesignPerspective);
}

void MainWindow::buildLayout() {
  auto* body = new QWidget(this);
  header_ = new HeaderBar(actions_, rows_, body);
  status_ = new StatusLine(body);
  notice_ = new DesignNotice(workspace_, body);
  auto* column = columnIn(body, {}, 0);
  column->addWidget(header_);
  column->addWidget(banner_);
  column->addWidget(notice_);
  column->addWidget(pages_, 1);
  column->addWidget(status_);
  setCentralWidget(body);
  locator_ = new LocatorPopup(
      header_->locatorField(),
      [this](const QString& query) { return locate(query, workspace_.document.spec(), locatorTargets()); }, body);
}

void MainWindow::wire() {
  connect(&workspace_.document, &Document::pathChanged, this, &MainWindow::showTitle);
  connect(&workspace_.document, &Document::pathChanged, &actions_, &Actions::refreshTips);
  connect(&workspace_.document, &Document::modifiedChanged, this, &MainWindow::showTitle);
  connect(&workspace_.plans, &PlanService::snapshotChanged, this, &MainWindow::showFacts);
  connect(&workspace_.audits, &EpochAudit::changed, this, &MainWindow::showFacts);
  connect(&workspace_.plans, &PlanService::progressed, status_, &StatusLine::setProgress);
  connect(&workspace_.plans, &PlanService::busyChanged, status_, [this](bool busy) {
    if (!busy) status_->setProgress(-1);
  });
  connect(status_, &StatusLine::cancelClicked, this, [this] {
    workspace_.plans.cancel();
    status_->say(phrase("window", "Stopped. Plan again with F5."));
  });
  connect(header_, &HeaderBar::perspectiveChosen, this,
          [this](int index) { setPerspective(rows_[static_cast<std::size_t>(index)].name); });
  connect(locator_, &LocatorPopup::chosen, this, &MainWindow::goTo);
  connect(notice_, &DesignNotice::designWanted, this, &MainWindow::openDesignOfRun);
  connect(notice_, &DesignNotice::runWanted, this,
          [this] { setPerspective(workspace_.runs.isRecording() ? kAutopsyPerspective : kRunPerspective); });
  connect(status_, &StatusLine::placeWanted, this, [this](const Selected& place) {
    row().shows_job ? workspace_.selection.select(place) : workspace_.goTo(place);
  });
  const auto say = [this](const QString& what) { Toast::say(*this, what); };
  connect(files_, &FileCommands::said, this, say);
  connect(page_commands_, &PageCommands::said, this, say);
  connect(&JobFailures::ofProgram(), &JobFailures::failed, banner_,
          [this](const QString& what) { banner_->show(what, "error"); });
  connect(files_, &FileCommands::runOpened, this, [this] { setPerspective(kAutopsyPerspective); });
  connect(files_, &FileCommands::fieldWanted, this, [this](const QString& path) {
    setPerspective(kDesignPerspective);
    design_->reveal(design_->form());
    design_->form()->focusField(path);
  });
  connect(files_, &FileCommands::textOpened, this, [this] {
    setPerspective(rows_.front().name);
    design_->showText(true);
  });
}

void MainWindow::wireJob() {
  connect(&workspace_.runs, &RunService::stateChanged, this, &MainWindow::showJob);
  connect(&workspace_.runs, &RunService::activeChanged, this, &MainWindow::showJob);
  connect(&workspace_.runs, &RunService::activeChanged, this, [this](bool active) {
    if (!active && banner_->text() == asked_) banner_->hide();  // nothing is left to decide
  });
  connect(&workspace_.runs, &RunService::stoppingChanged, this, &MainWindow::showJob);
  connect(&workspace_.runs, &RunService::pausedChanged, this, &MainWindow::showJob);
  connect(&workspace_.runs, &RunService::failed, this, [this](const QString& what) {
    if (!row().shows_job) banner_->show(what, "error");  // there the verdict says it
  });
}

/// A window for which the screen has no room fills it, be it the first one or one from a larger screen.
void MainWindow::fitScreen() {
  const QSize room = screen()->availableGeometry().size();
  if (width() < room.width() && height() < room.height()) return;
  resize(size().boundedTo(room));
  setWindowState(windowState() | Qt::WindowMaximized);
}

void MainWindow::restoreLayout(bool reset) {
  setMinimumSize(px(960), px(560));
  resize(px(kWindowWidth), px(kWindowHeight));
  if (session_ == nullptr) return;
  if (reset) session_->forgetLayout();
  restoreGeometry(session_->value("layout/geometry").toByteArray());
  fitScreen();
  for (Page* page : page_of_) {
    QVariantMap remembered;
    for (const QString& key : page->layout().keys()) {
      const QVariant value = session_->value(layoutKey(key));
      if (value.isValid()) remembered[key] = value;
    }
    page->restoreLayout(remembered);
  }
  if (session_->value("reduce_motion", false).toBool()) actions_.get("view.reduce_motion")->trigger();
  menuBar()->setVisible(session_->value("layout/menu_bar", false).toBool());
  setThemeChoice(static_cast<ThemeChoice>(session_->value("theme", static_cast<int>(ThemeChoice::System)).toInt()));
  setPerspective(session_->value("layout/perspective", rows_.front().name).toString());
}

bool MainWindow::openFirst(const QString& wanted) {
  const auto open = [&] {
    if (!wanted.isEmpty()) return files_->openAtStart(wanted);
    if (files_->restoreLast()) return true;
    const QString first = firstExample();
    return first.isEmpty() || files_->openCopy(first);
  };
  const bool opened = open();
  tellOfRunning();
  return opened;
}

/// A job goes on without the window that launched it, and only the Run page would say so.
void MainWindow::tellOfRunning() {
  if (session_ == nullptr || !workspace_.runs.runFile().isEmpty()) return;
  const std::vector<KnownRun> running = workspace_.runs.activeRuns();
  if (running.empty()) return;
  const QString name = QString::fromStdString(running.front().name);
  const QString said =
      running.size() == 1
          ? phrase("window", "%1 still runs.").arg(name)
          : phrase("window", "%1 and %2 still run.").arg(name, countOf(std::ssize(running) - 1, "other"));
  if (!banner_->isHidden()) return Toast::say(*this, said);
  const QString file = QString::fromStdString(running.front().run_file.string());
  banner_->show(said, "", {{phrase("window", "Watch"), [this, file] { openFile(file); }}});
}

bool MainWindow::isFirstStart() const {
  return session_ != nullptr && session_->recentFiles().isEmpty() && !session_->drafts().left();
}

bool MainWindow::openFile(const QString& path) {
  return files_->open(path);
}

void MainWindow::setPerspective(const QString& name) {
  const auto place = namesOf(rows_).indexOf(name);
  if (place < 0) return;
  current_ = static_cast<std::size_t>(place);
  pages_->setCurrentWidget(&currentPage());
  currentPage().enter(name);
  header_->setPerspective(static_cast<int>(place));
  notice_->setBelongs(!row().shows_job);
  showFacts();
  showJob();
}

void MainWindow::setThemeChoice(ThemeChoice choice) {
  theme_choice_ = choice;
  const char* const id = choice == ThemeChoice::Light  ? "view.theme.light"
                         : choice == ThemeChoice::Dark ? "view.theme.dark"
                                                       : "view.theme.system";
  actions_.get(id)->setChecked(true);
  const bool dark = choice == ThemeChoice::Dark || (choice == ThemeChoice::System && system_is_dark);
  applyTheme(dark ? Theme::darkTheme() : Theme::light());
}

bool MainWindow::isReady() const {
  const PlanSnapshot& answer = *workspace_.plans.snapshot();
  const RunService& runs = workspace_.runs;
  const bool planned = !workspace_.plans.isBusy() && (answer.audit != nullptr || !answer.issues.empty());
  const bool replayed = runs.runFile().isEmpty() || (runs.state() != nullptr && !runs.isActive() && !runs.isBehind());
  const bool shown = Refresh::allDone() && design_->stage()->isSettled() && !workspace_.text.isPausing();
  return planned && replayed && LatestJob::allIdle() && shown;
}

void MainWindow::seekWhenReady(qint64 epoch, qint64 step) {
  if (workspace_.plans.snapshot()->epoch) return workspace_.playback.seek(epoch, static_cast<double>(step));
  auto* once = new QObject(this);
  connect(&workspace_.plans, &PlanService::snapshotChanged, once, [this, once, epoch, step] {
    if (!workspace_.plans.snapshot()->epoch) return;
    once->deleteLater();
    workspace_.playback.seek(epoch, static_cast<double>(step));
  });
}

void MainWindow::showTitle() {
  const Document& document = workspace_.document;
  if (const QString run = tellsOfRun() ? workspace_.runs.runFile() : QString(); !run.isEmpty()) {
    // A recording of the window is called by its design; its folder has the time too, for which there is no room.
    const QString design = QString::fromStdString(workspace_.runs.state()->name);
    const bool is_own = QFileInfo(run).fileName() == "run.slrun" && !design.isEmpty();
    const QString known = is_own ? design : recordingName(run);
    const QString name = workspace_.runs.isActive() ? known : phrase("window", "%1, recorded").arg(known);
    header_->setDocument(name, run, false);
    return setWindowTitle(name + " – ShardLens");
  }
  header_->setDocument(documentName(document), document.path(), document.isModified());
  setWindowTitle(documentName(document) + (document.isModified() ? " • " : " – ") + "ShardLens");
}

/// Where the design is launched, it is told of, whatever run is open.
bool MainWindow::tellsOfRun() const {
  const auto* const page = qobject_cast<const RunPage*>(&currentPage());
  return row().shows_job && workspace_.runs.state() && !(page != nullptr && page->isLaunching());
}

void MainWindow::showFacts() {
  showTitle();
  const RunStatePtr run = workspace_.runs.state();
  if (tellsOfRun()) {
    return status_->setFacts(runStatusText(*run, workspace_.runs.facts().get()), droppedText(*run));
  }
  const PlanSnapshotPtr held = workspace_.answer();
  const PlanSnapshot& answer = *held;
  if (answer.issues.empty()) {
    status_->setFacts(planLine(answer), timeLine(answer));
  } else {
    status_->setFacts(QString::fromStdString(answer.issues.front().text()),
                      answer.plan ? phrase("window", "the last valid plan is shown") : phrase("window", "no plan"));
  }
}

void MainWindow::saveLayout() {
  session_->set("layout/geometry", saveGeometry());
  session_->set("layout/perspective", perspective());
  session_->set("layout/menu_bar", menuBar()->isVisible());
  for (const Page* page : page_of_) {
    const QVariantMap layout = page->layout();
    for (const QString& key : layout.keys()) session_->set(layoutKey(key), layout[key]);
  }
  session_->set("theme", static_cast<int>(theme_choice_));
  session_->set("reduce_motion", actions_.get("view.reduce_motion")->isChecked());
  session_->flush();
}

/// A job goes on without its window. Closing says so first; closing once more is an answer, too.
bool MainWindow::mayQuit() {
  const RunService& runs = workspace_.runs;
  if (!runs.canStop() || quits_) return true;  // whoever started it elsewhere knows that it goes on
  if (banner_->isVisible() && banner_->text() == asked_) return true;
  QString name = runs.state() && !runs.state()->name.empty() ? text(runs.state()->name) : phrase("window", "The job");
  if (runs.state()) {
    name = phrase("window", "%1 (%2, %3)")
               .arg(name, countOf(runs.state()->world_size, "rank"), clockText(runs.state()->elapsed_ns));
  }
  asked_ =
      phrase("window", "%1 is still running. It can go on without this window, and Run lists it at the next start.")
          .arg(name);
  banner_->show(asked_, "warning",
                {{phrase("window", "Keep it running"),
                  [this] {
                    quits_ = true;
                    close();
                  }},
                 {phrase("window", "Stop it"), [this] { stopAndQuit(); }},
                 {phrase("window", "Cancel"), [] {}}});
  return false;
}

void MainWindow::stopAndQuit() {
  if (!workspace_.runs.isActive()) {
    close();
    return;
  }
  connect(&workspace_.runs, &RunService::activeChanged, this, [this](bool active) {
    if (!active) close();
  });
  workspace_.runs.stop();
  status_->say(phrase("window", "Stopping the job; the window closes when it has ended."));
}

void MainWindow::closeEvent(QCloseEvent* event) {
  if (!mayQuit()) return event->ignore();
  if (session_ != nullptr) saveLayout();
  hide();  // nothing is left to do here, and a large draft takes its time
  files_->keepUnsaved();
  if (session_ != nullptr) session_->flush();
  QMainWindow::closeEvent(event);
}

void MainWindow::keyPressEvent(QKeyEvent* event) {
  QWidget* focused = focusWidget();
  const bool typing = qobject_cast<QLineEdit*>(focused) != nullptr || qobject_cast<QComboBox*>(focused) != nullptr;
  if (!typing && row().plays && handleTransportKey(workspace_.playback, *event)) {
    event->accept();
  } else {
    QMainWindow::keyPressEvent(event);
  }
}

bool MainWindow::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::MouseButtonPress) return false;
  const Qt::MouseButton button = static_cast<QMouseEvent*>(event)->button();
  const auto* widget = qobject_cast<QWidget*>(watched);
  if (widget == nullptr || widget->window() != this) return false;
  if (button == Qt::BackButton) actions_.get("view.back")->trigger();
  if (button == Qt::ForwardButton) actions_.get("view.forward")->trigger();
  return button == Qt::BackButton || button == Qt::ForwardButton;
}

// What is dropped on the window or pasted into it.

namespace {

bool isOurs(const QString& path) {
  static const QStringList kEndings = {"yaml", "yml", "json", "sh", "sbatch", "slurm", "py"};
  return kEndings.contains(QFileInfo(path).suffix()) || !recordingAt(path).isEmpty();
}

/// The one file of ours that is dragged or was copied; empty: there is none.
QString fileOf(const QMimeData* data) {
  const QList<QUrl> urls = data != nullptr ? data->urls() : QList<QUrl>();
  const bool is_one = urls.size() == 1 && urls[0].isLocalFile() && isOurs(urls[0].toLocalFile());
  return is_one ? urls[0].toLocalFile() : QString();
}

}  // namespace

void MainWindow::openClipboard() {
  const QMimeData* const copied = QGuiApplication::clipboard()->mimeData();
  if (const QString file = fileOf(copied); !file.isEmpty()) return static_cast<void>(openFile(file));
  const QString text = copied != nullptr ? copied->text() : QString();
  if (text.trimmed().isEmpty())
    return banner_->show(
        phrase("window", "There is no text in the clipboard. Copy a spec, a script, a config or a command line."), "");
  if (files_->openText(text)) setPerspective(kDesignPerspective);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  if (!fileOf(event->mimeData()).isEmpty()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
  event->acceptProposedAction();
  openFile(fileOf(event->mimeData()));
}

}  // namespace shardlens::ui

#include "moc_main_window.cpp"
