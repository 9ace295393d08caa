// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/file_commands.h"

#include "core/collect/python_script.h"
#include "ui/state/phrase.h"
#include "ui/state/recording_path.h"

#include <QFileDialog>
#include <QFileInfo>

namespace shardlens::ui {
namespace {

constexpr int kAutosaveMs = 800;

QString specFilter() {
  return phrase("window", "Pipelines (*.yaml *.yml);;All files (*)");
}

/// A recording that is a folder is chosen by any file in it.
QString openFilter() {
  return phrase("window",
                "Designs, scripts, configs and recordings (*.yaml *.yml *.py *.sh *.sbatch *.slurm *.json *.slrun "
                "*.slseg *.slprobe);;All files (*)");
}

QString startFolder(const Document& document) {
  return document.path().isEmpty() ? QString() : QFileInfo(document.path()).absolutePath();
}

}  // namespace

QString shortName(const QString& path) {
  return path.isEmpty() ? phrase("window", "untitled") : QFileInfo(path).fileName();
}

QString documentName(const Document& document) {
  return document.path().isEmpty()
             ? phrase("window", "%1 (not saved)").arg(QString::fromStdString(document.spec().name))
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
  connect(&workspace_.text, &SpecText::stateChanged, &autosave_, qOverload<>(&QTimer::start));
  connect(&autosave_, &QTimer::timeout, this, &FileCommands::keepDraft);
  connect(&watch_, &FileWatch::changedOnDisk, this, &FileCommands::offerReload);
  connect(&workspace_.text, &SpecText::mended, this, &FileCommands::openMended);
}

bool FileCommands::open(const QString& path) {
  const QString recording = recordingAt(path);
  return recording.isEmpty() ? openSpec(path) : openRun(recording);
}

/// Nothing overtakes a file that is being written.
bool FileCommands::mayStart() {
  if (isSaving()) emit said(phrase("window", "%1 is still being saved.").arg(shortName(saving_)));
  return !isSaving();
}

std::optional<yaml::SpecFile> FileCommands::readSpec(const QString& full) {
  if (!mayStart()) return std::nullopt;
  auto file = awaited(phrase("window", "Opening %1…").arg(shortName(full)),
                      [full, catalogue = workspace_.document.catalogue()](const Work&) {
                        return Result<yaml::SpecFile>(yaml::readSpecFile(full.toStdString(), catalogue));
                      });
  if (!file) return std::nullopt;
  if (!*file) (*file) = yaml::SpecFile{{{}, {file->error()}}, {}};
  return std::move(**file);
}

/// A file that is no spec and no file of a job either.
bool FileCommands::hasProblems(const QString& full, const yaml::SpecFile& file) {
  if (file.read.issues.empty()) return false;
  showProblems(full, file);
  return true;
}

void FileCommands::showProblems(const QString& full, const yaml::SpecFile& file) {
  const Issues& issues = file.read.issues;
  banner_.showProblems(issues.size() == 1
                           ? phrase("window", "%1 was not opened: there is a problem in it.").arg(shortName(full))
                           : phrase("window", "%1 was not opened: there are %2 problems in it.")
                                 .arg(shortName(full), QString::number(issues.size())),
                       issues, file.text != nullptr);
  if (file.text == nullptr || !setAsideText()) return;
  workspace_.text.showBroken(full, file);
  emit textOpened();
}

/// The text that was mended becomes the document; it is not saved yet.
void FileCommands::openMended(const QString& path, const yaml::SpecFile& file) {
  yaml::SpecFile mended = file;
  if (!setAside()) return;
  banner_.hide();
  workspace_.document.showMended(std::move(mended), path);
  workspace_.selection.forget();
  workspace_.playback.seek(0, 0);
  if (session_ != nullptr) session_->addRecent(path);
  emit said(phrase("window", "%1 has no problems any more. Save it to keep the changes.").arg(shortName(path)));
}

bool FileCommands::openSpec(const QString& path) {
  const QString full = QFileInfo(path).absoluteFilePath();
  auto file = readSpec(full);
  if (!file) return false;
  const bool may_be_job = !file->read.issues.empty() || isPythonScript(full.toStdString());
  if (may_be_job && file->text != nullptr) {
    if (auto found = importedFrom(full, file->text)) return openImport(shortName(full), *std::move(found));
  }
  if (hasProblems(full, *file) || !setAside()) return false;
  banner_.hide();
  workspace_.document.show(*std::move(file), full);
  workspace_.selection.forget();
  workspace_.playback.seek(0, 0);
  if (session_ != nullptr) session_->addRecent(full);
  return true;
}

bool FileCommands::openCopy(const QString& path) {
  const QString full = QFileInfo(path).absoluteFilePath();
  auto file = readSpec(full);
  if (!file || hasProblems(full, *file) || !setAside()) return false;
  banner_.hide();
  workspace_.document.reset(std::move(file->read.spec));
  workspace_.selection.forget();
  workspace_.playback.seek(0, 0);
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
  const QString path =
      QFileDialog::getOpenFileName(window_, phrase("window", "Open a design, script, config or recording"),
                                   startFolder(workspace_.document), openFilter());
  if (!path.isEmpty()) open(path);
}

void FileCommands::openRecordingWithDialog() {
  const QString path = QFileDialog::getExistingDirectory(window_, phrase("window", "Open the folder of a recording"),
                                                         startFolder(workspace_.document));
  if (!path.isEmpty()) open(path);
}

QString FileCommands::fileOfText() const {
  const QString& broken = workspace_.text.brokenFile();
  return broken.isEmpty() ? workspace_.document.path() : broken;
}

bool FileCommands::setAsideText() {
  const auto typed = session_ != nullptr ? workspace_.text.unsound() : std::nullopt;
  if (!typed) return true;
  const QString of = fileOfText();
  const auto kept = awaited(tr("Keeping the text of %1…").arg(shortName(of)),
                            [text = typed->toStdString(), of, folder = session_->drafts().folder()](const Work&) {
                              return Drafts::keepText(folder, text, of);
                            });
  if (kept && !*kept) report(kept->error());
  if (!kept || !*kept) return false;
  emit said(tr("The text of %1 has problems and was kept: File > Kept drafts.").arg(shortName(of)));
  return true;
}

bool FileCommands::setAside() {
  if (!mayStart() || !setAsideText()) return false;
  const Document& document = workspace_.document;
  while (session_ != nullptr && document.isModified()) {  // once more when it was edited meanwhile
    const PipelineSpec spec = document.spec();
    const auto kept = awaited(phrase("window", "Keeping the changes to %1…").arg(documentName(document)),
                              [spec, of = document.path(), folder = session_->drafts().folder()](const Work&) {
                                return Drafts::keep(folder, spec, of);
                              });
    if (!kept) return false;
    if (!*kept) {
      report(kept->error());
      return false;
    }
    if (document.spec() != spec) continue;
    emit said(phrase("window", "The unsaved changes to %1 were kept: File > Kept drafts.").arg(documentName(document)));
    break;
  }
  return true;
}

bool FileCommands::save() {
  if (workspace_.document.path().isEmpty()) {
    saveWithDialog();
    return !workspace_.document.isModified();
  }
  return saveAs(workspace_.document.path());
}

bool FileCommands::saveAs(const QString& path) {
  if (!mayStart()) return false;
  const Document::Saving saving = workspace_.document.saving(path);
  saving_ = path;
  const auto saved =
      awaited(phrase("window", "Saving %1…").arg(shortName(path)), [saving](const Work&) { return saving.write(); });
  saving_.clear();
  if (!saved) return false;
  if (!*saved) {
    if (saved->error().code == ErrorCode::Conflict) {
      showConflict(saved->error());
    } else {
      report(saved->error());
    }
    return false;
  }
  workspace_.document.saved(saving, **saved);
  keepDraft();
  if (session_ != nullptr) session_->addRecent(path);
  emit said(QString::fromStdString((*saved)->text()));
  return true;
}

void FileCommands::saveWithDialog() {
  const Document& document = workspace_.document;
  const QString proposed =
      document.path().isEmpty() ? QString::fromStdString(document.spec().name) + ".yaml" : document.path();
  const QString path = QFileDialog::getSaveFileName(window_, phrase("window", "Save pipeline"), proposed, specFilter());
  if (!path.isEmpty()) saveAs(path);
}

void FileCommands::keepUnsaved() {
  autosave_.stop();
  if (session_ == nullptr) return;
  drafting_.cancel();
  const auto typed = workspace_.text.unsound();
  const Document& document = workspace_.document;
  session_->set("files/last", document.path());
  OwnDraft& own = *session_->drafts().own();
  document.isModified() ? own.put(document.spec(), document.path()) : own.drop();
  own.putText(typed ? std::optional(typed->toStdString()) : std::nullopt, fileOfText());
}

void FileCommands::keepDraft() {
  autosave_.stop();
  if (session_ == nullptr) return;
  const auto text = workspace_.text.unsound();
  const auto typed = text ? std::optional(text->toStdString()) : std::nullopt;
  const Document& document = workspace_.document;
  session_->set("files/last", document.path());
  drafting_.start(
      [own = session_->drafts().own(), spec = document.spec(), of = document.path(), modified = document.isModified(),
       typed, of_text = fileOfText()](const Work& work) {
        modified ? own->put(spec, of, work) : own->drop(work);
        own->putText(typed, of_text, work);
        return std::optional(true);
      },
      [](bool) {});
}

bool FileCommands::restoreLast() {
  if (session_ == nullptr) return false;
  const auto draft = session_->drafts().left();
  const auto typed = session_->drafts().leftText();
  const QString last = session_->value("files/last").toString();
  const bool restored = (draft && take(*draft)) || (!last.isEmpty() && QFileInfo::exists(last) && open(last));
  return (typed && showTyped(*typed)) || restored;
}

bool FileCommands::openAtStart(const QString& path) {
  if (session_ == nullptr) return open(path);
  const QString full = QFileInfo(path).absoluteFilePath();
  const auto draft = session_->drafts().left();
  const auto typed = session_->drafts().leftText();
  if (typed && typed->of != full) session_->drafts().keepTyped();
  const bool taken = draft && draft->of == full && take(*draft);
  if (draft && !taken) session_->drafts().keep();
  const bool opened = taken || open(path);
  return (typed && typed->of == full && showTyped(*typed)) || opened;
}

bool FileCommands::showTyped(const Drafts::Draft& draft) {
  const auto typed = awaited(phrase("window", "Opening the draft of %1…").arg(shortName(draft.of)),
                             [draft](const Work&) { return draft.text(); });
  if (!typed || !*typed) return false;
  if (draft.of.isEmpty() && !workspace_.document.path().isEmpty()) workspace_.document.reset({});
  if (!showTyped(draft.of, **typed)) return false;
  banner_.show(phrase("window", "Restored the text of %1 from %2. It still has problems.")
                   .arg(shortName(draft.of), draft.time()),
               "");
  return true;
}

bool FileCommands::showTyped(const QString& of, const std::string& typed) {
  if (of == workspace_.document.path()) {
    workspace_.text.retype(QString::fromStdString(typed));
  } else {
    const auto file = awaited(phrase("window", "Opening %1…").arg(shortName(of)),
                              [of, typed, catalogue = workspace_.document.catalogue()](const Work&) {
                                yaml::SpecFile with_typed = yaml::readSpecFile(of.toStdString(), catalogue);
                                with_typed.read = yaml::readSpec(typed, catalogue, of.toStdString());
                                with_typed.text = std::make_shared<const std::string>(typed);
                                return Result(std::move(with_typed));
                              });
    if (!file || !*file) return false;
    workspace_.text.showBroken(of, **file, true);
  }
  emit textOpened();
  return true;
}

bool FileCommands::take(const Drafts::Draft& draft) {
  struct Taken {
    PipelineSpec spec;
    yaml::SpecFile file;
  };
  auto taken = awaited(phrase("window", "Opening the draft of %1…").arg(shortName(draft.of)),
                       [draft, catalogue = workspace_.document.catalogue()](const Work&) -> Result<Taken> {
                         auto spec = draft.read();
                         if (!spec) return spec.error();
                         return Taken{*std::move(spec), draft.of.isEmpty()
                                                            ? yaml::SpecFile{}
                                                            : yaml::readSpecFile(draft.of.toStdString(), catalogue)};
                       });
  if (!taken) return false;
  if (!*taken && showTyped(draft)) return true;
  if (!*taken) {
    report(taken->error());
    return false;
  }
  const bool has_file = !draft.of.isEmpty() && (*taken)->file.read.issues.empty();
  if (has_file) {
    workspace_.document.show(std::move((*taken)->file), draft.of);
  } else {
    workspace_.document.reset({});
  }
  // As after an import: nobody has said yet how many samples there are.
  workspace_.lacks_size = !has_file && (*taken)->spec.dataset.size == 0;
  workspace_.document.replace((*taken)->spec, phrase("window", "unsaved changes of the last session"));
  keepDraft();
  banner_.show(
      phrase("window", "The unsaved changes to %1 from %2 were restored.").arg(shortName(draft.of), draft.time()), "",
      {{has_file ? phrase("window", "Show the saved file instead") : phrase("window", "Start a new pipeline"),
        [this] { workspace_.document.undoStack().undo(); }}});
  return true;
}

/// The file as it is now is what the next save may overwrite.
bool FileCommands::keepMine() {
  const QString path = workspace_.document.path();
  const auto now = awaited(phrase("window", "Checking %1…").arg(shortName(path)),
                           [path](const Work&) { return yaml::stampOf(path.toStdString()); });
  if (!now || !*now || path != workspace_.document.path()) return false;
  workspace_.document.keepMine(**now);
  return true;
}

void FileCommands::report(const Error& error) {
  banner_.show(QString::fromStdString(error.text()), "error");
}

void FileCommands::offerReload() {
  const QString name = shortName(workspace_.document.path());
  banner_.show(phrase("window", "%1 was changed on disk by another program.").arg(name), "warning",
               {{phrase("window", "Reload"),
                 [this] {
                   const QString path = workspace_.document.path();
                   open(path);
                 }},
                {phrase("window", "Keep mine"), [this] { keepMine(); }}});
}

void FileCommands::showConflict(const Error& error) {
  banner_.show(QString::fromStdString(error.text()), "warning",
               {{phrase("window", "Overwrite it"),
                 [this] {
                   if (keepMine()) save();
                 }},
                {phrase("window", "Reload"), [this] { open(workspace_.document.path()); }}});
}

}  // namespace shardlens::ui

#include "moc_file_commands.cpp"
