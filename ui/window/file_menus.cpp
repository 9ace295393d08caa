// SPDX-License-Identifier: GPL-3.0-or-later
// The menus of FileCommands that list files.
#include "ui/state/phrase.h"
#include "ui/window/file_commands.h"

#include <QFileInfo>
#include <QMenu>

namespace shardlens::ui {

void FileCommands::fillRecent(QMenu& menu) {
  menu.clear();
  const QStringList recent = session_ != nullptr ? session_->recentFiles() : QStringList();
  for (const QString& path : recent) {
    QAction* action = menu.addAction(shortName(path), this, [this, path] { open(path); });
    action->setToolTip(path);
    action->setEnabled(QFileInfo::exists(path));
  }
  if (recent.isEmpty()) menu.addAction(phrase("window", "No recent files"))->setEnabled(false);
}

void FileCommands::fillDrafts(QMenu& menu) {
  menu.clear();
  const auto drafts = session_ != nullptr ? session_->drafts().kept() : std::vector<Drafts::Draft>();
  for (const Drafts::Draft& draft : drafts) {
    const QString name = draft.of.isEmpty() ? draft.name : shortName(draft.of);
    menu.addAction(name + "  " + draft.time(), this, [this, draft] {
      if (setAside() && take(draft)) Drafts::remove(draft);
    });
  }
  if (drafts.empty()) menu.addAction(phrase("window", "No kept drafts"))->setEnabled(false);
}

}  // namespace shardlens::ui
