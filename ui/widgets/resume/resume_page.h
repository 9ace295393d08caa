// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/resume/answer.h"
#include "ui/state/latest_job.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/common/page.h"
#include "ui/widgets/common/state_pane.h"
#include "ui/widgets/common/toast.h"

#include <QTimer>

#include <functional>

class QSplitter;

namespace shardlens::ui {

class NumberField;
class ResumeList;
class WayDetails;

/// A whole number of a range under its label, with what follows from it below. Numbers beyond the range are brought to
/// its nearest end, and the note says so.
class NumberRow : public QWidget {
  Q_OBJECT

 public:
  explicit NumberRow(const QString& label, QWidget* parent = nullptr);

  void setRange(qint64 least, qint64 most);
  /// Leaves alone what the user is typing when it means the same.
  void setValue(qint64 value);
  [[nodiscard]] qint64 value() const { return value_; }
  void setNote(const QString& text);
  [[nodiscard]] QString note() const { return note_->text(); }
  [[nodiscard]] NumberField* field() const { return field_; }

 signals:
  /// The user typed or stepped to another number.
  void changed(qint64 value);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void take(const QString& text);
  void showNote();

  NumberField* field_;
  QLabel* note_;
  QString plain_note_;
  QString refusal_;
  qint64 least_ = 0;
  qint64 most_ = 0;
  qint64 value_ = 0;
};

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
  [[nodiscard]] QString sentence() const { return trained_->text(); }
  [[nodiscard]] QString command() const { return said_; }

 public slots:
  void copyCommand() const { copyText(*this, command()); }

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

/// The Resume perspective: where the run stops and with how many ranks it goes on at the left, every framework's way to
/// go on in the middle, what stands behind the chosen one at the right. Nothing of it changes the document.
class ResumePage : public Page {
  Q_OBJECT

 public:
  explicit ResumePage(Workspace& workspace, QWidget* parent = nullptr);
  ~ResumePage() override;

  void setStop(qint64 epoch, qint64 steps);
  void setSteps(qint64 steps);
  void setWorld(const PipelineSpec::World& world);
  void setBatchSize(qint64 batch_size);
  /// Stops computing; what is shown stays.
  void cancel();

  [[nodiscard]] const ResumeAnswer& answer() const { return answer_; }
  [[nodiscard]] ResumeControls* controls() const { return controls_; }
  [[nodiscard]] ResumeList* list() const { return list_; }
  [[nodiscard]] WayDetails* details() const { return details_; }
  [[nodiscard]] QString title() const { return title_->plain(); }
  /// What is said in place of the rows, or above old ones.
  [[nodiscard]] QString message() const { return pane_->message(); }
  /// "shardlens resume FILE --at ...".
  [[nodiscard]] QString command() const override;

 protected:
  void showEvent(QShowEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;

 private:
  QWidget* centre();
  QWidget* headRow();
  void addPlaces();
  void wire();
  void wireChoice();
  void followSpec();
  void followPlayhead();
  void compute();
  void take(ResumeAnswer answer);
  void takePart(ResumeAnswer part);
  void showChoice(const ResumeAnswer& answer);
  void showSummary(const QString& text);
  void preview();
  void settle();

  Workspace& workspace_;
  ResumeChoice choice_;    ///< what the user chose; gone with the session
  QString file_;           ///< that the choice is about
  PipelineSpec computed_;  ///< of the newest request
  ResumeAnswer answer_;    ///< the newest with rows
  bool partial_ = false;   ///< more of its rows are being computed
  ResumePoint point_;      ///< that is wanted now, ahead of the answer
  qint64 steps_ = 0;       ///< of the epoch that is stopped in
  QSplitter* columns_;
  ResumeControls* controls_;
  QWidget* centre_ = nullptr;
  LinkLabel* title_;
  ElidedLinks* summary_;
  LinkButton* stop_;
  LinkButton* again_;
  ResumeList* list_;
  StatePane* pane_;
  WayDetails* details_;
  QTimer patience_;
  std::function<void()> look_;  ///< takes the rows that are ready by now
  bool stale_ = true;           ///< something changed while nobody looked
  LatestJob job_;
};

}  // namespace shardlens::ui
