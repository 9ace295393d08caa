// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/locator.h"
#include "ui/state/workspace.h"
#include "ui/window/actions.h"
#include "ui/window/perspective.h"
#include "ui/window/session.h"

#include <QMainWindow>

#include <memory>

class QStackedWidget;

namespace shardlens::ui {

class Banner;
class DesignPage;
class FileCommands;
class HeaderBar;
class LensPage;
class LocatorPopup;
class ResumePage;
class RunPage;
class StatusLine;

enum class ThemeChoice { Light, Dark, System };

/// The window of the studio: puts the panels together and sends what the user does to where it is done.
class MainWindow : public QMainWindow {
  Q_OBJECT

 public:
  struct Setup {
    bool remembers = true;   ///< false: nothing is read from or written to a session
    QString session_folder;  ///< empty: the user's
    bool reset_layout = false;
  };

  explicit MainWindow(const Setup& setup, QWidget* parent = nullptr);
  ~MainWindow() override;

  [[nodiscard]] Workspace& workspace() { return workspace_; }
  [[nodiscard]] Actions& actions() { return actions_; }
  [[nodiscard]] DesignPage* design() const { return design_; }
  [[nodiscard]] LensPage* lens() const { return lens_; }
  [[nodiscard]] ResumePage* resume() const { return resume_; }
  [[nodiscard]] RunPage* run() const { return run_; }
  [[nodiscard]] FileCommands* files() const { return files_; }
  [[nodiscard]] Banner* banner() const { return banner_; }
  [[nodiscard]] StatusLine* status() const { return status_; }
  [[nodiscard]] LocatorPopup* locator() const { return locator_; }

  /// The first document: the wanted file, else the last session's, else the first example, else an empty one. False
  /// when the wanted file cannot be read.
  bool openFirst(const QString& wanted = {});
  bool openFile(const QString& path);
  void setPerspective(Perspective perspective);
  [[nodiscard]] Perspective perspective() const { return perspective_; }
  void setThemeChoice(ThemeChoice choice);
  /// Puts the playhead there once the first plan has told how far it reaches.
  void seekWhenReady(qint64 epoch, qint64 step);
  /// Nothing is being computed and all that was computed is on the screen: a picture taken now is complete.
  [[nodiscard]] bool isReady() const;

 protected:
  void closeEvent(QCloseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  void addFileActions();
  void addEditActions();
  void addViewActions();
  void addDesignActions();
  void addRunActions();
  void addAnalyseActions();
  void addHelpActions();
  void buildLayout();
  [[nodiscard]] QWidget* pageOf(Perspective perspective) const;
  void buildMenus();
  void wire();
  void wireJob();
  void restoreLayout(bool reset);
  void showTitle();
  [[nodiscard]] bool isWatching() const;
  [[nodiscard]] bool showsPlayhead() const;
  void showFacts();
  void showJob();
  void showTab(const QString& name);
  void goTo(const LocatorHit& hit);
  void goToPlace(const Selected& place);
  void openGallery();
  void launch();
  void copyTwin();
  void focusPanel(QWidget* panel);
  [[nodiscard]] std::vector<LocatorTarget> locatorTargets() const;
  [[nodiscard]] QString twin() const;
  [[nodiscard]] QString specArgument() const;
  [[nodiscard]] QString lensCommand() const;
  [[nodiscard]] QString resumeCommand() const;

  Workspace workspace_;
  std::unique_ptr<Session> session_;
  Actions actions_;
  HeaderBar* header_ = nullptr;
  Banner* banner_ = nullptr;
  QStackedWidget* pages_ = nullptr;
  DesignPage* design_ = nullptr;
  LensPage* lens_ = nullptr;
  ResumePage* resume_ = nullptr;
  RunPage* run_ = nullptr;
  StatusLine* status_ = nullptr;
  FileCommands* files_ = nullptr;
  LocatorPopup* locator_ = nullptr;
  Perspective perspective_ = Perspective::Design;
  ThemeChoice theme_choice_ = ThemeChoice::System;
};

/// Whether the system's own colours, before ours were put on, are dark. Called once at start.
void rememberSystemColors();

}  // namespace shardlens::ui
