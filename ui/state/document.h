// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/sampling/registry.h"
#include "core/spec/edit.h"
#include "core/spec/pipeline_spec.h"
#include "core/yaml/spec_file.h"

#include <QObject>
#include <QString>
#include <QUndoStack>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace shardlens::ui {

class SpecCommand;

/// The spec being edited, its file and its history. Every change of the spec goes through edit() or replace() and can
/// be undone; the history keeps the last thousand changes, and fewer where they would hold more than a gigabyte of
/// lists that the spec itself has no more.
class Document : public QObject {
  Q_OBJECT

 public:
  /// Its sampler is one of `catalogue`.
  explicit Document(SamplerCatalogue catalogue = sampling::catalogue());
  ~Document() override;

  [[nodiscard]] const PipelineSpec& spec() const { return spec_; }
  [[nodiscard]] SamplerCatalogue catalogue() const { return catalogue_; }
  [[nodiscard]] const QString& path() const { return path_; }  ///< empty: never saved
  [[nodiscard]] bool isModified() const { return !undo_.isClean(); }
  [[nodiscard]] QUndoStack& undoStack() { return undo_; }

  /// One undoable command. Consecutive edits of the same single field merge while the user types (numbers and texts; a
  /// choice is a decision of its own). A new sampler.type keeps the parameters that the new sampler takes too. An edit
  /// that a field refuses changes nothing and comes back as the error. Says whether the newest command of the history
  /// is this change: not where nothing changed, nor where it took back what was typed just before.
  Result<bool> edit(const std::vector<Edit>& edits, const QString& label);
  /// The user has left the field: the next edit of it is a command of its own.
  void endTyping() { ++typing_; }
  /// Puts another whole spec in place as one undoable command; false when it is the spec in place already.
  bool replace(const PipelineSpec& spec, const QString& label);
  /// The same for a spec that was typed: what stands around it in `text` is kept when the document is saved. A text
  /// that says the same spec in other words is a change, too.
  void rewrite(const PipelineSpec& spec, std::shared_ptr<const std::string> text, const QString& label);
  /// The text that was read or typed last, of this spec or an earlier one; null: there is none.
  [[nodiscard]] const std::shared_ptr<const std::string>& text() const { return text_; }

  /// The spec of a file that was read without issues, as a document without changes.
  void show(yaml::SpecFile file, const QString& path);
  /// The same for a file whose problems were mended in `file.text`, which is not saved yet.
  void showMended(yaml::SpecFile file, const QString& path);

  /// All that writing the document to a file takes, for a worker.
  struct Saving {
    PipelineSpec spec;
    SamplerCatalogue catalogue;
    QString path;
    std::optional<yaml::FileStamp> expected;  ///< what the document's own file says as far as is known
    int shown = 0;                            ///< number of the document that it is of
    /// The text that somebody typed here, or that is in no file, with what stands around the spec.
    std::shared_ptr<const std::string> typed;

    /// Writes the file at once, keeping what the user wrote around the spec. Fails with Conflict when the document's
    /// own file was changed by somebody else since (see keepMine()).
    [[nodiscard]] Result<yaml::Saved> write() const;
  };
  [[nodiscard]] Saving saving(const QString& path) const;
  /// It was written: the document has that file from now on. What was edited since then stays modified; a document that
  /// was put in place since then is left alone.
  void saved(const Saving& saving, const yaml::Saved& done);
  /// A fresh unsaved document.
  void reset(PipelineSpec spec);

  /// The document's file, as it is now, is there and says something else than when it was read or saved.
  [[nodiscard]] bool isChangedTo(const yaml::FileStamp& now) const { return now.exists && now != stamp_; }
  /// The user decided for the document: the next save may overwrite the file as it is now.
  void keepMine(const yaml::FileStamp& now) { stamp_ = now; }

 signals:
  /// Another document is about to take the place of this one: what is known of this one is of no use any more.
  void leaving();
  void specChanged();
  /// Another text was read or typed, or is back.
  void textChanged();
  void pathChanged();
  void modifiedChanged(bool modified);

 private:
  friend class SpecCommand;
  [[nodiscard]] PipelineSpec beforeTyping(const std::string& path) const;
  bool push(SpecCommand* command);
  void forget(int oldest);
  void put(PipelineSpec spec);
  void start(PipelineSpec spec, const QString& path, yaml::FileStamp stamp,
             std::shared_ptr<const std::string> text = {});

  SamplerCatalogue catalogue_;
  PipelineSpec spec_;
  QString path_;
  yaml::FileStamp stamp_;  ///< of the file at path_ when it was read or saved
  std::shared_ptr<const std::string> text_;
  bool is_typed_ = false;  ///< some of text_ was typed here
  QUndoStack undo_;
  int shown_ = 0;   ///< number of the document in place: of each file, and each fresh one
  int typing_ = 0;  ///< number of the typing session; commands of different ones never merge
};

}  // namespace shardlens::ui
