// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;

namespace shardlens {
struct RunState;
}

namespace shardlens::ui {

class ArrivalPlot;
class ElidedLabel;

/// When each rank comes to the collectives, after the first one; with very many ranks the latest of them.
class ArrivalPanel : public QWidget {
  Q_OBJECT

 public:
  explicit ArrivalPanel(QWidget* parent = nullptr);
  void setRun(const RunState& state);

 signals:
  void rankClicked(qint64 rank);

 private:
  QLabel* head_;
  ElidedLabel* note_;
  ArrivalPlot* plot_;
};

}  // namespace shardlens::ui
