// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/resume/answer.h"
#include "ui/state/latest_job.h"
#include "ui/widgets/common/page.h"

#include <QTimer>

#include <functional>

class QSplitter;

namespace shardlens::ui {

class Arrangement;
class ElidedLinks;
class LinkButton;
class LinkLabel;
class ResumeControls;
class ResumeList;
class StatePane;
class WayDetails;

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
  [[nodiscard]] QString title() const;
  /// What is said in place of the rows, or above old ones.
  [[nodiscard]] QString message() const;
  /// "shardlens resume FILE --at ...".
  [[nodiscard]] QString command() const override;
  [[nodiscard]] QVariantMap layout() const override;
  void restoreLayout(const QVariantMap& layout) override;
  void resetLayout() override;

 protected:
  void showEvent(QShowEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;

 private:
  QWidget* centre();
  QWidget* headRow();
  void addMenus();
  void addPlaces();
  void wire();
  void wireChoice();
  void followSpec();
  void followPath();
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
  Arrangement* panels_ = nullptr;
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
