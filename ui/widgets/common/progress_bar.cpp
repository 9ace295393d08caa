// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/common/progress_bar.h"

namespace shardlens::ui {
namespace {

constexpr int kParts = 1000;

}  // namespace

ProgressBar::ProgressBar(QWidget* parent) : QProgressBar(parent) {
  setRange(0, kParts);
  setTextVisible(false);
}

void ProgressBar::setFraction(double fraction) {
  const int part = static_cast<int>(fraction * kParts);
  if (part == value()) return;
  setUpdatesEnabled(false);
  setValue(part);
  setUpdatesEnabled(true);
}

}  // namespace shardlens::ui
