// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/design/sampler_list.h"

#include <QListWidget>

#include <string>
#include <vector>

namespace shardlens::ui {

/// Samplers under the heads of their frameworks: name, one line and tags each. One of them is chosen at any time, if
/// there is any.
class SamplerRows : public QListWidget {
  Q_OBJECT

 public:
  explicit SamplerRows(std::string in_use, QWidget* parent = nullptr);

  /// These and no others. Keeps the chosen one where it is among them, else chooses `preferred` or the first.
  void setRows(const std::vector<SamplerRow>& rows, bool with_heads, const std::string& preferred);
  /// The chosen sampler's type; empty when there is none.
  [[nodiscard]] std::string chosen() const;
  /// Chooses the sampler that many rows further; stops at the ends.
  void moveBy(int rows);
  [[nodiscard]] int rowsInSight() const;

 signals:
  void chosenChanged(const QString& type);
  /// It was double-clicked.
  void taken();

 private:
  void addHead(const QString& title);
  void addRow(const SamplerRow& row);
  [[nodiscard]] int placeOf(const std::string& type) const;

  std::string in_use_;
};

/// The frameworks, with how many samplers each has; the first line stands for all.
class FrameworkList : public QListWidget {
  Q_OBJECT

 public:
  explicit FrameworkList(QWidget* parent = nullptr);
  /// The same frameworks at every call.
  void setCounts(const std::vector<FrameworkCount>& counts);
  /// Empty: all of them.
  [[nodiscard]] QString chosen() const;
};

}  // namespace shardlens::ui
