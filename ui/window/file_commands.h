// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/state/awaited_job.h"
#include "ui/state/workspace.h"
#include "ui/window/banner.h"
#include "ui/window/file_watch.h"
#include "ui/window/session.h"

#include <QObject>
#include <QTimer>

#include <memory>
#include <optional>
#include <string>

class QMenu;
class QWidget;

namespace shardlens::ui {

/// Everything between the document and the disk: open, save, recent files, drafts, changes from outside. Nothing here
/// asks before it acts, because nothing here loses work: unsaved changes become a draft first. Files are read and
/// written on a worker; the window goes on, and the functions here return when it is done. While a file is being saved
/// no other is opened; of two that are opened, the newer one wins.
class FileCommands : public QObject {
  Q_OBJECT

 public:
  FileCommands(Workspace& workspace, Session* session, Banner& banner, QWidget* window);

  /// A .yaml becomes the document, a recording is shown in Autopsy. False when it could not be read; the banner says
  /// why.
  bool open(const QString& path);
  /// What a .yaml says becomes a document without a file: saving it asks where to.
  bool openCopy(const QString& path);
  void openWithDialog();
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
  void putBack(const Replaced& before);
  void openMended(const QString& path, const yaml::SpecFile& file);
  void showProblems(const QString& full, const yaml::SpecFile& file);
  /// Nothing when it was stopped or has problems; the banner says which.
  std::optional<yaml::SpecFile> readSpec(const QString& path);
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
  void report(const Error& error);
  void offerReload();
  void showConflict(const Error& error);

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

/// "imagenet-8gpu.yaml", or "untitled" where there is no file.
QString shortName(const QString& path);

/// "imagenet-8gpu.yaml", or what a document without a file is called.
QString documentName(const Document& document);

}  // namespace shardlens::ui
