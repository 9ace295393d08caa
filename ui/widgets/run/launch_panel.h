// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/state/workspace.h"

#include <QWidget>

class QGridLayout;
class QLabel;
class QPushButton;
class QVBoxLayout;

namespace shardlens::ui {

class ElidedLabel;

/// No job yet: what Launch will do, on which machine, with which command; what is missing when it cannot. Jobs that
/// still run from an earlier session can be taken up again.
class LaunchPanel : public QWidget {
  Q_OBJECT

 public:
  explicit LaunchPanel(Workspace& workspace, QWidget* parent = nullptr);
  /// Looks again at the spec, the machine and the jobs that run.
  void refresh();

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  void showFacts();
  void showRuns();
  void launch();
  void say(const QString& problem, const QString& hint);

  Workspace& workspace_;
  QLabel* title_;
  QGridLayout* facts_;
  ElidedLabel* command_;
  QPushButton* launch_;
  QLabel* problem_;
  QLabel* hint_;
  QVBoxLayout* runs_;
};

/// Nothing recorded is open: how to open a recording, and the last ones of this machine.
class RecordingsPanel : public QWidget {
  Q_OBJECT

 public:
  explicit RecordingsPanel(Workspace& workspace, QWidget* parent = nullptr);
  void refresh();

 signals:
  void openWanted();
  void recordingWanted(const QString& run_file);

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  Workspace& workspace_;
  QVBoxLayout* runs_;
};

}  // namespace shardlens::ui
