// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/window/perspectives.h"

#include <QDialog>

#include <vector>

namespace shardlens::ui {

/// Every action that has a key, by menu, and the keys that the pages take themselves.
class KeySheet : public QDialog {
  Q_OBJECT

 public:
  KeySheet(const Actions& actions, const std::vector<Perspective>& rows, QWidget* parent = nullptr);

 private:
  void showIn(QWidget* sheet, const QWidget* parent);
};

/// Opens what this program is, its version and licences.
void showAbout(QWidget* parent);

}  // namespace shardlens::ui
