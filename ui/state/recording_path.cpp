// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/recording_path.h"

#include <QDir>
#include <QFileInfo>

namespace shardlens::ui {

QString recordingAt(const QString& path) {
  if (path.isEmpty()) return {};
  const QFileInfo file(QDir::cleanPath(path));
  const auto isRun = [](const QString& name) { return name.endsWith(".slrun", Qt::CaseInsensitive); };
  if (file.fileName().endsWith(".slseg", Qt::CaseInsensitive)) {
    const QString folder = file.absolutePath();
    return isRun(folder) ? folder : file.filePath();
  }
  return isRun(file.fileName()) || file.isDir() ? file.filePath() : QString();
}

}  // namespace shardlens::ui
