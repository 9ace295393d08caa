// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/file_commands.h"

#include "ui/state/recording_path.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>

namespace shardlens::ui {
namespace {

constexpr int kAutosaveMs = 800;
constexpr const char* kSpecFilter = "Pipelines (*.yaml *.yml);;All files (*)";

QString shortName(const QString& path) {
  return path.isEmpty() ? QString("untitled") : QFileInfo(path).fileName();
}

QString startFolder(const Document& document) {
  return document.path().isEmpty() ? QString() : QFileInfo(document.path()).absolutePath();
}

}  // namespace

QString documentName(const Document& document) {
  return document.path().isEmpty() ? QString::fromStdString(document.spec().name) + " (not saved)"
                                   : shortName(document.path());
}

FileCommands::FileCommands(Workspace& workspace, Session* session, Banner& banner, QWidget* window)
    : QObject(window),
      workspace_(workspace),
      session_(session),
      banner_(banner),
      window_(window),
      watch_(workspace.document, this) {
  autosave_.setSingleShot(true);
  autosave_.setInterval(kAutosaveMs);
  connect(&workspace_.document, &Document::specChanged, &autosave_, qOverload<>(&QTimer::start));
  connect(&autosave_, &QTimer::timeout, this, &FileCommands::keepUnsaved);
  connect(&watch_, &FileWatch::changedOnDisk, this, &FileCommands::offerReload);
}

bool FileCommands::open(const QString& path) {
  const QString recording = recordingAt(path);
  return recording.isEmpty() ? openSpec(path) : openRun(recording);
}

bool FileCommands::openSpec(const QString& path) {
  const QString full = QFileInfo(path).absoluteFilePath();
  const Document& document = workspace_.document;
  const bool had_changes = document.isModified();
  const QString before = documentName(document);
  const PipelineSpec unsaved = document.spec();
  const QString unsaved_path = document.path();
  const Issues issues = workspace_.document.open(full);
  if (!issues.empty()) {
    banner_.showProblems(
        QString("%1 was not opened: %2 in it.")
            .arg(shortName(full), issues.size() == 1 ? QString("there is a problem")
                                                     : QString("there are %1 problems").arg(issues.size())),
        issues);
    return false;
  }
  banner_.hide();
  workspace_.selection.clear();
  workspace_.playback.seek(0, 0);
  if (session_ == nullptr) return true;
  session_->addRecent(full);
  if (!had_changes) return true;
  session_->drafts().put(unsaved, unsaved_path);
  session_->drafts().keep();
  emit said(QString("The unsaved changes of %1 are kept: File > Kept drafts.").arg(before));
  return true;
}

bool FileCommands::openRun(const QString& path) {
  const auto opened = workspace_.runs.open(QFileInfo(path).absoluteFilePath());
  if (!opened) {
    report(opened.error());
    return false;
  }
  if (session_ != nullptr) session_->addRecent(path);
  emit runOpened();
  return true;
}

void FileCommands::openWithDialog() {
  const QString path = QFileDialog::getOpenFileName(window_, "Open pipeline", startFolder(workspace_.document),
                                                    QString(kSpecFilter) + ";;" + kRecordingFilter);
  if (!path.isEmpty()) open(path);
}

void FileCommands::setAside() {
  keepUnsaved();
  if (session_ == nullptr || !workspace_.document.isModified()) return;
  session_->drafts().keep();
  emit said(QString("The unsaved changes of %1 are kept: File > Kept drafts.").arg(documentName(workspace_.document)));
}

void FileCommands::newDocument() {
  setAside();
  banner_.hide();
  workspace_.document.reset({});
  workspace_.selection.clear();
}

bool FileCommands::save() {
  if (workspace_.document.path().isEmpty()) {
    saveWithDialog();
    return !workspace_.document.isModified();
  }
  return saveAs(workspace_.document.path());
}

bool FileCommands::saveAs(const QString& path) {
  const auto saved = workspace_.document.save(path);
  if (!saved) {
    if (saved.error().code == ErrorCode::Conflict) {
      showConflict(saved.error());
    } else {
      report(saved.error());
    }
    return false;
  }
  if (session_ != nullptr) {
    session_->drafts().drop();
    session_->addRecent(path);
  }
  emit said(*saved);
  return true;
}

void FileCommands::saveWithDialog() {
  const Document& document = workspace_.document;
  const QString proposed =
      document.path().isEmpty() ? QString::fromStdString(document.spec().name) + ".yaml" : document.path();
  const QString path = QFileDialog::getSaveFileName(window_, "Save pipeline", proposed, kSpecFilter);
  if (!path.isEmpty()) saveAs(path);
}

void FileCommands::keepUnsaved() {
  autosave_.stop();
  if (session_ == nullptr) return;
  const Document& document = workspace_.document;
  session_->set("files/last", document.path());
  if (document.isModified()) {
    session_->drafts().put(document.spec(), document.path());
  } else {
    session_->drafts().drop();
  }
}

bool FileCommands::restoreLast() {
  if (session_ == nullptr) return false;
  if (const auto draft = session_->drafts().left()) {
    take(*draft);
    return true;
  }
  const QString last = session_->value("files/last").toString();
  return !last.isEmpty() && QFileInfo::exists(last) && open(last);
}

bool FileCommands::openAtStart(const QString& path) {
  const auto draft = session_ != nullptr ? session_->drafts().left() : std::nullopt;
  if (draft && draft->of == QFileInfo(path).absoluteFilePath()) {
    take(*draft);
    return true;
  }
  if (draft) session_->drafts().keep();
  return open(path);
}

void FileCommands::take(const Drafts::Draft& draft) {
  const bool has_file = !draft.of.isEmpty() && workspace_.document.open(draft.of).empty();
  if (!has_file) workspace_.document.reset({});
  workspace_.document.replace(draft.spec, "the unsaved changes of last time");
  keepUnsaved();
  const QString when = draft.when.toString("d MMM, hh:mm");
  banner_.show(QString("Unsaved changes of %1 from %2 are back.").arg(shortName(draft.of), when), "",
               {{has_file ? "Show the saved file instead" : "Start afresh",
                 [this] { workspace_.document.undoStack().undo(); }}});
}

void FileCommands::report(const Error& error) {
  banner_.show(QString::fromStdString(error.text()), "error");
}

void FileCommands::offerReload() {
  const QString name = shortName(workspace_.document.path());
  banner_.show(QString("%1 was changed on disk by another program.").arg(name), "warning",
               {{"Reload",
                 [this] {
                   const QString path = workspace_.document.path();
                   open(path);
                 }},
                {"Keep mine", [this] { workspace_.document.keepMine(); }}});
}

void FileCommands::showConflict(const Error& error) {
  banner_.show(QString::fromStdString(error.text()), "warning",
               {{"Overwrite it",
                 [this] {
                   workspace_.document.keepMine();
                   save();
                 }},
                {"Reload", [this] { open(workspace_.document.path()); }}});
}

void FileCommands::fillRecent(QMenu& menu) {
  menu.clear();
  const QStringList recent = session_ != nullptr ? session_->recentFiles() : QStringList();
  for (const QString& path : recent) {
    QAction* action = menu.addAction(shortName(path), this, [this, path] { open(path); });
    action->setToolTip(path);
    action->setEnabled(QFileInfo::exists(path));
  }
  if (recent.isEmpty()) menu.addAction("No recent files")->setEnabled(false);
}

void FileCommands::fillDrafts(QMenu& menu) {
  menu.clear();
  const auto drafts = session_ != nullptr ? session_->drafts().kept() : std::vector<Drafts::Draft>();
  for (const Drafts::Draft& draft : drafts) {
    const QString name = draft.of.isEmpty() ? QString::fromStdString(draft.spec.name) : shortName(draft.of);
    menu.addAction(name + "  " + draft.when.toString("d MMM, hh:mm"), this, [this, draft] {
      setAside();
      take(draft);
      Drafts::remove(draft);
    });
  }
  if (drafts.empty()) menu.addAction("No kept drafts")->setEnabled(false);
}

}  // namespace shardlens::ui
