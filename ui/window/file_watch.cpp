// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/file_watch.h"

#include <QFile>
#include <QFileInfo>

namespace shardlens::ui {

FileWatch::FileWatch(Document& document, QObject* parent) : QObject(parent), document_(document) {
  constexpr int kSettleMs = 100;  // editors write in several steps
  settle_.setSingleShot(true);
  settle_.setInterval(kSettleMs);
  connect(&document_, &Document::pathChanged, this, &FileWatch::follow);
  connect(&watcher_, &QFileSystemWatcher::fileChanged, &settle_, qOverload<>(&QTimer::start));
  connect(&watcher_, &QFileSystemWatcher::directoryChanged, &settle_, qOverload<>(&QTimer::start));
  connect(&settle_, &QTimer::timeout, this, &FileWatch::look);
  follow();
}

void FileWatch::follow() {
  const QStringList old = watcher_.files() + watcher_.directories();
  if (!old.isEmpty()) watcher_.removePaths(old);
  if (document_.path().isEmpty()) return;
  watcher_.addPath(QFileInfo(document_.path()).absolutePath());  // replaced files come as changes of the folder
  if (QFile::exists(document_.path())) watcher_.addPath(document_.path());
}

void FileWatch::look() {
  follow();
  const QString path = document_.path();
  if (path.isEmpty()) return;
  looking_.start([path](const Work&) { return std::optional(yaml::stampOf(path.toStdString())); },
                 [this, path](const Result<yaml::FileStamp>& now) {
                   if (now && path == document_.path() && document_.isChangedTo(*now)) emit changedOnDisk();
                 });
}

}  // namespace shardlens::ui

#include "moc_file_watch.cpp"
