// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lens/head.h"

#include <QWidget>

#include <vector>

namespace shardlens::ui {

/// The bar at the head of a column: what becomes of the readings.
class ShareBarView : public QWidget {
  Q_OBJECT

 public:
  explicit ShareBarView(QWidget* parent = nullptr);

  void setShares(std::vector<LensShare> shares);

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  std::vector<LensShare> shares_;
};

}  // namespace shardlens::ui
