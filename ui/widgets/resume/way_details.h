// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/resume/answer.h"

#include <QWidget>

namespace shardlens::ui {

class Column;

/// What stands behind one row: counts, what to know about the way, the samples themselves, the first batches.
class WayDetails : public QWidget {
  Q_OBJECT

 public:
  explicit WayDetails(QWidget* parent = nullptr);

  void setRow(const ResumeRow& row, const ResumePoint& point);
  void clear();
  /// All that is said, a line for each label.
  [[nodiscard]] QString text() const;

 private:
  void addText(const QString& text, const char* tone, const char* role = "text");
  void addHead(const QString& text);
  void addFacts(const ResumeRow& row);
  void addIds(const QString& head, const std::vector<SampleIndex>& ids, qint64 all);
  void addBatches(const ResumeRow& row, const ResumePoint& point);

  Column* column_;
};

}  // namespace shardlens::ui
