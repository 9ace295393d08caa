// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/state/latest_job.h"
#include "ui/state/workspace.h"
#include "ui/widgets/common/labels.h"
#include "ui/widgets/common/style.h"

#include <QElapsedTimer>
#include <QTimer>

class QMenu;
class QToolButton;

namespace shardlens::ui {

class ChoiceField;
class ThinSlider;
class TransportButton;
struct ProofVerdict;

/// Moves through a recording: open another one, play, drag the moment; beside it what `verify` says of it and its own
/// spec, and whether the open document is another one. Space plays.
class AutopsyBar : public QWidget {
  Q_OBJECT

 public:
  explicit AutopsyBar(Workspace& workspace, QWidget* parent = nullptr);
  /// What the service shows now.
  void refresh();
  [[nodiscard]] bool isPlaying() const { return timer_.isActive(); }
  void setPlaying(bool playing);
  [[nodiscard]] QString verifyText() const { return verify_->fullText(); }
  /// Asks what to compare the run with.
  void openCompareMenu();

 signals:
  void openWanted();
  /// The run in view beside another recording; beside what its plan predicts.
  void compareWanted(const QString& run_file);
  void comparePlanWanted();
  void compareDesignWanted();
  /// The user moved to another moment.
  void sought();
  /// A batch that the proof names.
  void placeWanted(const shardlens::ui::Selected& place);

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void buildControls();
  [[nodiscard]] QToolButton* makeCompareMenu();
  void fillCompareMenu(QMenu& menu);
  void tick();
  void seekTo(qint64 ns);
  void verifySoon();
  void compareSoon();
  void showProof(const ProofVerdict& said);
  void showText();
  void showClock();
  [[nodiscard]] bool isNarrow() const { return width() < px(780); }
  [[nodiscard]] qint64 moment() const { return runs_.position() < 0 ? runs_.duration() : runs_.position(); }

  Document& document_;
  RunService& runs_;
  JobCapture& capture_;
  ElidedLabel* file_;
  TransportButton* play_;
  ChoiceField* speed_;
  QToolButton* compare_menu_ = nullptr;
  ThinSlider* slider_;
  QLabel* clock_;
  ElidedLinks* verify_;
  QTimer timer_;
  QElapsedTimer since_tick_;
  QString verified_;    ///< the run file that verify_ is about
  QString said_;        ///< of it
  bool found_ = false;  ///< said_ is what `verify` found
  QString differs_;     ///< where the open document is another spec than the recording's; empty: nowhere
  LatestJob job_;
  LatestJob compare_;
};

}  // namespace shardlens::ui
