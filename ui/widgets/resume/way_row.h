// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/resume/answer.h"
#include "ui/state/selection.h"

#include <QWidget>

#include <string>
#include <vector>

class QLabel;

namespace shardlens::ui {

class ElidedLabel;
class LinkLabel;
class WayStrip;

/// One way to go on: its verdict, its name, what it does, and the epoch in time. It can be chosen; Left and Right move
/// the stop, Up and Down go to the next row.
class WayRow : public QWidget {
  Q_OBJECT

 public:
  explicit WayRow(QWidget* parent = nullptr);

  /// `stop`: where the stop is shown, 0..1.
  void setRow(const ResumeRow& row, double stop);
  /// What is shown is of an older stop: dimmed until the answer comes.
  void setOld(bool old);
  void setChosen(bool chosen);
  [[nodiscard]] const std::string& id() const { return id_; }
  [[nodiscard]] QString verdict() const { return accessibleDescription(); }
  [[nodiscard]] bool isChosen() const { return chosen_; }
  [[nodiscard]] WayStrip* strip() const { return strip_; }

 signals:
  void chosen();
  void moveWanted(int rows);
  void stepWanted(qint64 steps);
  void endWanted(bool last);  ///< the first or the last step
  /// A link of its words.
  void placeWanted(const shardlens::ui::Selected& place);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void changeEvent(QEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;

 private:
  void showVerdict();

  std::string id_;
  QLabel* verdict_;  ///< wraps: nothing of it is cut
  std::vector<VerdictPart> parts_;
  ElidedLabel* title_;
  LinkLabel* rule_;
  LinkLabel* reason_;
  WayStrip* strip_;
  bool chosen_ = false;
  bool old_ = false;
  bool focus_ring_ = false;
};

}  // namespace shardlens::ui
