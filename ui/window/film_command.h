// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/state/awaited_job.h"

#include <QObject>
#include <QString>

class QWidget;

namespace shardlens::ui {

struct Workspace;
class Banner;

/// Saves the deal of the open design as a page that plays in any browser. The page is made on a worker, and the window
/// goes on meanwhile; the banner offers to stop it.
class FilmCommand : public QObject {
  Q_OBJECT

 public:
  FilmCommand(Workspace& workspace, Banner& banner, QWidget* window);

  /// From the epoch at the playhead on. False when there is no plan or the page cannot be written; the banner says why.
  bool save(const QString& path);
  void saveWithDialog();

 signals:
  void said(const QString& message);

 private:
  Workspace& workspace_;
  Banner& banner_;
  QWidget* window_;
  AwaitedJob job_;
};

}  // namespace shardlens::ui
