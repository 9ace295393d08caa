// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace shardlens::ui {

/// Dims a widget whose content is out of date; hidden at first. Lies over it as its sibling, and takes no mouse. Costs
/// a rectangle: a graphics effect renders the widget by itself, for which Qt lays out all hidden pages of the window.
class Veil : public QWidget {
  Q_OBJECT

 public:
  explicit Veil(QWidget* over);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  void cover();

  QWidget* over_;
};

}  // namespace shardlens::ui
