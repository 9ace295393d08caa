// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/stage/strip.h"

#include <QWidget>

#include <memory>
#include <optional>

namespace shardlens::ui {

/// The dataset from its first sample to its last, filling with the colours of the ranks as the playhead moves.
class DatasetStrip : public QWidget {
  Q_OBJECT

 public:
  explicit DatasetStrip(QWidget* parent = nullptr);

  void setInput(const StageInput& input);
  void setFacts(std::shared_ptr<const EpochFacts> facts);
  void setPlayhead(double position);
  /// Marks the places of `count` samples from `sample` on.
  void setHighlighted(std::optional<SampleIndex> sample, qint64 count = 1);
  void setColour(StageColour colour);
  /// The epoch in view is over: its strip stays as it is at its end until it is emptied.
  void keepFull();
  /// What was kept has gone so far from the left, 0..1; at 1 nothing is left of it.
  void setEmptied(double share);
  [[nodiscard]] bool keepsFull() const { return !kept_.empty(); }

  /// Where a sample stands, in this widget's coordinates.
  [[nodiscard]] QRect sampleOnScreen(SampleIndex sample) const;
  /// "epoch 0 of 90 · 1 792 of 1 281 167 samples seen".
  [[nodiscard]] QString summary() const { return summary_; }
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

 signals:
  /// What is under the pointer: a sample, or the `count` of them from `first` on that share a place.
  void samplesChosen(qint64 first, qint64 count);
  void summaryChanged(const QString& text);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  [[nodiscard]] QRect bar() const;
  [[nodiscard]] std::optional<StripColumn> columnAt(int x) const;
  void refresh();
  void paintColumns(QPainter& painter);
  void paintScale(QPainter& painter, const QString& scale);
  [[nodiscard]] QRectF markOf(SampleIndex first, SampleIndex last) const;

  StageInput input_;
  std::shared_ptr<const EpochFacts> facts_;
  StageColour colour_ = StageColour::SamplePosition;
  qint64 dealt_ = 0;
  std::vector<StripColumn> kept_;  ///< of the epoch before, while it is emptied
  double emptied_ = 0;
  std::optional<SampleIndex> highlighted_;
  qint64 highlighted_count_ = 1;
  QString summary_;
};

}  // namespace shardlens::ui
