// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/state/workspace.h"

#include <QWidget>

#include <map>

class QVBoxLayout;

namespace shardlens::ui {

class FieldRow;
class FormBlock;

/// The spec as a form: every field of it, what follows from each, and what the audit says about it. Made from the field
/// table alone; another sampler has other fields.
class FormPanel : public QWidget {
  Q_OBJECT

 public:
  explicit FormPanel(Workspace& workspace, QWidget* parent = nullptr);

  /// Brings the field into sight and puts the keyboard there; false when the spec has no such field.
  bool focusField(const QString& path);
  [[nodiscard]] FieldRow* row(const QString& path) const;

 private:
  void rebuild();
  void showValues();
  void showNotes();
  void addRow(FormBlock& block, const Field& field);
  void addRecordHead(FormBlock& block, const RecordPath& at);
  void removeRecord(const std::string& list, std::size_t index);
  void change(const std::string& path, const Value& value);

  Workspace& workspace_;
  QWidget* form_;
  QVBoxLayout* column_;
  std::string built_for_;                     ///< the form's shape: another one has other rows
  std::map<std::string, std::size_t> heads_;  ///< how many records of each list have their head
  std::vector<FormBlock*> blocks_;
  std::vector<FieldRow*> rows_;
};

}  // namespace shardlens::ui
