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
  void take(const QString& recording, const Entry& entry);

  QString cache_file_;
  bool loaded_ = false;
  QHash<QString, Entry> entries_;
  LatestJob job_;
};

}  // namespace shardlens::ui
