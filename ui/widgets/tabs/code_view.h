// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/tabs/export_text.h"
#include "ui/widgets/common/code_highlighter.h"

#include <QPlainTextEdit>

#include <memory>

namespace shardlens::ui {

/// Text of a config file or a script to read and copy: monospaced, with quiet syntax colours, or as a comparison with
/// marked lines.
class CodeView : public QPlainTextEdit {
  Q_OBJECT

 public:
  using Language = CodeHighlighter::Language;

  explicit CodeView(QWidget* parent = nullptr);
  ~CodeView() override;

  void setCode(const QString& text, Language language);
  void setDiff(const DiffText& diff);
  /// By the end of the name: "run.sh" is Shell.
  static Language languageOf(const QString& file_name);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void paintMarks();
  void putText(const QString& text);

  CodeHighlighter* highlighter_;
  std::vector<DiffMark> marks_;
};

}  // namespace shardlens::ui
