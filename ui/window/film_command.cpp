// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/film_command.h"

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/film/film.h"
#include "core/film/page.h"
#include "ui/scene/number_text.h"
#include "ui/state/workspace.h"
#include "ui/window/banner.h"

#include <QFileDialog>
#include <QFileInfo>

namespace shardlens::ui {
namespace {

/// Makes and writes the page; says what was written and what was left out.
Result<QString> writeFilm(const Plan& plan, const FilmOptions& options, const QString& path, const Work& work) {
  const auto range = filmRange(plan, options, work);
  if (!range) return range.error();
  const auto film = makeFilm(plan, *range, work);
  if (!film) return film.error();
  const std::string page = filmPage(*film);
  if (const auto written = writeFile(path.toStdString(), page); !written) return written.error();
  QString words = FilmCommand::tr("Saved %1 (%2).")
                      .arg(QFileInfo(path).fileName(), text(byteSize(static_cast<double>(page.size()))));
  for (const std::string& sentence : film->left_out) words += ' ' + text(sentence);
  return words;
}

}  // namespace

FilmCommand::FilmCommand(Workspace& workspace, Banner& banner, QWidget* window)
    : QObject(window), workspace_(workspace), banner_(banner), window_(window) {}

bool FilmCommand::save(const QString& path) {
  const PlanSnapshotPtr snapshot = workspace_.plans.snapshot();
  if (!snapshot->plan) {
    banner_.show(tr("There is no plan to save as a page: fix the design first."), "error");
    return false;
  }
  FilmOptions options;
  options.first_epoch = workspace_.playback.epoch();
  const QString waiting = tr("Saving %1 …").arg(QFileInfo(path).fileName());
  banner_.show(waiting, "", {{tr("Stop"), [this] { job_.cancel(); }}});
  const auto done = job_.run(
      [plan = *snapshot->plan, options, path](const Work& work) { return writeFilm(plan, options, path, work); });
  if (banner_.text() == waiting) banner_.hide();
  if (!done) return false;
  if (!*done) {
    banner_.show(text(done->error().text()), "error");
    return false;
  }
  emit said(**done);
  return true;
}

void FilmCommand::saveWithDialog() {
  const QString proposed = text(workspace_.document.spec().name) + ".html";
  const QString path = QFileDialog::getSaveFileName(window_, tr("Save as a playable page"), proposed,
                                                    tr("Pages (*.html);;All files (*)"));
  if (!path.isEmpty()) save(path);
}

}  // namespace shardlens::ui
