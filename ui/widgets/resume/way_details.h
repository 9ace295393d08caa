// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/resume/report.h"
#include "ui/scene/resume/answer.h"
#include "ui/state/selection.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/common/style.h"

#include <optional>
#include <vector>

namespace shardlens::ui {

/// The first batches of a resumed run, a line for each, rank by rank: as many of its samples as there is room for,
/// those that were trained on before in a ring.
class BatchLines : public QWidget {
  Q_OBJECT

 public:
  explicit BatchLines(std::vector<ResumedBatch> batches, QWidget* parent = nullptr);

  /// Marks the chips of this sample.
  void setSelected(std::optional<qint64> sample);
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override { return {px(80), sizeHint().height()}; }

 signals:
  void sampleChosen(qint64 id);

 protected:
  void mouseReleaseEvent(QMouseEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  void paintLine(QPainter& painter, int y, const ResumedBatch& batch) const;
  /// How many samples of a batch there is room for.
  [[nodiscard]] int shownOf(const ResumedBatch& batch) const;
  [[nodiscard]] QRectF chipAt(int y, int place) const;
  [[nodiscard]] std::optional<qint64> sampleAt(QPointF at) const;
  [[nodiscard]] QString lineText(const ResumedBatch& batch) const;
  [[nodiscard]] int top(std::size_t line) const;

  std::vector<ResumedBatch> batches_;
  std::optional<qint64> selected_;
  int chip_ = 0;  ///< width of the widest id's chip
  int step_ = 0;  ///< width of the widest step
};

/// The details of one row: counts, what to know about the way, the samples themselves, the first batches.
class WayDetails : public QWidget {
  Q_OBJECT

 public:
  explicit WayDetails(QWidget* parent = nullptr);

  void setRow(const ResumeRow& row, const ResumePoint& point);
  void clear() { column_->clear(); }
  /// Marks it among the first batches.
  void setSelected(std::optional<qint64> sample);
  /// All that is said, a line for each label.
  [[nodiscard]] QString text() const;

 signals:
  /// A rank, a step or a sample that it names was chosen.
  void placeWanted(const shardlens::ui::Selected& place);

 private:
  LinkLabel* words(const char* tone, const char* role);
  void addText(const QString& text, const char* tone, const char* role = "text");
  void addHead(const QString& text);
  void addFacts(const ResumeRow& row);
  void addIds(const QString& head, const std::vector<SampleIndex>& ids, qint64 all);
  void addBatches(const ResumeRow& row, const ResumePoint& point);

  Column* column_;
  Selected context_;  ///< what its words are about
  std::optional<qint64> selected_;
};

}  // namespace shardlens::ui
