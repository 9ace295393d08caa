// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

namespace shardlens::ui {

class Actions;

/// Every example with what it shows; choosing one opens it.
class Gallery : public QDialog {
  Q_OBJECT

 public:
  explicit Gallery(QWidget* parent = nullptr);

 signals:
  void chosen(const QString& path);
};

/// Every action that has a key, by menu, and what the Stage does with keys and mouse.
class KeySheet : public QDialog {
  Q_OBJECT

 public:
  explicit KeySheet(const Actions& actions, QWidget* parent = nullptr);
};

/// What this program is, its version and licences.
void showAbout(QWidget* parent);

}  // namespace shardlens::ui
