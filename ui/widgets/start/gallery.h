// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/state/latest_job.h"

#include <QDialog>

#include <vector>

class QBoxLayout;
class QHBoxLayout;

namespace shardlens::ui {

class ExampleCard;
class SegmentedControl;

/// Mistakes from real training jobs as cards with pictures; choosing one opens a copy of it.
class Gallery : public QDialog {
  Q_OBJECT

 public:
  /// Without motion no card deals its batches.
  explicit Gallery(bool moves, QWidget* parent = nullptr);
  ~Gallery() override;

  [[nodiscard]] const std::vector<ExampleCard*>& cards() const { return cards_; }
  /// Puts a column beside the cards, at the left.
  void setAside(QWidget* column);

 signals:
  void chosen(const QString& path);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  void build(bool moves);
  void keepInside();
  void compute();
  /// The frameworks of all cards, once they are known.
  void showFrameworks();
  /// Cards of the chosen framework side by side, as many as fit; they share the width.
  void arrange();
  /// Puts the choice of frameworks where it has room.
  void placeHead();

  std::vector<ExampleCard*> cards_;
  QWidget* grid_;
  SegmentedControl* frameworks_;
  QBoxLayout* head_ = nullptr;  ///< the title, and the choice of frameworks beside or below it
  QHBoxLayout* row_ = nullptr;  ///< what is aside, and the cards
  LatestJob job_;
};

}  // namespace shardlens::ui
