// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/tabs/heat_colours.h"

#include <QString>
#include <QWidget>

namespace shardlens::ui {

/// The colours of a matrix from 0 to all, as an upright bar with its ends in words.
class HeatScale : public QWidget {
  Q_OBJECT

 public:
  explicit HeatScale(QWidget* parent = nullptr);
  void setScale(HeatTone tone, const QString& most);
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  HeatTone tone_ = HeatTone::Note;
  QString most_;
};

}  // namespace shardlens::ui
