// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/stage/legend.h"

#include <QWidget>

#include <vector>

namespace shardlens::ui {

class ColourButton;

/// The foot of the Stage: what colours the cells, and what each mark in them means.
class LegendRow : public QWidget {
  Q_OBJECT

 public:
  explicit LegendRow(QWidget* parent = nullptr);

  [[nodiscard]] ColourButton* colour() const { return colour_; }
  void setEntries(std::vector<LegendEntry> entries);
  [[nodiscard]] const std::vector<LegendEntry>& entries() const { return entries_; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  ColourButton* colour_;
  std::vector<LegendEntry> entries_;
};

}  // namespace shardlens::ui
