// SPDX-License-Identifier: GPL-3.0-or-later
// What the window can do, one row an action, and in which menu it stands. Ids are stable: tests, the locator and docs
// name them. Menus open from the button in the header, by Alt and their letter, and as a bar when the user wants one.
#include "core/launch/launch_command.h"
#include "core/sampling/registry.h"
#include "core/spec/field_table.h"
#include "ui/scene/design/form.h"
#include "ui/scene/design/inspection.h"
#include "ui/scene/run/text.h"
#include "ui/scene/theme.h"
#include "ui/state/phrase.h"
#include "ui/widgets/common/arrangement.h"
#include "ui/widgets/common/sheet.h"
#include "ui/widgets/common/toast.h"
#include "ui/widgets/design/findings_panel.h"
#include "ui/widgets/design/form_panel.h"
#include "ui/widgets/design/inspector_panel.h"
#include "ui/widgets/stage/stage_panel.h"
#include "ui/widgets/stage/stage_view.h"
#include "ui/window/banner.h"
#include "ui/window/design_page.h"
#include "ui/window/dialogs.h"
#include "ui/window/file_commands.h"
#include "ui/window/header_bar.h"
#include "ui/window/language.h"
#include "ui/window/main_window.h"
#include "ui/window/status_line.h"
#include "ui/window/tab_strip.h"

#include <QActionGroup>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QShortcut>
#include <QToolButton>

#include <functional>

namespace shardlens::ui {
namespace {

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

}  // namespace

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
  actions_.add({"edit.copy_command", phrase("window", "Copy &command line"), [this] { copyTwin(); },
                keys("Ctrl+Shift+C"), phrase("window", "The command line that gives the same result"),
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

void MainWindow::addHelpActions() {
  actions_.add({"help.keys", phrase("window", "&Keyboard"), [this] { showKeys(); }, keys("?"),
                phrase("window", "All keyboard shortcuts")});
  actions_.add({"help.examples", phrase("window", "&Examples…"), [this] { openGallery(); }});
  actions_.add({"help.tour", tr("&Tour"), [this] { startTour(); }, {}, tr("A five-step tour of the window")});
  actions_.add({"help.about", phrase("window", "&About ShardLens"), [this] { showAbout(this); }});
}

/// Opened and not waited for: jobs, timers and tests go on below it.
void MainWindow::showKeys() {
  if (findChild<KeySheet*>() != nullptr) return;
  auto* sheet = new KeySheet(actions_, rows_, this);
  sheet->setAttribute(Qt::WA_DeleteOnClose);
  sheet->open();
}

void MainWindow::copyTwin() {
  copyText(*this, actions_.twin("edit.copy_command"));
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
