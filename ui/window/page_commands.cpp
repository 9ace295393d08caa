// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/page_commands.h"

#include "core/base/file.h"
#include "core/base/phrase.h"
#include "core/base/text.h"
#include "core/film/film.h"
#include "core/report/report.h"
#include "ui/scene/number_text.h"
#include "ui/state/workspace.h"
#include "ui/widgets/common/picture.h"
#include "ui/window/banner.h"

#include <QFileDialog>
#include <QFileInfo>

#include <string>
#include <utility>

namespace shardlens::ui {
namespace {

Result<QString> written(const std::string& page, const QString& path) {
  if (const auto done = writeFile(path.toStdString(), page); !done) return done.error();
  return PageCommands::tr("Saved %1 (%2).")
      .arg(QFileInfo(path).fileName(), text(byteSize(static_cast<double>(page.size()))));
}

/// What `make` makes, in English: it goes into a file. Its error is for the window, and so is made once more, in the
/// window's language.
template <class Make>
auto inEnglish(const Make& make, const Work& work) {
  auto made = [&make] {
    const InEnglish english;
    return make();
  }();
  if (made || work.stopped() || speaksEnglish()) return made;
  if (const auto again = make(); !again) made = again.error();
  return made;
}

template <class Make>
std::string inEnglishPage(const Make& make) {
  const InEnglish english;
  return make();
}

/// Makes and writes the page; says what was written and what was left out.
Result<QString> writeFilm(const Plan& plan, const FilmOptions& options, const QString& path, const Work& work) {
  const auto range = filmRange(plan, options, work);
  if (!range) return range.error();
  const auto film = inEnglish([&] { return makeFilm(plan, *range, work); }, work);
  if (!film) return film.error();
  auto words = written(inEnglishPage([&] { return filmPage(*film); }), path);
  if (!words) return words.error();
  for (const std::string& sentence : leftOutOf(*film)) *words += ' ' + text(sentence);
  return words;
}

Result<QString> writeReport(const QString& recording, const QString& path, const Work& work) {
  const auto report = inEnglish([&] { return makeReport(recording.toStdString(), work); }, work);
  if (!report) return report.error();
  auto words = written(inEnglishPage([&] { return reportPage(*report); }), path);
  if (words && !report->note.empty()) *words += ' ' + text(report->note);
  return words;
}

}  // namespace

PageCommands::PageCommands(Workspace& workspace, Banner& banner, QWidget* window)
    : QObject(window), workspace_(workspace), banner_(banner), window_(window) {}

bool PageCommands::refuse(const QString& why) {
  banner_.show(why, "error");
  return false;
}

bool PageCommands::save(const QString& path, Write write) {
  const QString waiting = tr("Saving %1…").arg(QFileInfo(path).fileName());
  banner_.show(waiting, "", {{tr("Stop"), [this] { job_.cancel(); }}});
  const auto done = job_.run(std::move(write));
  if (banner_.text() == waiting) banner_.hide();
  if (!done) return false;
  if (!*done) return refuse(text(done->error().text()));
  emit said(**done);
  return true;
}

bool PageCommands::saveFilm(const QString& path) {
  const PlanSnapshotPtr snapshot = workspace_.plans.snapshot();
  if (!snapshot->plan) return refuse(tr("There is no plan to save as a page: fix the design first."));
  FilmOptions options;
  options.first_epoch = workspace_.playback.epoch();
  return save(
      path, [plan = *snapshot->plan, options, path](const Work& work) { return writeFilm(plan, options, path, work); });
}

bool PageCommands::saveReport(const QString& path) {
  const QString recording = workspace_.runs.runFile();
  if (recording.isEmpty()) return refuse(tr("There is no run to report: launch a job, or open a recorded run first."));
  return save(path, [recording, path](const Work& work) { return writeReport(recording, path, work); });
}

bool PageCommands::savePicture(const QString& path) {
  if (auto saved = ui::savePicture(*window_, path); !saved) return refuse(text(saved.error().text()));
  emit said(tr("Saved %1.").arg(QFileInfo(path).fileName()));
  return true;
}

void PageCommands::askForFilm() {
  const QString proposed = text(workspace_.document.spec().name) + ".html";
  const QString path = QFileDialog::getSaveFileName(window_, tr("Save as a playable page"), proposed,
                                                    tr("Pages (*.html);;All files (*)"));
  if (!path.isEmpty()) saveFilm(path);
}

void PageCommands::askForReport() {
  const RunStatePtr state = workspace_.runs.state();
  const QString proposed = (state ? text(state->name) : tr("run")) + "-report.html";
  const QString path = QFileDialog::getSaveFileName(window_, tr("Save the run as a page"), proposed,
                                                    tr("Pages (*.html);;All files (*)"));
  if (!path.isEmpty()) saveReport(path);
}

void PageCommands::askForPicture() {
  const QString proposed = text(workspace_.document.spec().name) + ".png";
  const QString path = QFileDialog::getSaveFileName(window_, tr("Save a picture of the window"), proposed,
                                                    tr("Pictures for print (*.png);;Vectors (*.svg)"));
  if (!path.isEmpty()) savePicture(path);
}

}  // namespace shardlens::ui

#include "moc_page_commands.cpp"
