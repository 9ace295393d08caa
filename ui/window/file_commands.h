// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/yaml/imports/importer.h"
#include "ui/state/latest_job.h"
#include "ui/state/phrase.h"
#include "ui/state/workspace.h"
#include "ui/window/banner.h"
#include "ui/window/session.h"

#include <QFileSystemWatcher>
#include <QObject>
#include <QString>
#include <QTimer>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

class QMenu;
class QWidget;

namespace shardlens::ui {

/// Notices that somebody else changed the document's file.
class FileWatch : public QObject {
  Q_OBJECT

 public:
  explicit FileWatch(Document& document, QObject* parent = nullptr);

 signals:
  /// The file says something else than the document was read from; once for each change.
  void changedOnDisk();

 private:
  void follow();
  void look();

  Document& document_;
  QFileSystemWatcher watcher_;
  QTimer settle_;
  LatestJob looking_;  ///< last: it tells all of the above
};

/// Everything between the document and the disk: open, save, recent files, drafts, changes from outside. Nothing here
/// asks before it acts, because nothing here loses work: unsaved changes become a draft first. Files are read and
/// written on a worker; the window goes on, and the functions here return when it is done. While a file is being saved
/// no other is opened; of two that are opened, the newer one wins.
class FileCommands : public QObject {
  Q_OBJECT

 public:
  FileCommands(Workspace& workspace, Session* session, Banner& banner, QWidget* window);

  /// A spec becomes the document, a file of a job is imported into a new one, a recording is shown in Autopsy. False
  /// when it could not be read; the banner says why.
  bool open(const QString& path);
  /// What a .yaml says becomes a document without a file: saving it asks where to.
  bool openCopy(const QString& path);
  /// The same for a text: a spec becomes the document, not saved yet, and a file or a command of a job is imported into
  /// one. False when it is none of these; the banner says so, and the document stays.
  bool openText(const QString& text);
  /// A pipeline that comes from no file becomes the document, not saved yet; `text` is it as a file. One that is
  /// `unasked` for has no changes that would be kept.
  bool openDesign(const PipelineSpec& spec, const QString& text, bool unasked = false);
  void openWithDialog();
  /// A recording is a folder mostly.
  void openRecordingWithDialog();
  void newDocument();
  bool save();
  bool saveAs(const QString& path);
  void saveWithDialog();
  /// At the start of a window: opens the file, with the changes that were left unsaved in it. What was left of another
  /// file is kept.
  bool openAtStart(const QString& path);
  /// The document of the last session with what was unsaved in it; false: there was none.
  bool restoreLast();
  /// Writes down what is unsaved, at once. For a window that closes; else the draft follows the document by itself.
  void keepUnsaved();
  [[nodiscard]] bool isSaving() const { return !saving_.isEmpty(); }
  void fillRecent(QMenu& menu);
  void fillDrafts(QMenu& menu);

 signals:
  void said(const QString& message);
  void runOpened();
  /// A file that cannot be opened is there to be mended as text.
  void textOpened();
  /// A field has to be filled in.
  void fieldWanted(const QString& path);

 private:
  struct Replaced {
    PipelineSpec spec;
    QString path;
    std::shared_ptr<const std::string> text;
    bool modified = false;
    std::optional<QString> typed;  ///< the text that somebody typed and that has problems
    QString typed_in;              ///< its file
  };

  bool openSpec(const QString& path);
  /// What a file of a job says; nothing where it is none, or when it was stopped.
  std::optional<yaml::Imported> importedFrom(const QString& full, std::shared_ptr<const std::string> file_text);
  /// `name` is what a sentence calls its source.
  bool openImport(const QString& name, yaml::Imported found);
  void putBack(const Replaced& before);
  void openMended(const QString& path, const yaml::SpecFile& file);
  void showProblems(const QString& full, const yaml::SpecFile& file);
  /// Nothing when it was stopped. It may have problems.
  std::optional<yaml::SpecFile> readSpec(const QString& path);
  /// Whether it has; the banner says which.
  bool hasProblems(const QString& full, const yaml::SpecFile& file);
  bool openRun(const QString& path);
  template <class Compute>
  auto awaited(const QString& what, Compute compute);
  bool mayStart();
  /// What is unsaved becomes a kept draft; false when it was stopped or cannot be written.
  bool setAside();
  /// The same for a text that has problems.
  bool setAsideText();
  void keepDraft();
  /// Brings back a text that has problems; false when it cannot be read.
  bool showTyped(const Drafts::Draft& draft);
  /// Likewise one that was typed into this file; empty: into a design without one.
  bool showTyped(const QString& of, const std::string& typed);
  /// The file whose text is being edited; empty: of a design without one.
  [[nodiscard]] QString fileOfText() const;
  bool take(const Drafts::Draft& draft);
  bool keepMine();
  /// Says what went wrong; false.
  bool report(const Error& error);
  void offerReload();
  bool showConflict(const Error& error);

  Workspace& workspace_;
  Session* session_;  ///< null: nothing is remembered
  Banner& banner_;
  QWidget* window_;
  FileWatch watch_;
  QTimer autosave_;
  QString saving_;      ///< the file that is being written
  AwaitedJob job_;      ///< reads and writes what the user waits for
  LatestJob drafting_;  ///< writes this window's draft
};

template <class Compute>
auto FileCommands::awaited(const QString& what, Compute compute) {
  std::vector<Banner::Choice> choices;
  if (!isSaving()) choices.push_back({phrase("window", "Stop"), [this] { job_.cancel(); }});
  QTimer slow;
  slow.setSingleShot(true);
  connect(&slow, &QTimer::timeout, this, [&] { banner_.show(what, "", choices); });
  constexpr int kSlowMs = 200;  // what takes longer says so
  slow.start(kSlowMs);
  auto given = job_.run(std::move(compute));
  if (banner_.text() == what) banner_.hide();
  return given;
}

/// "imagenet-8gpu.yaml", or "untitled" where there is no file.
QString shortName(const QString& path);

/// "imagenet-8gpu.yaml", or what a document without a file is called.
QString documentName(const Document& document);

/// Saves what the window shows for those who have no ShardLens: the deal of the open design as a page that plays, the
/// run in view as a page that reports, the window as a picture. Pages are made on a worker, and the window goes on
/// meanwhile; the banner offers to stop it, and says why when nothing was written.
class PageCommands : public QObject {
  Q_OBJECT

 public:
  PageCommands(Workspace& workspace, Banner& banner, QWidget* window);

  /// From the epoch at the playhead on. False when there is no plan or the page cannot be written.
  bool saveFilm(const QString& path);
  /// All that the recording in view has said so far. False when there is none or the page cannot be written.
  bool saveReport(const QString& path);
  /// PNG for print, or SVG. False when it cannot be written.
  bool savePicture(const QString& path);

  /// The same, asking where to.
  void askForFilm();
  void askForReport();
  void askForPicture();

 signals:
  void said(const QString& message);

 private:
  using Write = std::function<Result<QString>(const Work& work)>;
  bool save(const QString& path, Write write);
  bool refuse(const QString& why);

  Workspace& workspace_;
  Banner& banner_;
  QWidget* window_;
  AwaitedJob job_;
};

}  // namespace shardlens::ui
