// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/session.h"

#include <QFileInfo>
#include <QStandardPaths>

namespace shardlens::ui {
namespace {

constexpr qsizetype kMostRecent = 10;

QString userFolder() {
  return QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation) + "/shardlens";
}

}  // namespace

Session::Session(const QString& folder)
    : folder_(folder.isEmpty() ? userFolder() : folder),
      settings_(folder_ + "/studio.ini", QSettings::IniFormat),
      drafts_(folder_ + "/drafts") {}

QVariant Session::value(const QString& key, const QVariant& fallback) const {
  return settings_.value(key, fallback);
}

void Session::set(const QString& key, const QVariant& value) {
  settings_.setValue(key, value);
}

void Session::forgetLayout() {
  settings_.remove("layout");
}

QStringList Session::recentFiles() const {
  return settings_.value("files/recent").toStringList();
}

void Session::addRecent(const QString& path) {
  QStringList recent = recentFiles();
  const QString full = QFileInfo(path).absoluteFilePath();
  recent.removeAll(full);
  recent.prepend(full);
  settings_.setValue("files/recent", recent.mid(0, kMostRecent));
}

}  // namespace shardlens::ui
