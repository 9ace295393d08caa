// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/main_window.h"

#include "core/launch/launch_command.h"
#include "ui/scene/design/form.h"
#include "ui/scene/design/inspection.h"
#include "ui/scene/number_text.h"
#include "ui/scene/run/text.h"
#include "ui/scene/theme.h"
#include "ui/state/latest_job.h"
#include "ui/state/phrase.h"
#include "ui/state/recording_library.h"
#include "ui/widgets/common/arrangement.h"
#include "ui/widgets/common/refresh.h"
#include "ui/widgets/common/sheet.h"
#include "ui/widgets/common/style.h"
#include "ui/widgets/common/toast.h"
#include "ui/widgets/design/findings_panel.h"
#include "ui/widgets/design/form_panel.h"
#include "ui/widgets/design/inspector_panel.h"
#include "ui/widgets/run/run_page.h"
#include "ui/widgets/stage/stage_panel.h"
#include "ui/widgets/stage/stage_view.h"
#include "ui/widgets/stage/transport_bar.h"
#include "ui/widgets/start/gallery.h"
#include "ui/window/banner.h"
#include "ui/window/bottom_tabs.h"
#include "ui/window/design_page.h"
#include "ui/window/dialogs.h"
#include "ui/window/header_bar.h"
#include "ui/window/language.h"
#include "ui/window/status_line.h"

#include <QActionGroup>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QGuiApplication>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QMimeData>
#include <QMouseEvent>
#include <QScreen>
#include <QShortcut>
#include <QStackedWidget>
#include <QToolButton>
#include <QUrl>

#include <algorithm>
#include <cassert>
#include <functional>

namespace shardlens::ui {
namespace {

bool system_is_dark = false;

/// Where a session keeps what a page calls `key`.
QString layoutKey(const QString& key) {
  return "layout/" + key;
}

void fill(QMenu& menu, const Actions& actions, const QStringList& ids) {
  for (const QString& id : ids) {
    if (id == "-") {
      menu.addSeparator();
    } else {
      menu.addAction(actions.get(id));
    }
  }
  menu.setToolTipsVisible(true);
}

QStringList withPrefix(const char* prefix, const QStringList& names) {
  QStringList ids;
  for (const QString& name : names) ids += prefix + name;
  return ids;
}

QMenu* fileMenu(QWidget* window, const Actions& actions, FileCommands& files) {
  auto* menu = new QMenu(phrase("window", "&File"), window);
  fill(*menu, actions, {"file.new", "file.paste", "file.open", "file.open_recording"});
  QMenu* recent = menu->addMenu(phrase("window", "Open &recent"));
  QMenu* drafts = menu->addMenu(phrase("window", "&Kept drafts"));
  QObject::connect(recent, &QMenu::aboutToShow, &files, [&files, recent] { files.fillRecent(*recent); });
  QObject::connect(drafts, &QMenu::aboutToShow, &files, [&files, drafts] { files.fillDrafts(*drafts); });
  fill(*menu, actions,
       {"file.examples", "-", "file.save", "file.save_as", "file.film", "file.report", "file.picture", "-",
        "file.quit"});
  return menu;
}

/// The panels of the page in view, shown or hidden, and what is done with the one that has the focus.
void addPanelsMenu(QMenu& view, const Actions& actions, const std::function<QWidget*()>& page) {
  auto* menu = view.addMenu(phrase("window", "&Panels"));
  const auto refill = [menu, page, &actions] {
    menu->clear();
    if (auto* panels = Arrangement::around(page())) fillPanelRows(*menu, *panels);
    fill(*menu, actions,
         {"-", "panel.hide", "panel.left", "panel.right", "panel.up", "panel.down", "-", "panel.restore"});
  };
  QObject::connect(menu, &QMenu::aboutToShow, menu, refill);
  refill();
}

QMenu* viewMenu(QWidget* window, const Actions& actions, const QStringList& perspectives,
                const std::function<QWidget*()>& page) {
  auto* menu = new QMenu(phrase("window", "&View"), window);
  fill(*menu, actions, withPrefix("view.", perspectives) << "-");
  fill(*menu->addMenu(phrase("window", "&Theme")), actions,
       {"view.theme.light", "view.theme.dark", "view.theme.system", "-", "view.theme.toggle"});
  QStringList language_ids = {"view.language." + kSystemLanguage};
  for (const QString& name : languages()) language_ids += "view.language." + name;
  fill(*menu->addMenu(phrase("window", "Lan&guage")), actions, language_ids);
  fill(*menu, actions, {"view.back", "view.forward", "-"});
  QStringList panels;
  for (int i = 1; i <= 5; ++i) panels += QString("view.panel.%1").arg(i);
  fill(*menu->addMenu(phrase("window", "Go &to panel")), actions, panels);
  fill(*menu, actions, {"view.form", "view.side", "view.tabs"});
  addPanelsMenu(*menu, actions, page);
  fill(*menu, actions, {"-", "view.reduce_motion", "view.menu_bar", "view.full_screen", "view.reset_layout"});
  return menu;
}

QMenu* plainMenu(const QString& title, QWidget* window, const Actions& actions, const QStringList& ids) {
  auto* menu = new QMenu(title, window);
  fill(*menu, actions, ids);
  return menu;
}

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
  // Opened and not waited for: jobs, timers and tests go on below it.
  actions_.add({"help.keys", phrase("window", "&Keyboard"),
                [this] {
                  if (findChild<KeySheet*>() != nullptr) return;
                  auto* sheet = new KeySheet(actions_, rows_, this);
                  sheet->setAttribute(Qt::WA_DeleteOnClose);
                  sheet->open();
                },
                keys("?"), phrase("window", "All keyboard shortcuts")});
  actions_.add({"help.examples", phrase("window", "&Examples…"), [this] { openGallery(); }});
  actions_.add({"help.tour", tr("&Tour"), [this] { startTour(); }, {}, tr("A five-step tour of the window")});
  actions_.add({"help.about", phrase("window", "&About ShardLens"), [this] { showAbout(this); }});
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
    const auto first =
        std::ranges::find_if(rows_, [this, i](const Perspective& other) { return other.make == rows_[i].make; });
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

void MainWindow::buildLayout() {
  auto* body = new QWidget(this);
  header_ = new HeaderBar(actions_, rows_, body);
  status_ = new StatusLine(body);
  notice_ = new DesignNotice(workspace_, body);
  auto* column = columnIn(body, {}, 0);
  addAll(column, {header_, banner_, notice_});
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
  // `said`: what of the recording it plans.
  connect(notice_, &DesignNotice::designWanted, this,
          [this](const PipelineSpec& spec, const QString& text, const QString& said, bool unasked) {
            if (!files_->openDesign(spec, text, unasked)) return;
            notice_->designIsOfRun(said);
            if (row().shows_job) setPerspective(kDesignPerspective);
          });
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
  resize(px(1440), px(900));
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

void MainWindow::addFileActions() {
  actions_.add({"file.new", phrase("window", "&New"), [this] { files_->newDocument(); }, keys("Ctrl+N"),
                phrase("window", "A new pipeline")});
  actions_.add({"file.open", phrase("window", "&Open…"), [this] { files_->openWithDialog(); }, keys("Ctrl+O"),
                phrase("window", "A design, a script, a config of a job or a recording")});
  actions_.add({"file.open_recording",
                phrase("window", "Open a &recording…"),
                [this] { files_->openRecordingWithDialog(); },
                {},
                phrase("window", "Choose its folder (.slrun)")});
  actions_.add({"file.paste", phrase("window", "New from &clipboard"), [this] { openClipboard(); }, keys("Ctrl+V"),
                phrase("window", "A design of the copied spec, script, config or command line")});
  actions_.add({"file.examples", phrase("window", "&Examples…"), [this] { openGallery(); }, keys("Ctrl+Shift+O"),
                phrase("window", "Small pipelines that each demonstrate one thing")});
  actions_.add({"file.save", phrase("window", "&Save"), [this] { files_->save(); }, keys("Ctrl+S")});
  actions_.add(
      {"file.save_as", phrase("window", "Save &as…"), [this] { files_->saveWithDialog(); }, keys("Ctrl+Shift+S")});
  actions_.add({"file.film", phrase("window", "Save as a playable &page…"), [this] { page_commands_->askForFilm(); },
                keys("Ctrl+Shift+E"), phrase("window", "The deal as one HTML file that plays in any browser"),
                [this] { return QString("shardlens film %1 -o film.html").arg(workspace_.specArgument()); }});
  actions_.add({"file.report", phrase("window", "Save the &run as a page…"), [this] { page_commands_->askForReport(); },
                keys("Ctrl+Alt+E"),
                phrase("window", "What the run in view did, as one HTML file that opens in any browser"),
                [this] {
                  const QString run = workspace_.runs.runFile();
                  return QString("shardlens report %1 -o report.html")
                      .arg(run.isEmpty() ? "RUN" : QString::fromStdString(shellQuoted(run.toStdString())));
                }});
  actions_.add({"file.picture",
                phrase("window", "Save a p&icture of the window…"),
                [this] { page_commands_->askForPicture(); },
                {},
                phrase("window", "PNG with enough pixels for print, or SVG")});
  actions_.add({"file.quit", phrase("window", "&Quit"), [this] { close(); }, keys("Ctrl+Q")});
}

void MainWindow::addEditActions() {
  QUndoStack& undo = workspace_.document.undoStack();
  QAction* back = actions_.add({"edit.undo", phrase("window", "&Undo"), [&undo] { undo.undo(); }, keys("Ctrl+Z")});
  QAction* forth = actions_.add({"edit.redo",
                                 phrase("window", "&Redo"),
                                 [&undo] { undo.redo(); },
                                 {QKeySequence("Ctrl+Shift+Z"), QKeySequence("Ctrl+Y")}});
  back->setEnabled(undo.canUndo());
  forth->setEnabled(undo.canRedo());
  connect(&undo, &QUndoStack::canUndoChanged, back, &QAction::setEnabled);
  connect(&undo, &QUndoStack::canRedoChanged, forth, &QAction::setEnabled);
  connect(&undo, &QUndoStack::undoTextChanged, back,
          [back](const QString& what) { back->setText(phrase("window", "&Undo %1").arg(what)); });
  connect(&undo, &QUndoStack::redoTextChanged, forth,
          [forth](const QString& what) { forth->setText(phrase("window", "&Redo %1").arg(what)); });
  actions_.add({"edit.locate", phrase("window", "&Find sample, rank, action…"),
                [this] {
                  header_->locatorField()->show();  // a narrow window may show the running job there
                  header_->locatorField()->setFocus(Qt::ShortcutFocusReason);
                  header_->locatorField()->selectAll();
                },
                keys("Ctrl+K"), phrase("window", "rank 3 epoch 1 step 7, a sample id, an action, a field")});
  actions_.add({"edit.copy_command", phrase("window", "Copy &command line"),
                [this] { copyText(*this, actions_.twin("edit.copy_command")); }, keys("Ctrl+Shift+C"),
                phrase("window", "The command line that gives the same result"),
                [this] { return currentPage().command(); }});
}

void MainWindow::addViewActions() {
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const Perspective& row = rows_[i];
    actions_.add({"view." + row.name,
                  row.menu,
                  [this, name = row.name] { setPerspective(name); },
                  {row.key},
                  "",
                  [page = page_of_[i]] { return page->command(); }});
  }
  addPlaceActions();
  addPanelActions();
  addPartActions();
  addThemeActions();
  addLanguageActions();
  QAction* motion = actions_.add({"view.reduce_motion",
                                  phrase("window", "&Reduce motion"),
                                  [this] {
                                    const bool reduced = actions_.get("view.reduce_motion")->isChecked();
                                    design_->stage()->setReducedMotion(reduced);
                                    Sheet::setReducedMotion(this, reduced);
                                  },
                                  {},
                                  phrase("window", "No animation: the playhead jumps from step to step")});
  motion->setCheckable(true);
  actions_.add({"view.menu_bar", phrase("window", "&Menu bar"),
                [this] { menuBar()->setVisible(!menuBar()->isVisibleTo(this)); }, keys("Ctrl+M"),
                phrase("window", "Show the menus as a bar")});
  actions_.add({"view.full_screen", phrase("window", "&Full screen"),
                [this] { setWindowState(windowState() ^ Qt::WindowFullScreen); }, keys("F11")});
  actions_.add({"view.reset_layout", phrase("window", "Reset la&yout"), [this] {
                  for (Page* page : page_of_) page->resetLayout();
                }});
}

void MainWindow::addPlaceActions() {
  Selection& selection = workspace_.selection;
  QAction* back = actions_.add({"view.back", phrase("window", "&Back"), [&selection] { selection.goBack(); },
                                keys("Alt+Left"), phrase("window", "What was selected before")});
  QAction* forward =
      actions_.add({"view.forward", phrase("window", "&Forward"), [&selection] { selection.goForward(); },
                    keys("Alt+Right"), phrase("window", "What was selected before going back")});
  const auto follow = [&selection, back, forward] {
    back->setEnabled(selection.canGoBack());
    forward->setEnabled(selection.canGoForward());
  };
  connect(&selection, &Selection::changed, back, follow);
  follow();
}

void MainWindow::addPanelActions() {
  const std::pair<QString, QWidget*> panels[] = {{phrase("window", "Design form"), design_->form()},
                                                 {phrase("window", "Stage"), design_->stage()->stage()},
                                                 {phrase("window", "Inspector"), design_->inspector()},
                                                 {phrase("window", "Findings"), design_->findings()},
                                                 {phrase("window", "Bottom tabs"), design_->tabs()}};
  int number = 1;
  for (const auto& [label, panel] : panels) {
    actions_.add({QString("view.panel.%1").arg(number),
                  phrase("window", "Go to %1").arg(label),
                  [this, panel = panel] { focusPanel(panel); },
                  {QKeySequence(QString("Alt+%1").arg(number))}});
    ++number;
  }
}

/// Everything but the Stage can be hidden.
void MainWindow::addPartActions() {
  using Part = DesignPage::Part;
  struct Row {
    QString id;
    QString text;
    Part part;
    const char* keys;
  };
  const Row part_rows[] = {{"view.form", tr("Design &form"), Part::Form, "Ctrl+B"},
                           {"view.side", tr("&Inspector and findings"), Part::Side, "Ctrl+Alt+B"},
                           {"view.tabs", tr("Bottom &tabs"), Part::Tabs, "Ctrl+J"}};
  for (const Row& part_row : part_rows) {
    QAction* action = actions_.add({part_row.id, part_row.text,
                                    [this, part = part_row.part] {
                                      setPerspective(kDesignPerspective);
                                      design_->togglePart(part);
                                    },
                                    keys(part_row.keys), tr("Show or hide")});
    action->setCheckable(true);
    const auto follow = [this, action, part = part_row.part] { action->setChecked(design_->isPartInSight(part)); };
    connect(action, &QAction::triggered, this, follow);
    connect(design_->panels(), &Arrangement::changed, this, follow);
    follow();
  }
}

/// What is done with the panel that has the focus, on any page.
void MainWindow::addArrangementActions() {
  using Direction = Arrangement::Direction;
  const auto add = [this](const QString& id, const QString& text, const char* keys_of_it, const QString& tip,
                          const std::function<void(Arrangement&, const QString&)>& run) {
    actions_.add({id, text,
                  [this, run] {
                    auto* page = Arrangement::around(focusWidget());
                    const QString panel = page == nullptr ? QString() : page->idOf(focusWidget());
                    if (page == nullptr || panel.isEmpty())
                      return status_->say(tr("Choose a panel first: click into it."));
                    run(*page, panel);
                  },
                  keys(keys_of_it), tip});
  };
  const auto move = [](Direction to) {
    return [to](Arrangement& page, const QString& panel) { page.movePanel(panel, to); };
  };
  const QString moves = tr("Past the panel beside it; its column or row, where there is none");
  add("panel.left", tr("Move panel &left"), "Alt+Shift+Left", moves, move(Direction::Left));
  add("panel.right", tr("Move panel &right"), "Alt+Shift+Right", moves, move(Direction::Right));
  add("panel.up", tr("Move panel &up"), "Alt+Shift+Up", moves, move(Direction::Up));
  add("panel.down", tr("Move panel &down"), "Alt+Shift+Down", moves, move(Direction::Down));
  add("panel.hide", tr("&Hide panel"), "Ctrl+Shift+H", tr("The panel with the focus"),
      [](Arrangement& page, const QString& panel) { page.hidePanels({panel}); });
  actions_.add({"panel.restore", tr("Restore &panels"),
                [this] {
                  if (auto* page = Arrangement::around(&currentPage())) page->restorePanels();
                },
                keys("Ctrl+Shift+P"), tr("All panels of this page, where they were at first")});
}

void MainWindow::addThemeActions() {
  auto* group = new QActionGroup(this);
  const auto add = [this, group](const QString& id, const QString& label, ThemeChoice choice) {
    QAction* action = actions_.add({id, label, [this, choice] { setThemeChoice(choice); }});
    action->setCheckable(true);
    group->addAction(action);
  };
  add("view.theme.light", phrase("window", "&Light"), ThemeChoice::Light);
  add("view.theme.dark", phrase("window", "&Dark"), ThemeChoice::Dark);
  add("view.theme.system", phrase("window", "Same as the &system"), ThemeChoice::System);
  actions_.add({"view.theme.toggle", phrase("window", "&Light or dark"),
                [this] { setThemeChoice(theme().dark ? ThemeChoice::Light : ThemeChoice::Dark); },
                keys("Ctrl+Shift+L")});
}

void MainWindow::addLanguageActions() {
  const QString chosen =
      session_ == nullptr ? kSystemLanguage : session_->value(kLanguageSetting, kSystemLanguage).toString();
  auto* group = new QActionGroup(this);
  const auto add = [this, group, &chosen](const QString& name, const QString& label) {
    QAction* action =
        actions_.add({"view.language." + name, label, [this, name] {
                        session_->set(kLanguageSetting, name);
                        status_->say(phrase("window", "The language changes the next time the window starts."));
                      }});
    action->setCheckable(true);
    action->setChecked(name == chosen);
    action->setEnabled(session_ != nullptr);
    group->addAction(action);
  };
  add(kSystemLanguage, phrase("window", "Same as the &system"));
  for (const QString& name : languages()) add(name, languageLabel(name));
}

void MainWindow::addPageActions() {
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const bool seen = std::count(page_of_.begin(), page_of_.begin() + static_cast<std::ptrdiff_t>(i), page_of_[i]) > 0;
    std::vector<ActionInfo> infos = seen ? std::vector<ActionInfo>() : page_of_[i]->actions();
    if (infos.empty()) continue;
    PageMenu menu{rows_[i].menu, {}};
    for (ActionInfo& info : infos) {
      menu.ids += info.id.isEmpty() ? QString("-") : info.id;
      if (!info.id.isEmpty()) actions_.add(std::move(info));
    }
    page_menus_.push_back(std::move(menu));
  }
  actions_.get("run.stop")->setAutoRepeat(false);  // a key held down must not answer what it asks
}

void MainWindow::addAnalyseActions() {
  for (const TabRow& row : design_->tabRows()) {
    ActionInfo info{"analyse." + row.name, row.label, [this, name = row.name] { showTab(name); }};
    if (!row.key.isEmpty()) info.keys = {row.key};
    info.tip = phrase("window", "Show %1").arg(row.label);
    if (!row.twin.isEmpty()) info.twin = [this, twin = row.twin] { return twin.arg(workspace_.specArgument()); };
    actions_.add(std::move(info));
  }
}

void MainWindow::showJob() {
  const RunService& runs = workspace_.runs;
  const bool active = runs.isActive();
  const RunStatePtr state = runs.state();
  actions_.get("run.stop")->setEnabled(runs.canStop() && !runs.isStopping());
  actions_.get("run.pause")->setEnabled(active);
  actions_.get("run.launch")->setEnabled(!active);
  QString said = active && state ? "● " + recordingText(*state, active)
                 : active        ? phrase("window", "● starting")
                                 : QString();
  if (active && runs.isPaused()) said = phrase("window", "● view paused");
  header_->setJob(said);
  header_->setWatching(row().shows_job);
  if (row().shows_job) showFacts();
}

std::vector<QMenu*> MainWindow::makeMenus() {
  std::vector<QMenu*> menus = {
      fileMenu(this, actions_, *files_),
      plainMenu(phrase("window", "&Edit"), this, actions_,
                {"edit.undo", "edit.redo", "-", "edit.locate", "edit.copy_command"}),
      viewMenu(this, actions_, namesOf(rows_), [this] { return &currentPage(); }),
  };
  for (const PageMenu& menu : page_menus_) menus.push_back(plainMenu(menu.title, this, actions_, menu.ids));
  menus.push_back(
      plainMenu(phrase("window", "&Analyse"), this, actions_, withPrefix("analyse.", namesOf(design_->tabRows()))));
  menus.push_back(plainMenu(phrase("window", "&Help"), this, actions_,
                            {"help.keys", "help.examples", "help.tour", "-", "help.about"}));
  return menus;
}

void MainWindow::buildMenus() {
  QToolButton* button = header_->menuButton();
  auto* root = new QMenu(this);
  for (QMenu* menu : makeMenus()) {
    root->addMenu(menu);
    menuBar()->addMenu(menu);
    auto* shortcut = new QShortcut(QKeySequence("Alt+" + menu->title().section('&', 1).left(1)), this);
    connect(shortcut, &QShortcut::activated, this, [this, menu, button] {
      const bool bar = menuBar()->isVisible();
      bar ? menuBar()->setActiveAction(menu->menuAction())
          : menu->popup(button->mapToGlobal(QPoint(0, button->height())));
    });
  }
  button->setMenu(root);
  connect(new QShortcut(QKeySequence("F10"), this), &QShortcut::activated, button, &QToolButton::showMenu);
  menuBar()->hide();
}

}  // namespace shardlens::ui

#include "moc_main_window.cpp"
