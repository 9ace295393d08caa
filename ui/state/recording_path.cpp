// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/recording_path.h"

#include "core/record/frame.h"
#include "ui/state/phrase.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <string_view>

namespace shardlens::ui {

namespace {

/// Whether a regular file begins as recordings do, whatever it is called.
bool beginsAsRecording(const QFileInfo& info) {
  QFile file(info.filePath());
  if (!info.isFile() || !file.open(QIODevice::ReadOnly)) return false;
  const QByteArray first = file.read(static_cast<qint64>(frame::kMagic.size()));
  return std::string_view(first.constData(), static_cast<std::size_t>(first.size())) == frame::kMagic;
}

}  // namespace

QString recordingFilter() {
  return phrase("run", "Recordings (*.slrun *.slseg *.slprobe);;All files (*)");
}

QString recordingAt(const QString& path) {
  if (path.isEmpty()) return {};
  const QFileInfo file(QDir::cleanPath(path));
  const auto is_run = [](const QString& name) { return name.endsWith(".slrun", Qt::CaseInsensitive); };
  const bool is_segment = file.fileName().endsWith(".slseg", Qt::CaseInsensitive);
  if ((is_segment || file.isFile()) && is_run(file.absolutePath())) return file.absolutePath();
  const bool is_one = is_segment || is_run(file.fileName()) || file.isDir() || beginsAsRecording(file);
  return is_one ? file.filePath() : QString();
}

QString recordingName(const QString& path) {
  const QFileInfo file(path);
  return file.fileName() == "run.slrun" ? file.dir().dirName() : file.completeBaseName();
}

}  // namespace shardlens::ui
