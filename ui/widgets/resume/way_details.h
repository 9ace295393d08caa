// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/resume/answer.h"
#include "ui/state/selection.h"

#include <QWidget>

#include <optional>

namespace shardlens::ui {

class Column;
class LinkLabel;

/// The details of one row: counts, what to know about the way, the samples themselves, the first batches.
class WayDetails : public QWidget {
  Q_OBJECT

 public:
  explicit WayDetails(QWidget* parent = nullptr);

  void setRow(const ResumeRow& row, const ResumePoint& point);
  void clear();
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
