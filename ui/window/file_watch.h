// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/state/document.h"
#include "ui/state/latest_job.h"

#include <QFileSystemWatcher>
#include <QTimer>

namespace shardlens::ui {

/// Notices that somebody else changed the document's file.
class FileWatch : public QObject {
  Q_OBJECT

 public:
  explicit FileWatch(Document& document, QObject* parent = nullptr);

 signals:
  /// The file says something else than the document was read from; once for each change.
  void changedOnDisk();

 private:
  void follow();
  void look();

  Document& document_;
  QFileSystemWatcher watcher_;
  QTimer settle_;
  LatestJob looking_;  ///< last: it tells all of the above
};

}  // namespace shardlens::ui
