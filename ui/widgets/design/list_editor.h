// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/design/form.h"
#include "ui/state/latest_job.h"
#include "ui/widgets/common/sheet.h"

#include <QLabel>
#include <QPlainTextEdit>

#include <functional>
#include <memory>
#include <string>
#include <vector>

class QComboBox;
class QListWidget;
class QPushButton;

namespace shardlens::ui {

/// The text of a list. One that is too long to edit without delay is not put into it when it is pasted or dropped, but
/// handed over whole.
class ListText : public QPlainTextEdit {
  Q_OBJECT

 public:
  explicit ListText(QWidget* parent = nullptr);
  /// Underlines these places.
  void mark(const std::vector<ListSpan>& spans);

 signals:
  void pastedLong(const QString& text);

 protected:
  void insertFromMimeData(const QMimeData* source) override;
};

class ProgressBar;

/// Edits a list: typed, pasted, or from a file. Reads in the background, says how many items there are and what is
/// wrong where, and gives the list only when nothing is.
class ListEditor : public Sheet {
  Q_OBJECT

 public:
  ListEditor(const Field& field, const Value& value, const PipelineSpec& spec, QWidget* opener);
  ~ListEditor() override;
  void open();
  /// Reads the file in place of the text.
  void readFromFile(const QString& path);
  [[nodiscard]] const ListAnswer& answer() const { return answer_; }
  [[nodiscard]] bool isReading() const { return reading_.isBusy(); }
  [[nodiscard]] ListText* text() const { return text_; }
  [[nodiscard]] QString countText() const { return count_->text(); }
  [[nodiscard]] QListWidget* faults() const { return faults_; }
  [[nodiscard]] QComboBox* columns() const { return columns_; }
  [[nodiscard]] QPushButton* useButton() const { return use_; }

 signals:
  void accepted(const Value& value);

 private:
  void build();
  QWidget* makeHead();
  QWidget* makeSource();
  QWidget* makeAnswer();
  QWidget* makeFoot();
  void readText();
  void readAgain();
  void start(std::function<ListAnswer(const Work& work)> read);
  void take(ListAnswer answer);
  void showAnswer();
  void showSource();

  Field field_;
  lists::ListRules rules_;
  Value before_;
  QString file_;                               ///< read in place of the text; empty: the text counts
  std::shared_ptr<const std::string> pasted_;  ///< the same, of a text too long to edit
  std::optional<int> column_;                  ///< of the file, when the user chose one
  ListAnswer answer_;
  ListText* text_;
  QLabel* source_;
  QPushButton* type_instead_;
  QComboBox* columns_;
  QLabel* count_;
  ProgressBar* progress_;
  QPushButton* stop_;
  QListWidget* faults_;
  QPushButton* use_;
  LatestJob reading_;  ///< last: it tells all of the above
};

}  // namespace shardlens::ui
