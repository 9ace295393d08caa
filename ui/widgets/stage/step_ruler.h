// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace shardlens::ui {

class ThinSlider;

/// The numbers below a slider of steps: its first and its last, and round ones between them.
class StepRuler : public QWidget {
  Q_OBJECT

 public:
  explicit StepRuler(const ThinSlider& slider, QWidget* parent = nullptr);
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  const ThinSlider& slider_;
};

}  // namespace shardlens::ui
