// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/run/proof.h"
#include "ui/state/run_service.h"

#include <QWidget>

class QLabel;

namespace shardlens::ui {

/// The cells of the proof with the steps they stand for.
class ProofView : public QWidget {
  Q_OBJECT

 public:
  explicit ProofView(QWidget* parent = nullptr);
  void setRun(const RunStatePtr& state, std::shared_ptr<const BatchProof> proof, std::shared_ptr<const RunFacts> facts);
  [[nodiscard]] ProofScene scene() const;
  [[nodiscard]] QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  bool event(QEvent* event) override;

 private:
  [[nodiscard]] QSize cells() const;
  [[nodiscard]] QString tipAt(QPoint place) const;

  RunStatePtr state_;
  std::shared_ptr<const BatchProof> proof_;
  std::shared_ptr<const RunFacts> facts_;
};

/// "Proof of assignment": how many batches are the planned ones, and which lately.
class ProofPanel : public QWidget {
  Q_OBJECT

 public:
  explicit ProofPanel(QWidget* parent = nullptr);
  void setRun(const RunService& runs);
  [[nodiscard]] QString verdictText() const;

 private:
  QLabel* verdict_;
  ProofView* view_;
};

}  // namespace shardlens::ui
