// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/state/workspace.h"
#include "ui/widgets/common/refresh.h"

#include <QWidget>

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

class QVBoxLayout;

namespace shardlens::ui {

class FieldRow;
class FormBlock;
class RecordHead;
struct FormSection;

/// A record by its list and its place there.
using RecordName = std::pair<std::string, std::size_t>;

/// The spec as a form: every field of it, what follows from each, and what the audit says about it. Made from the field
/// table alone. Another sampler has other fields; rows that both have stay.
class FormPanel : public QWidget {
  Q_OBJECT

 public:
  explicit FormPanel(Workspace& workspace, QWidget* parent = nullptr);
  ~FormPanel() override;

  /// Brings the field into sight and puts the keyboard there; false when the spec has no such field.
  bool focusField(const QString& path);
  [[nodiscard]] FieldRow* row(const QString& path) const;

 private:
  void rebuild();
  void showValues();
  void showNotes();
  /// The parts of the form: one that was there stays as it is, another is made.
  FormBlock* takeBlock(const FormSection& section, bool collapsed, std::vector<FormBlock*>& left);
  FieldRow* takeRow(FormBlock& block, const Field& field, std::vector<FieldRow*>& left);
  RecordHead* takeHead(FormBlock& block, const RecordPath& at);
  void dropHeads(const std::set<RecordName>& but);
  void removeRecord(const std::string& list, std::size_t index);
  void change(const std::string& path, const Value& value);

  Workspace& workspace_;
  QWidget* form_;
  QVBoxLayout* column_;
  std::string built_for_;                    ///< the form's shape: another one has other rows
  std::map<RecordName, RecordHead*> heads_;  ///< the line above each record
  std::vector<FormBlock*> blocks_;
  std::vector<FieldRow*> rows_;
  Refresh refresh_;
};

}  // namespace shardlens::ui
