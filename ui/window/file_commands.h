// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/state/workspace.h"
#include "ui/window/banner.h"
#include "ui/window/file_watch.h"
#include "ui/window/session.h"

#include <QObject>
#include <QTimer>

class QMenu;
class QWidget;

namespace shardlens::ui {

/// Everything between the document and the disk: open, save, recent files, drafts, changes from outside. Nothing here
/// asks before it acts, because nothing here loses work: unsaved changes become a draft first.
class FileCommands : public QObject {
  Q_OBJECT

 public:
  FileCommands(Workspace& workspace, Session* session, Banner& banner, QWidget* window);

  /// A .yaml becomes the document, a recording is shown in Autopsy. False when it could not be read; the banner says
  /// why.
  bool open(const QString& path);
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
  /// Writes down what is unsaved now. Called when the window closes; else it follows the document by itself.
  void keepUnsaved();
  void fillRecent(QMenu& menu);
  void fillDrafts(QMenu& menu);

 signals:
  void said(const QString& message);
  void runOpened();

 private:
  bool openSpec(const QString& path);
  bool openRun(const QString& path);
  void setAside();
  void take(const Drafts::Draft& draft);
  void report(const Error& error);
  void offerReload();
  void showConflict(const Error& error);

  Workspace& workspace_;
  Session* session_;  ///< null: nothing is remembered
  Banner& banner_;
  QWidget* window_;
  FileWatch watch_;
  QTimer autosave_;
};

/// "imagenet-8gpu.yaml", or what a document without a file is called.
QString documentName(const Document& document);

}  // namespace shardlens::ui
