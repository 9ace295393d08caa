// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "ui/state/awaited_job.h"

#include <QObject>
#include <QString>

#include <functional>

class QWidget;

namespace shardlens::ui {

struct Workspace;
class Banner;

/// Saves what the window shows for those who have no ShardLens: the deal of the open design as a page that plays, the
/// run in view as a page that reports, the window as a picture. Pages are made on a worker, and the window goes on
/// meanwhile; the banner offers to stop it, and says why when nothing was written.
class PageCommands : public QObject {
  Q_OBJECT

 public:
  PageCommands(Workspace& workspace, Banner& banner, QWidget* window);

  /// From the epoch at the playhead on. False when there is no plan or the page cannot be written.
  bool saveFilm(const QString& path);
  /// All that the recording in view has said so far. False when there is none or the page cannot be written.
  bool saveReport(const QString& path);
  /// PNG for print, or SVG. False when it cannot be written.
  bool savePicture(const QString& path);

  /// The same, asking where to.
  void askForFilm();
  void askForReport();
  void askForPicture();

 signals:
  void said(const QString& message);

 private:
  using Write = std::function<Result<QString>(const Work& work)>;
  bool save(const QString& path, Write write);
  bool refuse(const QString& why);

  Workspace& workspace_;
  Banner& banner_;
  QWidget* window_;
  AwaitedJob job_;
};

}  // namespace shardlens::ui
