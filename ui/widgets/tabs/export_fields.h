// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/yaml/exporter.h"

#include <QWidget>

#include <vector>

class QGridLayout;
class QLabel;
class QLineEdit;

namespace shardlens::ui {

/// What a target needs to know and no spec says, one field each: the options of `shardlens export`.
class ExportFields : public QWidget {
  Q_OBJECT

 public:
  explicit ExportFields(QWidget* parent = nullptr);

  /// Those that the target has; hidden where it has none.
  void setTarget(const yaml::ExportTarget& target);
  void setContext(const yaml::ExportContext& context);
  /// Marks the field of this option as one whose text was refused, or as fine.
  void mark(const yaml::ExportOption& option, bool is_refused);

 signals:
  /// The user typed.
  void edited(const shardlens::yaml::ExportOption& option, const QString& text);

 private:
  struct Row {
    const yaml::ExportOption* option;
    QLabel* label;
    QLineEdit* field;
    bool is_shown = false;
  };
  void arrange();

  QGridLayout* grid_;
  std::vector<Row> rows_;
};

}  // namespace shardlens::ui
