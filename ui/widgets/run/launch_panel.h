// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/state/workspace.h"

#include <QWidget>

class QGridLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QVBoxLayout;

namespace shardlens::ui {

class ElidedLabel;
class LinkButton;
class RecordingList;

/// No job yet: what Launch will do, on which machine, with which command; what is missing when it cannot. A command of
/// the user's can be typed, run and watched. Jobs that still run from an earlier session can be taken up again.
class LaunchPanel : public QWidget {
  Q_OBJECT

 public:
  explicit LaunchPanel(Workspace& workspace, QWidget* parent = nullptr);
  /// The next key goes into the command of the user's.
  void typeCommand();
  /// Starts the stand-in, or asks first where it has more ranks than there are cores.
  void launchOrAsk();
  /// Looks again at the spec, the machine and the jobs that run.
  void refresh();

 protected:
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  /// Makes the line in which a command of the user's is typed, its folder, and the button that runs it.
  QWidget* watchField();
  void watch();
  void chooseFolder();
  void showFolder();
  [[nodiscard]] QString folder() const;
  /// Makes the line that shows and copies the command.
  QWidget* commandField();
  void showFacts();
  void showRuns();
  void launch();
  void say(const QString& problem, const QString& hint);

  Workspace& workspace_;
  QLabel* title_;
  QGridLayout* facts_;
  ElidedLabel* command_;
  QPushButton* copy_;
  QPushButton* launch_;
  QLabel* question_;
  QLabel* unsaved_;  ///< that the command would run another design than the one shown
  QLabel* problem_;
  QLabel* hint_;
  QLineEdit* typed_;       ///< a command of the user's
  LinkButton* where_;      ///< the folder in which it runs
  QLabel* not_watched_;    ///< why it cannot be run
  QString chosen_folder_;  ///< empty: the folder of the design
  QVBoxLayout* runs_;
};

/// The recordings of this machine, and how to open another one. Where a run is shown already, the way back to it.
class RecordingsPanel : public QWidget {
  Q_OBJECT

 public:
  explicit RecordingsPanel(Workspace& workspace, QWidget* parent = nullptr);
  void refresh();

 signals:
  void openWanted();
  void recordingWanted(const QString& run_file);
  void backWanted();

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  Workspace& workspace_;
  QLabel* title_;
  LinkButton* back_;
  RecordingList* list_;
};

}  // namespace shardlens::ui
