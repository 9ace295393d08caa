// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/lens/lanes.h"

#include <QWidget>

class QAbstractButton;
class QLabel;

namespace shardlens::ui {

class Column;
class ElidedLabel;
class StageView;

/// One framework of the lens: its name, what really deals, the verdict, its Stage, and what it changed or why it stops.
class LensColumnView : public QWidget {
  Q_OBJECT

 public:
  explicit LensColumnView(QWidget* parent = nullptr);

  void setLane(const LensLane& lane);
  [[nodiscard]] const std::string& id() const { return id_; }
  [[nodiscard]] StageView* stage() const { return stage_; }
  [[nodiscard]] QAbstractButton* useButton() const { return use_; }
  [[nodiscard]] QString verdict() const;

 signals:
  /// The user wants this column's spec as the design.
  void useWanted();

 private:
  void showNotes(const LensColumn& column);
  void addNote(const QString& text, const char* tone);

  std::string id_;
  ElidedLabel* title_;
  QLabel* sampler_;
  QLabel* verdict_;
  StageView* stage_;
  Column* notes_;
  QAbstractButton* use_;
};

}  // namespace shardlens::ui
