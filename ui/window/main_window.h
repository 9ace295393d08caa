// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/links.h"
#include "ui/state/workspace.h"
#include "ui/widgets/common/page.h"
#include "ui/window/file_commands.h"
#include "ui/window/perspectives.h"
#include "ui/window/session.h"

#include <QMainWindow>

#include <memory>
#include <vector>

class QDialog;
class QMenu;
class QStackedWidget;

namespace shardlens::ui {

class Banner;
class DesignNotice;
class DesignPage;
class HeaderBar;
class LocatorPopup;
class StatusLine;

enum class ThemeChoice { Light, Dark, System };

/// The window of the studio: puts the pages of the perspectives together and sends what the user does to where it is
/// done. It knows the Design page, where samples, fields and findings are shown, and no other page by its class.
class MainWindow : public QMainWindow {
  Q_OBJECT

 public:
  struct Setup {
    bool remembers = true;   ///< false: nothing is read from or written to a session
    QString session_folder;  ///< empty: the user's
    bool reset_layout = false;
    std::vector<Perspective> perspectives = ui::perspectives();
  };

  explicit MainWindow(const Setup& setup, QWidget* parent = nullptr);
  ~MainWindow() override;

  [[nodiscard]] Workspace& workspace() { return workspace_; }
  [[nodiscard]] Actions& actions() { return actions_; }
  [[nodiscard]] DesignPage* design() const { return design_; }
  /// The page of that class, null when no perspective shows one.
  template <class Shown>
  [[nodiscard]] Shown* page() const {
    return findChild<Shown*>();
  }
  [[nodiscard]] FileCommands* files() const { return files_; }
  [[nodiscard]] PageCommands* pages() const { return page_commands_; }
  [[nodiscard]] Banner* banner() const { return banner_; }
  [[nodiscard]] StatusLine* status() const { return status_; }
  [[nodiscard]] LocatorPopup* locator() const { return locator_; }

  /// The first document: the wanted file, else the last session's, else the first example, else an empty one. False
  /// when the wanted file cannot be read.
  bool openFirst(const QString& wanted = {});
  bool openFile(const QString& path) { return files_->open(path); }
  /// The examples as cards; choosing one opens a copy and plays it.
  void openGallery();
  /// At the first start: the examples, and when they are done with the tour.
  void welcome();
  /// A walk over the window. Asked for by the user, or by welcome() once.
  void startTour();
  /// Nothing was ever opened here: there is no session to go on with.
  [[nodiscard]] bool isFirstStart() const;
  /// Goes to the perspective of that name; an unknown one changes nothing.
  void setPerspective(const QString& name);
  [[nodiscard]] const QString& perspective() const { return row().name; }
  void setThemeChoice(ThemeChoice choice);
  /// Puts the playhead there once the first plan has told how far it reaches.
  void seekWhenReady(qint64 epoch, qint64 step);
  /// Nothing is being computed, no typed text waits to be read, and all that was computed is on the screen: a picture
  /// taken now is complete.
  [[nodiscard]] bool isReady() const;

 protected:
  void closeEvent(QCloseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;
  /// The mouse's buttons for back and forward, wherever in the window they are pressed.
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void addFileActions();
  void addEditActions();
  void addViewActions();
  void addThemeActions();
  void addLanguageActions();
  void addPlaceActions();
  void addPanelActions();
  void addPartActions();
  void addArrangementActions();
  void addPageActions();
  void addAnalyseActions();
  void buildPages();
  void buildLayout();
  [[nodiscard]] std::vector<QMenu*> makeMenus();
  void buildMenus();
  void wire();
  void wireJob();
  void fitScreen();
  void tellOfRunning();
  void restoreLayout(bool reset);
  void saveLayout();
  void showTitle();
  [[nodiscard]] const Perspective& row() const { return rows_[current_]; }
  [[nodiscard]] Page& currentPage() const { return *page_of_[current_]; }
  void showFacts();
  /// What is on the screen is a job or a recording, not the plan.
  [[nodiscard]] bool tellsOfRun() const;
  void showJob();
  /// False: it asked what becomes of the job.
  bool mayQuit();
  void stopAndQuit();
  void showTab(const QString& name);
  void goTo(const LocatorHit& hit);
  void goToPlace(const Selected& place);
  void playExample(const QString& path);
  void playFirstEpoch();
  [[nodiscard]] QWidget* startBeside(QDialog* gallery);
  [[nodiscard]] QWidget* recentDesigns(QDialog* gallery);
  [[nodiscard]] QWidget* wayToStart(QDialog* gallery, const char* action, const QString& name, const QString& about);
  /// What was copied becomes the design.
  void openClipboard();
  void focusPanel(QWidget* panel);
  void startTourOnce();
  [[nodiscard]] std::vector<LocatorTarget> locatorTargets() const;

  /// The menu of a page: its actions, "-" between groups.
  struct PageMenu {
    QString title;
    QStringList ids;
  };

  Workspace workspace_;
  std::vector<Perspective> rows_;
  std::size_t current_ = 0;  ///< the perspective's place in rows_
  std::unique_ptr<Session> session_;
  Actions actions_;
  HeaderBar* header_ = nullptr;
  Banner* banner_ = nullptr;
  DesignNotice* notice_ = nullptr;
  QStackedWidget* pages_ = nullptr;
  DesignPage* design_ = nullptr;
  std::vector<Page*> page_of_;  ///< of each row; rows may share one
  std::vector<PageMenu> page_menus_;
  StatusLine* status_ = nullptr;
  FileCommands* files_ = nullptr;
  PageCommands* page_commands_ = nullptr;
  LocatorPopup* locator_ = nullptr;
  QString asked_;       ///< the question what becomes of the job
  bool quits_ = false;  ///< the job goes on without this window
  ThemeChoice theme_choice_ = ThemeChoice::System;
};

/// Whether the system's own colours, before ours were put on, are dark. Called once at start.
void rememberSystemColors();

}  // namespace shardlens::ui
