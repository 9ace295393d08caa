// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/window/drafts.h"

#include <QByteArray>
#include <QSettings>
#include <QStringList>

namespace shardlens::ui {

/// What a window remembers: the shape it had, the last file, recent files, the theme, unsaved work.
class Session {
 public:
  /// `folder` holds settings and drafts. Empty: the user's own folder for this program.
  explicit Session(const QString& folder = {});

  [[nodiscard]] QVariant value(const QString& key, const QVariant& fallback = {}) const;
  void set(const QString& key, const QVariant& value);
  /// Forgets geometry, splitters and tabs; files and drafts stay.
  void forgetLayout();

  [[nodiscard]] QStringList recentFiles() const;
  void addRecent(const QString& path);
  [[nodiscard]] Drafts& drafts() { return drafts_; }
  void flush() { settings_.sync(); }

 private:
  QString folder_;
  QSettings settings_;
  Drafts drafts_;
};

}  // namespace shardlens::ui
