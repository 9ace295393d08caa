// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/spec/pipeline_spec.h"
#include "core/yaml/exporter.h"
#include "ui/scene/tabs/export_text.h"
#include "ui/state/latest_job.h"
#include "ui/state/workspace.h"
#include "ui/widgets/common/fields.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/common/refresh.h"
#include "ui/widgets/common/style.h"
#include "ui/widgets/common/toast.h"

#include <string>
#include <vector>

class QBoxLayout;
class QPushButton;

namespace shardlens::ui {

class CodeView;
class ExportFields;

/// What each target would get: its text, how that differs from the file on disk, what it cannot carry, and the command
/// that does the same without a window. Works on values; ExportTab connects it and remembers files.
class ExportView : public QWidget {
  Q_OBJECT

 public:
  enum Mode { Preview, Diff };

  explicit ExportView(QWidget* parent = nullptr);

  /// `spec_path` is the document's file, empty when there is none.
  void setSpec(const PipelineSpec& spec, const QString& spec_path);
  /// What the audit of the spec calls errors: they stand in the head of every main file.
  void setAuditErrors(const std::vector<std::string>& errors);
  /// Why the spec has no plan, though its fields are valid; empty when it has one. The files can be written all the
  /// same.
  void setNoPlan(const QString& why);
  /// What the options of targets say; the errors of the audit are not among it.
  void setOptions(const yaml::ExportContext& context);
  [[nodiscard]] const yaml::ExportContext& options() const { return context_; }
  /// Nothing is saved until they are set: a file without them would say that there are none.
  void waitForAuditErrors();
  void setTarget(const std::string& id);
  [[nodiscard]] std::string target() const { return row().id; }
  /// Where the target's main file goes; empty: not chosen yet.
  void setPath(const QString& path);
  [[nodiscard]] const QString& path() const { return path_; }
  void setMode(Mode mode) { mode_->setCurrent(mode); }
  [[nodiscard]] Mode mode() const { return static_cast<Mode>(mode_->current()); }

  [[nodiscard]] QString text() const;  ///< what the preview or the diff shows
  [[nodiscard]] QString command() const { return command_->fullText(); }
  [[nodiscard]] QString status() const { return status_->fullText(); }  ///< the result line
  [[nodiscard]] QStringList notCarried() const;
  [[nodiscard]] bool asksToOverwrite() const { return asking_; }
  [[nodiscard]] QSize minimumSizeHint() const override { return {px(420), QWidget::minimumSizeHint().height()}; }

 public slots:
  /// Reads the files on disk again.
  void refresh();
  /// Writes the files. One that is there and says something else is shown as a diff and asked for first. Where they
  /// cannot be written, the next call asks where to.
  void save();
  void saveAs();
  /// The answer to the question.
  void overwrite();
  void mergeInto();
  void keepFile() { ask(false); }
  void copyText() const;
  void copyCommand() const { ui::copyText(*this, command()); }

 signals:
  void targetChanged(const std::string& id);
  void optionChanged(const std::string& id, const QString& text);
  void saved(const QString& path);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  [[nodiscard]] QWidget* buildTargets();
  [[nodiscard]] QWidget* buildHead();
  [[nodiscard]] QWidget* buildQuestion();
  [[nodiscard]] QWidget* buildFoot();
  [[nodiscard]] const yaml::ExportTarget& row() const;
  /// Where the main file goes, chosen or not.
  [[nodiscard]] QString shownPath() const { return path_.isEmpty() ? defaultExportPath(spec_path_, row()) : path_; }
  [[nodiscard]] std::size_t shownFile() const { return static_cast<std::size_t>(std::max(0, files_->currentIndex())); }
  void fillFiles();
  void showFields();
  void setOption(const yaml::ExportOption& option, const QString& text);
  void present();
  void presentProblems();
  void write(yaml::Overwriting how);
  void sayNotSaved(const QString& why);
  void ask(bool asking);
  void say(const QString& text, const char* tone);

  PipelineSpec spec_;
  QString spec_path_;
  yaml::ExportContext context_;
  QString path_;
  QString no_plan_;
  QString refused_;  ///< why what an option's field says is not used
  yaml::ExportResult result_;
  std::vector<yaml::ExportDestination> destinations_;
  bool asking_ = false;
  bool asks_where_ = false;  ///< the file could not be written
  bool waits_for_errors_ = false;

  QWidget* targets_column_ = nullptr;
  QBoxLayout* head_ = nullptr;
  QComboBox* targets_;
  QLabel* not_carried_head_;
  QLabel* not_carried_;
  ExportFields* fields_;
  ElidedLabel* title_;
  QComboBox* files_;
  SegmentedControl* mode_;
  CodeView* code_;
  QWidget* question_ = nullptr;
  QLabel* question_text_ = nullptr;
  QPushButton* merge_ = nullptr;
  ElidedLabel* command_;
  ElidedLabel* status_;
  QPushButton* save_;
};

/// The Export tab of a window. Remembers for each document and target the file that was picked.
class ExportTab : public QWidget {
  Q_OBJECT

 public:
  explicit ExportTab(Workspace& workspace, QWidget* parent = nullptr);

  [[nodiscard]] ExportView& view() const { return *view_; }

 private:
  void recall();
  void takeErrors();
  [[nodiscard]] QString memoryKey() const;

  Workspace& workspace_;
  ExportView* view_;
  Refresh refresh_;
  Refresh errors_;
  LatestJob english_;  ///< finds the audit's errors once more, in English
};

}  // namespace shardlens::ui
