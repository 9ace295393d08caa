// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/collect/recording_facts.h"
#include "ui/state/latest_job.h"

#include <QHash>
#include <QObject>
#include <QString>
#include <QStringList>

#include <memory>
#include <optional>

namespace shardlens::ui {

/// What file dialogs show of recordings. They enter folders, so a recording is also chosen by a file in it.
QString recordingFilter();

/// The recording that is meant by a dropped, chosen or named path: the path itself, or the recording that a file
/// lies in. Empty when it is neither a folder nor called like a recording, nor begins as one.
QString recordingAt(const QString& path);

/// How a recording is called: by its file, or by its folder where the file is called as all are.
QString recordingName(const QString& path);

/// What recordings say of themselves, read on a worker and kept in a file, so that a long recording is read once. A
/// recording that was written to since is read again.
class RecordingLibrary : public QObject {
  Q_OBJECT

 public:
  struct Entry {
    QString stamp;
    std::optional<RecordingFacts> facts;  ///< nothing: it could not be read
    QString problem;                      ///< why not
  };

  /// `cache_file` need not exist; empty: nothing is kept.
  explicit RecordingLibrary(QString cache_file, QObject* parent = nullptr);

  /// Null while nothing is known of it.
  [[nodiscard]] const Entry* find(const QString& recording) const;
  /// Looks at these, in this order; what was asked for before is dropped.
  void want(const QStringList& recordings);

 signals:
  void known(const QString& recording);

 private:
  QString cache_file_;
  bool loaded_ = false;
  QHash<QString, Entry> entries_;
  LatestJob job_;
};

}  // namespace shardlens::ui
