// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/thread_annotations.h"
#include "core/base/work.h"
#include "core/spec/pipeline_spec.h"

#include <QDateTime>
#include <QLockFile>
#include <QSettings>
#include <QString>
#include <QStringList>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace shardlens::ui {

/// The draft of this window on disk, for any thread: it says what the newest call wanted, however the calls end.
class OwnDraft {
 public:
  explicit OwnDraft(QString file) : file_(std::move(file)) {}
  [[nodiscard]] const QString& file() const { return file_; }

  /// Writes the draft; nothing happens when the work was stopped: newer work is about the same file.
  void put(const PipelineSpec& spec, const QString& of, const Work& work = {}) SHARDLENS_EXCLUDES(mutex_);
  /// This window has nothing unsaved any more.
  void drop(const Work& work = {}) SHARDLENS_EXCLUDES(mutex_);
  /// Keeps a text that is no sound spec, beside the draft; none: there is no such text any more.
  void putText(const std::optional<std::string>& text, const QString& of, const Work& work = {})
      SHARDLENS_EXCLUDES(mutex_);
  [[nodiscard]] QString textFile() const { return file_ + ".typed"; }

 private:
  const QString file_;
  Mutex mutex_;  ///< of the file
};

/// Unsaved work, kept on disk so that closing, crashing or opening another file never loses it. One draft belongs to
/// this window and follows its document; the others wait until somebody takes them up again.
class Drafts {
 public:
  /// A draft as its first lines describe it.
  struct Draft {
    QString file;
    QString of;    ///< the file it changes; empty: never saved
    QString name;  ///< of the pipeline
    QDateTime when;

    /// When it was written, for people: "3 Mar, 14:05".
    [[nodiscard]] QString time() const;
    /// The spec in it, which may be large: for a worker.
    [[nodiscard]] Result<PipelineSpec> read() const;
    /// What stands below its first lines, be it a spec or not.
    [[nodiscard]] Result<std::string> text() const;
  };

  /// In `folder`, which is made when needed. Windows of other processes keep theirs apart by a lock.
  explicit Drafts(const QString& folder);

  [[nodiscard]] const std::shared_ptr<OwnDraft>& own() const { return own_; }
  [[nodiscard]] const QString& folder() const { return folder_; }
  /// The draft left by the last window that used this folder, when no other window has it.
  [[nodiscard]] std::optional<Draft> left() const;
  /// The text that was typed there and has problems.
  [[nodiscard]] std::optional<Draft> leftText() const;
  /// This window's draft stays for later under a name of its own; nothing happens when there is none.
  void keep();
  void keepTyped();  ///< likewise that text
  /// Writes a draft that stays for later. For any thread.
  static Result<void> keep(const QString& folder, const PipelineSpec& spec, const QString& of);
  static Result<void> keepText(const QString& folder, const std::string& text, const QString& of);
  /// Kept drafts, newest first.
  [[nodiscard]] std::vector<Draft> kept() const;
  static void remove(const Draft& draft);

 private:
  QString folder_;
  std::unique_ptr<QLockFile> lock_;
  std::shared_ptr<OwnDraft> own_;
};

/// What a window remembers: the shape it had, the last file, recent files, the theme, unsaved work.
class Session {
 public:
  /// `folder` holds settings and drafts. Empty: the user's own folder for this program.
  explicit Session(const QString& folder = {});

  [[nodiscard]] QVariant value(const QString& key, const QVariant& fallback = {}) const;
  void set(const QString& key, const QVariant& value) { settings_.setValue(key, value); }
  /// Forgets geometry, splitters and tabs; files and drafts stay.
  void forgetLayout() { settings_.remove("layout"); }

  [[nodiscard]] QStringList recentFiles() const { return settings_.value("files/recent").toStringList(); }
  void addRecent(const QString& path);
  [[nodiscard]] Drafts& drafts() { return drafts_; }
  void flush() { settings_.sync(); }

 private:
  QString folder_;
  QSettings settings_;
  Drafts drafts_;
};

}  // namespace shardlens::ui
