// SPDX-License-Identifier: GPL-3.0-or-later
// What is dropped on the window or pasted into it.
#include "ui/state/phrase.h"
#include "ui/state/recording_path.h"
#include "ui/window/banner.h"
#include "ui/window/file_commands.h"
#include "ui/window/main_window.h"

#include <QClipboard>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QGuiApplication>
#include <QMimeData>
#include <QUrl>

namespace shardlens::ui {
namespace {

bool isOurs(const QString& path) {
  static const QStringList kEndings = {"yaml", "yml", "json", "sh", "sbatch", "slurm", "py"};
  return kEndings.contains(QFileInfo(path).suffix()) || !recordingAt(path).isEmpty();
}

/// The one file of ours that is dragged or was copied; empty: there is none.
QString fileOf(const QMimeData* data) {
  const QList<QUrl> urls = data != nullptr ? data->urls() : QList<QUrl>();
  const bool is_one = urls.size() == 1 && urls[0].isLocalFile() && isOurs(urls[0].toLocalFile());
  return is_one ? urls[0].toLocalFile() : QString();
}

}  // namespace

void MainWindow::openClipboard() {
  const QMimeData* const copied = QGuiApplication::clipboard()->mimeData();
  if (const QString file = fileOf(copied); !file.isEmpty()) return static_cast<void>(openFile(file));
  const QString text = copied != nullptr ? copied->text() : QString();
  if (text.trimmed().isEmpty())
    return banner_->show(
        phrase("window", "There is no text in the clipboard. Copy a spec, a script, a config or a command line."), "");
  if (files_->openText(text)) setPerspective(kDesignPerspective);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  if (!fileOf(event->mimeData()).isEmpty()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
  event->acceptProposedAction();
  openFile(fileOf(event->mimeData()));
}

}  // namespace shardlens::ui
