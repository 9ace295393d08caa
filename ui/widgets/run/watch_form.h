// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/state/workspace.h"
#include "ui/widgets/common/labels.h"

#include <QCheckBox>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QVariantMap>

class QPushButton;

namespace shardlens::ui {

/// A line that shows a command and copies it.
class CommandField : public QWidget {
  Q_OBJECT

 public:
  explicit CommandField(QWidget* parent = nullptr);
  void setCommand(const QString& command) { command_->setFullText(command); }
  [[nodiscard]] const QString& command() const { return command_->fullText(); }
  [[nodiscard]] QPushButton* copyButton() const { return copy_; }

 private:
  ElidedLabel* command_;
  QPushButton* copy_;
};

/// Where a command of the user's is typed, with its folder, its environment and what it is compared with, and run.
class WatchForm : public QWidget {
  Q_OBJECT

 public:
  explicit WatchForm(Workspace& workspace, QWidget* parent = nullptr);
  /// The next key goes into the command.
  void typeCommand();
  /// What runs the command, as one would type it: empty where the user is elsewhere in the window, or where no command
  /// can be read.
  [[nodiscard]] QString command() const;
  /// What a session remembers.
  [[nodiscard]] QVariantMap typed() const;
  void setTyped(const QVariantMap& typed);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void build();
  void connectParts();
  /// Makes what unfolds the environment, and the choice of the design.
  [[nodiscard]] QWidget* makeExtras();
  void watch();
  [[nodiscard]] QString folder() const;
  void showFolder();
  /// The command with its environment, as it is typed.
  [[nodiscard]] RunService::OwnCommand own() const { return {typed_->text(), environment_->toPlainText()}; }
  /// What it reads is compared with the open design.
  [[nodiscard]] bool compares() const { return compare_->isChecked() && !compare_->isHidden(); }
  /// Shows what can be compared, and what would be run.
  void showOwn();
  /// Says which line of the environment is no assignment; false where one is.
  bool checkEnvironment();

  Workspace& workspace_;
  QLineEdit* typed_;
  LinkButton* where_;            ///< the folder in which it runs
  LinkButton* variables_;        ///< unfolds the environment
  QPlainTextEdit* environment_;  ///< its variables, one a line
  QLabel* no_variable_;          ///< which line of it is none
  QCheckBox* compare_;           ///< with the open design; hidden while that is not valid
  QLabel* compared_;             ///< that the command line would compare with another design than the one shown
  CommandField* line_;           ///< what is run
  QLabel* not_watched_;          ///< why it cannot be run
  QString chosen_folder_;        ///< empty: the folder of the design
};

}  // namespace shardlens::ui
