// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/number_text.h"
#include "ui/scene/tabs/export_text.h"
#include "ui/widgets/common/fields.h"
#include "ui/widgets/common/toast.h"
#include "ui/widgets/tabs/export_view.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QPushButton>

#include <algorithm>

// How an export gets to the disk, and what is asked before.
namespace shardlens::ui {

QString ExportView::shownPath() const {
  return path_.isEmpty() ? defaultExportPath(spec_path_, row()) : path_;
}

void ExportView::save() {
  refresh();
  if (waits_for_errors_ || !result_.problems.empty() || destinations_.empty()) return;
  if (path_.isEmpty() && spec_path_.isEmpty()) return saveAs();
  const auto conflict =
      std::find_if(destinations_.begin(), destinations_.end(), [](const auto& file) { return file.isConflict(); });
  if (conflict == destinations_.end()) return write(yaml::Overwriting::Merged);
  files_->setCurrentIndex(static_cast<int>(conflict - destinations_.begin()));
  setMode(Diff);
  present();
  ask(true);
}

void ExportView::saveAs() {
  const QString chosen = QFileDialog::getSaveFileName(this, tr("Export %1").arg(exportTitle(row())), shownPath(), {},
                                                      nullptr, QFileDialog::DontConfirmOverwrite);
  if (chosen.isEmpty()) return;
  setPath(chosen);
  save();
}

void ExportView::ask(bool asking) {
  asking_ = asking;
  question_->setVisible(asking);
  if (!asking) return;
  const auto is_conflict = [](const auto& file) { return file.isConflict(); };
  const auto conflicts = std::count_if(destinations_.begin(), destinations_.end(), is_conflict);
  const bool can_merge = std::all_of(destinations_.begin(), destinations_.end(),
                                     [](const auto& file) { return !file.isConflict() || file.merged; });
  merge_->setVisible(can_merge);
  question_text_->setText(conflicts == 1 ? tr("The file exists with different content; see below.")
                                         : tr("%1 files exist with different content; see below.").arg(conflicts));
}

void ExportView::overwrite() {
  if (asking_) write(yaml::Overwriting::Whole);
}

void ExportView::mergeInto() {
  if (asking_) write(yaml::Overwriting::Merged);
}

void ExportView::keepFile() {
  ask(false);
}

void ExportView::write(yaml::Overwriting how) {
  ask(false);
  const auto written = yaml::writeExport(destinations_, how);
  if (!written) return say(shardlens::ui::text(written.error().text()), "error");
  path_ = QString::fromStdU16String(destinations_.front().path.u16string());
  setMode(Preview);
  refresh();
  say(tr("Saved %1").arg(path_), "fine");
  Toast::say(*this, tr("Saved %1").arg(QFileInfo(path_).fileName()));
  emit saved(path_);
}

}  // namespace shardlens::ui
