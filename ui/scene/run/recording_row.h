// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/collect/recording_facts.h"

#include <QDateTime>
#include <QString>

#include <cstdint>
#include <optional>

namespace shardlens::ui {

/// What stands before a run: a sign of its own for each outcome, always beside its words.
enum class RunMark { Running, Finished, Failed, Stopped, Unknown };

/// One run of a list, in words.
struct RecordingRow {
  RunMark mark = RunMark::Unknown;
  QString name;  ///< the command that was typed, or what its design is called
  QString when;
  QString facts;  ///< "finished, 5.3 s · 4 ranks · Everyone waits for rank 2 · all batches proven"
};

/// When a run began, in the language of the window whatever the system's is: "18:51", "Thu 18:51", "3 Oct 2025", "time
/// not known".
QString whenText(std::optional<std::int64_t> started_s, const QDateTime& now);
/// Of a recording that was read. Without `facts` it could not be: `problem` says why.
RecordingRow recordingRow(const QString& fallback_name, std::optional<std::int64_t> started_s,
                          const std::optional<RecordingFacts>& facts, const QString& problem, const QDateTime& now);
/// Of one that is being read.
RecordingRow recordingRowBeingRead(const QString& name, std::optional<std::int64_t> started_s, bool is_running,
                                   const QDateTime& now);

}  // namespace shardlens::ui
