// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/run/proof.h"
#include "ui/state/job_capture.h"
#include "ui/state/run_service.h"
#include "ui/state/selection.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/common/style.h"

#include <optional>
#include <utility>

namespace shardlens::ui {

/// The cells of the proof with the steps they stand for. Arrow keys go from cell to cell, Home and End to the first and
/// the last step of the row, with Ctrl to the first and the last cell; Enter or Space selects. What the cell with the
/// focus says is the accessible description.
class ProofView : public QWidget {
  Q_OBJECT

 public:
  explicit ProofView(QWidget* parent = nullptr);
  /// `is_recorded`: the plan is what was recorded, which proves nothing.
  void setRun(const RunStatePtr& state, std::shared_ptr<const BatchProof> proof, std::shared_ptr<const RunFacts> facts,
              bool is_recorded = false);
  /// Shows these steps; nothing: those around the newest one.
  void setSteps(std::optional<StepRange> steps);
  /// Brings the step of this place into view, if it has one and the run does.
  void reveal(const Selected& place);
  [[nodiscard]] ProofScene scene() const;
  /// The batches in view; steps count over all epochs.
  [[nodiscard]] QString csv() const;
  /// Frames the rows of its ranks and, when it has one, the column of its step.
  void setSelected(const Selected& place);
  [[nodiscard]] const Selected& selected() const { return selected_; }
  [[nodiscard]] QSize minimumSizeHint() const override { return {px(160), px(60)}; }

 signals:
  /// A batch was clicked; where a row stands for several ranks, the first of them.
  void placeChosen(const shardlens::ui::Selected& place);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;

 private:
  /// A cell of the scene, and the first and the last rank of its row.
  struct Spot {
    int row = 0;
    int column = 0;
    qint64 first = 0;
    qint64 last = 0;
  };
  [[nodiscard]] std::optional<Spot> spotAt(QPoint place) const;
  [[nodiscard]] Spot spotOf(const ProofScene& shown, int row, int column) const;
  /// The cell with the focus: it stays with its rank and step while others come into view.
  [[nodiscard]] std::optional<Spot> cursor(const ProofScene& shown) const;
  void moveCursor(int rows, int columns);
  void choose(const Spot& spot);
  void describe();
  void paintCursor(QPainter& painter, const ProofScene& shown) const;
  void paintRanks(QPainter& painter, const ProofScene& shown) const;
  void paintSelected(QPainter& painter, const ProofScene& shown) const;
  [[nodiscard]] QSize cells() const;
  [[nodiscard]] int gutter() const;
  [[nodiscard]] QString wordsFor(const ProofScene& shown, const Spot& spot) const;

  RunStatePtr state_;
  std::shared_ptr<const BatchProof> proof_;
  std::shared_ptr<const RunFacts> facts_;
  std::optional<StepRange> steps_;
  Selected selected_;
  std::optional<std::pair<qint64, qint64>> cursor_;  ///< a rank and a step over all epochs
  bool is_recorded_ = false;
  bool focus_ring_ = false;  ///< the focus came by key
};

/// "Proof of assignment": how many batches are the planned ones, and which lately.
class ProofPanel : public QWidget {
  Q_OBJECT

 public:
  explicit ProofPanel(QWidget* parent = nullptr);
  void setRun(const RunService& runs);
  /// Of a job whose loaders a probe saw.
  void setLoaders(const JobCapture& loaders);
  [[nodiscard]] QString verdictText() const { return verdict_->plain(); }
  [[nodiscard]] ProofView& view() const { return *view_; }

 signals:
  /// A batch that the verdict names.
  void placeWanted(const shardlens::ui::Selected& place);

 private:
  LinkLabel* verdict_;
  ProofView* view_;
};

}  // namespace shardlens::ui
