// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/resume/answer.h"

#include <QWidget>

class QLabel;

namespace shardlens::ui {

class LinkButton;
class NumberRow;

/// Where the run stops, with how many ranks and which batch_size it goes on; under that what it amounts to, and the
/// command that says the same.
class ResumeControls : public QWidget {
  Q_OBJECT

 public:
  explicit ResumeControls(QWidget* parent = nullptr);

  /// Ranges and values of an answer; `before` is the stopped run.
  void setAnswer(const ResumeAnswer& answer, const PipelineSpec& before, const QString& command);
  /// The user is on his way to another stop: shown at once, long before there is an answer.
  void setPoint(const ResumePoint& point, const QString& command);

  [[nodiscard]] NumberRow* epoch() const { return epoch_; }
  [[nodiscard]] NumberRow* steps() const { return steps_; }
  [[nodiscard]] NumberRow* nodes() const { return nodes_; }
  [[nodiscard]] NumberRow* ranks() const { return ranks_; }
  [[nodiscard]] NumberRow* batchSize() const { return batch_size_; }
  [[nodiscard]] QString sentence() const;
  [[nodiscard]] QString command() const;

 public slots:
  void copyCommand() const;

 signals:
  void epochWanted(qint64 epoch);
  void stepsWanted(qint64 steps);
  void worldWanted(const shardlens::PipelineSpec::World& world);
  void batchSizeWanted(qint64 batch_size);
  /// The world and the batch_size of the stopped run are wanted again.
  void sameWanted();

 private:
  void build();
  QWidget* commandBox();
  void wire();
  void showWorld(const PipelineSpec::World& world);
  void showBatchSize(qint64 batch_size);

  NumberRow* epoch_;
  NumberRow* steps_;
  QLabel* trained_;
  NumberRow* nodes_;
  NumberRow* ranks_;
  QLabel* world_;
  NumberRow* batch_size_;
  LinkButton* same_;
  QLabel* command_;
  QString said_;  ///< the command in one line
  PipelineSpec::World before_;
  qint64 batch_size_before_ = 1;
};

}  // namespace shardlens::ui
