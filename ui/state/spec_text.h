// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/yaml/spec_file.h"
#include "ui/state/document.h"
#include "ui/state/latest_job.h"

#include <QObject>
#include <QString>
#include <QTimer>

#include <memory>
#include <optional>
#include <string>

namespace shardlens::ui {

/// The document's spec as text, kept in step with it: a typed text that is a sound spec becomes the document's as one
/// undoable edit, and an edit elsewhere changes in the text what it must and keeps the rest. A file that cannot be
/// opened can be edited here until it can. Texts are read and written on a worker.
class SpecText : public QObject {
  Q_OBJECT

 public:
  explicit SpecText(Document& document);

  /// Nothing is computed while nobody looks.
  void setWatched(bool watched);
  [[nodiscard]] const QString& text() const { return text_; }
  /// What keeps the text from being the document's spec, in its order; with line and column where they are known.
  [[nodiscard]] const Issues& problems() const { return problems_; }
  /// The file that could not be opened and is edited here; empty: the text is the document's.
  [[nodiscard]] const QString& brokenFile() const { return broken_file_; }
  /// The design was edited elsewhere while the text has problems: the text says neither the old nor the new one.
  [[nodiscard]] bool isOutOfStep() const { return out_of_step_; }
  /// The last edit elsewhere had the text written anew: comments and spelling of the one before are gone from it.
  [[nodiscard]] bool isRewritten() const { return rewritten_; }
  /// Too long for an editor: it is not kept in step.
  [[nodiscard]] bool isTooLong() const { return too_long_; }
  /// What was typed is read when the user pauses: the design does not have it yet.
  [[nodiscard]] bool isPausing() const { return pause_.isActive(); }

  /// What was typed and is no sound spec: nothing but this text has it. Reads what was typed first.
  [[nodiscard]] std::optional<QString> unsound();
  /// What was typed in an earlier session for the design as it is now, read at once.
  void retype(const QString& text);

  /// The user typed. Read when he pauses.
  void edit(const QString& text);
  /// Reads what was typed at once.
  void readNow();
  /// Takes a file that could not be opened, as it was read. `edited`: what was typed into it since.
  void showBroken(const QString& path, const yaml::SpecFile& file, bool edited = false);
  /// Gives the text up and takes the document's.
  void takeDesign();

 signals:
  /// Another text than the one that was typed.
  void textChanged();
  /// What is known about the text changed.
  void stateChanged();
  /// The broken file's text is a sound spec now.
  void mended(const QString& path, const shardlens::yaml::SpecFile& file);

 private:
  void follow();
  void writeFrom(std::shared_ptr<const std::string> base);
  void read();
  void taken(const std::shared_ptr<const std::string>& typed, yaml::ReadSpec read);
  void setText(const std::string& text);
  void forget();

  Document& document_;
  QString text_;
  Issues problems_;
  QString broken_file_;
  yaml::FileStamp broken_stamp_;              ///< of that file when it was read
  std::optional<PipelineSpec> said_;          ///< by the text; none while it has problems
  std::shared_ptr<const std::string> known_;  ///< the document's own text that was last taken over
  bool unread_ = false;                       ///< typed, and not read yet
  bool edited_ = false;                       ///< typed, and not written by us since
  bool out_of_step_ = false;
  bool rewritten_ = false;
  bool too_long_ = false;
  bool watched_ = false;
  QTimer pause_;
  LatestJob job_;
};

}  // namespace shardlens::ui
