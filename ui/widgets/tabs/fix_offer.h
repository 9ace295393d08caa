// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/audit/finding.h"

#include <QWidget>

#include <optional>

class QLabel;
class QPushButton;

namespace shardlens::ui {

/// The best fix of a verdict: a button with the fix's label, and its price below. Hidden when there is no fix.
class FixOffer : public QWidget {
  Q_OBJECT

 public:
  explicit FixOffer(QWidget* parent = nullptr);
  void setFix(std::optional<Fix> fix);

 signals:
  void wanted(const shardlens::Fix& fix);

 private:
  std::optional<Fix> fix_;
  QPushButton* button_;
  QLabel* price_;
};

}  // namespace shardlens::ui
