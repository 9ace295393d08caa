// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/file_commands.h"

#include "core/base/file.h"
#include "core/base/phrase.h"
#include "core/base/text.h"
#include "core/collect/python_script.h"
#include "core/film/film.h"
#include "core/report/report.h"
#include "ui/scene/number_text.h"
#include "ui/state/recording_library.h"
#include "ui/widgets/common/picture.h"
#include "ui/widgets/common/toast.h"

#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QRegularExpression>
#include <QTemporaryFile>

namespace shardlens::ui {
namespace {

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

QString countsOf(const yaml::Imported& imported) {
  using Kind = yaml::ImportNote::Kind;
  const auto count = [&](Kind kind) { return QString::number(imported.lines(kind).size()); };
  return phrase("window", "read: %1, assumed: %2, not known: %3")
      .arg(count(Kind::Read), count(Kind::Assumed), count(Kind::Unknown));
}

/// Its notes are English, since they go into a file; its problems are for the window.
yaml::Imported importedOf(const yaml::ImportSource& source, SamplerCatalogue catalogue) {
  const yaml::ImportOptions options{{}, true};
  const auto in_english = [&] {
    const InEnglish english;
    return yaml::importSpec({&source, 1}, catalogue, options);
  };
  yaml::Imported found = in_english();
  return found.problems.empty() ? std::move(found) : yaml::importSpec({&source, 1}, catalogue, options);
}

/// What Python says of a text that is no file; empty where it says nothing.
std::string describedText(const std::string& script) {
  QTemporaryFile file;
  const bool is_written =
      file.open() && file.write(script.data(), std::ssize(script)) == std::ssize(script) && file.flush();
  const auto described =
      is_written ? describeScript(file.fileName().toStdString()) : Result<std::string>(std::string());
  return described ? *described : std::string();
}

struct TextRead {
  bool is_spec = false;
  yaml::ReadSpec spec;
  yaml::Imported imported;  ///< of a text that is no spec
};

/// A text that Python cannot read may be meant for it.
bool importsModules(const std::string& text) {
  static const QRegularExpression kImport("^(import|from \\S+ import) \\w", QRegularExpression::MultilineOption);
  return QString::fromStdString(text).contains(kImport);
}

/// A script may name commands, and no command is Python: it is looked at first.
yaml::Imported importedFromText(const yaml::ImportSource& source, SamplerCatalogue catalogue) {
  if (source.text.size() > yaml::kMostImportBytes) return importedOf(source, catalogue);
  const yaml::ImportSource script{source.name, describedText(source.text)};
  if (yaml::tellsOfPipeline(script)) return importedOf(script, catalogue);
  yaml::Imported found = importedOf(source, catalogue);
  if (found.problems.empty() || script.text.empty() || !importsModules(source.text)) return found;
  yaml::Imported as_script = importedOf(script, catalogue);
  return as_script.problems.empty() ? std::move(found) : std::move(as_script);
}

/// `name` is what notes and problems call the text.
TextRead readText(const std::string& name, const std::string& text, SamplerCatalogue catalogue) {
  TextRead out;
  out.spec = yaml::readSpec(text, catalogue, name);
  const yaml::ImportSource source{name, text};
  const bool is_meant = text.starts_with("shardlens:") || text.find("\nshardlens:") != std::string::npos;
  out.is_spec = out.spec.version != 0 || (is_meant && !yaml::isImportable(source));
  if (!out.is_spec) out.imported = importedFromText(source, catalogue);
  return out;
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
  autosave_.setInterval(300);
  const auto keep_soon = [this] {
    if (!autosave_.isActive()) autosave_.start();  // changes that go on put it off no further
  };
  connect(&workspace_.document, &Document::specChanged, this, keep_soon);
  connect(&workspace_.text, &SpecText::stateChanged, this, keep_soon);
  connect(&autosave_, &QTimer::timeout, this,
          [this] { drafting_.isBusy() ? autosave_.start() : keepDraft(); });  // another start would stop that writing
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
  if (!opened) return report(opened.error());
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
  if (!kept) return false;
  if (!*kept) return report(kept->error());
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
    if (!*kept) return report(kept->error());
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
  if (!*saved)
    return saved->error().code == ErrorCode::Conflict ? showConflict(saved->error()) : report(saved->error());
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
  if (!*taken) return report(taken->error());
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

bool FileCommands::report(const Error& error) {
  banner_.show(QString::fromStdString(error.text()), "error");
  return false;
}

bool FileCommands::showConflict(const Error& error) {
  banner_.show(QString::fromStdString(error.text()), "warning",
               {{phrase("window", "Overwrite it"),
                 [this] {
                   if (keepMine()) save();
                 }},
                {phrase("window", "Reload"), [this] { open(workspace_.document.path()); }}});
  return false;
}

// The menus of FileCommands that list files.

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

// A new pipeline, and the way back to what it took the place of.

void FileCommands::newDocument() {
  const Document& document = workspace_.document;
  const auto typed = workspace_.text.unsound();
  const Replaced before{document.spec(), document.path(), document.text(), document.isModified(), typed, fileOfText()};
  const QString name = typed && !fileOfText().isEmpty() ? shortName(fileOfText()) : documentName(document);
  if (!setAside()) return;
  banner_.hide();
  workspace_.document.reset({});
  workspace_.selection.forget();
  if (before.path.isEmpty() && before.spec == document.spec() && !typed) return;
  Toast::sayWithUndo(*window_,
                     (before.modified || typed) && session_ != nullptr
                         ? tr("A new pipeline is open. The changes to %1 were kept: File > Kept drafts.").arg(name)
                         : tr("A new pipeline is open in place of %1.").arg(name),
                     [this, before] { putBack(before); });
}

bool FileCommands::openDesign(const PipelineSpec& spec, const QString& text, bool unasked) {
  if (!mayStart() || !setAside()) return false;
  banner_.hide();
  yaml::SpecFile made{{spec, {}}, {}, std::make_shared<const std::string>(text.toStdString())};
  Document& document = workspace_.document;
  unasked ? document.show(std::move(made), {}) : document.showMended(std::move(made), {});
  workspace_.selection.forget();
  workspace_.playback.seek(0, 0);
  return true;
}

/// What a new pipeline took the place of. The design that is open by now stays where it cannot be kept.
void FileCommands::putBack(const Replaced& before) {
  Document& document = workspace_.document;
  if (!before.path.isEmpty()) {
    if (!openSpec(before.path)) return;
  } else {
    if (!setAside()) return;
    document.reset(before.modified ? PipelineSpec() : before.spec);
    workspace_.selection.forget();
  }
  const QString label = tr("what was open before");
  if (before.modified && before.text == nullptr) document.replace(before.spec, label);
  if (before.modified && before.text != nullptr) document.rewrite(before.spec, before.text, label);
  if (before.typed) showTyped(before.typed_in, before.typed->toStdString());
}

// Files and texts of a job that become a design.

std::optional<yaml::Imported> FileCommands::importedFrom(const QString& full,
                                                         std::shared_ptr<const std::string> file_text) {
  using Answer = std::optional<yaml::Imported>;
  auto answer =
      awaited(phrase("window", "Importing %1…").arg(shortName(full)),
              [name = shortName(full).toStdString(), path = full.toStdString(), file_text = std::move(file_text),
               catalogue = workspace_.document.catalogue()](const Work&) -> Result<Answer> {
                const auto text = isPythonScript(path) ? describeScript(path) : Result<std::string>(*file_text);
                if (!text) return text.error();
                const yaml::ImportSource source{name, *text};
                return yaml::isImportable(source) ? Answer(importedOf(source, catalogue)) : Answer();
              });
  return answer && *answer ? **std::move(answer) : std::nullopt;
}

bool FileCommands::openText(const QString& text) {
  if (!mayStart()) return false;
  const QString name = phrase("window", "The text in the clipboard");
  auto read = awaited(phrase("window", "Reading the clipboard…"),
                      [bytes = text.toStdString(), catalogue = workspace_.document.catalogue()](const Work&) {
                        return Result<TextRead>(readText("clipboard", bytes, catalogue));
                      });
  if (!read) return false;
  if (!*read) return report(read->error());
  TextRead& found = **read;
  if (!found.is_spec) return openImport(name, std::move(found.imported));
  if (!found.spec.issues.empty()) {
    banner_.showProblems(phrase("window", "The spec in the clipboard was not opened."), found.spec.issues);
    return false;
  }
  if (!openDesign(found.spec.spec, text)) return false;
  emit said(phrase("window", "The spec in the clipboard is the design now. It is not saved."));
  return true;
}

/// What it says about its data pipeline becomes a design. A placeholder would be taken for what the file says.
bool FileCommands::openImport(const QString& name, yaml::Imported found) {
  if (!found.problems.empty()) {
    banner_.showProblems(phrase("window", "%1 was not imported.").arg(name), found.problems);
    return false;
  }
  const bool lacks_size = [&found] {
    const InEnglish english;  // as its notes are
    return yaml::leaveSizeOpen(found);
  }();
  const QString made = text(yaml::importedText(found, workspace_.document.catalogue()));
  if (!openDesign(found.spec, made)) return false;
  const QString said = phrase("window", "%1 is no spec; what it says of the data pipeline was imported (%2).")
                           .arg(name, countsOf(found));
  const Banner::Choice notes{phrase("window", "Show the notes"), [this] { emit textOpened(); }};
  if (!lacks_size) {
    banner_.show(said, "", {notes});
    return true;
  }
  workspace_.lacks_size = true;
  workspace_.plan();
  banner_.show(said + ' ' + phrase("window", "How many samples there are is not known: type it into dataset.size."), "",
               {{phrase("window", "Type it"), [this] { emit fieldWanted("dataset.size"); }}, notes});
  return true;
}

FileWatch::FileWatch(Document& document, QObject* parent) : QObject(parent), document_(document) {
  constexpr int kSettleMs = 100;  // editors write in several steps
  settle_.setSingleShot(true);
  settle_.setInterval(kSettleMs);
  connect(&document_, &Document::pathChanged, this, &FileWatch::follow);
  connect(&watcher_, &QFileSystemWatcher::fileChanged, &settle_, qOverload<>(&QTimer::start));
  connect(&watcher_, &QFileSystemWatcher::directoryChanged, &settle_, qOverload<>(&QTimer::start));
  connect(&settle_, &QTimer::timeout, this, &FileWatch::look);
  follow();
}

void FileWatch::follow() {
  const QStringList old = watcher_.files() + watcher_.directories();
  if (!old.isEmpty()) watcher_.removePaths(old);
  if (document_.path().isEmpty()) return;
  watcher_.addPath(QFileInfo(document_.path()).absolutePath());  // replaced files come as changes of the folder
  if (QFile::exists(document_.path())) watcher_.addPath(document_.path());
}

void FileWatch::look() {
  follow();
  const QString path = document_.path();
  if (path.isEmpty()) return;
  looking_.start([path](const Work&) { return std::optional(yaml::stampOf(path.toStdString())); },
                 [this, path](const Result<yaml::FileStamp>& now) {
                   if (now && path == document_.path() && document_.isChangedTo(*now)) emit changedOnDisk();
                 });
}

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

#include "moc_file_commands.cpp"
