// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/state/workspace.h"

#include <QWidget>

class QGridLayout;
class QLabel;
class QPushButton;
class QVBoxLayout;

namespace shardlens::ui {

class CommandField;
class LinkButton;
class RecordingList;
class WatchForm;

/// No job yet: what Launch will do, on which machine, with which command; what is missing when it cannot. A command of
/// the user's can be typed, run and watched. Jobs that still run from an earlier session can be taken up again.
class LaunchPanel : public QWidget {
  Q_OBJECT

 public:
  explicit LaunchPanel(Workspace& workspace, QWidget* parent = nullptr);
  [[nodiscard]] WatchForm* watch() const { return watch_; }
  /// Starts the stand-in, or asks first where it has more ranks than there are cores.
  void launchOrAsk();
  /// Looks again at the spec, the machine and the jobs that run.
  void refresh();

 protected:
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  void makeNotes();
  void showFacts();
  void showRuns();
  void launch();
  void say(const QString& problem, const QString& hint);

  Workspace& workspace_;
  QLabel* title_;
  QGridLayout* facts_;
  CommandField* command_;
  QPushButton* launch_;
  QLabel* question_;
  QLabel* unsaved_;  ///< that the command would run another design than the one shown
  QLabel* problem_;
  QLabel* hint_;
  WatchForm* watch_;
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
