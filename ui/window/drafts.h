// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/spec/pipeline_spec.h"

#include <QDateTime>
#include <QLockFile>
#include <QString>

#include <memory>
#include <optional>
#include <vector>

namespace shardlens::ui {

/// Unsaved work, kept on disk so that closing, crashing or opening another file never loses it. One draft belongs to
/// this window and follows its document; the others wait until somebody takes them up again.
class Drafts {
 public:
  struct Draft {
    QString file;
    QString of;  ///< the file it changes; empty: never saved
    QDateTime when;
    PipelineSpec spec;
  };

  /// In `folder`, which is made when needed. Windows of other processes keep theirs apart by a lock.
  explicit Drafts(const QString& folder);

  /// The draft left by the last window that used this folder, when no other window has it.
  [[nodiscard]] std::optional<Draft> left() const;
  /// Writes this window's draft.
  void put(const PipelineSpec& spec, const QString& of);
  /// This window has nothing unsaved any more.
  void drop();
  /// This window's draft stays for later under a name of its own; nothing happens when there is none.
  void keep();
  /// Kept drafts, newest first.
  [[nodiscard]] std::vector<Draft> kept() const;
  static void remove(const Draft& draft);

 private:
  QString folder_;
  std::unique_ptr<QLockFile> lock_;
  QString own_;
};

}  // namespace shardlens::ui
