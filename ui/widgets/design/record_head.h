// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <cstddef>
#include <string>

namespace shardlens::ui {

/// The line above the items of one record in the form: its name, and a button that removes the record.
class RecordHead : public QWidget {
  Q_OBJECT

 public:
  RecordHead(const std::string& list, std::size_t index, QWidget* parent = nullptr);

 signals:
  void removed();
};

}  // namespace shardlens::ui
