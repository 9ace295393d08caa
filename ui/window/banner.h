// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "ui/scene/theme.h"
#include "ui/state/workspace.h"
#include "ui/widgets/common/style.h"

#include <QLabel>
#include <QWidget>

#include <functional>
#include <memory>

class QHBoxLayout;
class QShortcut;
class QVBoxLayout;

namespace shardlens::ui {

class LinkButton;

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
  [[nodiscard]] QString text() const { return text_->text(); }
  [[nodiscard]] QStringList problems() const { return problem_texts_; }

 protected:
  void paintEvent(QPaintEvent* /*event*/) override { paintBar(*this, theme().field); }

 private:
  void addButton(const QString& text, const std::function<void()>& run);

  QLabel* text_;
  QHBoxLayout* buttons_;
  QVBoxLayout* problems_;
  QWidget* problem_area_;
  QStringList problem_texts_;
  QShortcut* cancels_;  ///< Escape, while there is something to choose
};

/// Says above a page about the design that this is not the design of the recording in view, and leads to that one, or
/// to what was read where the recording has none; an empty design gives way to it when a recording is opened. A design
/// that was that of the recording once may be edited without a word; one that was made of what was read, or plans all
/// of that, says so until it is edited.
class DesignNotice : public QWidget {
  Q_OBJECT

 public:
  DesignNotice(Workspace& workspace, QWidget* parent);
  /// Whether the page below is about the design.
  void setBelongs(bool belongs);
  /// The design in place is that of the run, or was made of what the job read: then `said` says so.
  void designIsOfRun(const QString& said);

 signals:
  void runWanted();
  /// The plan that the recording holds, or one that was made of what was read: then `said` says what of it. `unasked`:
  /// an empty design gives way to it.
  void designWanted(const shardlens::PipelineSpec& spec, const QString& text, const QString& said, bool unasked);

 protected:
  void paintEvent(QPaintEvent* /*event*/) override { paintBar(*this, theme().field); }

 private:
  void refresh();
  [[nodiscard]] bool isOther();
  [[nodiscard]] bool hasPlan() const;  ///< the run has
  /// That the design in place plans every batch that was recorded of a loader; empty where that is not known.
  [[nodiscard]] QString whatItPlans() const;
  /// Nobody has typed or opened a design since the recording was opened, and the one in place is empty.
  [[nodiscard]] bool givesWay() const;
  void giveWay();
  void openDesign(bool unasked);

  Workspace& workspace_;
  QLabel* text_;
  LinkButton* open_;
  bool belongs_ = true;
  bool knows_run_ = false;
  std::shared_ptr<const RunFacts> facts_;
  QString of_run_;     ///< the recording that the design in place is of
  QString said_;       ///< of a design that was made of what was read
  PipelineSpec read_;  ///< that design
  QString dismissed_;  ///< the recording about which the user wants to hear no more
  QString awaited_;    ///< the recording that was opened since the design in place was last changed
};

}  // namespace shardlens::ui
