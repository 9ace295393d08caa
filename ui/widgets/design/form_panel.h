// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/state/workspace.h"
#include "ui/widgets/common/refresh.h"

#include <QWidget>

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

class QVBoxLayout;

namespace shardlens::ui {

class FieldRow;
class FormBlock;
struct FormSection;

/// A record by its list and its place there.
using RecordName = std::pair<std::string, std::size_t>;

/// The spec as a form: every field of it, what follows from each, and what the audit says about it. Made from the field
/// table alone. Another sampler has other fields; rows that both have stay. The others are made a few in each turn of
/// the event loop, out of sight, and take their places together.
class FormPanel : public QWidget {
  Q_OBJECT

 public:
  explicit FormPanel(Workspace& workspace, QWidget* parent = nullptr);
  ~FormPanel() override;

  /// Brings the field into sight and puts the keyboard there; false when the spec has no such field.
  bool focusField(const QString& path);
  [[nodiscard]] FieldRow* row(const QString& path) const;
  /// Opens the picker of samplers over the window; one that is open stays.
  void pickSampler();

 protected:
  void showEvent(QShowEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  [[nodiscard]] bool hasOldShape() const;
  /// Makes what the form of the spec needs and the one on the screen lacks; false when `ms` were over before all of it.
  bool makeAhead(int ms);
  void rebuild();
  void rebuildKeepingFocus();
  void showValues();
  void showNotes();
  FormBlock* makeBlock(const FormSection& section);
  FieldRow* makeRow(FormBlock& block, const Field& field);
  QWidget* takeHead(FormBlock& block, const RecordPath& at);
  void dropHeads(const std::set<RecordName>& but);
  void change(const std::string& path, const Value& value);
  void editList(const std::string& path);
  void sayMadeUp();
  [[nodiscard]] QString exampleOf(const Field& field);

  Workspace& workspace_;
  QWidget* form_;
  QVBoxLayout* column_;
  std::string built_for_;                 ///< the form's shape: another one has other rows
  std::map<RecordName, QWidget*> heads_;  ///< the line above each record
  std::vector<FormBlock*> blocks_;
  std::vector<FieldRow*> rows_;
  std::vector<FormBlock*> blocks_ahead_;  ///< made for the form that comes next, not yet part of it
  std::vector<FieldRow*> rows_ahead_;
  /// What was last said of a list: it is not compared again while it stays.
  struct Example {
    IndexList list;
    std::int64_t dataset_size = 0;
    std::string sampler;
    QString what;
  };
  std::map<std::string, Example> examples_;
  bool changed_ = false;   ///< the last change of a field is the newest command of the document
  bool in_sight_ = false;  ///< the user sees the form that was: the next one may take a few turns
  Refresh refresh_;
};

}  // namespace shardlens::ui
