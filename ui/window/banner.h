// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <QWidget>

#include <functional>

class QLabel;
class QShortcut;
class QHBoxLayout;
class QVBoxLayout;

namespace shardlens::ui {

/// A strip under the header that says something once and offers what to do about it; nothing waits for it.
class Banner : public QWidget {
  Q_OBJECT

 public:
  struct Choice {
    QString text;
    std::function<void()> run;
  };

  explicit Banner(QWidget* parent = nullptr);

  /// Shows the sentence with its choices; every choice, and the x, closes the banner. `tone` as in the style.
  void show(const QString& text, const char* tone, const std::vector<Choice>& choices = {});
  /// Every problem of one input, each with its place, under one sentence; the sentence alone where they are `listed`
  /// elsewhere.
  void showProblems(const QString& text, const Issues& issues, bool listed = false);
  [[nodiscard]] QString text() const;
  [[nodiscard]] QStringList problems() const;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  void addButton(const QString& text, const std::function<void()>& run);

  QLabel* text_;
  QHBoxLayout* buttons_;
  QVBoxLayout* problems_;
  QWidget* problem_area_;
  QStringList problem_texts_;
  QShortcut* cancels_;  ///< Escape, while there is something to choose
};

}  // namespace shardlens::ui
